// SPDX-License-Identifier: Apache-2.0
#include "core/train/step_interruption.h"

#include "core/plan/control_tensors.h"
#include "core/plan/operands.h"

namespace plumb {

StepInterruption::StepInterruption(const StepPlan& plan, Backend& backend, StepTensors& tensors)
    : m_plan(plan), m_backend(backend), m_tensors(tensors), m_updates(plan.ops.size()) {
    for (std::size_t index = 0; index < plan.ops.size(); ++index)
        forEachTensor(plan.ops[index].writes, [&](TensorId id) {
            if (isUpdated(plan.tensor(id).role)) m_updates[index] = true;
        });
}

Result<void> StepInterruption::beginStep() {
    m_updated = false;
    m_controls.clear();
    if (!m_stop.stop_possible()) return {};
    for (const TensorId id : {m_plan.lossScale, m_plan.scales}) {
        if (id < 0) continue;
        PLUMB_TRY(auto bytes, m_tensors.download(id));
        m_controls.emplace_back(id, std::move(bytes));
    }
    return {};
}

Result<void> StepInterruption::undo() {
    Result<void> undone = upload();
    m_interrupted = undone.has_value();
    return undone;
}

Result<void> StepInterruption::upload() {
    PLUMB_CHECK(m_backend.synchronize());  // ops that were started before may still write
    for (const auto& [id, bytes] : m_controls) PLUMB_CHECK(m_tensors.upload(id, bytes));
    return {};
}

}  // namespace plumb
