// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"

#include <array>
#include <cstdint>

// Philox 4x32-10, the counter-based generator of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"
// (SC 2011). A pure function of (key, counter): any thread and any device computes the same numbers.
// Plain C++17 without library calls, so that CUDA sources include this very file.

namespace plumb {

struct PhiloxBlock {
    std::uint32_t word[4];
};

/// Ten rounds over `counter` with `key`; held by the published vectors in tests/core/base/philox_test.cpp.
PLUMB_HOST_DEVICE constexpr PhiloxBlock philox4x32(PhiloxBlock counter, std::uint32_t key0,
                                                   std::uint32_t key1) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t product0 = std::uint64_t{0xD2511F53U} * counter.word[0];
        const std::uint64_t product1 = std::uint64_t{0xCD9E8D57U} * counter.word[2];
        counter = PhiloxBlock{{static_cast<std::uint32_t>(product1 >> 32U) ^ counter.word[1] ^ key0,
                               static_cast<std::uint32_t>(product1),
                               static_cast<std::uint32_t>(product0 >> 32U) ^ counter.word[3] ^ key1,
                               static_cast<std::uint32_t>(product0)}};
        key0 += 0x9E3779B9U;
        key1 += 0xBB67AE85U;
    }
    return counter;
}

/// A nearly normal deviate, mean 0 and variance 1: the sum of the block's eight 16-bit lanes (Irwin-Hall).
/// Exact in integers and one rounding at the end, hence the same bits on every device; no log, no sine.
/// Range about +-4.9 sigma, excess kurtosis -0.15.
PLUMB_HOST_DEVICE constexpr float normalFromPhilox(PhiloxBlock block) {
    std::int32_t sum = 0;
    for (const std::uint32_t word : block.word)
        sum += static_cast<std::int32_t>(word & 0xffffU) + static_cast<std::int32_t>(word >> 16U);
    // Mean 8 * 65535 / 2; variance 8 * (65536^2 - 1) / 12, so 1/sigma = 1.86881e-5 (in double, rounded once).
    return static_cast<float>(static_cast<double>(sum - 262140) * 1.8688123650118534e-05);
}

/// Evenly spread in (-1, 1): odd multiples of 2^-24, so that every one is exact in fp32 and the mean is 0.
PLUMB_HOST_DEVICE constexpr float uniformFromPhilox(PhiloxBlock block) {
    const auto drawn = static_cast<std::int32_t>(block.word[0] >> 8U);
    return static_cast<float>(2 * drawn + 1 - (1 << 24)) * 0x1p-24F;
}

/// What a stream of random numbers is for; part of the counter, so that no two tensors share numbers.
enum class RandomStream : std::uint32_t {
    Weights = 1,
    Head = 2,
    Features = 3,
    Noise = 4,
    Order = 5,
    Windows = 6
};

/// Element `index` of `stream` (a layer or a step number in `sub`) for `seed`.
PLUMB_HOST_DEVICE constexpr PhiloxBlock philoxAt(std::uint64_t seed, RandomStream stream, std::uint32_t sub,
                                                 std::uint64_t index) {
    return philox4x32(
        PhiloxBlock{{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32U), sub,
                     static_cast<std::uint32_t>(stream)}},
        static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U));
}

/// The nearly normal deviate of element `index`, drawn again while it lies beyond +-3: draw n (0, 1, ...) is
/// that of `sub` + n * 2^24, so that any device finds the same number without asking another. One draw in 605
/// is repeated; the standard deviation is 0.992. Pre: sub < 2^24.
PLUMB_HOST_DEVICE constexpr float truncatedNormalAt(std::uint64_t seed, RandomStream stream,
                                                    std::uint32_t sub, std::uint64_t index) {
    float value = 0;
    for (std::uint32_t draw = 0; draw < 256; ++draw) {
        value = normalFromPhilox(philoxAt(seed, stream, sub + (draw << 24U), index));
        if (value >= -3.0F && value <= 3.0F) return value;
    }
    return 0;  // 256 in a row do not happen: the chance is below 10^-600
}

}  // namespace plumb
