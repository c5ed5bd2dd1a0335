// SPDX-License-Identifier: Apache-2.0
#include "core/compare/compared_step.h"

#include "core/io/file.h"
#include "core/model/run_config.h"
#include "core/recorded/device_need.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

namespace plumb {
namespace {

void addFact(std::vector<StepFact>& facts, std::string name, std::string value) {
    if (!value.empty()) facts.push_back({std::move(name), std::move(value)});
}
void addEnvironment(std::vector<StepFact>& facts, std::string name, std::string value) {
    if (!value.empty()) facts.push_back({std::move(name), std::move(value), true});
}

/// Both kinds of file are JSON with the name of their format in the first kilobytes or at the end: the keys
/// of ours are sorted.
std::string formatOf(const std::string& text) {
    for (const std::string_view format : {std::string_view("plumbline.snapshot"), StepFile::kFormat})
        if (text.find(fmt::format("\"{}\"", format)) != std::string::npos) return std::string(format);
    return {};
}

/// Takes what a reading says of the whole step.
void takeReading(ComparedStep& compared, std::shared_ptr<const Reading> reading) {
    compared.reading = std::move(reading);
    const Totals& totals = compared.reading->totals;
    if (!compared.isMeasured()) {
        if (totals.seconds) compared.stepTime = RepeatedTime{*totals.seconds, std::nullopt, 0};
        return;
    }
    if (totals.seconds)
        compared.stepTime = repeatedTime(*totals.seconds, totals.spread, compared.reading->stepsMeasured);
    if (compared.reading->speed) compared.machineSpeed = compared.reading->speed->probe;
}

ComparedStep ofOurModel(std::shared_ptr<const StepPlan> plan, const Target& target,
                        std::shared_ptr<const Reading> reading, std::string label) {
    ComparedStep compared{.label = std::move(label)};
    const RunConfig& config = plan->config;
    for (const OptionInfo& option : runOptions())
        if (optionApplies(config, option.name))
            addFact(compared.facts, std::string(option.name), optionValue(config, option.name));
    addEnvironment(compared.facts, "device", target.machine.name);
    compared.parameters = config.parameters();
    compared.step = std::move(plan);
    compared.machine = std::make_shared<const Machine>(target.machine);
    takeReading(compared, std::move(reading));
    addEnvironment(compared.facts, "engine", compared.reading->engine);  // none: the built-in trainer
    return compared;
}

}  // namespace

Result<ComparedStep> comparedStep(const RunConfig& config, const Target& target,
                                  std::shared_ptr<const Reading> reading, std::string label) {
    PLUMB_TRY(StepPlan plan, planStep(config, target.traits));
    return ofOurModel(std::make_shared<const StepPlan>(std::move(plan)), target, std::move(reading),
                      std::move(label));
}

ComparedStep comparedStep(const PlannedStep& planned, std::string label) {
    auto reading = std::make_shared<const Reading>(toReading(*planned.step, *planned.prediction));
    if (planned.plan) return ofOurModel(planned.plan, planned.target, std::move(reading), std::move(label));
    ComparedStep compared{.label = std::move(label)};
    addFact(compared.facts, "title", planned.step->title());
    addEnvironment(compared.facts, "device", planned.machine().name);
    compared.step = planned.step;
    compared.machine = std::make_shared<const Machine>(planned.machine());
    takeReading(compared, std::move(reading));
    return compared;
}

Result<ComparedStep> comparedStep(const Snapshot& snapshot, std::string label) {
    PLUMB_TRY(StepPlan plan, planStep(snapshot.config, snapshot.target.traits));
    auto reading = std::make_shared<const Reading>(snapshot.measured ? *snapshot.measured
                                                   : snapshot.predicted
                                                       ? *snapshot.predicted
                                                       : predictedReading(plan, snapshot.target.machine));
    ComparedStep compared = ofOurModel(std::make_shared<const StepPlan>(std::move(plan)), snapshot.target,
                                       std::move(reading), std::move(label));
    addEnvironment(compared.facts, kProgramFact, snapshot.program);
    if (snapshot.training) compared.training = snapshot.training->steps;
    return compared;
}

ComparedStep comparedStep(const StepFile& file, std::string label) {
    ComparedStep compared{.label = std::move(label)};
    const RecordingEnvironment& environment = file.environment;
    addFact(compared.facts, "title", file.step.title());
    if (file.step.samples > 0) addFact(compared.facts, "samples", std::to_string(file.step.samples));
    addFact(compared.facts, "product dtype", std::string(dtypeName(file.step.productDtype)));
    addEnvironment(compared.facts, "torch", environment.torch);
    addEnvironment(compared.facts, "python", environment.python);
    addEnvironment(compared.facts, "system", environment.system);
    addEnvironment(compared.facts, "device",
                   environment.deviceName.empty() ? environment.device : environment.deviceName);
    if (environment.threads) addEnvironment(compared.facts, "threads", std::to_string(*environment.threads));
    addEnvironment(compared.facts, kProgramFact, file.program);
    compared.parameters = file.parameters;
    compared.deviceBytes =
        file.prediction ? deviceNeedOf(file, environment.device).total() : file.allocator.peakBytes;
    if (const auto training = trainingOf(file)) compared.training = training->steps;
    compared.whyNoTraining = file.losses.whyNone();
    compared.step = std::make_shared<const RecordedStep>(file.step);
    compared.reading = readingOf(file, {});
    compared.stepTime = repeatedTime(file.stepSeconds);
    if (compared.reading == nullptr) {
        Reading predicted{.totals = makeTotals(file.step, {}, file.prediction->seconds),
                          .memory = summariseCurve(memoryCurve(file.step))};
        if (file.prediction->secondsLow && file.prediction->secondsHigh)
            predicted.totals.spread = Spread{*file.prediction->secondsLow, *file.prediction->secondsHigh};
        for (std::int64_t index = 0; index < file.step.opCount(); ++index)
            predicted.ops.push_back(describeOp(file.step, index));
        if (predicted.totals.seconds)
            compared.stepTime = RepeatedTime{*predicted.totals.seconds, std::nullopt, 0};
        compared.reading = std::make_shared<const Reading>(std::move(predicted));
    }
    return compared;
}

double machineDrift(const ComparedStep& baseline, const ComparedStep& other) {
    if (!baseline.machineSpeed || !other.machineSpeed) return 0;
    const RelativeSpeed speed = relativeSpeed(*other.machineSpeed, *baseline.machineSpeed);
    return std::max(std::abs(1 - speed.slowest()), std::abs(1 - speed.fastest()));
}

Result<ComparedStep> readComparedStep(const std::string& path) {
    constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
    const std::string label = std::filesystem::path(path).filename().string();
    PLUMB_TRY(const std::string text, readFile(path, kMostBytes));
    const std::string format = formatOf(text);
    if (format == StepFile::kFormat) {
        PLUMB_TRY(const StepFile file, parseStepFile(text, path));
        return comparedStep(file, label);
    }
    if (format.empty())
        return badFile(path, "is neither a snapshot nor a recorded step",
                       "give a file that plumbline-cli --out or plumbline.record wrote, or what "
                       "plumbline-cli import makes of a trace");
    PLUMB_TRY(const Snapshot snapshot, readSnapshot(path));
    return comparedStep(snapshot, label);
}

}  // namespace plumb
