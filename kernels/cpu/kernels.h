// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/common/storage.h"
#include "kernels/common/tally.h"
#include "kernels/cpu/optimizer_kernels.h"

#include <cstdint>
#include <limits>

namespace plumb::cpu {

using common::Bf16;
using common::Epilogue;
using common::kEpilogues;
using common::kStorages;
using common::Storage;
using common::storageOf;
using common::Tally;

/// One run of elements that become what is stored: epilogue, scale, rounding.
struct EncodeArguments {
    const float* in = nullptr;   ///< may be `out` itself when that is fp32 and the epilogue is not Add
    void* out = nullptr;         ///< null: nothing is written, only tallied
    const void* mask = nullptr;  ///< Epilogue::Mask: h, stored as `out` is; as E4M3 where `out` is E5M2
    std::int64_t count = 0;
    float factor = 1;        ///< fp8 stores v * factor; the others ignore it
    Tally* tally = nullptr;  ///< null: not wanted, which is faster
};

/// The head's operands: h [rows, dim], weight and its gradient [dim, outputs], y and dy [rows, outputs]; y is
/// fp32, the others are stored as their recipe says. Each kernel reads what it needs.
struct HeadArguments {
    const void* h = nullptr;
    const void* weight = nullptr;
    float* y = nullptr;
    const void* dy = nullptr;
    void* weightGradient = nullptr;
    void* inputGradient = nullptr;  ///< null: nothing is written, only tallied
    bool mask = false;              ///< inputGradient: times (h > 0)
    bool accumulate = false;        ///< weightGradient: added to what is there
    float factor = 1;               ///< fp8: what a product of two stored numbers is to be multiplied with
    float resultFactor = 1;         ///< EncodeArguments::factor of the result
    Tally* tally = nullptr;         ///< tally of the gradient that is written
    std::int64_t rows = 0;
    std::int64_t dim = 0;
    std::int64_t outputs = 0;
};

struct LossArguments {
    const float* y = nullptr;
    const float* t = nullptr;
    void* dy = nullptr;  ///< scale * (y - t); null: nothing is written, only tallied
    std::int64_t count = 0;
    float scale = 1;
    float resultFactor = 1;  ///< EncodeArguments::factor of dy
    Tally* tally = nullptr;
    /// dy is 0 where y is not above it: 0 for the output of a ReLU. Not a number: everywhere as it is.
    float floor = std::numeric_limits<float>::quiet_NaN();
};

/// Where a run of random numbers lies: see philoxAt() in core/base/philox.h.
struct NormalStream {
    std::uint64_t seed = 0;
    std::uint32_t stream = 0;
    std::uint32_t sub = 0;
};

/// The backend's own kernels, compiled once per instruction set from kernels_body.h. All of them are serial
/// on the range they are given, and give the same bits at every instruction set: sums go through a fixed
/// number of lanes, and no multiply-add is contracted.
struct Kernels {
    const char* name;

    /// out = stored number * factor, by Storage.
    void (*decode[kStorages])(const void* in, float* out, std::int64_t count, float factor);
    /// out = stored number as bf16, which holds every number of fp8: by Storage, null for wider ones.
    void (*decodeToBf16[kStorages])(const void* in, Bf16* out, std::int64_t count);
    void (*encode[kStorages][kEpilogues])(const EncodeArguments& arguments);

    /// out[i] = normalFromPhilox(philoxAt(seed, stream, sub, first + i)).
    void (*normals)(const NormalStream& stream, std::uint64_t first, std::int64_t count, float* out);
    /// lanes[j] += sum of x[i], lanes[8 + j] += sum of (first + i) * x[i], over the i with i mod 8 == j.
    void (*weightedSums)(const float* x, std::int64_t first, std::int64_t count, double* lanes);

    // Kernels by Storage of h and the weights, Fp8E5M2 excepted (null): dy is then of the same type, or
    // Fp8E5M2 with Fp8E4M3. The gradient of the weights is of the same type, or bf16 with fp8 ([0]), or fp32
    // ([1]).
    void (*headForward[kStorages])(const HeadArguments& head, std::int64_t rowBegin, std::int64_t rowEnd);
    void (*headWeightGradient[kStorages][2])(const HeadArguments& head, std::int64_t dimBegin,
                                             std::int64_t dimEnd);
    void (*headInputGradient[kStorages])(const HeadArguments& head, std::int64_t rowBegin,
                                         std::int64_t rowEnd);
    /// Returns the sum of (y - t)^2; by Storage of dy.
    double (*lossGradient[kStorages])(const LossArguments& loss);

    OptimizerKernels optimizer;

    // Memory traffic for calibration.
    double (*sumOf)(const float* in, std::int64_t count);           ///< reads
    void (*copy)(const float* in, float* out, std::int64_t count);  ///< reads, writes
    void (*scaleAdd)(const float* in, float scale, float* inOut,
                     std::int64_t count);  ///< reads two, writes one
};

enum class InstructionSet : std::uint8_t { Baseline, Avx2, Avx512 };

/// What all kernels and products of this program use from now on at most, as if the processor had no more:
/// for measurements of what other processors would take. The library's own products follow
/// ONEDNN_MAX_CPU_ISA.
void limitInstructionSet(InstructionSet most);

/// The kernels for `set`, or null when they are not in this build or this processor cannot run them.
[[nodiscard]] const Kernels* kernelsFor(InstructionSet set);
/// The widest that this processor runs.
[[nodiscard]] const Kernels& bestKernels();

}  // namespace plumb::cpu
