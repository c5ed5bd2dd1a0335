// SPDX-License-Identifier: Apache-2.0
#include "core/plan/arena_layout.h"

#include "core/base/entry_at.h"
#include "core/plan/operands.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <utility>

namespace plumb {

namespace {

struct Block {
    Bytes bytes = 0;
    std::int32_t firstOp = 0;
    std::int32_t lastOp = 0;
    TensorId id = -1;
};

using Order = std::vector<std::size_t>;

class Packer {
public:
    Packer(std::vector<Block> blocks, Bytes least) : m_blocks(std::move(blocks)), m_least(least) {
        m_at.resize(m_blocks.size());
    }

    [[nodiscard]] const std::vector<Block>& blocks() const { return m_blocks; }
    [[nodiscard]] const std::vector<Bytes>& offsets() const { return m_best; }
    [[nodiscard]] Bytes height() const { return m_height; }

    void search() {
        const auto count = static_cast<double>(m_blocks.size());
        // About a second at most; small steps get every try that they can use.
        const int triesPerOrder = static_cast<int>(std::clamp(4e7 / (count * count + 1), 1.0, 80.0));
        for (std::size_t kind = 0; kind < kOrders && (m_height > m_least || m_best.empty()); ++kind) {
            Order order = startingOrder(kind);
            for (int tries = 0; tries < triesPerOrder; ++tries) {
                const std::size_t highest = place(order);
                if (m_height <= m_least) return;
                // What ended highest is placed earlier, among the first quarter.
                const auto from = std::find(order.begin(), order.end(), highest);
                order.erase(from);
                const std::size_t quarter = order.size() / 4 + 1;
                order.insert(order.begin() + static_cast<std::ptrdiff_t>(nextRandom() % quarter), highest);
            }
            if (count * count > 4e7) return;  // one order is all there is time for
        }
    }

private:
    static constexpr std::size_t kOrders = 4;

    [[nodiscard]] Order startingOrder(std::size_t kind) const {
        Order order(m_blocks.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto length = [&](std::size_t i) { return m_blocks[i].lastOp - m_blocks[i].firstOp + 1; };
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const Block& x = m_blocks[a];
            const Block& y = m_blocks[b];
            switch (kind) {
            case 0:  // large ones first, then early ones
                return x.bytes != y.bytes ? x.bytes > y.bytes : x.firstOp < y.firstOp;
            case 1:  // large ones first, then lasting ones
                return x.bytes != y.bytes ? x.bytes > y.bytes : length(a) > length(b);
            case 2:  // what takes most room over time
                return static_cast<double>(x.bytes) * length(a) > static_cast<double>(y.bytes) * length(b);
            default:  // what stays longest
                return x.lastOp != y.lastOp ? x.lastOp > y.lastOp : x.firstOp < y.firstOp;
            }
        });
        return order;
    }

    /// Every block into the smallest gap that holds it between those it meets. Keeps the result when it is
    /// the lowest so far; returns the block that ends highest.
    std::size_t place(const Order& order) {
        Bytes height = 0;
        std::size_t highest = 0;
        m_placed.clear();
        for (const std::size_t index : order) {
            const Block& block = m_blocks[index];
            m_meets.clear();
            for (const std::size_t other : m_placed)
                if (m_blocks[other].firstOp <= block.lastOp && block.firstOp <= m_blocks[other].lastOp)
                    m_meets.emplace_back(m_at[other], m_at[other] + m_blocks[other].bytes);
            std::sort(m_meets.begin(), m_meets.end());
            Bytes end = 0;
            Bytes best = -1;
            Bytes smallestGap = 0;
            for (const auto& [begin, after] : m_meets) {
                const Bytes gap = begin - end;
                if (gap >= block.bytes && (best < 0 || gap < smallestGap)) {
                    best = end;
                    smallestGap = gap;
                }
                end = std::max(end, after);
            }
            m_at[index] = best >= 0 ? best : end;
            m_placed.push_back(index);
            if (const Bytes top = m_at[index] + block.bytes; top > height) {
                height = top;
                highest = index;
            }
        }
        if (m_best.empty() || height < m_height) {
            m_height = height;
            m_best = m_at;
        }
        return highest;
    }

    /// The same numbers on every machine.
    std::size_t nextRandom() {
        m_random = m_random * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::size_t>(m_random >> 33U);
    }

