// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace plumb {

/// Most ranks that one training is planned for.
inline constexpr std::int64_t kMostRanks = 16384;

/// How many ranks run a step together, and along which axes they share its work.
struct Parallel {
    std::int64_t data = 1;  ///< ranks that share the samples of a batch; each has all weights
    bool operator==(const Parallel&) const = default;

    [[nodiscard]] std::int64_t ranks() const { return data; }
};

/// One of these ranks: its place along each axis, from 0.
struct Place {
    std::int64_t data = 0;
    bool operator==(const Place&) const = default;
};

}  // namespace plumb
