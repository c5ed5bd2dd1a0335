// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/epoch_order.h"

#include <cstdint>
#include <span>
#include <vector>

namespace plumb {

/// How many of `samples` are held out for a share: the nearest whole number, at least one of each kind where
/// the share is above 0. Pre: samples >= 2 for a share above 0.
[[nodiscard]] std::int64_t heldOutOf(std::int64_t samples, double share);

/// Which rows are trained on, and in which order, and which are held out. Without any held out the order is
/// EpochOrder's alone. Otherwise a permutation by the seed gives its last rows to the held-out part, whatever
/// order the file has; both are functions of (rows, seed, share) alone.
class SampleSplit {
public:
    /// Pre: 0 <= heldOut < rows.
    SampleSplit(std::int64_t rows, std::int64_t heldOut, std::uint64_t seed);
    [[nodiscard]] std::int64_t trained() const { return m_order.count(); }
    [[nodiscard]] std::int64_t heldOut() const { return m_heldOut; }
    /// The row at this position of the training's stream. Pre: position >= 0.
    [[nodiscard]] std::int64_t at(std::int64_t position) const;
    void fill(std::int64_t first, std::span<std::int64_t> rows) const;
    /// Rows of the samples that are held out. Pre: all in [0, heldOut()).
    void fillHeldOut(std::int64_t first, std::span<std::int64_t> rows) const;
    /// The rows that are trained on, in no order that matters: 0 <= index < trained().
    [[nodiscard]] std::int64_t trainedRow(std::int64_t index) const;

private:
    std::int64_t m_heldOut;
    EpochOrder m_rows;   ///< which row is the n-th of all
    EpochOrder m_order;  ///< order of those that are trained on
    /// m_rows of those that are trained on, where they are few enough to be kept: looked up for every sample.
    std::vector<std::int64_t> m_trained;
};

}  // namespace plumb
