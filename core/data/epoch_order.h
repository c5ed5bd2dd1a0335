// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace plumb {

/// The order in which samples are visited: every one once per epoch, shuffled by the seed and the epoch
/// alone.
///
/// Position p of the stream is a pure function of (count, seed, p): a Feistel network over the next power of
/// four, walked until it lands inside. So the order needs no index array however large the file is, does not
/// depend on micro-batches, and a resumed run goes on where it stopped.
class EpochOrder {
public:
    /// Pre: count >= 1.
    EpochOrder(std::int64_t count, std::uint64_t seed);
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(m_count); }
    /// The sample at this position: a permutation of [0, count) within each epoch. Pre: position >= 0.
    [[nodiscard]] std::int64_t at(std::int64_t position) const;
    /// The samples at positions `first`, `first` + 1, ...
    void fill(std::int64_t first, std::span<std::int64_t> samples) const;

private:
    std::uint64_t m_count;
    std::uint64_t m_seed;
    unsigned m_halfBits;
};

}  // namespace plumb
