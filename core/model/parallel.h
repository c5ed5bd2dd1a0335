// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace plumb {

/// Most ranks that one training is planned for.
inline constexpr std::int64_t kMostRanks = 16384;

/// What ranks that share the samples divide among themselves besides, each stage of ZeRO one thing more:
/// nothing; master copy and optimizer states; gradients; weights.
enum class Zero : std::uint8_t { Off, States, Gradients, Weights };

/// Along which ranks do the same, each with its part of it.
enum class RankAxis : std::uint8_t { Data, Tensor };

/// One of the ranks of a step: its place along each axis, from 0.
struct Place {
    std::int64_t data = 0;
    std::int64_t tensor = 0;
    bool operator==(const Place&) const = default;
};

/// How many ranks run a step together, and along which axes they share its work.
struct Parallel {
    std::int64_t data = 1;  ///< ranks that share the samples of a batch; each has all that `zero` leaves
    Zero zero = Zero::Off;
    std::int64_t tensor = 1;  ///< ranks that take the same samples and divide each matrix, by `splitOf()`
    bool operator==(const Parallel&) const = default;

    [[nodiscard]] constexpr std::int64_t ranks() const { return data * tensor; }
    [[nodiscard]] constexpr bool shares(Zero what) const { return zero >= what; }
    [[nodiscard]] constexpr std::int64_t along(RankAxis axis) const {
        return axis == RankAxis::Tensor ? tensor : data;
    }
    /// Ranks are counted along the tensor axis first, whose traffic is the most, then along the data axis.
    [[nodiscard]] constexpr std::int64_t rankOf(const Place& place) const {
        return place.data * tensor + place.tensor;
    }
    [[nodiscard]] constexpr Place placeOf(std::int64_t rank) const {
        return {.data = rank / tensor, .tensor = rank % tensor};
    }
};

/// Elements of a rank's slice of a matrix with so many, which ranks divide among themselves: the same for all
/// of them, and a whole number of cache lines in any format. What the last slices have beyond the matrix is
/// padding: zeros that no product reads.
[[nodiscard]] constexpr std::int64_t shardElements(std::int64_t elements, std::int64_t ranks) {
    constexpr std::int64_t kUnit = 64;
    return (elements + kUnit * ranks - 1) / (kUnit * ranks) * kUnit;
}

}  // namespace plumb
