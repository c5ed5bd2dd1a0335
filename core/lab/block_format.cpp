// SPDX-License-Identifier: Apache-2.0
#include "core/lab/block_format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::lab {
namespace {

constexpr std::array kFormats{BlockFormat{"mxfp8_e4m3", "MXFP8 E4M3", "fp8_e4m3", 32, true},
                              BlockFormat{"mxfp8_e5m2", "MXFP8 E5M2", "fp8_e5m2", 32, true},
                              BlockFormat{"mxfp6_e2m3", "MXFP6 E2M3", "fp6_e2m3", 32, true},
                              BlockFormat{"mxfp6_e3m2", "MXFP6 E3M2", "fp6_e3m2", 32, true},
                              BlockFormat{"mxfp4", "MXFP4", "fp4_e2m1", 32, true},
                              BlockFormat{"nvfp4", "NVFP4", "fp4_e2m1", 16, false}};

constexpr int kScaleBits = 8;
constexpr int kScaleBias = 127;  // E8M0: 2^(code - 127)
constexpr int kLargestScale = 254;

NumberFormat elementOf(const BlockFormat& format) {
    for (const NumberFormat& candidate : numberFormats())
        if (candidate.name == format.element) return candidate;
    return {};
}

int exponentOf(double magnitude) { return std::ilogb(magnitude); }

}  // namespace

std::span<const BlockFormat> blockFormats() { return kFormats; }

double BlockFormat::bitsPerElement() const {
    return elementOf(*this).bits() + static_cast<double>(kScaleBits) / block;
}

double nvfp4TensorScale(double amax) {
    if (amax == 0) return 1;
    return static_cast<double>(static_cast<float>(amax / (6.0 * 448.0)));
}

StoredBlock storeBlock(const BlockFormat& format, std::span<const double> numbers, double tensorScale) {
    const NumberFormat element = elementOf(format);
    double amax = 0;
    for (const double number : numbers) amax = std::max(amax, std::abs(number));

    StoredBlock block;
    if (format.powerOfTwo) {
        const int exponent = amax == 0 ? -kScaleBias : exponentOf(amax) - exponentOf(element.largest());
        const int code = std::clamp(exponent + kScaleBias, 0, kLargestScale);
        block.scaleCode = static_cast<std::uint8_t>(code);
        block.scale = std::ldexp(1.0, code - kScaleBias);
    } else {
        const NumberFormat scaleFormat = *findFormat("fp8_e4m3");
        const StoredNumber scale =
            store(scaleFormat, amax / (element.largest() * tensorScale), Overflow::Saturate);
        block.scaleCode = static_cast<std::uint8_t>(scale.code);
        block.scale = scale.value * tensorScale;
    }
    for (const double number : numbers) {
        const double scaled = block.scale == 0 ? 0 : number / block.scale;
        block.elements.push_back(store(element, scaled, Overflow::Saturate));
        block.values.push_back(block.elements.back().value * block.scale);
    }
    return block;
}

}  // namespace plumb::lab
