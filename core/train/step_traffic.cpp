// SPDX-License-Identifier: Apache-2.0
#include "core/train/step_traffic.h"

#include "core/plan/traffic.h"
#include "core/train/step_timing.h"

#include <chrono>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

namespace plumb {

namespace {

using Clock = std::chrono::steady_clock;

Seconds since(Clock::time_point before) {
    return std::chrono::duration<double>(Clock::now() - before).count();
}

}  // namespace

StepTraffic::StepTraffic(const StepPlan& plan, const Residency& residency, const RankLink* link)
    : m_plan(plan), m_residency(residency), m_link(link) {}

StepTraffic::~StepTraffic() {
    if (!m_open.empty())
        giveUp({ErrorCode::RunFailed, "a rank ended in the middle of a step", "start the training again"});
}

// No product writes what lies behind a matrix, and what is sent of it is added.
void StepTraffic::clearPadding(const TensorRange& range) const {
    for (TensorId id = range.first; id < range.first + range.count; ++id) {
        const Tensor& tensor = m_plan.tensor(id);
        const std::int64_t element = dtypeSize(tensor.dtype);
        std::memset(static_cast<std::byte*>(m_residency[id].data) + tensor.elements() * element, 0,
                    static_cast<std::size_t>(tensor.padding * element));
    }
}

Result<void> StepTraffic::start(std::int32_t op) {
    if (m_link == nullptr) return internalError("a step of several ranks was started on one alone");
    const Clock::time_point before = Clock::now();
    const Op& traffic = m_plan.op(op);
    CommCall call = callOf(m_plan, traffic,
                           [this](TensorId id) { return static_cast<std::byte*>(m_residency[id].data); });
    if (traffic.kind == OpKind::ReduceScatter) clearPadding(traffic.reads[0]);
    if (traffic.writes[1].count > 0) {
        const Buffer& exchange = m_residency[traffic.writes[1].first];
        call.scratch = {static_cast<std::byte*>(exchange.data), static_cast<std::size_t>(exchange.bytes)};
    }
    const Communicator::Ticket ticket = m_link->along(traffic.axis)->start(call);
    m_open.push_back({op, ticket, since(before)});
    return {};
}

template <class IsDue>
Result<void> StepTraffic::join(const IsDue& isDue, StepTiming* timing) {
    for (auto open = m_open.begin(); open != m_open.end();) {
        if (!isDue(m_plan.op(open->op))) {
            ++open;
            continue;
        }
        const Clock::time_point before = Clock::now();
        const Open joined = *open;
        open = m_open.erase(open);
        PLUMB_TRY(const Communicator::Cost cost,
                  m_link->along(m_plan.op(joined.op).axis)->join(joined.ticket));
        m_joined.push_back(joined.op);
        if (timing != nullptr)
            timing->addTraffic(
                {joined.op, cost.bytes, cost.seconds, cost.ended, joined.starting + since(before)});
    }
    return {};
}

Result<void> StepTraffic::joinBefore(std::int32_t op, StepTiming* timing) {
    m_joined.clear();
    return join([op](const Op& open) { return open.joinedBy == op && !open.joinedAfter; }, timing);
}

Result<void> StepTraffic::joinAfter(std::int32_t op, StepTiming* timing) {
    return join([op](const Op& open) { return open.joinedBy == op && open.joinedAfter; }, timing);
}

Result<void> StepTraffic::joinAll() {
    return join([](const Op& /*open*/) { return true; }, nullptr);
}

void StepTraffic::giveUp(const Error& why) {
    if (m_link == nullptr) return;
    m_link->world->giveUp(why);
    for (const Open& open : std::exchange(m_open, {}))
        static_cast<void>(m_link->along(m_plan.op(open.op).axis)->join(open.ticket));
}

}  // namespace plumb
