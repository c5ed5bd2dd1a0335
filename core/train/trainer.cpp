// SPDX-License-Identifier: Apache-2.0
#include "core/train/trainer.h"

#include "core/train/rank_training.h"
#include "core/train/thread_training.h"
#include "core/train/training_session.h"

#include <fmt/format.h>

#include <utility>

namespace plumb {

namespace {

/// Between two probes of a profile: often enough to see a shared machine change.
constexpr Seconds kProfileProbeInterval = 0.05;
/// Between two samples of a profile, which may be over within a second.
constexpr Seconds kProfileSampleInterval = 0.1;

/// Far more than anybody waits for, and far from where a sum with the warm-up would overflow.
constexpr std::int64_t kMostProfiledSteps = 1'000'000'000;

}  // namespace

Result<TrainResult> train(const RunConfig& config, Backend& backend, const TrainOptions& options,
                          TrainingSink& sink) {
    if (config.parallel.ranks() > 1 && options.ranks == nullptr) {
        if (options.world != nullptr) return trainAsRank(*options.world, config, backend, options, sink);
        if (options.rankBackend) return trainOnThreads(config, backend, options, sink);
    }
    PLUMB_TRY(TrainingParts parts, openTraining(config, backend, options));
    return TrainingSession(std::move(parts), config, backend, options, sink).run();
}

Result<TrainResult> profile(const RunConfig& config, Backend& backend, std::int64_t steps,
                            std::stop_token stop, const std::function<void(std::int64_t)>& progress,
                            const ProfileExtras& extras) {
    struct ProgressSink final : TrainingSink {
        explicit ProgressSink(const std::function<void(std::int64_t)>& report) : m_report(report) {}
        void onStep(const StepMetrics& point) override {
            if (m_report) m_report(point.step + 1);
        }
        void onReading(const Reading&) override {}
        const std::function<void(std::int64_t)>& m_report;
    } sink(progress);
    TrainOptions options;
    if (steps < 1 || steps > kMostProfiledSteps)
        return Error{ErrorCode::BadInput,
                     fmt::format("the number of steps to profile is out of range ({})", steps),
                     fmt::format("give 1 to {}", kMostProfiledSteps)};
    options.steps = steps + options.warmUpSteps;
    options.readingInterval = 1e9;  // one reading at the end is enough
    options.statistics = false;
    options.counters = extras.counters;
    options.countingProgress = extras.countingProgress;
    options.rankBackend = extras.rankBackend;
    options.world = extras.world;
    options.deviceActivity = true;
    options.replaySteps = false;
    options.probeInterval = kProfileProbeInterval;
    options.sampleInterval = kProfileSampleInterval;
    options.stop = std::move(stop);
    return train(config, backend, options, sink);
}

}  // namespace plumb
