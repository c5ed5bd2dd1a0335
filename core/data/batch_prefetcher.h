// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/data/batch_source.h"
#include "core/model/data_share.h"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

namespace plumb {

/// Gathers micro-batches from a BatchSource on a thread of its own, one ahead of the training.
///
/// The staging memory holds two halves, each the features [b, D] of a micro-batch and then its targets [b,
/// K]; micro-batch n of the rank goes to half n mod 2. Page faults and the waiting for a disk happen on the
/// prefetch thread. Which samples a micro-batch holds depends on its number alone, so that asking for any
/// other one than the next (a resumed run) costs one gather and nothing else. The owner calls from one
/// thread.
class BatchPrefetcher {
public:
    /// Sizes of one micro-batch, and which of all are the rank's.
    struct Shape {
        std::int64_t rows = 0;  ///< b
        std::int64_t dim = 0;
        std::int64_t outputs = 0;
        DataShare share;
        [[nodiscard]] std::int64_t floats() const { return rows * (dim + outputs); }
    };

    /// Starts the thread, which gathers micro-batch `first` and then the one after it. `source` and `staging`
    /// (2 * shape.floats()) must outlive this. Errors: Unavailable when no thread can be started.
    [[nodiscard]] static Result<std::unique_ptr<BatchPrefetcher>>
    create(const BatchSource& source, Shape shape, std::span<float> staging, std::int64_t first);
    /// Ends the thread; waits for the rows that it is just copying, at most some milliseconds of work.
    ~BatchPrefetcher();
    BatchPrefetcher(const BatchPrefetcher&) = delete;
    BatchPrefetcher& operator=(const BatchPrefetcher&) = delete;

    /// Waits until micro-batch `number` of the run is staged and returns its half, 0 or 1, which stays as it
    /// is until release() or the next take(). Errors: those of the source for this micro-batch.
    [[nodiscard]] Result<int> take(std::int64_t number);
    /// Gives the half that was taken back, to be filled with the micro-batch after the next.
    void release();

private:
    BatchPrefetcher(const BatchSource& source, Shape shape, std::span<float> staging, std::int64_t first);
    void work(const std::stop_token& stop);
    /// The micro-batch to gather next; empty when both halves are as they should be. Pre: m_mutex is held.
    [[nodiscard]] std::optional<std::int64_t> missing() const;
    [[nodiscard]] Result<void> gather(std::int64_t number, const std::stop_token& stop) const;

    const BatchSource& m_source;
    const Shape m_shape;
    const std::span<float> m_staging;

    static constexpr std::int64_t kNothing = -1;
    struct Half {
        std::int64_t number = kNothing;  ///< the micro-batch that lies here
        std::optional<Error> failure;    ///< why it does not
    };
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::array<Half, 2> m_halves;
    std::int64_t m_wanted;           ///< the micro-batch that is used now, or next
    std::int64_t m_held = kNothing;  ///< the micro-batch that is used now

    std::jthread m_thread;  ///< last: ends before what it uses goes away
};

}  // namespace plumb