    std::vector<Block> m_blocks;
    Bytes m_least;
    std::vector<Bytes> m_at;
    std::vector<std::size_t> m_placed;
    std::vector<std::pair<Bytes, Bytes>> m_meets;
    std::vector<Bytes> m_best;
    Bytes m_height = 0;
    std::uint64_t m_random = 1;
};

/// The op during which each tensor is last needed. Of what an op of the side branch touches that is some ops
/// later, up to `reach` within its pass, so that those may run beside it: of the ops from `from` on.
std::vector<std::int32_t> lastNeeded(const StepPlan& plan, std::int32_t from, std::int32_t reach) {
    std::vector<std::int32_t> last(plan.tensors.size());
    for (std::size_t id = 0; id < last.size(); ++id) last[id] = plan.tensors[id].lastOp;
    if (reach == 0) return last;
    for (std::size_t pass = 0; pass < plan.passEnd.size(); ++pass)
        for (std::int32_t index = std::max(plan.passBegin[pass], from); index < plan.passEnd[pass]; ++index) {
            if (!runsBeside(plan.op(index).kind)) continue;
            const std::int32_t until = std::min(index + reach, plan.passEnd[pass] - 1);
            const auto keep = [&](TensorId id) {
                auto& own = entryAt(last, id);
                if (!plan.tensor(id).persistent()) own = std::max(own, until);
            };
            forEachOperand(plan.op(index), keep);
            forEachTensor(plan.op(index).scratch, keep);
        }
    return last;
}

Packer packed(const StepPlan& plan, const std::vector<std::int32_t>& last, Bytes alignment, Bytes least) {
    std::vector<Block> blocks;
    for (std::size_t id = 0; id < plan.tensors.size(); ++id) {
        const Tensor& tensor = plan.tensors[id];
        const Bytes bytes = (tensor.bytes() + alignment - 1) & -alignment;
        if (!tensor.persistent() && bytes > 0)
            blocks.push_back({bytes, tensor.firstOp, last[id], static_cast<TensorId>(id)});
    }
    Packer packer(std::move(blocks), least);
    packer.search();
    return packer;
}

/// A layout no larger than `plain` in which the most ops can run beside those of the side branch. At the
/// beginning of the backward pass there is least room.
Packer packedForBranches(const StepPlan& plan, Packer plain, Bytes alignment) {
    constexpr std::array<std::int32_t, 2> kReaches{3, 1};
    for (std::int32_t skipped = 0; skipped < 8; skipped = 2 * skipped + 1)
        for (const std::int32_t reach : kReaches) {
            std::int32_t from = 0;
            for (std::int32_t left = skipped; from < plan.opCount() && left > 0; ++from)
                left -= runsBeside(plan.op(from).kind) ? 1 : 0;
            Packer wider = packed(plan, lastNeeded(plan, from, reach), alignment, plain.height());
            if (wider.height() <= plain.height()) return wider;
        }
    return plain;
}

}  // namespace

ArenaLayout arenaLayout(const StepPlan& plan, Bytes alignment) {
    const auto rounded = [alignment](Bytes bytes) { return (bytes + alignment - 1) & -alignment; };
    ArenaLayout layout;
    layout.offset.assign(plan.tensors.size(), -1);
    std::vector<Bytes> change(plan.ops.size() + 1, 0);
    for (std::size_t id = 0; id < plan.tensors.size(); ++id) {
        const Tensor& tensor = plan.tensors[id];
        const Bytes bytes = rounded(tensor.bytes());
        if (tensor.persistent()) continue;
        layout.offset[id] = 0;
        entryAt(change, tensor.firstOp) += bytes;
        entryAt(change, tensor.lastOp + 1) -= bytes;
    }
    Bytes live = 0;
    Bytes most = 0;
    for (const Bytes bytes : change) most = std::max(most, live += bytes);
    Packer packer = packed(plan, lastNeeded(plan, 0, 0), alignment, most);
    if (plan.traits.sideBranch) packer = packedForBranches(plan, std::move(packer), alignment);
    for (std::size_t i = 0; i < packer.blocks().size(); ++i)
        entryAt(layout.offset, packer.blocks()[i].id) = packer.offsets()[i];
    layout.bytes = packer.height();
    layout.leastBytes = most;
    return layout;
}

}  // namespace plumb
