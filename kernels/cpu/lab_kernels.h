// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace plumb::cpu {

enum class InstructionSet : std::uint8_t;

/// The element functions that there are kernels for, in the order of lab::elementFunctions().
enum class LabFunction : std::uint8_t {
    Relu,
    ReluBackward,
    Gelu,
    Silu,
    Softmax,
    LayerNorm,
    RmsNorm,
    Add,
    Multiply,
    Subtract,
    Divide,
    SquareRoot,
    InverseRoot,
    Reciprocal,
    Square,
    Absolute,
    Negative,
    Copy,
    Count
};
inline constexpr int kLabFunctions = static_cast<int>(LabFunction::Count);

/// How values become one. Dot: the sum of products of two operands.
enum class LabFold : std::uint8_t { Sum, Max, Min, Product, Dot, Count };
inline constexpr int kLabFolds = static_cast<int>(LabFold::Count);

/// Numbers or lines of memory at even distances in each operand. A kernel takes many short lines in one call:
/// a call for each would cost more than the line.
struct LabRun {
    std::int64_t count = 1;
    std::int64_t inA = 0, inB = 0;  ///< from one to the next
};

/// What the lab runs besides products of matrices, compiled once per instruction set from lab_body.h. Index
/// [0] is for fp32, [1] for bf16; all of it is reckoned in fp32.
struct LabKernels {
    /// Over `count` elements; softmax, layer_norm and rms_norm take them as one row.
    using Apply = void (*)(const void* a, const void* b, void* result, std::int64_t count);
    Apply apply[2][kLabFunctions];

    /// The values of every line of every result folded into it; `b` is read by Dot alone. `results` begin as
    /// whatever a fold begins with.
    using Fold = void (*)(const void* a, const void* b, float* results, LabRun outputs, LabRun lines,
                          LabRun line);
    Fold fold[2][kLabFolds];

    /// The same where the results lie side by side in an operand, each line a value of every result: steps of
    /// `outputs` are 0 or 1.
    using FoldRow = void (*)(const void* a, const void* b, float* results, LabRun outputs, LabRun lines);
    FoldRow foldRow[2][kLabFolds];

    /// result[i] = a[i * stepA], or the product of that and b[i * stepB].
    using Line = void (*)(const void* a, const void* b, void* result, std::int64_t count, std::int64_t stepA,
                          std::int64_t stepB);
    Line copyLine[2];
    Line productLine[2];
    /// result[i * count + j] = a[i * step], for i < lines and j < count.
    using Stretch = void (*)(const void* a, std::int64_t step, void* result, std::int64_t lines,
                             std::int64_t count);
    Stretch stretch[2];
    /// result[i] = folded[i] * factor.
    using Finish = void (*)(const float* folded, float factor, void* result, std::int64_t count);
    Finish finish[2];

    /// result[r * resultStride + c] = a[c * stride + r]: rows lie side by side there, columns here.
    using Turn = void (*)(const void* a, std::int64_t stride, void* result, std::int64_t resultStride,
                          std::int64_t rows, std::int64_t columns);
    Turn turn[2];
};

/// Rows and columns that LabKernels::turn takes at once.
inline constexpr std::int64_t kLabSquare = 64;

/// Those for `set`, or null when this processor cannot run them.
[[nodiscard]] const LabKernels* labKernelsFor(InstructionSet set);
/// The widest that this processor runs.
[[nodiscard]] const LabKernels& labKernels();

}  // namespace plumb::cpu
