// SPDX-License-Identifier: Apache-2.0
#include "core/base/plain_text.h"
#include "core/base/utc_time.h"
#include "core/opening/imported_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace plumb {

namespace {

class MemoryStep {
public:
    MemoryStep(const AllocationSites& sites, const MemoryReplay& replay) : m_sites(sites), m_replay(replay) {}

    Result<StepFile> make(const std::string& name) {
        order();
        if (m_order.empty())
            return badInput(name + " has no allocation on its device",
                            "record with torch.cuda.memory._record_memory_history(context=\"all\")");
        if (m_order.size() >= StepFile::kMostRows || m_replay.allocations.size() >= StepFile::kMostRows)
            return badInput(fmt::format("{} has {} allocations, and a step file holds {}", name,
                                        m_replay.allocations.size(), StepFile::kMostRows),
                            "record a single step");
        addOps();
        for (const MemoryAllocation& allocation : m_replay.allocations) addTensor(allocation);
        addUnexplained();
        describe(name);
        return std::move(m_file);
    }

private:
    void order() {
        for (std::uint32_t i = 0; i < m_replay.allocations.size(); ++i)
            if (m_replay.allocations[i].made >= 0) m_order.push_back(i);
        std::ranges::sort(m_order, {}, [&](std::uint32_t i) { return m_replay.allocations[i].made; });
        for (const MemoryAllocation& allocation : m_replay.allocations)
            if (allocation.freed >= 0 && allocation.freed != MemoryAllocation::kNever)
                m_frees.push_back(allocation.freed);
        std::ranges::sort(m_frees);
    }

    const AllocationSite& siteOf(std::uint32_t stack) {
        const auto found = m_known.find(stack);
        return found != m_known.end() ? found->second
                                      : m_known.emplace(stack, m_sites.site(stack)).first->second;
    }

    static std::string kindOf(const AllocationSite& site) {
        if (!site.op.empty()) return "aten::" + site.op;
        return site.node.empty() ? "allocation" : site.node;
    }

    Phase phaseOf(MemoryOrigin origin) const {
        switch (origin) {
        case MemoryOrigin::Forward:
            return Phase::Forward;
        case MemoryOrigin::Backward:
            return Phase::Backward;
        case MemoryOrigin::Optimizer:
            return Phase::Optimizer;
        default:
            return m_file.step.ops.empty() ? Phase::Data : m_file.step.ops.back().phase;
        }
    }

    /// An op goes on as long as one place allocates and nothing is given back, so that during an op the bytes
    /// are those after its last allocation: no peak is lost and none is made.
    void addOps() {
        std::uint32_t stack = UINT32_MAX;
        auto free = m_frees.begin();
        for (const std::uint32_t i : m_order) {
            const MemoryAllocation& allocation = m_replay.allocations[i];
            bool isFreed = false;
            for (; free != m_frees.end() && *free < allocation.made; ++free) isFreed = true;
            if (m_begins.empty() || isFreed || allocation.stack != stack) addOp(allocation);
            stack = allocation.stack;
        }
    }

    void addOp(const MemoryAllocation& allocation) {
        const AllocationSite& site = siteOf(allocation.stack);
        RecordedOp op;
        op.phase = phaseOf(m_sites.origin(allocation.stack));
        op.kind = plainLine(kindOf(site));
        op.module = plainLine(site.module);
        op.name = plainLine(site.label());
        const std::string id = fmt::format("{}.{}", phaseName(op.phase), op.kind);
        const std::int64_t before = m_ids[id]++;
        op.id = before == 0 ? id : fmt::format("{}#{}", id, before);
        op.hasFlops = false;
        m_begins.push_back(allocation.made);
        m_file.step.ops.push_back(std::move(op));
    }

    /// The last op that began by then; -1: none had.
    [[nodiscard]] std::int32_t opAt(std::int32_t position) const {
        return static_cast<std::int32_t>(std::ranges::upper_bound(m_begins, position) - m_begins.begin()) - 1;
    }

