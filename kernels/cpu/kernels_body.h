// SPDX-License-Identifier: Apache-2.0
// The backend's own kernels. This text is compiled once per instruction set (kernels_v2.cpp, _v3, _v4), each
// time with other flags. The linker keeps ONE copy of every inline function, whichever file it came from: an
// inline function compiled here with AVX-512 could end up in the baseline program. Hence nothing in this file
// has external linkage but the table, nothing from the standard library is called, and a test checks that the
// objects hold no weak symbol.
//
// The including file defines PLUMB_KERNEL_TABLE and PLUMB_KERNEL_NAME.

#include "kernels/cpu/kernels.h"

#include <immintrin.h>

namespace plumb::cpu {
namespace {

using Index = std::int64_t;

#define PLUMB_INLINE inline __attribute__((always_inline))

// ---- numbers

PLUMB_INLINE float fromBf16(Bf16 bits) {
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16U;
    float value;
    __builtin_memcpy(&value, &wide, sizeof value);
    return value;
}

// Round to nearest even, NaN stays NaN: bf16FromFloat() of core/base/dtype.h without its branch.
PLUMB_INLINE Bf16 toBf16(float value) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U;
    const std::uint32_t quiet = (bits >> 16U) | 0x40U;
    return static_cast<Bf16>((bits & 0x7fffffffU) > 0x7f800000U ? quiet : rounded);
}

PLUMB_INLINE float load(const float* p) { return *p; }
PLUMB_INLINE float load(const Bf16* p) { return fromBf16(*p); }
PLUMB_INLINE void store(float* p, float value) { *p = value; }
PLUMB_INLINE void store(Bf16* p, float value) { *p = toBf16(value); }

PLUMB_INLINE Index smaller(Index a, Index b) { return a < b ? a : b; }

// ---- casts and masks

void bf16ToFp32(const Bf16* __restrict in, float* __restrict out, Index count) {
    for (Index i = 0; i < count; ++i) out[i] = fromBf16(in[i]);
}
void fp32ToBf16(const float* __restrict in, Bf16* __restrict out, Index count) {
    for (Index i = 0; i < count; ++i) out[i] = toBf16(in[i]);
}
void fp32ToBf16Relu(const float* __restrict in, Bf16* __restrict out, Index count) {
    for (Index i = 0; i < count; ++i) out[i] = toBf16(in[i] < 0 ? 0.0F : in[i]);
}
void fp32ToBf16Masked(const float* __restrict in, const Bf16* __restrict h, Bf16* __restrict out,
                      Index count) {
    for (Index i = 0; i < count; ++i) out[i] = fromBf16(h[i]) > 0 ? toBf16(in[i]) : Bf16{0};
}
void fp32AddToBf16(const float* __restrict in, Bf16* __restrict inOut, Index count) {
    for (Index i = 0; i < count; ++i) inOut[i] = toBf16(in[i] + fromBf16(inOut[i]));
}
void reluFp32(float* __restrict inOut, Index count) {
    for (Index i = 0; i < count; ++i) inOut[i] = inOut[i] < 0 ? 0.0F : inOut[i];
}
void maskFp32(float* __restrict gradient, const float* __restrict h, Index count) {
    for (Index i = 0; i < count; ++i) gradient[i] = h[i] > 0 ? gradient[i] : 0.0F;
}

}  // namespace
}  // namespace plumb::cpu

#include "kernels/cpu/random_body.h"

