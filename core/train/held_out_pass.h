// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/staged_batches.h"
#include "core/train/step_tensors.h"
#include "core/train/step_traffic.h"

#include <cstdint>
#include <span>

namespace plumb {

/// The loss over the samples that a source holds out, between two steps and without a trace in the training.
class HeldOutPass {
public:
    /// All of them outlive it.
    HeldOutPass(const StepPlan& plan, Backend& backend, Residency& residency, StepTraffic& traffic,
                StepTensors& tensors, StagedBatches& batches)
        : m_plan(plan),
          m_backend(backend),
          m_residency(residency),
          m_traffic(traffic),
          m_tensors(tensors),
          m_batches(batches) {}

    /// Mean square error with the weights as they are after `steps` steps. Errors: Internal where nothing is
    /// held out; those of the source and of the backend.
    [[nodiscard]] Result<double> loss(std::int64_t steps);

private:
    [[nodiscard]] Result<double> sumOfAll(std::int64_t steps);
    /// Sum of squares over the first `count` samples of the staged micro-batch, whose targets these are.
    [[nodiscard]] Result<double> sumOfBatch(std::int64_t steps, std::span<const float> targets,
                                            std::int64_t count);
    /// Distance of the first `count` rows of y.
    [[nodiscard]] Result<double> distance(TensorId output, std::span<const float> targets,
                                          std::int64_t count) const;

    const StepPlan& m_plan;
    Backend& m_backend;
    Residency& m_residency;
    StepTraffic& m_traffic;
    StepTensors& m_tensors;
    StagedBatches& m_batches;
};

}  // namespace plumb
