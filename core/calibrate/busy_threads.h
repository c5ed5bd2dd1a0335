// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/engine/backend.h"
#include "core/plan/step_plan.h"

#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

namespace plumb {

/// Threads that do the same over and over beside what is timed, until this object goes.
class BusyThreads {
public:
    /// Does it once; `isLast`: there need not be another round. Returns whether there is none: threads that
    /// wait for each other end in the same one.
    using Round = std::function<Result<bool>(bool isLast)>;
    /// Makes the rounds of a thread, on it.
    using Make = std::function<Result<Round>()>;

    /// Returns when each of them has done a round. Errors: theirs; Unavailable where a thread cannot be
    /// started.
    [[nodiscard]] static Result<std::unique_ptr<BusyThreads>> start(std::vector<Make> makes);
    /// Waits for the rounds that are under way. Errors: those of any thread.
    [[nodiscard]] Result<void> end();
    ~BusyThreads();
    BusyThreads(const BusyThreads&) = delete;
    BusyThreads& operator=(const BusyThreads&) = delete;

private:
    explicit BusyThreads(std::size_t count);
    void work(const Make& make, const std::stop_token& stop);

    /// Of the threads that have ended.
    [[nodiscard]] Result<void> went() const;

    std::latch m_busy;
    mutable std::mutex m_mutex;
    std::optional<Error> m_failed;  ///< the first of them
    std::vector<std::jthread> m_threads;
};

/// Runs the steps of `plan` on each of `backends`, which outlive the threads.
[[nodiscard]] Result<std::unique_ptr<BusyThreads>> keepStepping(const std::shared_ptr<const StepPlan>& plan,
                                                                std::span<Backend* const> backends);
/// All-reduces so many bytes between so many ranks, which are threads of this process.
[[nodiscard]] Result<std::unique_ptr<BusyThreads>> keepReducing(int ranks, Bytes bytes);

}  // namespace plumb
