// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/entry_at.h"
#include "core/engine/capabilities.h"
#include "core/plan/step_plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace plumb {

/// Which tensors of a step have memory while it runs. A tensor gets it when the first op that names it runs
/// and loses it after the last one that does, counted from the ops' reads and writes and not from the plan's
/// lifetimes: that makes the measured memory curve independent of the predicted one.
class Residency {
public:
    /// Both outlive it.
    Residency(const StepPlan& plan, Backend& backend);

    /// What lives across steps. Errors: OutOfMemory.
    [[nodiscard]] Result<void> allocatePersistent();
    /// Gives the tensors that this op is the first to name their memory. Errors: OutOfMemory.
    [[nodiscard]] Result<void> beforeOp(std::int32_t index);
    void afterOp(std::int32_t index);
    /// All that comes and goes, in the middle of a step that does not go on.
    void releaseTransients();

    /// One block for all that comes and goes, from now on and for good. Errors: OutOfMemory.
    [[nodiscard]] Result<void> layOutArena(StepReplay& replay);
    [[nodiscard]] bool hasArena() const { return m_arena.view().data != nullptr; }

    /// Buffers by TensorId; without data where a tensor has no memory now.
    [[nodiscard]] std::span<const Buffer> buffers() const { return m_buffers; }
    [[nodiscard]] const Buffer& operator[](TensorId id) const { return entryAt(m_buffers, id); }

private:
    [[nodiscard]] Result<void> allocate(TensorId id);
    void release(TensorId id);

    const StepPlan& m_plan;
    Backend& m_backend;
    OwnedBuffer m_arena;
    std::vector<OwnedBuffer> m_owned;                 ///< by TensorId
    std::vector<Buffer> m_buffers;                    ///< the same, or where they lie in the arena
    std::vector<std::vector<TensorId>> m_firstNamed;  ///< by op: tensors that get memory before it
    std::vector<std::vector<TensorId>> m_lastNamed;   ///< by op: tensors that lose it after it
};

}  // namespace plumb
