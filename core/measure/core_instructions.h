// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace plumb {

/// The counter of a packed instruction counts it once; it works on two numbers.
struct CoreInstruction {
    std::string_view name;
    std::int64_t flops;
    std::string_view meaning;
};
inline constexpr CoreInstruction kCoreInstructions[] = {
    {"fadd", 1, "fp32 additions of CUDA cores"},
    {"fmul", 1, "fp32 multiplications of CUDA cores"},
    {"ffma", 2, "fp32 fused multiply-adds of CUDA cores, two FLOPs each"},
    {"hadd", 2, "packed 16-bit additions of CUDA cores, two numbers each"},
    {"hmul", 2, "packed 16-bit multiplications of CUDA cores, two numbers each"},
    {"hfma", 4, "packed 16-bit fused multiply-adds of CUDA cores, two numbers each"},
    {"dadd", 1, "fp64 additions of CUDA cores"},
    {"dmul", 1, "fp64 multiplications of CUDA cores"},
    {"dfma", 2, "fp64 fused multiply-adds of CUDA cores, two FLOPs each"},
};
/// Only the server chips of Blackwell have them.
inline constexpr CoreInstruction kPackedInstructions[] = {
    {"fadd2", 2, "packed fp32 additions of CUDA cores, two numbers each"},
    {"fmul2", 2, "packed fp32 multiplications of CUDA cores, two numbers each"},
    {"ffma2", 4, "packed fp32 fused multiply-adds of CUDA cores, two numbers each"},
};

}  // namespace plumb
