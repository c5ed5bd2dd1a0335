// SPDX-License-Identifier: Apache-2.0
#include "core/recorded/step_file.h"

#include "core/base/ascii.h"
#include "core/base/quantile.h"
#include "core/io/file.h"
#include "core/io/watched_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace plumb {
namespace {

/// As of snapshots: what a person waits for.
constexpr std::size_t kMostStepFileBytes = std::size_t{256} << 20U;
/// The pass of steps that the clock alone watched.
constexpr std::string_view kCleanPass = "T";

/// In lower case, without punctuation; "core" counts as "cores".
std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    const auto end = [&] {
        if (word == "core") word = "cores";
        if (!word.empty()) words.push_back(std::move(word));
        word.clear();
    };
    for (const char c : text)
        if (isLetter(c) || isDigit(c))
            word += lowerCase(c);
        else
            end();
    end();
    return words;
}

}  // namespace

std::optional<Seconds> StepFile::medianSeconds() const {
    return stepSeconds.empty() ? std::nullopt : std::optional(medianOf(stepSeconds));
}

std::optional<double> StepFile::overhead() const {
    const auto median = medianSeconds();
    return median && recordingSeconds ? std::optional(*recordingSeconds / *median) : std::nullopt;
}

std::string RecordedLosses::whyNone() const {
    if (!steps.empty()) return {};
    return absent.empty() ? "The file has no losses: its recorder noted none." : absent;
}

std::string_view RecordedLosses::sourceText() const {
    if (source == "step") return "what was given to step()";
    if (source == "training_step") return "what training_step() returned";
    if (source == "backward") return "what backward() began from";
    return source;
}

std::shared_ptr<const TrainingSeries> trainingOf(const StepFile& file) {
    if (file.losses.steps.empty()) return nullptr;
    auto series = std::make_shared<TrainingSeries>();
    // Seconds are those of clean steps, in their order. Where the loss of one of them is not known, nobody
    // knows which.
    const auto clean = std::ranges::count(file.losses.steps, kCleanPass, &RecordedLoss::pass);
    auto seconds = file.stepSeconds.begin();
    for (const RecordedLoss& each : file.losses.steps) {
        StepMetrics step{.step = each.step, .loss = each.loss, .seconds = each.seconds};
        if (clean == std::ssize(file.stepSeconds) && each.pass == kCleanPass) step.stepSeconds = *seconds++;
        series->steps.push_back(step);
    }
    series->stepsDone = file.losses.steps.back().step + 1;
    series->outcome = kRecorded;
    return series;
}

bool isStepFile(std::string_view start) {
    return start.find(fmt::format("\"{}\"", StepFile::kFormat)) != std::string_view::npos;
}

Result<bool> isStepFileAt(const std::string& path) {
    constexpr std::size_t kStart = std::size_t{64} << 10U;
    PLUMB_TRY(const std::string start, readFileStart(path, kStart));
    return isStepFile(start);
}

Result<StepFile> readStepFile(const std::string& path, const ReadControl& control) {
    constexpr double kFileRead = 0.05;  // of the time
    PLUMB_TRY(const std::string text, readFile(path, kMostStepFileBytes, control.part(0, kFileRead)));
    return parseStepFile(text, path, control.part(kFileRead, 1));
}

namespace {

/// The only machine whose name has all words of this one; null for none or several.
const Machine* machineNamed(const std::string& named, std::span<const Machine> known) {
    const std::vector<std::string> wanted = wordsOf(named);
    const Machine* found = nullptr;
    for (const Machine& machine : known) {
        const std::vector<std::string> words = wordsOf(machine.name);
        const bool hasAll = std::ranges::all_of(
            wanted, [&](const std::string& word) { return std::ranges::count(words, word) > 0; });
        if (!hasAll) continue;
        if (found != nullptr) return nullptr;
        found = &machine;
    }
    return found;
}

/// What the name of a processor of so many cores ends with.
std::string coresText(std::int64_t cores) { return fmt::format(" {} cores", cores); }

}  // namespace

const Machine* machineOf(const RecordingEnvironment& environment, std::span<const Machine> known) {
    const std::string& named = environment.deviceName;
    if (named.empty()) return nullptr;
    if (environment.device != "cpu" || !environment.threads) return machineNamed(named, known);
    // PyTorch takes a thread for each physical core, and a machine counts those that it may run on.
    const Machine* const exact = machineNamed(named + coresText(*environment.threads), known);
    return exact != nullptr ? exact : machineNamed(named, known);
}

