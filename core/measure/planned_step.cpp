// SPDX-License-Identifier: Apache-2.0
#include "core/measure/planned_step.h"

#include "core/base/entry_at.h"

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
    const std::vector<OpReading>& ops = reading->ops;
    auto places = std::make_shared<Places>();
    places->ofId.reserve(ops.size());
    for (std::size_t i = 0; i < ops.size(); ++i) places->ofId.emplace(ops[i].id, i);
    places->ofOp.reserve(static_cast<std::size_t>(step->opCount()));
    for (std::int64_t index = 0; index < step->opCount(); ++index) {
        const auto found = places->ofId.find(step->opId(index));
        places->ofOp.push_back(found == places->ofId.end() ? -1 : static_cast<std::int32_t>(found->second));
    }
    m_places = std::move(places);
}

const OpReading* MeasuredStep::op(std::string_view id) const {
    const auto found = m_places->ofId.find(id);
    return found == m_places->ofId.end() ? nullptr : &reading->ops[found->second];
}

const OpReading* MeasuredStep::op(const Step& any, std::int64_t index) const {
    if (&any != step.get()) return op(any.opId(index));
    const std::int32_t place = entryAt(m_places->ofOp, index);
    return place < 0 ? nullptr : &entryAt(reading->ops, place);
}

}  // namespace plumb
