// SPDX-License-Identifier: Apache-2.0
#include "core/train/step_traffic.h"

#include "core/plan/traffic.h"
#include "core/train/step_timing.h"

#include <chrono>
#include <cstddef>
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

Result<void> StepTraffic::start(std::int32_t op) {
    if (m_link == nullptr) return internalError("a step of several ranks was started on one alone");
    const Clock::time_point before = Clock::now();
    const Op& traffic = m_plan.op(op);
    CommCall call = callOf(m_plan, traffic,
                           [this](TensorId id) { return static_cast<std::byte*>(m_residency[id].data); });
    if (traffic.writes[1].count > 0) {
        const Buffer& exchange = m_residency[traffic.writes[1].first];
        call.scratch = {static_cast<std::byte*>(exchange.data), static_cast<std::size_t>(exchange.bytes)};
    }
    const Communicator::Ticket ticket = m_link->data->start(call);
    m_open.push_back({op, ticket, since(before)});
    return {};
}

Result<void> StepTraffic::joinBefore(std::int32_t op, StepTiming& timing) {
    for (auto open = m_open.begin(); open != m_open.end();) {
        if (m_plan.op(open->op).joinedBy != op) {
            ++open;
            continue;
        }
        const Clock::time_point before = Clock::now();
        const Open joined = *open;
        open = m_open.erase(open);
        PLUMB_TRY(const Communicator::Cost cost, m_link->data->join(joined.ticket));
        timing.addTraffic({joined.op, cost.bytes, cost.seconds, joined.starting + since(before)});
    }
    return {};
}

void StepTraffic::giveUp(const Error& why) {
    if (m_link == nullptr) return;
    m_link->world->giveUp(why);
    for (const Open& open : std::exchange(m_open, {})) static_cast<void>(m_link->data->join(open.ticket));
}

}  // namespace plumb
