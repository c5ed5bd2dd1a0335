// SPDX-License-Identifier: Apache-2.0
// A GPU that is lost, or full, in the middle of something: one sentence, whatever was asked of it, and what
// was learned before it stays.
#include "core/engine/lost_device.h"

#include "core/calibrate/cost_survey.h"
#include "core/engine/capabilities.h"
#include "core/train/executor.h"
#include "core/train/training_checkpoint.h"
#include "kernels/cuda/copy_survey.h"
#include "kernels/cuda/driver.h"
#include "tests/gpu/gpu_training.h"
#include "tests/kernels/simulated/gpu.h"
#include "tests/kernels/simulated/simulated_fixture.h"
#include "tests/support/temporary_folder.h"

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace plumb::test::simulated {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string& sentence() {
    static const std::string text = lostDevice("cudaErrorLaunchFailure, unspecified launch failure").text();
    return text;
}

class LostDevice : public Simulated {
protected:
    /// What a device that was lost kept is gone with it.
    void TearDown() override {
        backend.reset();
        EXPECT_THAT(Device::get().faults(), testing::IsEmpty());
        Device::get().restart({});
    }
};

struct Sink final : TrainingSink {
    void onStep(const StepMetrics& point) override {
        points.push_back(point);
        if (afterStep) afterStep(point.step);
    }
    void onReading(const Reading&) override {}
    void onCheckpoint(const CheckpointReport& report) override { saved.push_back(report); }
    std::vector<StepMetrics> points;
    std::vector<CheckpointReport> saved;
    std::function<void(std::int64_t)> afterStep;
};

RunConfig tinyConfig() {
    RunConfig config = smallConfig();
    config.dim = config.batch = 32;
    config.microBatch = 16;
    config.layers = 2;
    return config;
}

/// Loses the device at one call after the other, until the training ends before that.
void losesAtEachCall(const RunConfig& config, const Options& base, std::int64_t stride) {
    int losses = 0;
    for (std::int64_t call = 1;; call += stride) {
        Options options = base;
        options.failingCall = call;
        options.isLoss = true;
        Device::get().restart(options);
        const TemporaryFolder folder;
        auto opened = simulated::makeBackend(cuda::machineOf(identity()));
        if (!opened.has_value()) {
            EXPECT_EQ(opened.error().text(), sentence()) << "call " << call;
            ++losses;
            continue;
        }
        TrainOptions run{.steps = 16, .readingInterval = 0, .keepWeights = true};
        run.checkpoints = {folder.path(), 3, 9};
        Sink seen;
        const auto result = train(config, **opened, run, seen);
        opened->reset();
        ASSERT_THAT(Device::get().faults(), testing::IsEmpty()) << "call " << call;
        for (std::size_t i = 0; i < seen.points.size(); ++i)
            ASSERT_EQ(seen.points[i].step, static_cast<std::int64_t>(i)) << "call " << call;
        for (const CheckpointReport& report : seen.saved) {
            EXPECT_FALSE(report.failure.has_value()) << "call " << call << ": " << report.failure->text();
            EXPECT_TRUE(std::filesystem::exists(report.path)) << "call " << call;
        }
        if (Device::get().loss() == cudaSuccess) {
            ASSERT_TRUE(result.has_value() && !result->failure) << "call " << call;
            break;
        }
        ++losses;
        if (!result.has_value()) {
            // There was nothing to keep.
            ASSERT_EQ(result.error().text(), sentence()) << "call " << call;
            ASSERT_EQ(seen.points.size(), 0U) << "call " << call;
            continue;
        }
        // The very last calls give back what is not needed any more, which nobody has to know.
        if (!result->failure) continue;
        ASSERT_EQ(result->failure->text(), sentence()) << "call " << call;
        EXPECT_EQ(result->series.stepsDone, static_cast<std::int64_t>(seen.points.size())) << "call " << call;
        EXPECT_EQ(result->series.steps.size(), seen.points.size()) << "call " << call;
        EXPECT_THAT(result->series.outcome, StartsWith("failed a")) << "call " << call;
        // Later ones are left out while one is written.
        if (seen.points.size() > 3) {
            EXPECT_GE(seen.saved.size(), 1U) << "call " << call;
        }
    }
    EXPECT_GT(losses, 20);
}

TEST_F(LostDevice, EndsATrainingWithTheSameSentenceAtEveryCall) { losesAtEachCall(tinyConfig(), {}, 23); }

TEST_F(LostDevice, EndsOneOfTheNarrowFormatsWithIt) {
    RunConfig config = tinyConfig();
    config.precision = Precision::Fp8;
    Options options;
    options.pace = Pace::Random;
    losesAtEachCall(config, options, 61);
}

TEST_F(LostDevice, EndsOneOnRowsOfFilesWithIt) {
    Options options;
    options.pace = Pace::AtOnce;
    options.tunes = false;
    losesAtEachCall(configWithFiles("lost"), options, 47);
}

/// Behind a step whose loss was told: where its statistics are read, where the weights are when it was the
/// last one.
TEST_F(LostDevice, TakesNoLossAwayThatWasTold) {
    for (const std::int64_t last : {3, 4, 11, 12, 15}) {
        Device::get().restart({});
        auto opened = simulated::makeBackend(cuda::machineOf(identity()));
        ASSERT_TRUE(opened.has_value()) << opened.error().text();
        Sink seen;
        seen.afterStep = [last](std::int64_t step) {
            if (step == last) Device::get().lose();
        };
        const TrainOptions run{.steps = 16, .readingInterval = 0, .keepWeights = true};
        const auto result = train(tinyConfig(), **opened, run, seen);
        opened->reset();
        ASSERT_TRUE(result.has_value()) << "step " << last << ": " << result.error().text();
        ASSERT_TRUE(result->failure.has_value()) << "step " << last;
        EXPECT_EQ(result->failure->text(), sentence()) << "step " << last;
        EXPECT_GE(seen.points.size(), static_cast<std::size_t>(last) + 1);
        EXPECT_EQ(result->series.steps.size(), seen.points.size()) << "step " << last;
        EXPECT_THAT(result->series.outcome, StartsWith("failed at step")) << "step " << last;
    }
}

template <class Value>
std::string textOf(const Result<Value>& result) {
    return result.has_value() ? "no error" : result.error().text();
}

TEST_F(LostDevice, TellsTheSameToEveryoneWhoAsksAfterwards) {
    Backend& device = open({});
    const RunConfig config = tinyConfig();
    auto planned = planStep(config, device.traits());
    ASSERT_TRUE(planned.has_value());
    const auto plan = std::make_shared<const StepPlan>(std::move(planned).value());
    auto executor = Executor::create(plan, device, nullptr);
    ASSERT_TRUE(executor.has_value()) << executor.error().text();
    ASSERT_TRUE((*executor)->captureSteps().has_value());
    for (int step = 0; step < 4; ++step) ASSERT_TRUE((*executor)->advance().has_value());
    const Capabilities can = device.capabilities();
    const auto block = can.replay->allocateArena(4096);
    ASSERT_TRUE(block.has_value());
    std::vector<std::byte> bytes(64);
    Device::get().lose();

    EXPECT_EQ(textOf((*executor)->advance()), sentence());
    EXPECT_EQ(textOf((*executor)->runStep()), sentence());
    EXPECT_EQ(textOf(device.synchronize()), sentence());
    EXPECT_EQ(textOf(device.clock()), sentence());
    EXPECT_EQ(textOf(device.fillZero(*block)), sentence());
    EXPECT_EQ(textOf(device.upload(*block, bytes)), sentence());
    EXPECT_EQ(textOf(device.download(bytes, *block)), sentence());
    EXPECT_EQ(textOf(device.allocate(plan->tensors.front())), sentence());
    EXPECT_EQ(textOf(can.replay->allocateArena(4096)), sentence());
    EXPECT_EQ(textOf(can.replay->beginCapture()), sentence());
    EXPECT_EQ(textOf(can.replay->replay(0)), sentence());
    EXPECT_EQ(textOf(can.replay->endReplayedStep(9)), sentence());
    EXPECT_EQ(textOf(can.replay->gapBetweenNodes()), sentence());
    EXPECT_EQ(textOf(can.timer->mark()), sentence());
    EXPECT_EQ(textOf(can.timer->hold()), sentence());
    EXPECT_EQ(textOf(can.prober->probeSpeed()), sentence());
    EXPECT_EQ(textOf(surveyCosts(device, surveyGrid(), {}, {})), sentence());
    EXPECT_EQ(textOf(cuda::surveyCopies(0, identities(), {Bytes{4} << 20, 3}, {})), sentence());
    EXPECT_EQ(textOf(device.prepare(*plan)), sentence());
    EXPECT_EQ(textOf(simulated::makeBackend(cuda::machineOf(identity()))), sentence());
    EXPECT_THAT(can.memory->memoryShares(), testing::IsEmpty());
    EXPECT_EQ(causeOf({ErrorCode::RunFailed, "CUPTI failed", "start again"}, device).text(), sentence());
    device.release(*block);
    executor->reset();
}

TEST_F(LostDevice, IsNoCauseOfWhatFailsOnOneThatWorks) {
    Backend& device = open({});
    EXPECT_EQ(causeOf({ErrorCode::RunFailed, "CUPTI failed", "start again"}, device).message, "CUPTI failed");
    close();
}

/// A thread of the runtime may still be in a hold when the device is lost and everything is taken down.
TEST_F(LostDevice, LeavesAHoldThatRunsWhatItLooksAt) {
    Backend& device = open(paced(Pace::AtOnce));
    ASSERT_TRUE(device.capabilities().timer->hold().has_value());
    Device::get().lose();
    backend.reset();
}

/// What another program leaves of the device's memory, taken from the one that is tested.
class FullDevice : public Simulated {
protected:
    void SetUp() override { setenv("FAKE_NVML_PROCESSES", "4242:3000000000", 1); }
    void TearDown() override {
        leave();
        Simulated::TearDown();
    }
    void leave() {
        for (void* block : std::exchange(m_taken, {})) cudaFree(block);
    }
    void takeAllBut(std::size_t bytes) {
        std::size_t free = 0;
        std::size_t all = 0;
        ASSERT_EQ(cudaMemGetInfo(&free, &all), cudaSuccess);
        ASSERT_EQ(cudaMalloc(&m_taken.emplace_back(), free - bytes), cudaSuccess);
    }

private:
    FakeNvml m_nvml;
    std::vector<void*> m_taken;
};

constexpr const char* kShared = "; 1 other program uses this device (process 4242 with 3.00 GB))";

TEST_F(FullDevice, SaysWhoElseHasSomeOfIt) {
    StepReplay& replay = *open({}).capabilities().replay;
    const auto shared = replay.allocateArena(Bytes{1} << 40);
    ASSERT_FALSE(shared.has_value());
    EXPECT_EQ(shared.error().code, ErrorCode::OutOfMemory);
    EXPECT_THAT(shared.error().message, HasSubstr("no room for 1.10 TB ("));
    EXPECT_THAT(shared.error().message, HasSubstr(kShared));
    EXPECT_THAT(shared.error().hint, HasSubstr("end other programs"));
    setenv("FAKE_NVML_PROCESSES", "", 1);
    const auto alone = replay.allocateArena(Bytes{1} << 40);
    ASSERT_FALSE(alone.has_value());
    EXPECT_THAT(alone.error().text(), Not(HasSubstr("other")));
    setenv("FAKE_NVML_FAIL", "nvmlDeviceGetComputeRunningProcesses_v3=4", 1);
    const auto unknown = replay.allocateArena(Bytes{1} << 40);
    unsetenv("FAKE_NVML_FAIL");
    ASSERT_FALSE(unknown.has_value());
    EXPECT_THAT(unknown.error().message, Not(HasSubstr("other")));
    EXPECT_THAT(unknown.error().hint, HasSubstr("end other programs")) << "there may be some";
}

TEST_F(FullDevice, HasNoRoomForTheWorkspaceOfProducts) {
    Backend& device = open({});
    takeAllBut(std::size_t{8} << 20);
    Sink seen;
    const auto result = train(tinyConfig(), device, {.steps = 3}, seen);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::OutOfMemory);
    EXPECT_THAT(result.error().message, HasSubstr(kShared));
    // The device is well, and works again when the other has gone.
    leave();
    EXPECT_EQ(trainOn(device, tinyConfig(), 3).size(), 3U);
}

