// SPDX-License-Identifier: Apache-2.0
#include "core/data/sample_split.h"

#include "core/base/entry_at.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace plumb {

namespace {

/// So that what is held out has nothing to do with the order of training.
constexpr std::uint64_t kSplitSeed = 0x5eed5eed5eed5eedU;

/// 16 MiB of them; working one out takes a hundred times as long as looking it up.
constexpr std::int64_t kMostKept = std::int64_t{1} << 21;

}  // namespace

std::int64_t heldOutOf(std::int64_t samples, double share) {
    if (!(share > 0)) return 0;
    return std::clamp<std::int64_t>(std::llround(share * static_cast<double>(samples)), 1, samples - 1);
}

SampleSplit::SampleSplit(std::int64_t rows, std::int64_t heldOut, std::uint64_t seed)
    : m_heldOut(heldOut), m_rows(rows, seed ^ kSplitSeed), m_order(rows - heldOut, seed) {
    assert(heldOut >= 0 && heldOut < rows);
    if (heldOut == 0 || trained() > kMostKept) return;
    m_trained.resize(static_cast<std::size_t>(trained()));
    m_rows.fill(0, m_trained);
}

std::int64_t SampleSplit::trainedRow(std::int64_t index) const {
    if (m_heldOut == 0) return index;
    return m_trained.empty() ? m_rows.at(index) : entryAt(m_trained, index);
}

std::int64_t SampleSplit::at(std::int64_t position) const { return trainedRow(m_order.at(position)); }

void SampleSplit::fill(std::int64_t first, std::span<std::int64_t> rows) const {
    m_order.fill(first, rows);
    if (m_heldOut == 0) return;
    for (std::int64_t& row : rows) row = trainedRow(row);
}

void SampleSplit::fillHeldOut(std::int64_t first, std::span<std::int64_t> rows) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = m_rows.at(trained() + first + static_cast<std::int64_t>(i));
}

}  // namespace plumb
