// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/base/philox.h"
#include "kernels/cpu/kernels.h"

#include <cstdint>
#include <string>
#include <vector>

namespace plumb::test {

/// Nearly normal numbers, the same for the same seed; about one in eight is exactly 0, as after a ReLU.
inline std::vector<float> randomFloats(std::int64_t count, std::uint32_t seed) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        const PhiloxBlock block = philoxAt(99, RandomStream::Noise, seed, static_cast<std::uint64_t>(i));
        values[static_cast<std::size_t>(i)] = block.word[0] % 8 == 0 ? 0.0F : normalFromPhilox(block);
    }
    return values;
}

/// The same numbers rounded to bf16: as stored, and as the fp32 values that they stand for.
inline std::vector<std::uint16_t> toBf16(const std::vector<float>& values) {
    std::vector<std::uint16_t> bits;
    bits.reserve(values.size());
    for (const float value : values) bits.push_back(bf16FromFloat(value));
    return bits;
}
inline std::vector<float> fromBf16(const std::vector<std::uint16_t>& bits) {
    std::vector<float> values;
    values.reserve(bits.size());
    for (const std::uint16_t value : bits) values.push_back(floatFromBf16(value));
    return values;
}

/// The instruction sets that this processor runs, baseline first.
inline std::vector<const cpu::Kernels*> availableKernels() {
    std::vector<const cpu::Kernels*> all;
    for (const auto set :
         {cpu::InstructionSet::Baseline, cpu::InstructionSet::Avx2, cpu::InstructionSet::Avx512})
        if (const cpu::Kernels* kernels = cpu::kernelsFor(set)) all.push_back(kernels);
    return all;
}

}  // namespace plumb::test
