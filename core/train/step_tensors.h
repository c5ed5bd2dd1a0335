// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/train/rank_link.h"
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
    /// All of them outlive it. `link`: null for a rank that is alone.
    StepTensors(const StepPlan& plan, Backend& backend, const Residency& residency, const RankLink* link)
        : m_plan(plan), m_backend(backend), m_residency(residency), m_link(link) {}

    /// A copy of a tensor's bytes, as many as the backend gave it. Errors: Internal for a tensor without
    /// memory; those of the backend.
    [[nodiscard]] Result<std::vector<std::byte>> download(TensorId tensor) const;
    /// Its first bytes, into memory of the caller's.
    [[nodiscard]] Result<void> download(TensorId tensor, std::span<std::byte> target) const;
    /// `bytes`: of the whole tensor. Errors: Internal for another size or a tensor without memory; those of
    /// the backend.
    [[nodiscard]] Result<void> upload(TensorId tensor, std::span<const std::byte> bytes);

    /// Copy of a tensor without its padding, with its scale where it is fp8; that of fp16 is the step's.
    [[nodiscard]] Result<TensorCopy> copy(TensorId tensor) const;
    /// Errors: BadInput for a layer that the step does not have, and where this rank has but a slice or a
    /// part of the weights.
    [[nodiscard]] Result<TensorCopy> weight(std::int32_t layer) const;

    // What ranks share (isSliced()) or divide (splitOf()), put together on the first one. All ranks ask for
    // the same tensors in the same order, between two steps; what the others get says nothing.
    /// All elements of any tensor, without padding, into memory of the first rank that has room for just
    /// those. Errors: those of the backend and of Communicator::join().
    [[nodiscard]] Result<void> collect(TensorId tensor, std::span<std::byte> whole) const;
    /// As weight(). Errors: BadInput for a layer that the step does not have, and as collect().
    [[nodiscard]] Result<TensorCopy> collectWeight(std::int32_t layer) const;

private:
    /// The weights of a layer, or this rank's slice of them. Errors: BadInput for a layer that the step does
    /// not have.
    [[nodiscard]] Result<TensorId> weightOf(std::int32_t layer) const;
    /// collect() of a matrix that ranks divide, in parts of rows or columns.
    [[nodiscard]] Result<void> collectParts(TensorId id, std::span<std::byte> whole) const;

    const StepPlan& m_plan;
    Backend& m_backend;
    const Residency& m_residency;
    const RankLink* m_link;
};

}  // namespace plumb
