// SPDX-License-Identifier: Apache-2.0
#include "core/compare/compared_step.h"

#include "core/io/file.h"
#include "core/model/run_config.h"

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

/// Both kinds of file are JSON with the name of their format in the first kilobytes or at the end: the keys
/// of ours are sorted.
std::string formatOf(const std::string& text) {
    for (const std::string_view format : {std::string_view("plumbline.snapshot"), StepFile::kFormat})
        if (text.find(fmt::format("\"{}\"", format)) != std::string::npos) return std::string(format);
    return {};
}

}  // namespace

Result<ComparedStep> comparedStep(const Snapshot& snapshot, std::string label) {
    PLUMB_TRY(StepPlan plan, planStep(snapshot.config, snapshot.target.traits));
    ComparedStep compared{.label = std::move(label)};
    for (const OptionInfo& option : runOptions())
        if (optionApplies(snapshot.config, option.name))
            addFact(compared.facts, std::string(option.name), optionValue(snapshot.config, option.name));
    addFact(compared.facts, "device", snapshot.target.machine.name);
    if (snapshot.measured)
        addFact(compared.facts, "engine",
                snapshot.measured->engine.empty() ? "built-in" : snapshot.measured->engine);
    addFact(compared.facts, "program", snapshot.program);
    compared.parameters = snapshot.config.parameters();
    if (snapshot.measured) {
        compared.reading = std::make_shared<const Reading>(*snapshot.measured);
        const Reading& measured = *compared.reading;
        if (measured.totals.seconds)
            compared.stepTime =
                repeatedTime(*measured.totals.seconds, measured.totals.spread, measured.stepsMeasured);
        if (measured.speed) compared.machineSpeed = measured.speed->probe;
    } else {
        compared.reading = std::make_shared<const Reading>(
            snapshot.predicted ? *snapshot.predicted : predictedReading(plan, snapshot.target.machine));
        if (const auto& seconds = compared.reading->totals.seconds)
            compared.stepTime = RepeatedTime{*seconds, std::nullopt, 0};
    }
    compared.step = std::make_shared<const StepPlan>(std::move(plan));
    return compared;
}

ComparedStep comparedStep(const StepFile& file, std::string label) {
    ComparedStep compared{.label = std::move(label)};
    const RecordingEnvironment& environment = file.environment;
    addFact(compared.facts, "title", file.step.title());
    if (file.step.samples > 0) addFact(compared.facts, "samples", std::to_string(file.step.samples));
    addFact(compared.facts, "product dtype", std::string(dtypeName(file.step.productDtype)));
    addFact(compared.facts, "torch", environment.torch);
    addFact(compared.facts, "python", environment.python);
    addFact(compared.facts, "system", environment.system);
    addFact(compared.facts, "device",
            environment.deviceName.empty() ? environment.device : environment.deviceName);
    if (environment.threads) addFact(compared.facts, "threads", std::to_string(*environment.threads));
    addFact(compared.facts, "program", file.program);
    compared.parameters = file.parameters;
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
                       "give a file that plumbline-cli --out or plumbline.record wrote");
    PLUMB_TRY(const Snapshot snapshot, readSnapshot(path));
    return comparedStep(snapshot, label);
}

}  // namespace plumb
