// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/recompute_schedule.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace plumb {

/// How many activations h_1..h_L may be live at each point of a pass; the input x is not counted. All h have
/// the same size, so memory is a count. Entries may be negative: nothing fits there.
///
/// recompute[l] >= backward[l + 1] for l < L: what is not needed before layer l can be made then as well. So
/// it is in every step, since g_{l+1} and g_l are both there until the backward of layer l + 1 is done.
struct ChainCapacity {
    std::int32_t layers = 0;  ///< L >= 1
    std::vector<std::int32_t>
        forward;            ///< [l], 1..L: during the forward op of layer l, both h of it included
    std::int32_t head = 0;  ///< kept ones below h_L during the head's ops and the loss
    std::vector<std::int32_t> recompute;  ///< [l], 2..L: while an h is made again before the backward of l
    std::vector<std::int32_t> backward;  ///< [l], 1..L: held ones, h_{l-1} included, during the backward of l
    bool operator==(const ChainCapacity&) const = default;

    /// As many as are ever held during a backward op, at most L - 1; -1: not even x alone.
    [[nodiscard]] std::int32_t mostHeld() const;
    /// The last layer, by i, that the forward pass reaches from the kept h_i (or x) with `kept` in all.
    [[nodiscard]] std::vector<std::int32_t> forwardReach(std::int32_t kept) const;
};

/// Whether any schedule keeps within `capacity`. O(L^2) for each activation that may be held.
[[nodiscard]] bool hasSchedule(const ChainCapacity& capacity);

/// A schedule that keeps as many h as the head's ops have room for and makes the others again once, when one
/// is found at the first try. No schedule recomputes less.
[[nodiscard]] std::optional<RecomputeSchedule> recomputeOnce(const ChainCapacity& capacity);

}  // namespace plumb
