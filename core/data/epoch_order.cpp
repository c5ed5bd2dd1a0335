// SPDX-License-Identifier: Apache-2.0
#include "core/data/epoch_order.h"

#include "core/base/philox.h"

#include <array>
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
    std::int64_t sample = 0;
    fill(position, {&sample, 1});
    return sample;
}

// Side by side, since each number waits for the one before it: one walk alone leaves the processor idle.
void EpochOrder::fill(std::int64_t first, std::span<std::int64_t> samples) const {
    struct Walk {
        std::uint64_t left, right;
        std::uint32_t epoch;
        std::size_t place;  ///< among `samples`
    };
    const std::uint64_t mask = (std::uint64_t{1} << m_halfBits) - 1;
    std::array<Walk, 32> walks;
    std::size_t begun = 0;
    for (std::size_t under = 0;;) {
        for (; under < walks.size() && begun < samples.size(); ++under, ++begun) {
            const std::uint64_t position = static_cast<std::uint64_t>(first) + begun;
            const std::uint64_t index = position % m_count;
            walks[under] = {index >> m_halfBits, index & mask, static_cast<std::uint32_t>(position / m_count),
                            begun};
        }
        if (under == 0) return;
        const std::span<Walk> moving(walks.data(), under);
        for (std::uint32_t round = 0; round < 4; ++round)
            for (Walk& walk : moving) {
                const PhiloxBlock block =
                    philoxAt(m_seed, RandomStream::Order, walk.epoch, (walk.right << 2U) | round);
                const std::uint64_t mixed = walk.left ^ (block.word[0] & mask);
                walk.left = walk.right;
                walk.right = mixed;
            }
        under = 0;
        for (const Walk& walk : moving) {
            const std::uint64_t index = (walk.left << m_halfBits) | walk.right;
            if (index < m_count)
                samples[walk.place] = static_cast<std::int64_t>(index);
            else
                walks[under++] = walk;
        }
    }
}

}  // namespace plumb