TEST_F(FullDevice, LeavesATrainingWhatItHas) {
    Backend& device = open({});
    Sink seen;
    // Before the steps are laid out to be replayed, in the memory that they have by then.
    seen.afterStep = [this](std::int64_t step) {
        if (step == 5) takeAllBut(std::size_t{1} << 16);
    };
    const auto result = train(tinyConfig(), device, {.steps = 40}, seen);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    EXPECT_FALSE(result->failure.has_value()) << result->failure->text();
    EXPECT_EQ(seen.points.size(), 40U);
}

/// When steps are laid out to be replayed, others may have taken the memory.
TEST_F(FullDevice, EndsATrainingInTheMiddleWithWhatItHasLearned) {
    std::atomic<bool> isFull = false;
    Options options;
    options.isFull = &isFull;
    Backend& device = open(options);
    const TemporaryFolder folder;
    TrainOptions run{.steps = 12};
    run.checkpoints = {folder.path(), 2, 9};
    // A checkpoint waits while the one before it is written, however long that takes on a machine that does
    // other work.
    const std::filesystem::path first = std::filesystem::path(folder.path()) / checkpointFileName(2);
    Sink seen;
    seen.afterStep = [&isFull, &first](std::int64_t step) {
        for (int tries = 0; step == 2 && tries < 20'000 && !std::filesystem::exists(first); ++tries)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (step == 5) isFull = true;
    };
    const auto result = train(tinyConfig(), device, run, seen);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    ASSERT_TRUE(result->failure.has_value());
    EXPECT_EQ(result->failure->code, ErrorCode::OutOfMemory);
    EXPECT_THAT(result->failure->message, HasSubstr("no room for "));
    EXPECT_THAT(result->failure->message, HasSubstr(kShared));
    EXPECT_GE(seen.points.size(), 6U);
    EXPECT_EQ(result->series.steps.size(), seen.points.size());
    EXPECT_THAT(result->series.outcome, StartsWith("failed at step"));
    EXPECT_TRUE(std::filesystem::exists(first));
    EXPECT_GE(seen.saved.size(), 2U);
    close();
    Device::get().restart({});  // which knows the flag of this test no more
}

}  // namespace
}  // namespace plumb::test::simulated
