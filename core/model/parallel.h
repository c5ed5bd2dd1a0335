// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace plumb {

/// Most ranks that one training is planned for.
inline constexpr std::int64_t kMostRanks = 16384;

/// What ranks that share the samples divide among themselves besides, each stage of ZeRO one thing more:
/// nothing; master copy and optimizer states; gradients; weights.
enum class Zero : std::uint8_t { Off, States, Gradients, Weights };

/// How many ranks run a step together, and along which axes they share its work.
struct Parallel {
    std::int64_t data = 1;  ///< ranks that share the samples of a batch; each has all that `zero` leaves
    Zero zero = Zero::Off;
    bool operator==(const Parallel&) const = default;

    [[nodiscard]] std::int64_t ranks() const { return data; }
    [[nodiscard]] constexpr bool shares(Zero what) const { return zero >= what; }
};

/// Elements of a rank's slice of a matrix with so many, which ranks divide among themselves: the same for all
/// of them, and a whole number of cache lines in any format. What the last slices have beyond the matrix is
/// padding: zeros that no product reads.
[[nodiscard]] constexpr std::int64_t shardElements(std::int64_t elements, std::int64_t ranks) {
    constexpr std::int64_t kUnit = 64;
    return (elements + kUnit * ranks - 1) / (kUnit * ranks) * kUnit;
}

/// One of these ranks: its place along each axis, from 0.
struct Place {
    std::int64_t data = 0;
    bool operator==(const Place&) const = default;
};

}  // namespace plumb
