// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/plan/einsum.h"

#include <memory>
#include <string>

namespace plumb::cpu {

/// An einsum of one or two tensors on this machine, ready to run on row-major operands.
///
/// A product of two tensors with dimensions of each group (rows, summed, columns; also a batch) is done by
/// the Product kernels, matrix after matrix or each thread its own ones; where a group is not together or not
/// in one order, the tensor is rearranged first, as libraries do. Any other one is done by a LoopNest, which
/// says something about the expression and little about the machine.
class Contraction {
public:
    /// Errors: BadInput for more than two operands, sizes that cannot be counted, a dtype other than fp32 and
    /// bf16. Takes no memory to speak of before it runs.
    [[nodiscard]] static Result<Contraction> create(const Einsum& expression, const DimensionSizes& sizes,
                                                    Dtype dtype, int threads);
    Contraction(Contraction&&) noexcept;
    Contraction& operator=(Contraction&&) noexcept;
    ~Contraction();

    /// Elements of an operand, and of the result.
    [[nodiscard]] std::int64_t operandElements(std::size_t index) const;
    [[nodiscard]] std::int64_t resultElements() const;
    /// Memory that a run takes beside operands and result; negative beyond 63 bits.
    [[nodiscard]] Bytes scratchBytes() const;
    /// Whether no kernel does it.
    [[nodiscard]] bool isLoops() const;
    /// "own:avx512", "sgemm, after rearranging 2 tensors", "plain loops".
    [[nodiscard]] const std::string& implementation() const;

    /// `b` is ignored when there is one operand. Elements are of the dtype that was asked for.
    [[nodiscard]] Result<void> run(const void* a, const void* b, void* result);

    struct Impl;

private:
    explicit Contraction(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

}  // namespace plumb::cpu
