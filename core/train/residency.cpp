// SPDX-License-Identifier: Apache-2.0
#include "core/train/residency.h"

#include "core/base/entry_at.h"
#include "core/plan/arena_layout.h"
#include "core/plan/control_tensors.h"
#include "core/plan/operands.h"

#include <algorithm>
#include <cstddef>

namespace plumb {

// Reads and writes of the ops decide: the first op that names a tensor and the last one that does. A tensor
// of pass 1 comes and goes in every repetition of the pass. The loss is read by the executor after the last
// op.
Residency::Residency(const StepPlan& plan, Backend& backend)
    : m_plan(plan),
      m_backend(backend),
      m_owned(plan.tensors.size()),
      m_buffers(plan.tensors.size()),
      m_firstNamed(plan.ops.size()),
      m_lastNamed(plan.ops.size()) {
    std::vector<std::size_t> first(plan.tensors.size(), plan.ops.size());
    std::vector<std::size_t> last(plan.tensors.size(), 0);
    for (std::size_t index = 0; index < plan.ops.size(); ++index)
        forEachOperand(plan.ops[index], [&](TensorId id) {
            const auto at = static_cast<std::size_t>(id);
            first[at] = std::min(first[at], index);
            // What is on its way stays until somebody waits for it.
            const std::int32_t joined = plan.ops[index].joinedBy;
            last[at] = std::max(last[at], joined < 0 ? index : static_cast<std::size_t>(joined));
        });
    for (std::size_t id = 0; id < plan.tensors.size(); ++id) {
        if (static_cast<TensorId>(id) == plan.loss) last[id] = plan.ops.size() - 1;
        if (livesAcrossSteps(plan.config, plan.tensors[id].role) || first[id] == plan.ops.size()) continue;
        m_firstNamed[first[id]].push_back(static_cast<TensorId>(id));
        m_lastNamed[last[id]].push_back(static_cast<TensorId>(id));
    }
}

Result<void> Residency::allocate(TensorId id) {
    const auto at = static_cast<std::size_t>(id);
    PLUMB_TRY(m_buffers[at], m_backend.allocate(m_plan.tensors[at]));
    m_owned[at] = OwnedBuffer(m_backend, m_buffers[at]);
    return {};
}

void Residency::release(TensorId id) {
    const auto at = static_cast<std::size_t>(id);
    m_owned[at] = OwnedBuffer();
    m_buffers[at] = Buffer{};
}

Result<void> Residency::allocatePersistent() {
    for (std::size_t id = 0; id < m_plan.tensors.size(); ++id)
        if (livesAcrossSteps(m_plan.config, m_plan.tensors[id].role))
            PLUMB_CHECK(allocate(static_cast<TensorId>(id)));
    return {};
}

Result<void> Residency::beforeOp(std::int32_t index) {
    for (const TensorId id : entryAt(m_firstNamed, index))
        // Already there in the second and later repetitions of a pass when the tensor outlives it
        // (gradients).
        if ((*this)[id].data == nullptr) PLUMB_CHECK(allocate(id));
    return {};
}

void Residency::afterOp(std::int32_t index) {
    if (hasArena()) return;
    for (const TensorId id : entryAt(m_lastNamed, index)) release(id);
}

void Residency::releaseTransients() {
    if (hasArena()) return;
    for (std::size_t id = 0; id < m_buffers.size(); ++id)
        if (!livesAcrossSteps(m_plan.config, m_plan.tensors[id].role)) release(static_cast<TensorId>(id));
}

Result<void> Residency::layOutArena(StepReplay& replay) {
    const ArenaLayout layout = arenaLayout(m_plan);
    PLUMB_TRY(const Buffer arena, replay.allocateArena(layout.bytes));
    m_arena = OwnedBuffer(m_backend, arena);
    for (std::size_t id = 0; id < m_buffers.size(); ++id) {
        const Tensor& tensor = m_plan.tensors[id];
        if (livesAcrossSteps(m_plan.config, tensor.role)) continue;
        m_buffers[id].data = static_cast<std::byte*>(arena.data) + layout.offset[id];
        m_buffers[id].bytes = tensor.bytes();
        m_buffers[id].category = tensor.category;
    }
    return {};
}

}  // namespace plumb
