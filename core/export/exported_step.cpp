// SPDX-License-Identifier: Apache-2.0
#include "core/export/exported_step.h"

#include "core/compare/compared_step.h"
#include "core/measure/filed_prediction.h"

#include <unordered_map>
#include <utility>

namespace plumb {
namespace {

/// The prediction of the file laid beside the plan of this version, which has it op by op.
void takeFiledPrediction(ExportedStep& step, const Snapshot& snapshot) {
    if (!step.planned || !snapshot.predicted) return;
    auto filed = filedPrediction(*step.planned->plan, *snapshot.predicted, snapshot.target.machine);
    if (!filed) return;
    step.planned->prediction = std::make_shared<const Prediction>(*std::move(filed));
    step.planned->isFiled = true;
    step.hasSamePrediction = true;
}

}  // namespace

std::vector<std::optional<Seconds>> ExportedStep::opSeconds() const {
    std::unordered_map<std::string_view, std::optional<Seconds>> known;
    if (reading() != nullptr)
        for (const OpReading& op : reading()->ops) known.emplace(op.id, op.seconds);
    std::vector<std::optional<Seconds>> seconds;
    for (std::int32_t op = 0; op < step()->opCount(); ++op) {
        const auto found = known.find(step()->opId(op));
        seconds.push_back(found == known.end() ? std::nullopt : found->second);
    }
    return seconds;
}

ExportedStep exportedStep(const Snapshot& snapshot) {
    ExportedStep step;
    step.created = snapshot.created;
    step.program = snapshot.program;
    if (Result<PlannedStep> planned = planOn(snapshot.config, snapshot.target); planned.has_value())
        step.planned = std::move(planned).value();
    else
        step.notPlanned = planned.error().text();
    step.title = step.planned ? step.planned->step->title() : snapshot.target.machine.name;
    takeFiledPrediction(step, snapshot);
    if (Result<ComparedStep> compared = comparedStep(snapshot, {}); compared.has_value())
        step.facts = std::move(compared.value().facts);
    if (snapshot.predicted) step.predicted = std::make_shared<const Reading>(*snapshot.predicted);
    if (snapshot.measured) step.measured = std::make_shared<const Reading>(*snapshot.measured);
    if (snapshot.training) step.training = std::make_shared<const TrainingSeries>(*snapshot.training);
    if (snapshot.data) step.data = snapshot.data->description;
    step.parameters = snapshot.config.parameters();
    return step;
}

ExportedStep exportedStep(const StepFile& file, const Machine& machine) {
    ExportedStep step;
    step.title = file.step.title();
    step.created = file.created;
    step.program = file.program;
    step.facts = comparedStep(file, {}).facts;
    step.said = file.said;
    step.planned = plannedOn(file, {machine, {}});
    step.measured = readingOf(file, machine);
    if (step.measured && !machine.id.empty()) step.ranElsewhere = ranElsewhere(file, *step.planned);
    step.hasSamePrediction = true;
    Reading predicted = toReading(*step.planned->step, *step.planned->prediction);
    if (file.prediction && file.prediction->seconds) {
        // What the recorder predicted of the whole step stands in its file; of single ops it says nothing.
        predicted.totals = makeTotals(*step.planned->step, machine, file.prediction->seconds);
        if (file.prediction->secondsLow && file.prediction->secondsHigh)
            predicted.totals.spread = Spread{*file.prediction->secondsLow, *file.prediction->secondsHigh};
        if (const auto tier = kTierNames.find(file.prediction->tier)) predicted.totals.tier = *tier;
    }
    step.predicted = std::make_shared<const Reading>(std::move(predicted));
    step.parameters = file.parameters;
    step.training = trainingOf(file);
    for (const RecordedLoss& each : file.losses.steps) step.passes.push_back(each.pass);
    step.whyNoTraining = file.losses.whyNone();
    return step;
}

Result<ExportedStep> readExportedStep(const std::string& path, std::span<const Machine> known) {
    PLUMB_TRY(const bool isStep, isStepFileAt(path));
    if (isStep) {
        PLUMB_TRY(const StepFile file, readStepFile(path));
        const Machine* const machine = machineOf(file.environment, known);
        return exportedStep(file, machine == nullptr ? Machine() : *machine);
    }
    PLUMB_TRY(const Snapshot snapshot, readSnapshot(path));
    return exportedStep(snapshot);
}

}  // namespace plumb
