// SPDX-License-Identifier: Apache-2.0
#include "core/opening/planned_measurement.h"

#include "core/planner/answer.h"
#include "core/recorded/step_file.h"
#include "core/snapshot/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace plumb {

namespace {

using namespace planner;

/// Norms and biases that a description leaves out are fewer than this share of all.
constexpr double kOtherParameters = 0.01;

std::string stepText(double seconds) { return "step " + formatValue(seconds, "s"); }

Error wasPredicted(const std::string& path) {
    return {ErrorCode::BadInput, fmt::format("{} has no measured step", path),
            "give a file of a step that ran: plumbline-cli profile, or a recording of PyTorch"};
}

Result<FiledStep> ofSnapshot(const std::string& path) {
    PLUMB_TRY(const Snapshot snapshot, readSnapshot(path));
    if (!snapshot.measured || !snapshot.measured->totals.seconds) return wasPredicted(path);
    FiledStep step;
    step.in.cluster.device = snapshot.target.machine;
    chooseLinear(step.in, snapshot.config);
    step.device = snapshot.target.machine.name;
    step.figures.seconds = *snapshot.measured->totals.seconds;
    return step;
}

/// Tokens of a sequence by the input of the model, [samples, tokens]; 0 for another one.
std::int64_t sequenceOf(const RecordedStep& step) {
    for (const RecordedTensor& tensor : step.tensors)
        if (tensor.category == Category::Data && tensor.role == "input" && tensor.shape.size() == 2 &&
            tensor.shape.front() == step.samples)
            return tensor.shape.back();
    return 0;
}

Result<FiledStep> ofRecording(const std::string& path, std::span<const Machine> known) {
    PLUMB_TRY(const StepFile file, readStepFile(path));
    const std::optional<Seconds> seconds = file.medianSeconds();
    if (!seconds || file.prediction) return wasPredicted(path);
    FiledStep step;
    step.hasModel = false;
    step.parameters = file.parameters;
    step.products = file.step.productDtype;
    step.device = file.environment.deviceName;
    step.in.software = Software::Eager;
    step.in.workload.batch = file.step.samples;
    step.in.workload.sequence = sequenceOf(file.step);
    step.in.parallel.microBatch = std::max<std::int64_t>(file.step.samples, 1);
    if (const Machine* machine = machineOf(file.environment, known)) step.in.cluster.device = *machine;
    step.figures.seconds = *seconds;
    if (file.allocator.peakBytes)
        step.figures.memory.allocated = static_cast<double>(*file.allocator.peakBytes);
    return step;
}

}  // namespace

Result<FiledStep> readFiledStep(const std::string& path, std::span<const Machine> known) {
    PLUMB_TRY(const bool recorded, isStepFileAt(path));
    PLUMB_TRY(FiledStep step, recorded ? ofRecording(path, known) : ofSnapshot(path));
    step.figures.what = stepText(step.figures.seconds);
    step.figures.file = std::filesystem::path(path).filename().string();
    return step;
}

Result<std::shared_ptr<const Measurement>> measure(const FiledStep& step, const Scenario& in) {
    if (step.hasModel) return planner::measure(in, step.figures);
    const std::string& file = step.figures.file;
    if (in.model.parameters() <= 0)
        return Error{ErrorCode::BadInput,
                     fmt::format("{} has the operations of a step and no sizes of a model", file),
                     "give its model (--model): a preset, a config.json, or a description of your own"};
    if (!in.cluster.device && !in.given[Input::Peak])
        return Error{
            ErrorCode::BadInput,
            fmt::format("{} ran on {}, which is none of the known devices", file,
                        step.device.empty() ? "a device without a name" : step.device),
            "add it (plumbline-cli device add), give its figures (--peak, --bandwidth), or the plan that "
            "it was measured in (--measured-in)"};
    const double parameters = in.model.parameters();
    if (const auto found = step.parameters;
        found && std::abs(parameters / static_cast<double>(*found) - 1) > kOtherParameters)
        return Error{
            ErrorCode::BadInput,
            fmt::format("{} has {} parameters, and {} has {:.0f}", file, *found, in.model.name, parameters),
            "give the model that was recorded"};
    if (step.products != computeDtype(in))
        return Error{ErrorCode::BadInput,
                     fmt::format("the products of {} ran in {}, and those of the plan in {}", file,
                                 dtypeName(step.products), dtypeName(computeDtype(in))),
                     fmt::format("give --dtype {}", dtypeName(step.products))};
    MeasuredFigures figures = step.figures;
    auto found = planner::measure(in, figures);
    if (found.has_value() || !figures.memory.allocated) return found;
    figures.memory = {};
    figures.what += ", whose memory the planner cannot account for";
    auto timed = planner::measure(in, std::move(figures));
    return timed.has_value() ? timed : found;
}

}  // namespace plumb
