// SPDX-License-Identifier: Apache-2.0
#include "core/comm/reduce_slices.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>

namespace plumb {
namespace {

/// How an element is stored and in what it is added.
template <class Stored, class Sum, Sum (*kRead)(Stored), Stored (*kWrite)(Sum)>
struct Element {
    using Added = Sum;
    static constexpr std::size_t kBytes = sizeof(Stored);
    static Sum read(const std::byte* from) {
        Stored stored;
        std::memcpy(&stored, from, sizeof stored);
        return kRead(stored);
    }
    static void write(std::byte* to, Sum value) {
        const Stored stored = kWrite(value);
        std::memcpy(to, &stored, sizeof stored);
    }
};

template <class Number>
constexpr Number itself(Number number) {
    return number;
}

template <class Number>
Number reduced(Reduction reduction, Number a, Number b) {
    if (reduction == Reduction::Sum) return a + b;
    // std::max would keep or lose a NaN by the order of its arguments.
    return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b);
}

template <class Kind>
void reduceAs(Reduction reduction, const std::vector<std::byte*>& slices, std::size_t own,
              std::int64_t elements) {
    // A block at a time, so that sums stay in the nearest memory while each slice is read from its beginning
    // to its end.
    constexpr std::size_t kBlock = 1024;
    std::array<typename Kind::Added, kBlock> sums;
    const auto count = static_cast<std::size_t>(elements);
    for (std::size_t begin = 0; begin < count; begin += kBlock) {
        const std::size_t block = std::min(kBlock, count - begin);
        for (std::size_t i = 0; i < block; ++i)
            sums[i] = Kind::read(slices.front() + (begin + i) * Kind::kBytes);
        for (std::size_t rank = 1; rank < slices.size(); ++rank)
            for (std::size_t i = 0; i < block; ++i)
                sums[i] = reduced(reduction, sums[i], Kind::read(slices[rank] + (begin + i) * Kind::kBytes));
        for (std::size_t i = 0; i < block; ++i)
            Kind::write(slices[own] + (begin + i) * Kind::kBytes, sums[i]);
    }
}

}  // namespace

void reduceSlices(Dtype dtype, Reduction reduction, const std::vector<std::byte*>& slices, std::size_t own,
                  std::int64_t elements) {
    switch (dtype) {
    case Dtype::Fp64:
        return reduceAs<Element<double, double, itself<double>, itself<double>>>(reduction, slices, own,
                                                                                 elements);
    case Dtype::Fp32:
    case Dtype::Tf32:
        return reduceAs<Element<float, float, itself<float>, itself<float>>>(reduction, slices, own,
                                                                             elements);
    case Dtype::Bf16:
        return reduceAs<Element<std::uint16_t, float, floatFromBf16, bf16FromFloat>>(reduction, slices, own,
                                                                                     elements);
    case Dtype::Fp16:
        return reduceAs<Element<std::uint16_t, float, floatFromFp16, fp16FromFloat>>(reduction, slices, own,
                                                                                     elements);
    case Dtype::Fp8E4M3:
        return reduceAs<Element<std::uint8_t, float, floatFromFp8E4M3, fp8E4M3FromFloat>>(reduction, slices,
                                                                                          own, elements);
    case Dtype::Fp8E5M2:
        return reduceAs<Element<std::uint8_t, float, floatFromFp8E5M2, fp8E5M2FromFloat>>(reduction, slices,
                                                                                          own, elements);
    case Dtype::Fp4E2M1:  // two to a byte: no training step stores it, so none reduces it
        assert(false);
    }
}

}  // namespace plumb
