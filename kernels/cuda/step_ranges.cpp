// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step_ranges.h"

#include <fmt/format.h>

#include <utility>

namespace plumb::cuda {

// One for the program, as tools expect it; without a tool the library gives none.
StepRanges::StepRanges()
    : m_domain([] {
          static nvtxDomainHandle_t const domain = nvtxDomainCreateA("plumbline");
          return domain;
      }()) {}

void StepRanges::push(const std::string& name) {
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = name.c_str();
    nvtxDomainRangePushEx(m_domain, &attributes);
}

void StepRanges::beginStep(std::string name) {
    if (m_step == name) return;
    endStep();
    push(name);
    m_step = std::move(name);
}

void StepRanges::endStep() {
    if (!std::exchange(m_phase, {}).empty()) nvtxDomainRangePop(m_domain);
    if (!std::exchange(m_step, {}).empty()) nvtxDomainRangePop(m_domain);
}

StepRanges::Part StepRanges::op(const StepPlan& plan, const OpCall& call, bool capturing) {
    if (m_domain == nullptr) return Part(nullptr);
    if (capturing) m_replayed = call.step;
    beginStep(fmt::format("{}step {}", capturing ? "capture of " : "", call.step));
    const Op& op = plan.op(call.opIndex);
    if (const std::string_view phase = phaseName(op.phase); m_phase != phase) {
        if (!m_phase.empty()) nvtxDomainRangePop(m_domain);
        m_phase = phase;
        push(m_phase);
    }
    push(opName(plan, op));
    return Part(m_domain);
}

void StepRanges::finishedOp(const StepPlan& plan, const OpCall& call) {
    if (static_cast<std::size_t>(call.opIndex) + 1 == plan.ops.size()) endStep();
}

StepRanges::Part StepRanges::graphLaunch() {
    if (m_domain == nullptr) return Part(nullptr);
    beginStep(fmt::format("step {} (replayed)", m_replayed));
    push("graph launch");
    return Part(m_domain);
}

void StepRanges::startedStep(std::int64_t step) {
    m_replayed = step + 1;
    endStep();
}

}  // namespace plumb::cuda
