// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"

#include <cstdint>

namespace plumb::cpu {

/// An element of a bf16 tensor.
struct Bf16 {
    std::uint16_t bits = 0;
};

inline float load(float value) { return value; }
inline float load(Bf16 value) { return floatFromBf16(value.bits); }
inline void store(float& to, float value) { to = value; }
inline void store(Bf16& to, float value) { to.bits = bf16FromFloat(value); }

}  // namespace plumb::cpu
