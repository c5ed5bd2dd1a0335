// SPDX-License-Identifier: Apache-2.0
// fp8 two numbers at a time, as devices of compute capability 8.9 and newer convert it. Finite numbers come
// out with the bits of kernels/common/formats.h; what the instruction has other bits for is put right.
#pragma once

#include "kernels/common/formats.h"
#include "kernels/cuda/bodies/block.h"

#include <cstring>

namespace plumb::cuda {

/// Stores numbers by `convert`(first, second), which gives both codes in 16 bits. It knows neither the
/// infinite number nor the sign of what is no number: those are looked for all at once, since there are
/// hardly any.
template <common::Storage kStorage, int kCount, class Convert>
PLUMB_BODY void storePairs(Pack<std::uint8_t, kCount>& pack, const float (&v)[kCount],
                           const Convert& convert) {
    using Code = typename common::Format<kStorage>::Code;
    static_assert(kCount == 1 || kCount % 2 == 0);
    bool finite = true;
    PLUMB_UNROLL
    for (int i = 0; i < kCount; ++i) finite &= common::isFinite(v[i]);
    PLUMB_UNROLL
    for (int i = 0; i < kCount; i += 2) {
        const std::uint16_t codes = convert(v[i], kCount == 1 ? 0.0F : v[i + 1]);
        memcpy(&pack.v[i], &codes, kCount == 1 ? 1 : 2);
    }
    if (finite) [[likely]]
        return;
    PLUMB_UNROLL
    for (int i = 0; i < kCount; ++i)
        if (!common::isFinite(v[i])) pack.v[i] = static_cast<std::uint8_t>(Code::special(v[i]));
}

}  // namespace plumb::cuda
