// SPDX-License-Identifier: Apache-2.0
// The one pass that turns fp32 results into what is stored, compiled once per instruction set.
// A part of kernels_body.h, under its rules.

#pragma once

#include "kernels/cpu/storage_body.h"

namespace plumb::cpu {
namespace {

constexpr Index kEncodeBlock = 512;  ///< elements that stay in the level 1 cache between the parts of a pass

/// Element i, v, after the epilogue; `old` is what is in the output, `h` the activation that masks: null
/// where the epilogue has no use for them.
template <Storage kStorage, Epilogue kEpilogue>
PLUMB_INLINE float finished(float v, const typename Format<kStorage>::Type* old,
                            const typename Format<Format<kStorage>::kMask>::Type* h, Index i) {
    if constexpr (kEpilogue == Epilogue::Relu) return v < 0 ? 0.0F : v;
    if constexpr (kEpilogue == Epilogue::Mask)
        return Format<Format<kStorage>::kMask>::positive(h[i]) ? v : 0.0F;
    if constexpr (kEpilogue == Epilogue::Add) return v + Format<kStorage>::load(old + i);
    return v;
}

/// Adds `count` numbers to the tally, but for their squares, which go to 16 lanes.
template <Storage kStorage>
PLUMB_INLINE void tallyRun(const float* __restrict v, Index count, float factor, double* __restrict squares,
                           Tally& tally) {
    using F = Format<kStorage>;
    std::int32_t largest = bitsOf(tally.amax);
    std::int32_t overflowed = 0;
    std::int32_t underflowed = 0;
    for (Index i = 0; i < count; ++i) {
        const std::int32_t magnitude = bitsOf(v[i]) & kMagnitude;
        largest = magnitude > largest ? magnitude : largest;
        if constexpr (F::kCounts) {
            const std::int32_t scaled = F::kScaled ? bitsOf(v[i] * factor) & kMagnitude : magnitude;
            overflowed += scaled >= F::kOverflow ? 1 : 0;
            underflowed += (magnitude > 0) & (scaled <= F::kUnderflow) ? 1 : 0;
        }
    }
    tally.amax = floatOf(largest);
    tally.overflowed += overflowed;
    tally.underflowed += underflowed;
    Index i = 0;
    for (; i + 16 <= count; i += 16)
        for (int j = 0; j < 16; ++j) {
            const auto value = static_cast<double>(v[i + j]);
            squares[j] += value * value;
        }
    for (int j = 0; i + j < count; ++j) {
        const auto value = static_cast<double>(v[i + j]);
        squares[j] += value * value;
    }
}

PLUMB_INLINE double sumOfSixteen(const double* lanes) {
    double part[8];
    for (int j = 0; j < 8; ++j) part[j] = lanes[j] + lanes[j + 8];
    return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

template <Storage kStorage, Epilogue kEpilogue>
void encodeTallied(const EncodeArguments& arguments) {
    using Type = typename Format<kStorage>::Type;
    using Mask = typename Format<Format<kStorage>::kMask>::Type;
    auto* out = static_cast<Type*>(arguments.out);
    const auto* h = static_cast<const Mask*>(arguments.mask);
    alignas(64) float room[kEncodeBlock];
    double squares[16] = {};
    for (Index begin = 0; begin < arguments.count; begin += kEncodeBlock) {
        const Index count = smaller(kEncodeBlock, arguments.count - begin);
        const float* v = arguments.in + begin;
        if constexpr (kEpilogue != Epilogue::Plain) {
            for (Index i = 0; i < count; ++i)
                room[i] = finished<kStorage, kEpilogue>(v[i], out, h, begin + i);
            v = room;
        }
        tallyRun<kStorage>(v, count, arguments.factor, squares, *arguments.tally);
        if (out != nullptr && static_cast<const void*>(v) != out + begin)
            storeRun<kStorage>(v, out + begin, count, arguments.factor);
    }
    arguments.tally->squares += sumOfSixteen(squares);
}

/// The table's encode. fp32 may be in place (in == out).
template <Storage kStorage, Epilogue kEpilogue>
void encode(const EncodeArguments& arguments) {
    using F = Format<kStorage>;
    using Type = typename F::Type;
    using Mask = typename Format<F::kMask>::Type;
    if (arguments.tally != nullptr) {
        encodeTallied<kStorage, kEpilogue>(arguments);
        return;
    }
    const Index count = arguments.count;
    const float factor = arguments.factor;
    const auto* __restrict h = static_cast<const Mask*>(arguments.mask);
    if (arguments.in == arguments.out) {
        // Only fp32: no second pointer, which would keep the compiler from making vectors.
        if constexpr (sizeof(Type) == sizeof(float)) {
            auto* __restrict inOut = static_cast<float*>(arguments.out);
            if constexpr (kEpilogue == Epilogue::Relu || kEpilogue == Epilogue::Mask)
                for (Index i = 0; i < count; ++i)
                    inOut[i] = finished<kStorage, kEpilogue>(inOut[i], nullptr, h, i);
        }
        return;
    }
    auto* __restrict out = static_cast<Type*>(arguments.out);
    const float* __restrict in = arguments.in;
    if constexpr (kEpilogue == Epilogue::Plain) {
        storeRun<kStorage>(in, out, count, factor);
    } else if constexpr (kStorage == Storage::Fp16) {
        alignas(64) float room[kEncodeBlock];
        for (Index begin = 0; begin < count; begin += kEncodeBlock) {
            const Index some = smaller(kEncodeBlock, count - begin);
            for (Index i = 0; i < some; ++i)
                room[i] = finished<kStorage, kEpilogue>(in[begin + i], out, h, begin + i);
            storeRun<kStorage>(room, out + begin, some, factor);
        }
    } else {
        for (Index i = 0; i < count; ++i) {
            const float value = finished<kStorage, kEpilogue>(in[i], out, h, i);
            F::store(out + i, F::kScaled ? value * factor : value);
        }
    }
}

}  // namespace
}  // namespace plumb::cpu
