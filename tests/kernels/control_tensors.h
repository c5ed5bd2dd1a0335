// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "kernels/cpu/tensor_writer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace plumb::test {

/// The control tensors of a plan alone, all zero but for a loss scale of 1: enough to write tensors with.
class ControlTensors {
public:
    explicit ControlTensors(const RunConfig& config) {
        auto planned = planStep(config, cpuTraits());
        EXPECT_TRUE(planned.has_value()) << planned.error().text();
        plan = std::move(planned).value();
        buffers.resize(plan.tensors.size());
        for (const TensorId id : {plan.statistics, plan.lossScale, plan.scales}) {
            if (id < 0) continue;
            const auto at = static_cast<std::size_t>(id);
            auto& memory = m_memory.emplace_back(static_cast<std::size_t>(plan.tensors[at].bytes()) / 8 + 1);
            buffers[at] = {memory.data(), plan.tensors[at].bytes(), Category::Workspace};
        }
        if (plan.lossScale >= 0) lossScale()[0] = 1;
    }
    [[nodiscard]] OpCall call(std::int64_t step, std::int64_t microBatch, bool writesStatistics) const {
        return OpCall{
            .tensors = buffers, .step = step, .microBatch = microBatch, .writesStatistics = writesStatistics};
    }
    [[nodiscard]] double* lossScale() const { return static_cast<double*>(data(plan.lossScale)); }
    /// scale, then the history of largest magnitudes.
    [[nodiscard]] float* scales(std::int64_t slot) const {
        return static_cast<float*>(data(plan.scales)) + slot * (1 + kAmaxHistory);
    }
    [[nodiscard]] double statistic(std::int64_t slot, Statistic which) const {
        return static_cast<double*>(
            data(plan.statistics))[slot * kStatisticCount + static_cast<std::int64_t>(which)];
    }

    StepPlan plan;
    std::vector<Buffer> buffers;

private:
    [[nodiscard]] void* data(TensorId id) const { return buffers[static_cast<std::size_t>(id)].data; }
    std::vector<std::vector<double>> m_memory;
};

}  // namespace plumb::test
