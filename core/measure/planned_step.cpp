// SPDX-License-Identifier: Apache-2.0
#include "core/measure/planned_step.h"

#include <utility>

namespace plumb {

PlannedStep::PlannedStep(Target on, std::shared_ptr<const Step> any,
                         std::shared_ptr<const Prediction> predicted)
    : target(std::move(on)), step(std::move(any)), prediction(std::move(predicted)) {}

PlannedStep::PlannedStep(Target on, std::shared_ptr<const StepPlan> ours,
                         std::shared_ptr<const Prediction> predicted)
    : target(std::move(on)), step(ours), plan(std::move(ours)), prediction(std::move(predicted)) {}

Result<PlannedStep> planOn(const RunConfig& config, Target target) {
    PLUMB_TRY(StepPlan plan, planStep(config, target.traits));
    auto prediction = std::make_shared<const Prediction>(predict(plan, target.machine));
    return PlannedStep(std::move(target), std::make_shared<const StepPlan>(std::move(plan)),
                       std::move(prediction));
}

MeasuredStep::MeasuredStep(PlannedStep planned, std::shared_ptr<const Reading> measured)
    : PlannedStep(std::move(planned)), reading(std::move(measured)) {
    auto places = std::make_shared<std::unordered_map<std::string_view, std::size_t>>();
    places->reserve(reading->ops.size());
    for (std::size_t i = 0; i < reading->ops.size(); ++i) places->emplace(reading->ops[i].id, i);
    m_placeOfId = std::move(places);
}

const OpReading* MeasuredStep::op(std::string_view id) const {
    const auto found = m_placeOfId->find(id);
    return found == m_placeOfId->end() ? nullptr : &reading->ops[found->second];
}

}  // namespace plumb
