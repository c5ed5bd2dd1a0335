// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/predictions.h"

#include <utility>

namespace plumb::ui {

bool sameCeilings(const Machine& a, const Machine& b) {
    return a.id == b.id && !areTwoCards(a, b) && a.source == b.source && a.backend == b.backend &&
           a.peakFlopPerSecond == b.peakFlopPerSecond &&
           a.bandwidthBytesPerSecond == b.bandwidthBytesPerSecond && a.perOpOverhead == b.perOpOverhead &&
           a.costs == b.costs;
}

void Predictions::replace(std::optional<FiledPrediction> filed, const RunConfig& config,
                          const Target& target) {
    m_filed = std::move(filed);
    m_config = config;
    m_target = target;
    m_isShown = true;
}

bool Predictions::setShown(bool shown) { return m_filed && std::exchange(m_isShown, shown) != shown; }

const FiledPrediction* Predictions::filed(const RunConfig& config, const Target& target) const {
    const bool isOf = m_filed && config == m_config && target.traits == m_target.traits &&
                      sameCeilings(m_target.machine, target.machine);
    return isOf ? &*m_filed : nullptr;
}

const FiledPrediction* Predictions::shown(const RunConfig& config, const Target& target) const {
    return m_isShown ? filed(config, target) : nullptr;
}

Result<PlannedStep> Predictions::planned(const RunConfig& config, const Target& target) const {
    PLUMB_TRY(StepPlan plan, planStep(config, target.traits));
    return predicted(target, std::make_shared<const StepPlan>(std::move(plan)));
}

PlannedStep Predictions::predicted(Target target, std::shared_ptr<const StepPlan> plan) const {
    const FiledPrediction* filed = shown(plan->config, target);
    auto prediction =
        filed ? filed->prediction : std::make_shared<const Prediction>(predict(*plan, target.machine));
    PlannedStep planned(std::move(target), std::move(plan), std::move(prediction));
    planned.isFiled = filed != nullptr;
    return planned;
}

}  // namespace plumb::ui
