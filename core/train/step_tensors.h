// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/train/residency.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plumb {

/// The bytes of one tensor and what they say.
struct TensorCopy {
    Tensor tensor;
    std::vector<std::byte> bytes;
    double scale =
        1;  ///< what its numbers are multiplied by: the loss scale of fp16, the tensor's own of fp8
};

/// "the step has no gradient of layer 9", with the layers that there are.
[[nodiscard]] Error noSuchTensor(const RunConfig& config, TensorRole role, std::int32_t layer);

/// What is inside the tensors of a step that have memory now: between two steps the persistent ones.
class StepTensors {
public:
    /// All of them outlive it.
    StepTensors(const StepPlan& plan, Backend& backend, const Residency& residency)
        : m_plan(plan), m_backend(backend), m_residency(residency) {}

    /// A copy of a tensor's bytes, as many as the backend gave it. Errors: Internal for a tensor without
    /// memory; those of the backend.
    [[nodiscard]] Result<std::vector<std::byte>> download(TensorId tensor) const;
    /// Its first bytes, into memory of the caller's.
    [[nodiscard]] Result<void> download(TensorId tensor, std::span<std::byte> target) const;
    /// `bytes`: of the whole tensor. Errors: Internal for another size or a tensor without memory; those of
    /// the backend.
    [[nodiscard]] Result<void> upload(TensorId tensor, std::span<const std::byte> bytes);

    /// Copy of a tensor, with its scale where it is fp8; that of fp16 is the step's.
    [[nodiscard]] Result<TensorCopy> copy(TensorId tensor) const;
    /// Errors: BadInput for a layer that the step does not have.
    [[nodiscard]] Result<TensorCopy> weight(std::int32_t layer) const;

private:
    const StepPlan& m_plan;
    Backend& m_backend;
    const Residency& m_residency;
};

}  // namespace plumb