std::string otherThreadsText(const RecordingEnvironment& environment, const Machine& machine) {
    if (environment.device != "cpu" || !environment.threads || machine.name.empty() ||
        machineNamed(environment.deviceName, {&machine, 1}) == nullptr ||
        machineNamed(environment.deviceName + coresText(*environment.threads), {&machine, 1}) != nullptr)
        return {};
    return fmt::format(
        "The step had {} thread{}, and is predicted for {}: with fewer threads than cores it is slower.",
        *environment.threads, *environment.threads == 1 ? "" : "s", machine.name);
}

PlannedStep plannedOn(const StepFile& file, Target target) {
    auto step = std::make_shared<const RecordedStep>(file.step);
    auto prediction = std::make_shared<const Prediction>(predictByCeilings(*step, target.machine));
    return {std::move(target), std::shared_ptr<const Step>(std::move(step)), std::move(prediction)};
}

std::optional<PlannedStep> ranElsewhere(const StepFile& file, const PlannedStep& planned) {
    const RecordingEnvironment& environment = file.environment;
    if (machineOf(environment, {&planned.machine(), 1}) != nullptr) return std::nullopt;
    Machine elsewhere{.id = "recording"};
    elsewhere.name = environment.deviceName.empty() ? environment.device : environment.deviceName;
    PlannedStep ran = plannedOn(file, {std::move(elsewhere), planned.target.traits});
    ran.step = planned.step;  // the very same
    return ran;
}

namespace {

/// The calls of the step that was written down, and the bytes that lived meanwhile; null where the file does
/// not say of every op when it ran.
std::shared_ptr<const Timeline> timelineOf(const RecordedStep& step) {
    const auto isTimed = [](const RecordedOp& op) { return op.start && op.seconds; };
    if (step.ops.empty() || !std::ranges::all_of(step.ops, isTimed)) return nullptr;
    auto timeline = std::make_shared<Timeline>();
    timeline->source = Source::Clock;
    timeline->lanes = {{LaneKind::Ops, "ops"}, {LaneKind::Memory, "memory"}};
    timeline->driverRecordsAbsent =
        "a recorder wrote this step down, and what lies between operations is mostly its own work";
    const std::vector<CategoryBytes> curve = memoryCurve(step);
    const std::size_t most = Timeline::kMostRecords / 2;
    Seconds end = 0;
    for (std::size_t i = 0; i < step.ops.size(); ++i) {
        const Seconds begin = *step.ops[i].start, last = begin + *step.ops[i].seconds;
        end = std::max(end, last);
        if (i >= most) {
            timeline->dropped += 2;
            continue;
        }
        TimelineRecord call{.begin = begin, .end = last, .op = static_cast<std::int32_t>(i)};
        TimelineRecord bytes{.begin = begin, .end = begin, .bytes = total(curve[i]), .op = call.op};
        bytes.lane = 1;
        bytes.kind = TimelineKind::Memory;
        timeline->records.push_back(call);
        timeline->records.push_back(bytes);
    }
    timeline->steps = {{0, 0, end}};
    sortRecords(*timeline);
    return timeline;
}

}  // namespace

std::shared_ptr<const Reading> readingOf(const StepFile& file, const Machine& machine) {
    if (file.prediction) return nullptr;
    auto reading = std::make_shared<Reading>();
    reading->source = Source::Clock;
    reading->stepsMeasured = static_cast<std::int32_t>(file.stepSeconds.size());
    reading->totals = makeTotals(file.step, machine, file.medianSeconds());
    // The peak is that of the machine it ran on, or there is no share of it.
    if (machineOf(file.environment, {&machine, 1}) == nullptr ||
        !otherThreadsText(file.environment, machine).empty())
        reading->totals.mfu.reset();
    if (!file.stepSeconds.empty()) {
        reading->totals.tier = Tier::Measured;
        reading->totals.spread = Spread{quantileOf(file.stepSeconds, 0.1), quantileOf(file.stepSeconds, 0.9)};
    }
    for (std::int64_t index = 0; index < file.step.opCount(); ++index) {
        OpReading& op = reading->ops.emplace_back(describeOp(file.step, index));
        op.flops.reset();  // known of the step, and not counted while it ran
        op.bytes.reset();
        op.source = Source::Clock;
        op.seconds = file.step.op(index).seconds;
        if (op.seconds) op.tier = Tier::Measured;
    }
    reading->timeline = timelineOf(file.step);
    if (file.allocator.peakBytes) {
        reading->memory = summariseCurve(memoryCurve(file.step));
        reading->memory->source = Source::Allocator;
        reading->memory->peakBytes = *file.allocator.peakBytes;
    }
    return reading;
}

}  // namespace plumb