namespace plumb::cpu {
namespace {

// ---- head: y = h W, dW = h^T dy, g = dy W^T with few outputs
//
// W [dim, outputs] is strided along dim for each output, so tiles of it are transposed into a small block on
// the stack, from where they serve many rows. 16 outputs x 256 columns are 16 KiB: half of a level 1 cache.

constexpr Index kTileColumns = 256;
constexpr Index kTileOutputs = 16;
constexpr Index kTileRows = 16;
typedef float Float16 __attribute__((vector_size(64), aligned(4), may_alias));

template <class T>
void packWeights(const T* weight, Index outputs, Index dimBegin, Index columns, Index outputBegin,
                 Index count, float (*tile)[kTileColumns]) {
    const Index padded = (columns + 15) / 16 * 16;
    for (Index k = 0; k < count; ++k) {
        for (Index i = 0; i < columns; ++i)
            tile[k][i] = load(weight + (dimBegin + i) * outputs + outputBegin + k);
        for (Index i = columns; i < padded; ++i) tile[k][i] = 0;
    }
}

// A tile of a row as fp32, zero-padded to a multiple of 16 columns.
PLUMB_INLINE const float* rowTile(const float* row, Index columns, float* room) {
    if (columns % 16 == 0) return row;
    for (Index i = 0; i < columns; ++i) room[i] = row[i];
    for (Index i = columns; i % 16 != 0; ++i) room[i] = 0;
    return room;
}
PLUMB_INLINE const float* rowTile(const Bf16* row, Index columns, float* room) {
    for (Index i = 0; i < columns; ++i) room[i] = fromBf16(row[i]);
    for (Index i = columns; i % 16 != 0; ++i) room[i] = 0;
    return room;
}

PLUMB_INLINE float sumOfLanes(const Float16& v) {
    float part[8];
    for (int j = 0; j < 8; ++j) part[j] = v[j] + v[j + 8];
    return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

// sums[k] = a . tile[k] for `kCount` outputs at once, which share the loads of a.
template <int kCount>
PLUMB_INLINE void dots(const float* a, const float (*tile)[kTileColumns], Index columns, float* sums) {
    Float16 lanes[kCount];
    for (int k = 0; k < kCount; ++k) lanes[k] = Float16{};
    for (Index i = 0; i < columns; i += 16) {
        const Float16 value = *reinterpret_cast<const Float16*>(a + i);
#pragma GCC unroll 4
        for (int k = 0; k < kCount; ++k) lanes[k] += value * *reinterpret_cast<const Float16*>(tile[k] + i);
    }
    for (int k = 0; k < kCount; ++k) sums[k] = sumOfLanes(lanes[k]);
}

template <class T>
void headForward(const HeadArguments& head, Index rowBegin, Index rowEnd) {
    const auto* h = static_cast<const T*>(head.h);
    const auto* weight = static_cast<const T*>(head.weight);
    alignas(64) float tile[kTileOutputs][kTileColumns];
    alignas(64) float room[kTileColumns];
    for (Index i0 = 0; i0 < head.dim; i0 += kTileColumns) {
        const Index columns = smaller(kTileColumns, head.dim - i0);
        for (Index k0 = 0; k0 < head.outputs; k0 += kTileOutputs) {
            const Index outputs = smaller(kTileOutputs, head.outputs - k0);
            packWeights(weight, head.outputs, i0, columns, k0, outputs, tile);
            for (Index row = rowBegin; row < rowEnd; ++row) {
                const float* a = rowTile(h + row * head.dim + i0, columns, room);
                float sums[kTileOutputs];
                Index k = 0;
                for (; k + 4 <= outputs; k += 4) dots<4>(a, tile + k, columns, sums + k);
                for (; k < outputs; ++k) dots<1>(a, tile + k, columns, sums + k);
                float* y = head.y + row * head.outputs + k0;
                for (k = 0; k < outputs; ++k) y[k] = i0 == 0 ? sums[k] : y[k] + sums[k];
            }
        }
    }
}

template <class T>
void headWeightGradient(const HeadArguments& head, Index dimBegin, Index dimEnd) {
    constexpr Index kOutputs = 8;
    constexpr Index kRows = 4;
    const auto* h = static_cast<const T*>(head.h);
    const auto* dy = static_cast<const T*>(head.dy);
    auto* gradient = static_cast<T*>(head.weightGradient);
    alignas(64) float total[kOutputs][kTileColumns];
    alignas(64) float rows[kRows][kTileColumns];
    for (Index i0 = dimBegin; i0 < dimEnd; i0 += kTileColumns) {
        const Index columns = smaller(kTileColumns, dimEnd - i0);
        for (Index k0 = 0; k0 < head.outputs; k0 += kOutputs) {
            const Index outputs = smaller(kOutputs, head.outputs - k0);
            for (Index k = 0; k < outputs; ++k)
                for (Index i = 0; i < columns; ++i) total[k][i] = 0;
            for (Index row = 0; row < head.rows; row += kRows) {
                // Missing rows of the last group count as zeros: they add 0 * 0.
                const Index present = smaller(kRows, head.rows - row);
                for (Index r = 0; r < kRows; ++r)
                    for (Index i = 0; i < columns; ++i)
                        rows[r][i] = r < present ? load(h + (row + r) * head.dim + i0 + i) : 0.0F;
                for (Index k = 0; k < outputs; ++k) {
                    float factor[kRows];
                    for (Index r = 0; r < kRows; ++r)
                        factor[r] = r < present ? load(dy + (row + r) * head.outputs + k0 + k) : 0.0F;
                    for (Index i = 0; i < columns; ++i)
                        total[k][i] = total[k][i] + factor[0] * rows[0][i] + factor[1] * rows[1][i] +
                                      factor[2] * rows[2][i] + factor[3] * rows[3][i];
                }
            }
            for (Index i = 0; i < columns; ++i)
                for (Index k = 0; k < outputs; ++k) {
                    T* out = gradient + (i0 + i) * head.outputs + k0 + k;
                    store(out, head.accumulate ? load(out) + total[k][i] : total[k][i]);
                }
        }
    }
}

template <class T>
void headInputGradient(const HeadArguments& head, Index rowBegin, Index rowEnd) {
    const auto* dy = static_cast<const T*>(head.dy);
    const auto* weight = static_cast<const T*>(head.weight);
    const auto* h = static_cast<const T*>(head.h);
    auto* gradient = static_cast<T*>(head.inputGradient);
    const bool packOnce = head.outputs <= kTileOutputs;
    alignas(64) float tile[kTileOutputs][kTileColumns];
    alignas(64) float total[kTileRows][kTileColumns];
    for (Index i0 = 0; i0 < head.dim; i0 += kTileColumns) {
        const Index columns = smaller(kTileColumns, head.dim - i0);
        if (packOnce) packWeights(weight, head.outputs, i0, columns, 0, head.outputs, tile);
        for (Index row = rowBegin; row < rowEnd; row += kTileRows) {
            const Index rows = smaller(kTileRows, rowEnd - row);
            for (Index k0 = 0; k0 < head.outputs; k0 += kTileOutputs) {
                const Index outputs = smaller(kTileOutputs, head.outputs - k0);
                if (!packOnce) packWeights(weight, head.outputs, i0, columns, k0, outputs, tile);
                for (Index r = 0; r < rows; ++r)
                    for (Index k = 0; k < outputs; ++k) {
                        const float factor = load(dy + (row + r) * head.outputs + k0 + k);
                        if (k0 + k == 0)
                            for (Index i = 0; i < columns; ++i) total[r][i] = factor * tile[k][i];
                        else
                            for (Index i = 0; i < columns; ++i) total[r][i] += factor * tile[k][i];
                    }
            }
            for (Index r = 0; r < rows; ++r) {
                T* __restrict out = gradient + (row + r) * head.dim + i0;
                if (head.mask) {
                    const T* __restrict below = h + (row + r) * head.dim + i0;
                    for (Index i = 0; i < columns; ++i)
                        store(out + i, load(below + i) > 0 ? total[r][i] : 0.0F);
                } else {
                    for (Index i = 0; i < columns; ++i) store(out + i, total[r][i]);
                }
            }
        }
    }
}

template <class T>
double lossGradient(const float* __restrict y, const float* __restrict t, float scale, void* dyOut,
                    Index count) {
    auto* __restrict dy = static_cast<T*>(dyOut);
    double lanes[8] = {};
    Index i = 0;
    for (; i + 8 <= count; i += 8)
        for (int j = 0; j < 8; ++j) {
            const float difference = y[i + j] - t[i + j];
            lanes[j] += static_cast<double>(difference) * static_cast<double>(difference);
            store(dy + i + j, scale * difference);
        }
    for (int j = 0; i + j < count; ++j) {
        const float difference = y[i + j] - t[i + j];
        lanes[j] += static_cast<double>(difference) * static_cast<double>(difference);
        store(dy + i + j, scale * difference);
    }
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

// ---- optimizers: torch.optim's order of operations

template <ParameterStorage kStorage>
struct Stored {
    using Type = Bf16;
};
template <>
struct Stored<ParameterStorage::Fp32> {
    using Type = float;
};

// The moments of a parameter whose gradient has become 0 (a dead ReLU) decay into denormal numbers and stay
// there, where arithmetic is 8 times slower. Here, and only here, they count as 0; that changes nothing above
// 1e-38.
class FlushDenormals {
public:
    PLUMB_INLINE FlushDenormals() : m_before(_mm_getcsr()) {
        _mm_setcsr(m_before | kFlushToZero | kInputsAreZero);
    }
    PLUMB_INLINE ~FlushDenormals() { _mm_setcsr(m_before); }
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
    static constexpr unsigned kFlushToZero = 0x8000;
    static constexpr unsigned kInputsAreZero = 0x0040;
    unsigned m_before;
};

// Reads the parameter that the optimizer updates, lets `step` change it, and writes every copy of it.
template <ParameterStorage kStorage, class Step>
PLUMB_INLINE void updateAll(const UpdateArguments& update, Step step) {
    using T = typename Stored<kStorage>::Type;
    T* __restrict weight = static_cast<T*>(update.weight);
    float* __restrict master = update.master;
    const T* __restrict gradient = static_cast<const T*>(update.gradient);
    float* __restrict moment1 = update.moment1;
    float* __restrict moment2 = update.moment2;
    const Index count = update.count;
    const FlushDenormals flush;
    for (Index i = 0; i < count; ++i) {
        const float old = kStorage == ParameterStorage::Bf16WithMaster ? master[i] : load(weight + i);
        const float updated = step(old, load(gradient + i), moment1, moment2, i);
        if constexpr (kStorage == ParameterStorage::Bf16WithMaster) master[i] = updated;
        store(weight + i, updated);
    }
}

template <ParameterStorage kStorage>
void sgd(const UpdateArguments& update) {
    const float rate = update.learningRate;
    const float decay = update.weightDecay;
    updateAll<kStorage>(update,
                        [=](float p, float g, float*, float*, Index) { return p - rate * (g + decay * p); });
}

template <ParameterStorage kStorage>
void adagrad(const UpdateArguments& update) {
    const float rate = update.learningRate;
    const float decay = update.weightDecay;
    updateAll<kStorage>(update, [=](float p, float g, float* __restrict sum, float*, Index i) {
        const float gradient = g + decay * p;
        const float squares = sum[i] + gradient * gradient;
        sum[i] = squares;
        return p - rate * (gradient / (__builtin_sqrtf(squares) + 1e-10F));
    });
}

template <ParameterStorage kStorage>
void adamw(const UpdateArguments& update) {
    const float rate = update.learningRate;
    const float keep = update.keep;
    const float correction = update.secondCorrection;  // torch divides by its inverse; a product is cheaper
    constexpr auto kBeta1Rest = static_cast<float>(1.0 - 0.9);
    constexpr auto kBeta2 = static_cast<float>(0.999);
    constexpr auto kBeta2Rest = static_cast<float>(1.0 - 0.999);
    updateAll<kStorage>(update, [=](float p, float g, float* __restrict m, float* __restrict v, Index i) {
        const float kept = p * keep;
        const float first = m[i] + kBeta1Rest * (g - m[i]);
        const float second = v[i] * kBeta2 + kBeta2Rest * (g * g);
        m[i] = first;
        v[i] = second;
        return kept - rate * (first / (__builtin_sqrtf(second) * correction + 1e-8F));
    });
}

// ---- memory traffic

double sumOf(const float* in, Index count) {
    Float16 lanes[4] = {};
    Index i = 0;
    for (; i + 64 <= count; i += 64)
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) lanes[j] += *reinterpret_cast<const Float16*>(in + i + 16 * j);
    double total = 0;
    for (int j = 0; j < 4; ++j) total += static_cast<double>(sumOfLanes(lanes[j]));
    for (; i < count; ++i) total += static_cast<double>(in[i]);
    return total;
}
// Not the C library's copy, which may pass by the caches: this is what a kernel gets.
__attribute__((optimize("no-tree-loop-distribute-patterns"))) void copy(const float* __restrict in,
                                                                        float* __restrict out, Index count) {
    for (Index i = 0; i < count; ++i) out[i] = in[i];
}
void scaleAdd(const float* __restrict in, float scale, float* __restrict inOut, Index count) {
    for (Index i = 0; i < count; ++i) inOut[i] = inOut[i] + scale * in[i];
}

}  // namespace

extern const Kernels PLUMB_KERNEL_TABLE;
const Kernels PLUMB_KERNEL_TABLE = {
    PLUMB_KERNEL_NAME,
    bf16ToFp32,
    fp32ToBf16,
    fp32ToBf16Relu,
    fp32ToBf16Masked,
    fp32AddToBf16,
    reluFp32,
    maskFp32,
    normals,
    weightedSums,
    {headForward<float>, headForward<Bf16>},
    {headWeightGradient<float>, headWeightGradient<Bf16>},
    {headInputGradient<float>, headInputGradient<Bf16>},
    {lossGradient<float>, lossGradient<Bf16>},
    {sgd<ParameterStorage::Fp32>, sgd<ParameterStorage::Bf16WithMaster>, sgd<ParameterStorage::Bf16Alone>},
    {adagrad<ParameterStorage::Fp32>, adagrad<ParameterStorage::Bf16WithMaster>,
     adagrad<ParameterStorage::Bf16Alone>},
    {adamw<ParameterStorage::Fp32>, adamw<ParameterStorage::Bf16WithMaster>,
     adamw<ParameterStorage::Bf16Alone>},
    sumOf,
    copy,
    scaleAdd,
};

}  // namespace plumb::cpu