    void addTensor(const MemoryAllocation& allocation) {
        const std::int32_t ops = m_file.step.opCount();
        RecordedTensor tensor;
        StorageLife life;
        life.isFromBefore = allocation.made < 0;
        life.isKept = allocation.freed == MemoryAllocation::kNever;
        tensor.firstOp = life.isFromBefore ? -1 : opAt(allocation.made);
        tensor.lastOp = life.isKept ? ops : opAt(allocation.freed);
        tensor.madeBy = tensor.firstOp;
        if (!life.isFromBefore) life.made = m_file.step.ops[static_cast<std::size_t>(tensor.firstOp)].phase;
        if (!life.isKept && tensor.lastOp >= 0) {
            tensor.freedBy = tensor.lastOp;
            life.freed = m_file.step.ops[static_cast<std::size_t>(tensor.lastOp)].phase;
        }
        const GuessedCategory guess = guessedCategory(life);
        tensor.category = guess.category;
        tensor.role = std::string(guess.role);
        const AllocationSite& site = siteOf(allocation.stack);
        if (m_sites.origin(allocation.stack) == MemoryOrigin::Workspace) {
            tensor.category = Category::Workspace;
            tensor.role = "workspace of the matrix library";
        }
        tensor.name = plainLine(site.label());
        if (tensor.name.empty()) tensor.name = "allocation without a stack";
        tensor.module = plainLine(site.module);
        tensor.bytes = allocation.bytes;
        tensor.elementType = "bytes";
        tensor.shape = {allocation.bytes};
        if (life.isFromBefore) m_before += allocation.bytes;
        m_file.step.tensors.push_back(std::move(tensor));
    }

    /// Bytes of the start that neither a free nor a block accounts for.
    void addUnexplained() {
        const Bytes bytes = m_replay.startBytes - m_before;
        if (bytes <= 0) return;
        RecordedTensor tensor;
        tensor.category = Category::Workspace;
        tensor.role = "held from before";
        tensor.name = "bytes of the start that belong to no block and no free";
        tensor.firstOp = -1;
        tensor.lastOp = m_file.step.opCount();
        tensor.bytes = bytes;
        tensor.elementType = "bytes";
        tensor.shape = {bytes};
        m_file.step.tensors.push_back(std::move(tensor));
    }

    void describe(const std::string& name) {
        m_file.created = nowInUtc();
        m_file.program = "plumbline-cli import (memory snapshot of PyTorch)";
        m_file.environment.device = "cuda";
        m_file.step.stepTitle = fmt::format("{} · device {}", plainLine(name, 80), m_replay.device);
        m_file.allocator.startBytes = m_replay.startBytes;
        m_file.allocator.peakBytes = m_replay.peakBytes;
        m_file.losses.absent = "A memory snapshot has no losses.";
        m_file.said = {"Imported of a memory snapshot: all that it recorded is shown as one step, however "
                       "many there were.",
                       "A snapshot has allocations and no ops: an op here is a run of allocations from one "
                       "place. Their FLOPs, "
                       "bytes moved and seconds are not known.",
                       "Phases are told by stacks; what has no stack goes on in the phase before it.",
                       "A snapshot does not say what a storage is for: categories are guessed by when it was "
                       "made and given "
                       "back, and what is older than the recording is workspace held from before."};
        m_file.step.addUp();
    }

    const AllocationSites& m_sites;
    const MemoryReplay& m_replay;
    StepFile m_file;
    std::vector<std::uint32_t> m_order;  ///< allocations of the trace as they were made
    std::vector<std::int32_t> m_frees;   ///< positions
    std::vector<std::int32_t> m_begins;  ///< position of each op
    std::unordered_map<std::uint32_t, AllocationSite> m_known;
    std::unordered_map<std::string, std::int64_t> m_ids;
    Bytes m_before = 0;
};

}  // namespace

Result<StepFile> stepOfMemory(const AllocationSites& sites, const MemoryReplay& replay,
                              const std::string& name) {
    return MemoryStep(sites, replay).make(name);
}

}  // namespace plumb
