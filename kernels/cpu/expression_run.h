// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/lab/einsum_expression.h"

#include <memory>
#include <span>
#include <stop_token>

namespace plumb::cpu {

/// An expression of the lab on this machine, ready to run on row-major operands.
///
/// Products of two tensors are a Contraction; those of three and more are so many of them, in the best
/// order. Reductions, rearrangements, repetitions and diagonals are plain loops; element functions go over
/// their tensors once for every pass that they need.
class ExpressionRun {
public:
    /// Errors: BadInput for sizes that cannot be counted, a dtype other than fp32 and bf16, and for more work
    /// than kMostTimedPoints, or kMostTimedLoopPoints in plain loops.
    [[nodiscard]] static Result<ExpressionRun> create(const lab::EinsumExpression& expression,
                                                      const DimensionSizes& sizes, Dtype dtype, int threads);
    ExpressionRun(ExpressionRun&&) noexcept;
    ExpressionRun& operator=(ExpressionRun&&) noexcept;
    ~ExpressionRun();

    /// Elements of each operand, and of the result.
    [[nodiscard]] const std::vector<std::int64_t>& operandElements() const;
    [[nodiscard]] std::int64_t resultElements() const;
    /// Memory that a run needs: operands, result, tensors on the way and scratch; negative beyond 63 bits.
    [[nodiscard]] Bytes bytes() const;
    /// "own:avx512", "plain loops, 2 threads", "3 products: own:avx512, plain loops".
    [[nodiscard]] const std::string& implementation() const;

    /// Elements are of the dtype that was asked for. Memory for what is on the way is taken at the first run.
    /// Errors: RunFailed when stopped between two products, and those of the kernels.
    [[nodiscard]] Result<void> run(std::span<const void* const> operands, void* result,
                                   const std::stop_token& stop = {});

    struct Impl;

private:
    explicit ExpressionRun(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// How long an expression really took.
struct ExpressionTiming {
    Seconds median = 0;
    Seconds fastest = 0;
    std::int64_t runs = 0;
    std::string implementation;
};
/// Runs it on numbers of its own after a warm-up, for about half a second or at least three times. Errors:
/// those of ExpressionRun; OutOfMemory when the operands do not fit into the available memory; RunFailed when
/// stopped.
[[nodiscard]] Result<ExpressionTiming> timeExpression(const lab::EinsumExpression& expression,
                                                      const DimensionSizes& sizes, Dtype dtype,
                                                      const std::stop_token& stop);
/// Points of the loop nest: some ten seconds for the kernels, and for the plain loops.
inline constexpr std::int64_t kMostTimedPoints = 500'000'000'000;
inline constexpr std::int64_t kMostTimedLoopPoints = 10'000'000'000;

}  // namespace plumb::cpu
