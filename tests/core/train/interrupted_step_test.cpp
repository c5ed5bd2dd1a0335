// SPDX-License-Identifier: Apache-2.0
#include "core/engine/op_listener.h"
#include "core/train/executor.h"
#include "core/train/training_checkpoint.h"
#include "tests/core/train/short_training.h"

#include <gtest/gtest.h>

#include <memory>
#include <stop_token>

namespace plumb {
namespace {

/// Asks for a stop while an op runs.
struct Stopper final : OpListener {
    Result<void> beginStep(std::int64_t) override { return {}; }
    Result<void> beginOp(std::int32_t) override {
        if (opsLeft-- == 0) stop.request_stop();
        return {};
    }
    Result<void> endOp() override { return {}; }
    Result<void> endStep() override { return {}; }
    std::int64_t opsLeft = 0;
    std::stop_source stop;
};

/// A backend and an executor that has done one step.
struct RunningStep {
    explicit RunningStep(const std::shared_ptr<const StepPlan>& plan) {
        auto made = makeCpuBackend();
        EXPECT_TRUE(made.has_value());
        backend = std::move(made).value();
        auto created = Executor::create(plan, *backend, nullptr);
        EXPECT_TRUE(created.has_value());
        executor = std::move(created).value();
        EXPECT_TRUE(executor->runStep().has_value());
    }
    std::unique_ptr<Backend> backend;
    std::unique_ptr<Executor> executor;
};

class InterruptedStep : public testing::TestWithParam<Precision> {};

TEST_P(InterruptedStep, LeavesTheStateAsItWasWheneverItIsStopped) {
    RunConfig config = smallConfig();
    config.precision = GetParam();
    const auto planned = planStep(config, cpuTraits());
    ASSERT_TRUE(planned.has_value()) << planned.error().text();
    const auto plan = std::make_shared<const StepPlan>(*planned);
    const RunningStep reference(plan);
    const auto ops = static_cast<std::int64_t>(plan->ops.size());
    int interrupted = 0, finished = 0;
    for (std::int64_t op = 0; op < 2 * ops; ++op) {  // those of the second micro-batch come once more
        const RunningStep running(plan);
        Stopper stopper;
        stopper.opsLeft = op;
        running.executor->setListener(&stopper);
        running.executor->interruption().setStop(stopper.stop.get_token());
        const auto results = running.executor->advance();
        ASSERT_TRUE(results.has_value()) << results.error().text();
        if (!running.executor->interruption().isInterrupted()) {
            EXPECT_EQ(results->size(), 1U);
            EXPECT_EQ(running.executor->stepsDone(), 2);
            ++finished;
            continue;
        }
        ++interrupted;
        EXPECT_TRUE(results->empty());
        EXPECT_EQ(running.executor->stepsDone(), 1);
        for (const TensorId id : checkpointTensors(*plan))
            EXPECT_EQ(*running.executor->tensors().download(id), *reference.executor->tensors().download(id))
                << checkpointTensorName(*plan, plan->tensor(id)) << ", op " << op;
    }
    EXPECT_GT(interrupted, ops / 2);
    EXPECT_GT(finished, 0);
}

INSTANTIATE_TEST_SUITE_P(EveryKindOfState, InterruptedStep,
                         testing::Values(Precision::Fp32, Precision::Bf16, Precision::Fp16, Precision::Fp8));

}  // namespace
}  // namespace plumb
