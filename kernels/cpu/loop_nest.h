// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/plan/einsum.h"
#include "kernels/cpu/lab_kernels.h"

#include <optional>
#include <string>
#include <vector>

namespace plumb::cpu {

/// What becomes of the values along the dimensions that go.
enum class Combine : std::uint8_t { Sum, Mean, Max, Min, Product };

/// The loops of an expression as they are written: for every element of the result the operands' values are
/// multiplied, and combined over the dimensions that the result does not have. It reckons in fp32, whatever
/// the tensors hold. Elements of the result are divided among threads; a single one is made in parts, which
/// follow from the size alone.
class LoopNest {
public:
    using Names = std::vector<std::string>;

    /// `operands`: the dimensions of one or two row-major tensors; a dimension that stands twice in one is
    /// walked along the diagonal. A dimension of the result that no operand has repeats what is there.
    /// `dtype`: fp32 or bf16. Errors: BadInput for sizes that are missing or cannot be counted.
    [[nodiscard]] static Result<LoopNest> create(const std::vector<Names>& operands, const Names& result,
                                                 const DimensionSizes& sizes, Combine combine, Dtype dtype,
                                                 int threads);

    /// `b` is ignored when there is one operand.
    void run(const void* a, const void* b, void* result) const;

    [[nodiscard]] std::int64_t operandElements(std::size_t index) const { return m_elements[index]; }
    [[nodiscard]] std::int64_t resultElements() const { return m_outputs; }
    /// Iterations in all.
    [[nodiscard]] std::int64_t points() const { return m_points; }
    /// "plain loops", "plain loops, 4 threads", and what keeps them from the speed of the memory.
    [[nodiscard]] std::string implementation() const;

private:
    struct Dimension {
        std::int64_t size = 1;
        std::int64_t inA = 0, inB = 0;  ///< strides; 0 where a tensor has no such dimension
        [[nodiscard]] LabRun run() const { return {size, inA, inB}; }
    };
    template <class Storage>
    class Run;

    static constexpr std::int64_t kMostParts = 64;
    /// Results that are folded side by side, row after row: they stay in the level 1 cache.
    static constexpr std::int64_t kResultsAtOnce = 4096;

    static void mergeLines(std::vector<Dimension>& dimensions);
    [[nodiscard]] std::int64_t outputsPerThread() const;
    [[nodiscard]] std::int64_t partsOfLine() const;
    [[nodiscard]] std::int64_t partsOfRows() const;
    [[nodiscard]] bool foldsRows() const;
    [[nodiscard]] bool stretches() const;
    [[nodiscard]] bool readsApart() const;     ///< single numbers
    [[nodiscard]] bool readsFarApart() const;  ///< those, or runs, with many lines of the cache between them
    /// What keeps it from the speed of the memory: ", limited by ..."; empty where nothing does.
    [[nodiscard]] std::string limit(std::int64_t usedThreads) const;
    [[nodiscard]] std::optional<std::size_t> transposedDimension() const;
    [[nodiscard]] LabFold labFold() const;
    [[nodiscard]] float share() const;  ///< 1 over the points in an element of the result, for a mean

    std::vector<Dimension> m_outer;  ///< dimensions of the result, row-major
    std::vector<Dimension> m_inner;  ///< those that go
    std::vector<std::int64_t> m_elements;
    std::int64_t m_outputs = 1, m_points = 1;
    Combine m_combine = Combine::Sum;
    bool m_two = false;
    bool m_bf16 = false;
    int m_threads = 1;
};

}  // namespace plumb::cpu
