// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/chain_capacity.h"

#include <optional>

namespace plumb {

/// The schedule within `capacity` that recomputes the fewest layers; empty when there is none. Exact.
///
/// An h that is held and given up before its own use is never worth it: at its last use some later h was made
/// from it, which could have been held instead; nor is one that is made earlier than the layers above it make
/// necessary. So the best schedules are nested. With h_i held, q held in all and the backward of layers
/// j..i+1 to do, some h_m is made first and stays until the layers above it are done:
///     R(i,j,q) = min over i < m < j of (m - i) + R(m,j,q+1) + R(i,m,q),    R(j-1,j,q) = 0,
/// where a term is there if q + 1 (h_m) fits while layers are recomputed before the backward of j, and one
/// more if there are two or more layers (their other buffer). The forward pass is the same without its first
/// term. Time is O(L^2) for each q, where the split moves with i and j as in Knuth's optimum trees; whether
/// it does is checked on the table itself and never taken for granted.
[[nodiscard]] std::optional<RecomputeSchedule> leastRecomputation(const ChainCapacity& capacity);

}  // namespace plumb
