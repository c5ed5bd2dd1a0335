// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/comm/comm_call.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plumb {

/// Reduces equally long slices into slices[own], in the order of the ranks they came from, so that the result
/// does not depend on who adds it, nor on when what arrived. fp64 adds in fp64, everything else in fp32 and
/// is rounded once. A NaN of any slice stays one. Pre: a dtype of whole bytes.
void reduceSlices(Dtype dtype, Reduction reduction, const std::vector<std::byte*>& slices, std::size_t own,
                  std::int64_t elements);

}  // namespace plumb
