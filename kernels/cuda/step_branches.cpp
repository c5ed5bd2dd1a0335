// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step_branches.h"

#include "core/base/entry_at.h"

#include <algorithm>
#include <utility>

namespace plumb::cuda {

std::vector<MemoryUse> memoryUsesOf(const Op& op, std::span<const Buffer> tensors) {
    std::vector<MemoryUse> uses;
    const auto add = [&](std::span<const TensorRange> ranges, bool writes) {
        for (const TensorRange& range : ranges)
            for (TensorId id = range.first; id < range.first + range.count; ++id) {
                const Buffer& buffer = entryAt(tensors, id);
                const auto* const begin = static_cast<const std::byte*>(buffer.data);
                if (begin != nullptr && buffer.bytes > 0)
                    uses.push_back({begin, begin + buffer.bytes, writes});
            }
    };
    add(op.reads, false);
    add(op.writes, true);
    add(op.scratch, true);
    return uses;
}

std::vector<MemoryUse> memoryUsesOfUpdate(const StepPlan& plan, const Op& optimizer, std::int32_t layer,
                                          std::span<const Buffer> tensors) {
    Op own = optimizer;
    const auto narrow = [&](std::span<TensorRange> ranges) {
        for (TensorRange& range : ranges) {
            if (range.count == 0 || plan.tensor(range.first).layer == 0) continue;
            // The head has none of what is kept of layers alone.
            range = TensorRange{range.first + layer - 1, layer <= range.count ? 1 : 0};
        }
    };
    narrow(own.reads);
    narrow(own.writes);
    return memoryUsesOf(own, tensors);
}

bool meet(const std::vector<MemoryUse>& some, const std::vector<MemoryUse>& others) {
    return std::any_of(some.begin(), some.end(), [&](const MemoryUse& use) {
        return std::any_of(others.begin(), others.end(), [&](const MemoryUse& other) {
            return (use.writes || other.writes) && use.begin < other.end && other.begin < use.end;
        });
    });
}

Result<std::unique_ptr<StepBranches>> StepBranches::create(cudaStream_t main) {
    auto branches = std::unique_ptr<StepBranches>(new StepBranches(main));
    PLUMB_TRY(branches->m_side, makeStream());
    PLUMB_TRY(branches->m_fork, makeEvent(false));
    return branches;
}

/// For the first `count` of those beside: they run in their order.
Result<void> StepBranches::waitFor(std::size_t count) {
    if (count == 0) return {};
    PLUMB_CUDA(cudaStreamWaitEvent(m_main, m_beside[count - 1].end.get(), 0));
    const auto last = m_beside.begin() + static_cast<std::ptrdiff_t>(count);
    for (auto done = m_beside.begin(); done != last; ++done) m_events.push_back(std::move(done->end));
    m_beside.erase(m_beside.begin(), last);
    return {};
}

Result<void> StepBranches::enterMain(const std::vector<MemoryUse>& uses) {
    std::size_t count = m_beside.size();
    while (count > 0 && !meet(uses, m_beside[count - 1].uses)) --count;
    return waitFor(count);
}

Result<cudaStream_t> StepBranches::enterSide() {
    PLUMB_CUDA(cudaEventRecord(m_fork.get(), m_main));
    PLUMB_CUDA(cudaStreamWaitEvent(m_side.get(), m_fork.get(), 0));
    return m_side.get();
}

Result<void> StepBranches::leaveSide(std::vector<MemoryUse> uses) {
    Beside beside;
    beside.uses = std::move(uses);
    if (m_events.empty()) {
        PLUMB_TRY(beside.end, makeEvent(false));
    } else {
        beside.end = std::move(m_events.back());
        m_events.pop_back();
    }
    PLUMB_CUDA(cudaEventRecord(beside.end.get(), m_side.get()));
    m_beside.push_back(std::move(beside));
    return {};
}

Result<void> StepBranches::join() { return waitFor(m_beside.size()); }

}  // namespace plumb::cuda
