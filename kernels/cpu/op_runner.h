// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "kernels/cpu/arena.h"
#include "kernels/cpu/batch_loader.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/prepared_step.h"
#include "kernels/cpu/tensor_writer.h"

namespace plumb::cpu {

/// Runs single ops of a prepared step: finds the operands, allocates the op's scratch, calls the product and
/// the kernels. Holds references only; made anew for each op.
class OpRunner {
public:
    OpRunner(const PreparedStep& step, const Kernels& kernels, Arena& arena, BatchLoader& loader, int threads)
        : m_step(step), m_kernels(kernels), m_arena(arena), m_loader(loader), m_threads(threads) {}

    /// Errors: Internal naming op and tensor when one is not resident or too small; OutOfMemory for scratch.
    [[nodiscard]] Result<void> run(const OpCall& call);

private:
    struct Scratch;
    struct ProductTensors;
    [[nodiscard]] void* address(const OpCall& call, TensorId tensor) const;  ///< null for -1

    [[nodiscard]] Result<void> runLoad(const OpCall& call, const PreparedOp& op) const;
    void runHead(const OpCall& call, const PreparedOp& op) const;
    void runLoss(const OpCall& call, const PreparedOp& op) const;
    void runActivation(const OpCall& call, const PreparedOp& op) const;
    [[nodiscard]] Result<void> runProduct(const OpCall& call, const PreparedOp& op) const;
    [[nodiscard]] Result<void> runChain(const OpCall& call, const PreparedOp& op) const;
    /// One product of the op's shape, through the casts in `scratch` that its recipe needs.
    [[nodiscard]] Result<void> multiply(const PreparedOp& op, const Scratch& scratch, TensorWriter& writer,
                                        const ProductTensors& tensors) const;
    [[nodiscard]] bool fuses(const Product& product, const TensorWriter& writer,
                             const ProductTensors& tensors, Phase phase) const;
    [[nodiscard]] const float* operand(const TrackedTensor& tensor, const void* data, float* room,
                                       std::int64_t count) const;
    /// The same of fp8 that is multiplied as bf16, without its scale.
    [[nodiscard]] const Bf16* operandAsBf16(const TrackedTensor& tensor, const void* data, float* room,
                                            std::int64_t count) const;

    const PreparedStep& m_step;
    const Kernels& m_kernels;
    Arena& m_arena;
    BatchLoader& m_loader;
    int m_threads;
};

}  // namespace plumb::cpu
