// SPDX-License-Identifier: Apache-2.0
// The fp8 conversions of the device, as NVIDIA's header emulates them, beside those of all backends.
#include "kernels/cuda/bodies/fp8_pairs.h"

#include "kernels/cuda/bodies/fp8_instructions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace plumb::cuda {
namespace {

using common::Format;
using common::Storage;

/// Numbers among which lies every way to be rounded: all exponents and signs with all 7 upper bits of the
/// mantissa, more than fp8 keeps and what decides a tie, and below them nothing, the least and everything;
/// and all of fp16.
std::vector<float> numbers() {
    std::vector<float> all;
    for (std::uint32_t upper = 0; upper < 0x10000; ++upper) {
        for (const std::uint32_t lower : {0x0000U, 0x0001U, 0x7fffU, 0x8000U, 0x8001U, 0xffffU})
            all.push_back(common::floatOf(static_cast<std::int32_t>(upper << 16U | lower)));
        all.push_back(common::fromFp16(static_cast<std::uint16_t>(upper)));
    }
    return all;
}

template <Storage kStorage>
int differences(const std::vector<float>& values, std::size_t neighbour) {
    int found = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float pair[2] = {values[i], values[(i + neighbour) % values.size()]};
        Pack<std::uint8_t, 2> got;
        Pack<std::uint8_t, 2> wanted;
        storePairs<kStorage>(got, pair, ToFp8Pair<kStorage>{});
        for (int k = 0; k < 2; ++k) Format<kStorage>::store(&wanted.v[k], pair[k]);
        const float one[1] = {values[i]};
        Pack<std::uint8_t, 1> alone;
        storePairs<kStorage>(alone, one, ToFp8Pair<kStorage>{});
        if (got.v[0] == wanted.v[0] && got.v[1] == wanted.v[1] && alone.v[0] == wanted.v[0]) continue;
        if (++found == 1)
            ADD_FAILURE() << pair[0] << ", " << pair[1] << ": " << int{got.v[0]} << ", " << int{got.v[1]}
                          << ", " << int{alone.v[0]} << " for " << int{wanted.v[0]} << ", "
                          << int{wanted.v[1]};
    }
    return found;
}

TEST(Fp8Pairs, AreStoredWithTheBitsOfAllBackendsNaNAndInfinityIncluded) {
    const std::vector<float> values = numbers();
    EXPECT_EQ(differences<Storage::Fp8E4M3>(values, 1), 0);
    EXPECT_EQ(differences<Storage::Fp8E5M2>(values, values.size() / 2 + 3), 0);
}

template <Storage kStorage>
void expectSameNumbers() {
    for (std::uint32_t code = 0; code < 256; ++code) {
        const auto byte = static_cast<std::uint8_t>(code);
        const float wanted = Format<kStorage>::load(&byte);
        const float2 got = fromFp8Pair<kStorage>(static_cast<std::uint16_t>(code | (255 - code) << 8U));
        if (std::isnan(wanted))
            EXPECT_TRUE(std::isnan(got.x)) << code;
        else
            EXPECT_EQ(common::bitsOf(got.x), common::bitsOf(wanted)) << code;
        EXPECT_EQ(common::bitsOf(fromFp8Pair<kStorage>(static_cast<std::uint16_t>(255 - code)).x),
                  common::bitsOf(got.y))
            << code;
    }
}

TEST(Fp8Pairs, AreReadAsTheSameNumbers) {
    expectSameNumbers<Storage::Fp8E4M3>();
    expectSameNumbers<Storage::Fp8E5M2>();
}

}  // namespace
}  // namespace plumb::cuda
