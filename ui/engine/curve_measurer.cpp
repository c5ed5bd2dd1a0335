// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/curve_measurer.h"

#include "core/plan/recompute_schedule.h"
#include "ui/theme/text.h"

#include <algorithm>

namespace plumb::ui {

RecomputePolicy canonicalPolicy(const RecomputePolicy& policy, std::int64_t layers) {
    using Kind = RecomputePolicy::Kind;
    std::int64_t interval = 0;
    if (policy.kind == Kind::All) interval = 1;
    if (policy.kind == Kind::Every) interval = policy.interval;
    if (policy.kind == Kind::Sqrt) interval = sqrtInterval(layers);
    RecomputePolicy canonical = policy;
    if (interval == 0) return canonical;
    canonical = {};
    canonical.kind = Kind::Every;
    canonical.interval = interval >= layers ? 1 : interval;  // the last segment is kept whole
    return canonical;
}

QString policyLabel(const RecomputePolicy& policy) {
    switch (policy.kind) {
    case RecomputePolicy::Kind::All:
        return CurveMeasurer::tr("all");
    case RecomputePolicy::Kind::None:
        return CurveMeasurer::tr("none", "activations are kept");
    case RecomputePolicy::Kind::Every:
        return CurveMeasurer::tr("every %1").arg(policy.interval);
    case RecomputePolicy::Kind::Sqrt:
        return CurveMeasurer::tr("sqrt");
    case RecomputePolicy::Kind::Fit:
        return CurveMeasurer::tr("fit %1").arg(bytesText(policy.budgetBytes));
    }
    return {};
}

CurveMeasurer::CurveMeasurer(RunController& controller, QObject* parent)
    : QObject(parent), m_controller(controller) {
    connect(&controller.work().results(), &JobResults::measuredAside, this, &CurveMeasurer::take);
    connect(&controller, &RunController::stopping, this, [this] { m_running = false; });
    connect(&controller, &RunController::changed, this, [this] {
        // Idle: the policy in turn is done, or has failed, and the controller has said why.
        if (m_running && !m_controller.work().busy()) begin(m_took ? m_at + 1 : m_policies.size());
        emit changed();
    });
}

QString CurveMeasurer::whyNot() const {
    if (const QString reason = m_controller.chosen().whyNotRun(); !reason.isEmpty()) return reason;
    if (m_controller.work().busy() && !m_running)
        return tr("The engine is busy: wait until it is done, or stop it");
    return {};
}

void CurveMeasurer::start(const RunConfig& config, const std::vector<RecomputePolicy>& policies) {
    if (m_running || !whyNot().isEmpty()) return;
    m_config = config;
    m_policies = policies;
    begin(0);
    emit changed();
}

void CurveMeasurer::begin(std::size_t at) {
    m_at = at;
    m_took = false;
    m_running = at < m_policies.size() && m_controller.chosen().whyNotRun().isEmpty();
    if (!m_running) return;
    m_config.recompute = m_policies[at];
    m_running = m_controller.profileAside(m_config, kSteps);
}

void CurveMeasurer::cancel() {
    if (m_running) m_controller.stop();
}

QString CurveMeasurer::progressText() const {
    if (!m_running) return {};
    return tr("measuring %1 · %2 of %3")
        .arg(policyLabel(m_policies[m_at]))
        .arg(m_at + 1)
        .arg(m_policies.size());
}

void CurveMeasurer::take(const Reading& reading, const Machine& machine) {
    if (!m_running) return;
    m_took = true;
    m_results.push_back(
        {m_config,
         std::make_shared<const Machine>(machine),
         {m_config.recompute, reading.memory ? std::optional(reading.memory->peakBytes) : std::nullopt,
          reading.totals.seconds, reading.stepsMeasured, reading.totals.spread}});
    emit measured();
}

const MeasuredPolicy* CurveMeasurer::find(RunConfig config, const RecomputePolicy& policy,
                                          const std::string& machineId) const {
    const RecomputePolicy wanted = canonicalPolicy(policy, config.layers);
    const auto found = std::find_if(m_results.rbegin(), m_results.rend(), [&](const Result& result) {
        if (result.machine->id != machineId || result.config.layers != config.layers) return false;
        if (!(canonicalPolicy(result.config.recompute, config.layers) == wanted)) return false;
        config.recompute = result.config.recompute;
        return config == result.config;
    });
    return found == m_results.rend() ? nullptr : &found->measured;
}

std::vector<MeasuredPolicy> CurveMeasurer::curveOf(RunConfig config, const std::string& machineId) const {
    std::vector<MeasuredPolicy> curve;
    for (const Result& result : m_results) {
        config.recompute = result.config.recompute;
        if (result.machine->id == machineId && config == result.config) curve.push_back(result.measured);
    }
    return curve;
}

std::vector<SessionCurve> CurveMeasurer::curvesBeside(RunConfig config, const std::string& machineId) const {
    std::vector<SessionCurve> curves;
    for (const Result& result : m_results) {
        config.recompute = result.config.recompute;
        if (result.machine->id == machineId && config == result.config) continue;
        const auto found = std::ranges::find_if(curves, [&](SessionCurve& curve) {
            curve.config.recompute = result.config.recompute;
            return curve.machine.id == result.machine->id && curve.config == result.config;
        });
        if (found == curves.end())
            curves.push_back({result.config, *result.machine, {result.measured}});
        else
            found->points.push_back(result.measured);
    }
    return curves;
}

void CurveMeasurer::replace(const std::vector<SessionCurve>& curves) {
    if (curves.empty() && m_results.empty()) return;
    m_results.clear();
    for (const SessionCurve& curve : curves) {
        const auto machine = std::make_shared<const Machine>(curve.machine);
        for (const MeasuredPolicy& point : curve.points) {
            m_results.push_back({curve.config, machine, point});
            m_results.back().config.recompute = point.policy;
        }
    }
    emit measured();
}

}  // namespace plumb::ui
