// SPDX-License-Identifier: Apache-2.0
#include "core/plan/chain_capacity.h"

#include "core/plan/chain_costs.h"

#include <algorithm>
#include <cstddef>

namespace plumb {
namespace {

/// Whether all h of i < . < j can be made one by one before the backward of j and stay until their own use,
/// with h_i held and `held` in all.
bool allCanStay(const ChainCapacity& capacity, std::int32_t i, std::int32_t j, std::int32_t held) {
    if (j - 1 > i && held + j - 1 - i > capacity.recompute[at(j)]) return false;
    for (std::int32_t layer = i + 1; layer <= j; ++layer) {
        if (held + layer - 1 - i > capacity.backward[at(layer)]) return false;
    }
    return true;
}

/// The farthest j, up to `most`, that the forward pass reaches from the kept h_i and from where allCanStay();
/// i when there is none.
std::int32_t farthest(const ChainCapacity& capacity, std::int32_t i, std::int32_t most, std::int32_t kept) {
    std::int32_t found = i;
    for (std::int32_t j = i + 1; j <= most; ++j) {
        if (kept + (j > i + 1 ? 2 : 1) > capacity.forward[at(j)]) break;
        if (!allCanStay(capacity, i, j, kept)) break;
        found = j;
    }
    return found;
}

/// The least i, by j, for which the backward of layers j..i+1 is possible with h_i and `held` in all; then it
/// is from any higher i as well. `above` is the same with one held more.
std::vector<std::int32_t> lowestStarts(const ChainCapacity& capacity, std::int32_t held,
                                       const std::vector<std::int32_t>& above) {
    std::vector<std::int32_t> lowest(at(capacity.layers) + 1, kNever);
    // Layers m whose lowest start is below that of every later one, so that the first of them from some layer
    // on has the least start from there on.
    std::vector<std::int32_t> leasts;
    for (std::int32_t j = held + 1; j <= capacity.layers; ++j) {
        std::int32_t& low = lowest[at(j)];
        if (held <= capacity.backward[at(j)]) low = j - 1;
        const std::int32_t room = capacity.recompute[at(j)] - held;
        if (room >= 2) {
            const auto m = std::lower_bound(leasts.begin(), leasts.end(), above[at(j)]);
            if (m != leasts.end()) low = std::min(low, lowest[at(*m)]);
        } else if (room == 1) {
            std::int32_t m = above[at(j)];
            while (m < j && lowest[at(m)] >= m) ++m;
            if (m < j) low = m - 1;
        }
        while (!leasts.empty() && lowest[at(leasts.back())] >= low) leasts.pop_back();
        if (low < kNever) leasts.push_back(j);
    }
    return lowest;
}

}  // namespace

std::int32_t ChainCapacity::mostHeld() const {
    return std::clamp(*std::max_element(backward.begin() + 1, backward.end()), -1, layers - 1);
}

std::vector<std::int32_t> ChainCapacity::forwardReach(std::int32_t kept) const {
    std::vector<std::int32_t> reach(at(layers) + 1, layers);
    std::int32_t last = layers;  // of a run that has an h beside the kept ones and its result
    for (std::int32_t i = layers - 1; i >= 0; --i) {
        reach[at(i)] = kept + 1 <= forward[at(i + 1)] ? last : i;
        if (kept + 2 > forward[at(i + 1)]) last = i;
    }
    return reach;
}

bool hasSchedule(const ChainCapacity& capacity) {
    if (recomputeOnce(capacity).has_value()) return true;  // the quick answer where there is much room
    const std::int32_t layers = capacity.layers;
    // The least i, with `held` in all, from which the backward of layers j..i+1 is possible, and the least i
    // that can be kept so that all that follows is; both for one held more before. From any higher i it is as
    // well.
    std::vector<std::int32_t> lowestAbove(at(layers) + 1, kNever);
    std::int32_t startAbove = kNever;
    for (std::int32_t held = capacity.mostHeld(); held >= 0; --held) {
        std::vector<std::int32_t> lowest = lowestStarts(capacity, held, lowestAbove);
        const std::vector<std::int32_t> reach = capacity.forwardReach(held);
        std::int32_t start = kNever;
        std::int32_t from = held;  // the least i from which the forward pass reaches m
        for (std::int32_t m = held + 1; m <= layers; ++m) {
            while (from < m && reach[at(from)] < m) ++from;
            const bool follows = m == layers ? held <= capacity.head : m >= startAbove;
            const std::int32_t i = std::max(from, lowest[at(m)]);
            if (follows && i < m) start = std::min(start, i);
        }
        lowestAbove = std::move(lowest);
        startAbove = start;
    }
    return startAbove == 0;
}

std::optional<RecomputeSchedule> recomputeOnce(const ChainCapacity& capacity) {
    const std::int32_t layers = capacity.layers;
    const std::int32_t most = std::min({layers - 1, capacity.head, capacity.backward[at(layers)]});
    std::vector<std::int32_t> kept{0};
    for (std::int32_t count = 0; count <= most; ++count) {
        // As far as possible, leaving a layer for each that is still to be kept.
        const std::int32_t i = kept.back();
        kept.push_back(farthest(capacity, i, layers - most + count, count));
        if (kept.back() == i) return std::nullopt;
    }
    if (kept.back() != layers) return std::nullopt;

    RecomputeSchedule schedule;
    schedule.keeps.assign(at(layers) + 1, false);
    schedule.firstStretch.assign(at(layers) + 2, 0);
    for (const std::int32_t layer : kept) schedule.keeps[at(layer)] = true;
    for (std::int32_t layer = layers; layer >= 1; --layer) {
        std::int32_t start = layer - 1;
        // All of a segment come back before the layer that ends it.
        if (layer == layers || schedule.keeps[at(layer)]) {
            while (!schedule.keeps[at(start)]) --start;
            for (; start < layer - 1; ++start) schedule.stretches.push_back({start, start + 1});
        }
        schedule.firstStretch[at(layer)] = static_cast<std::int32_t>(schedule.stretches.size());
    }
    schedule.firstStretch[0] = schedule.firstStretch[1];
    return schedule;
}

}  // namespace plumb
