// SPDX-License-Identifier: Apache-2.0
#include "core/measure/step_lanes.h"

#include "core/base/entry_at.h"
#include "core/plan/step_passes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace plumb {

StepLanes::StepLanes(const StepPlan& plan, SecondsOnce once, const BesideOther& besideOther)
    : m_plan(plan), m_once(std::move(once)), m_workOf(plan.ops.size()) {
    const std::int64_t microBatches = plan.config.microBatches();
    addPass(plan.passBegin[0], plan.passEnd[0], 0, besideOther);
    if (microBatches > 1) {
        m_between = m_works.size();
        m_works.push_back({.seconds = static_cast<double>(microBatches - 2) * plainPass()});
        m_stretches.push_back({.microBatch = 1});
        addPass(plan.passBegin[1], plan.passEnd[1], microBatches - 1, besideOther);
    }
    addPass(std::max(plan.passEnd[0], plan.passEnd[1]), plan.opCount(), 0, besideOther);
    m_free = withFreeTraffic(m_works);
    const bool travelsInEach =
        plan.config.parallel.shares(Zero::Gradients) || plan.config.parallel.tensor > 1;
    if (microBatches > 2 && travelsInEach) scheduleBetween();
    resolveJoins(m_works, 0);
    resolveJoins(m_free, 0);
}

Seconds StepLanes::exposed(std::int32_t op, const LaneSchedule& schedule) const {
    const std::size_t work = entryAt(m_workOf, op);
    return schedule.exposed[work] + (m_exposedBetween.empty() ? 0 : m_exposedBetween[work]);
}

Seconds StepLanes::plainPass() const {
    Seconds sum = 0;
    for (std::int32_t index = m_plan.passBegin[1]; index < m_plan.passEnd[1]; ++index)
        if (m_plan.op(index).lane == Lane::Compute) sum += m_once(m_plan.op(index));
    return sum;
}

void StepLanes::scheduleBetween() {
    const std::size_t begin = m_between + 1;
    const std::size_t end = entryAt(m_workOf, m_plan.passEnd[1] - 1) + 1;
    std::vector<LaneWork> pass(m_works.begin() + static_cast<std::ptrdiff_t>(begin),
                               m_works.begin() + static_cast<std::ptrdiff_t>(end));
    resolveJoins(pass, begin);
    for (std::size_t i = 0; i < pass.size(); ++i)
        if (entryAt(m_isOnce, begin + i)) pass[i].seconds = 0;
    const LaneSchedule schedule = scheduleLanes(pass);
    const auto count = static_cast<double>(m_plan.config.microBatches() - 2);
    m_works[m_between].seconds = count * schedule.seconds;
    m_exposedBetween.resize(m_works.size());
    for (std::size_t i = 0; i < pass.size(); ++i) m_exposedBetween[begin + i] = count * schedule.exposed[i];
}

void StepLanes::resolveJoins(std::vector<LaneWork>& works, std::size_t first) const {
    for (LaneWork& work : works) {
        if (work.lane != Lane::Traffic) continue;
        const std::size_t op = work.joinedBy / 2, after = work.joinedBy % 2;
        work.joinedBy = m_workOf[op] + after - first;
    }
}

void StepLanes::addPass(std::int32_t begin, std::int32_t end, std::int64_t microBatch,
                        const BesideOther& besideOther) {
    for (std::int32_t index = begin; index < end; ++index) {
        const Op& op = m_plan.op(index);
        if (!runsIn(m_plan, op, microBatch)) continue;
        std::erase_if(m_open, [index](std::int32_t joined) { return joined <= index; });
        entryAt(m_workOf, index) = m_works.size();
        LaneWork work{.lane = op.lane, .seconds = m_once(op)};
        if (op.lane == Lane::Traffic) {
            // An op, and whether after it, until all have works.
            work.joinedBy = 2 * static_cast<std::size_t>(op.joinedBy) + (op.joinedAfter ? 1 : 0);
            m_open.push_back(op.joinedBy + (op.joinedAfter ? 1 : 0));
        }
        m_isOnce.resize(m_works.size() + 1);
        m_isOnce.back() = op.lane == Lane::Traffic && op.pass == 1 && op.executions == 1;
        if (!m_open.empty()) {
            const std::optional<double> slower = besideOther(op);
            m_areKnown = m_areKnown && slower.has_value();
            work.besideOther = slower.value_or(1);
        }
        m_works.push_back(work);
        m_stretches.push_back({.op = index, .lane = op.lane, .microBatch = microBatch});
    }
}

}  // namespace plumb
