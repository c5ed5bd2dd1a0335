// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/plan/einsum.h"

#include <memory>
#include <stop_token>
#include <string>

namespace plumb::cpu {

/// An einsum of one or two tensors on this machine, ready to run on row-major operands.
///
/// A product of two tensors whose dimensions stand in groups (batch, rows, summed, columns; each group
/// together and in one order) is done by the Product kernels, one matrix after the other. Any other one is
/// done by plain loops in fp32, one thread, which says something about the expression and little about the
/// machine.
class Contraction {
public:
    /// Errors: BadInput for more than two operands, sizes that cannot be counted, a dtype other than fp32 and
    /// (for products that the kernels do, on a processor whose kernels can) bf16.
    [[nodiscard]] static Result<Contraction> create(const Einsum& expression, const DimensionSizes& sizes,
                                                    Dtype dtype, int threads);
    Contraction(Contraction&&) noexcept;
    Contraction& operator=(Contraction&&) noexcept;
    ~Contraction();

    /// Elements of an operand, and of the result.
    [[nodiscard]] std::int64_t operandElements(std::size_t index) const;
    [[nodiscard]] std::int64_t resultElements() const;
    /// Memory that a run needs: operands, result and scratch.
    [[nodiscard]] Bytes bytes() const;
    /// "own:avx512", "sgemm", "plain loops".
    [[nodiscard]] const std::string& implementation() const;

    /// `b` is ignored when there is one operand. Elements are of the dtype that was asked for.
    [[nodiscard]] Result<void> run(const void* a, const void* b, void* result);

    struct Impl;

private:
    explicit Contraction(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// How long an expression really took.
struct ContractionTiming {
    Seconds median = 0;
    Seconds fastest = 0;
    std::int64_t runs = 0;
    std::string implementation;
};
/// Runs it on numbers of its own after a warm-up, for about half a second or at least three times. Errors:
/// those of create(); OutOfMemory when the operands do not fit into the available memory; RunFailed when
/// stopped; BadInput when it is more than kMostTimedPoints of work.
[[nodiscard]] Result<ContractionTiming> timeContraction(const Einsum& expression, const DimensionSizes& sizes,
                                                        Dtype dtype, const std::stop_token& stop);
/// Points of the loop nest: some ten seconds for the kernels, and for the plain loops.
inline constexpr std::int64_t kMostTimedPoints = 500'000'000'000;
inline constexpr std::int64_t kMostTimedLoopPoints = 10'000'000'000;

}  // namespace plumb::cpu
