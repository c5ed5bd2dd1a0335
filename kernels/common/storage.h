// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace plumb {
enum class Dtype : std::uint8_t;
}

namespace plumb::common {

/// How the elements of a tensor lie in memory, and are read. Tf32 is fp32 that is rounded to 10 bits when it
/// is read as an operand of a product.
enum class Storage : std::uint8_t { Fp32, Tf32, Bf16, Fp16, Fp8E4M3, Fp8E5M2 };
inline constexpr int kStorages = 6;

/// Returns how a step stores numbers of `dtype`. Pre: neither fp64 nor fp4.
[[nodiscard]] Storage storageOf(Dtype dtype);

/// What happens to an fp32 result on its way into storage.
enum class Epilogue : std::uint8_t {
    Plain,
    Relu,  ///< v < 0 ? 0 : v; what is not a number stays so, as in torch.relu
    Mask,  ///< h > 0 ? v : 0
    Add,   ///< v + what is there, rounded once
};
inline constexpr int kEpilogues = 4;

/// Bits of a bf16 number; arithmetic on it is always fp32.
using Bf16 = std::uint16_t;

}  // namespace plumb::common
