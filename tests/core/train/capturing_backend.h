// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/control_tensors.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/core/engine/test_backends.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace plumb::test {

/// The CPU backend behind a device that captures steps: it notes calls and replays them with a step counter
/// of its own, as a GPU does with a graph, and lets results be known only some steps later.
class CapturingBackend final : public BackendAround, public StepReplay {
public:
    CapturingBackend() : BackendAround(std::move(makeCpuBackend(1)).value()) {}

    BackendTraits traits() const override {
        BackendTraits traits = cpuTraits();
        traits.replaysSteps = true;
        return traits;
    }
    Result<void> prepare(const StepPlan& plan) override {
        m_plan = plan;
        m_plan.traits = cpuTraits();
        // The CPU knows no such tensor: to it, it is one that no op names.
        m_plan.tensor(plan.stepControl).firstOp = 0;
        m_captures.clear();
        m_finished.clear();
        return inner().prepare(m_plan);
    }
    Result<Buffer> allocate(const Tensor& tensor) override {
        if (tensor.role != TensorRole::StepControl) return inner().allocate(tensor);
        Buffer buffer;
        buffer.bytes = tensor.bytes();
        buffer.data = std::calloc(1, static_cast<std::size_t>(buffer.bytes));
        m_blocks.push_back(buffer.data);
        return buffer;
    }
    void release(const Buffer& buffer) override {
        const auto own = std::find(m_blocks.begin(), m_blocks.end(), buffer.data);
        if (own == m_blocks.end()) return inner().release(buffer);
        std::free(buffer.data);
        m_blocks.erase(own);
    }
    Result<void> run(const OpCall& call) override {
        if (!m_capturing) {
            ++opsRunOneByOne;
            m_step = call.step + 1;
            return inner().run(call);
        }
        m_captures.back().push_back({call, {call.tensors.begin(), call.tensors.end()}});
        return {};
    }
    Result<void> synchronize() override { return {}; }
    Capabilities capabilities() override {
        Capabilities can;
        can.replay = this;
        can.profiling = profiling;
        return can;
    }

    Result<Buffer> allocateArena(Bytes bytes) override {
        Buffer buffer;
        buffer.bytes = bytes;
        buffer.data = std::aligned_alloc(4096, static_cast<std::size_t>((bytes + 4095) / 4096 * 4096));
        std::memset(buffer.data, 0x7f, static_cast<std::size_t>(bytes));  // nothing may rely on zeros
        m_blocks.push_back(buffer.data);
        return buffer;
    }
    Result<void> beginCapture() override {
        m_capturing = true;
        m_captures.emplace_back();
        return {};
    }
    Result<int> endCapture() override {
        m_capturing = false;
        return static_cast<int>(m_captures.size()) - 1;
    }
    void cancelCapture() override { m_capturing = false; }
    Result<void> replay(int capture) override {
        if (m_step >= lostAt) return lost();
        for (Noted& noted : m_captures[static_cast<std::size_t>(capture)]) {
            OpCall call = noted.call;
            call.tensors = noted.tensors;
            call.step = m_step;
            call.optimizer = {learningRateAt(m_plan.config, m_step), m_step + 1};
            call.stagedHalf =
                static_cast<std::int32_t>((m_step * m_plan.config.microBatches() + call.microBatch) % 2);
            PLUMB_CHECK(inner().run(call));
            if (m_plan.op(call.opIndex).kind == OpKind::OptimizerStep) tell(call);
        }
        return {};
    }
    Result<void> endReplayedStep(std::int64_t step) override {
        ++stepsReplayed;
        EXPECT_EQ(step, m_step) << "the device has counted otherwise";
        m_step = step + 1;
        return {};
    }
    Result<std::optional<FinishedStep>> finishedStep(std::int64_t step, bool waits) override {
        EXPECT_LT(m_step - step, mostStepsAhead() + 2);
        if (m_step >= lostAt && m_finished.count(step) == 0) return lost();
        if (!waits && m_step - step < 4) return std::optional<FinishedStep>();
        EXPECT_EQ(m_finished.count(step), 1U);
        return std::optional<FinishedStep>(m_finished[step]);
    }
    std::int64_t mostStepsAhead() const override { return 8; }
    Result<Seconds> gapBetweenNodes() override { return 1e-6; }

    ProfilingTools* profiling = nullptr;
    std::int64_t opsRunOneByOne = 0;
    std::int64_t stepsReplayed = 0;
    Seconds stepSeconds = 1e-3;  ///< of a replayed step, as the device tells
    /// The step from which on nothing works; what ended before it can be asked for.
    std::int64_t lostAt = std::numeric_limits<std::int64_t>::max();

private:
    static Error lost() { return {ErrorCode::RunFailed, "the device is lost", "start again"}; }
    struct Noted {
        OpCall call;
        std::vector<Buffer> tensors;
    };

    void tell(const OpCall& call) {
        const auto* const loss =
            static_cast<const double*>(call.tensors[static_cast<std::size_t>(m_plan.loss)].data);
        FinishedStep done{.step = m_step,
                          .loss = loss[kLossValue],
                          .gradientSquares = loss[kLossGradientSquares],
                          .updateSquares = loss[kLossUpdateSquares],
                          .weightSquares = loss[kLossWeightSquares]};
        if (m_plan.lossScale >= 0) {
            const auto* const scale =
                static_cast<const double*>(call.tensors[static_cast<std::size_t>(m_plan.lossScale)].data);
            done.skipped = std::isnan(done.gradientSquares);
            done.lossScale = scale[kLossScaleValue];
        }
        if (m_finished.count(m_step - 1) != 0) done.seconds = stepSeconds;
        m_finished[m_step] = done;
    }

    StepPlan m_plan;
    std::vector<void*> m_blocks;
    std::vector<std::vector<Noted>> m_captures;
    std::map<std::int64_t, FinishedStep> m_finished;
    bool m_capturing = false;
    std::int64_t m_step = 0;
};

}  // namespace plumb::test
