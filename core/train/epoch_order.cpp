// SPDX-License-Identifier: Apache-2.0
#include "core/train/epoch_order.h"

#include "core/base/philox.h"

#include <bit>
#include <cassert>

namespace plumb {

EpochOrder::EpochOrder(std::int64_t count, std::uint64_t seed)
    : m_count(static_cast<std::uint64_t>(count)),
      m_seed(seed),
      m_halfBits((static_cast<unsigned>(std::bit_width(m_count - 1)) + 1) / 2) {
    assert(count >= 1);
}

std::int64_t EpochOrder::at(std::int64_t position) const {
    if (m_count == 1) return 0;
    const auto epoch = static_cast<std::uint32_t>(static_cast<std::uint64_t>(position) / m_count);
    std::uint64_t index = static_cast<std::uint64_t>(position) % m_count;
    const std::uint64_t mask = (std::uint64_t{1} << m_halfBits) - 1;
    do {
        std::uint64_t left = index >> m_halfBits;
        std::uint64_t right = index & mask;
        for (std::uint32_t round = 0; round < 4; ++round) {
            const PhiloxBlock block = philoxAt(m_seed, RandomStream::Order, epoch, (right << 2U) | round);
            const std::uint64_t mixed = left ^ (block.word[0] & mask);
            left = right;
            right = mixed;
        }
        index = (left << m_halfBits) | right;
    } while (index >= m_count);
    return static_cast<std::int64_t>(index);
}

void EpochOrder::fill(std::int64_t first, std::span<std::int64_t> samples) const {
    for (std::int64_t& sample : samples) sample = at(first++);
}

}  // namespace plumb
