// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/batch_prefetcher.h"
#include "core/engine/capabilities.h"
#include "core/train/residency.h"

#include <cstdint>
#include <memory>
#include <span>

namespace plumb {

/// Brings the micro-batches of a data file into StepPlan::staging, where the op LoadBatch reads them: on the
/// host's cores as part of the step where these run it and the source is in memory (a thread beside them
/// takes from the step what it gives to it), else by a thread of its own, ahead of it.
class StagedBatches {
public:
    /// All of them outlive it. `source`: null when there is none.
    StagedBatches(const StepPlan& plan, Backend& backend, const Residency& residency,
                  const BatchSource* source);

    /// Whether the steps read data from a file.
    [[nodiscard]] bool areRead() const { return m_plan.staging >= 0; }
    /// Begins with the step after `steps` others. Pre: Staging has memory. Errors: Internal without a source;
    /// those of BatchPrefetcher.
    [[nodiscard]] Result<void> start(std::int64_t steps);
    /// Until start(), the memory of Staging is the caller's.
    void pause() { m_prefetcher.reset(); }
    /// Whether a thread of its own gathers them.
    [[nodiscard]] bool isPrefetched() const { return m_prefetcher != nullptr; }

    /// Runs work(half) with a micro-batch, numbered through all steps of the rank, in that half of Staging,
    /// where it is for as long as the work takes. Errors: those of the source, of the backend and of the
    /// work.
    template <class Work>
    [[nodiscard]] Result<void> with(std::int64_t number, const Work& work) {
        if (!isPrefetched()) {
            PLUMB_CHECK(gather(number));
            return work(0);
        }
        PLUMB_TRY(const std::int32_t half, m_prefetcher->take(number));
        PLUMB_CHECK(stage(half));
        if (m_copies == nullptr) {
            PLUMB_CHECK(work(half));
            PLUMB_CHECK(m_backend.synchronize());  // nobody reads the half any more
            m_prefetcher->release();
            return {};
        }
        m_prefetcher->release();
        return work(half);
    }

    /// The host's side of Staging: two halves of features [b, D] and targets [b, K]; one where nothing is
    /// prefetched.
    [[nodiscard]] std::span<float> floats() const;
    /// Copies a half to where the ops read it, where that is elsewhere.
    [[nodiscard]] Result<void> stage(std::int32_t half);
    /// Null: none.
    [[nodiscard]] const BatchSource* source() const { return m_source; }

private:
    [[nodiscard]] BatchPrefetcher::Shape shape() const;
    [[nodiscard]] Result<void> gather(std::int64_t number);

    const StepPlan& m_plan;
    Backend& m_backend;
    const Residency& m_residency;
    const BatchSource* m_source;
    StagingCopies* m_copies;  ///< null: the ops read what the host wrote
    HostCores* m_hostCores;
    std::unique_ptr<BatchPrefetcher> m_prefetcher;  ///< writes into the memory of Staging
};

}  // namespace plumb
