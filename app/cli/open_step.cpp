// SPDX-License-Identifier: Apache-2.0
// `open` of what Plumbline's own programs write: recorded steps and snapshots.
#include "app/cli/backends.h"
#include "app/cli/console.h"
#include "app/cli/open_formats.h"
#include "app/cli/report.h"
#include "app/cli/report_notes.h"
#include "app/cli/step_tables.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/io/json_type.h"
#include "core/measure/module_tree.h"
#include "core/measure/step_summary.h"
#include "core/recorded/device_need.h"
#include "core/recorded/step_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace plumb::cli {
namespace {

using nlohmann::json;

/// A recorded step with its prediction on the machine that it ran on, where that is known.
struct OpenedStep {
    StepFile file;
    std::optional<PlannedStep> planned;
    std::shared_ptr<const Reading> measured;  ///< null: it did not run
    std::optional<ModuleTree> modules;
};

OpenedStep opened(StepFile file) {
    const std::vector<Machine> known = knownMachines();
    const Machine* const found = machineOf(file.environment, known);
    OpenedStep step{.file = std::move(file), .planned = {}, .measured = {}, .modules = {}};
    step.planned = plannedOn(step.file, {found == nullptr ? Machine() : *found, {}});
    step.measured = readingOf(step.file, step.planned->machine());
    std::optional<MeasuredStep> measured;
    if (step.measured) measured.emplace(*step.planned, step.measured);
    step.modules.emplace(*step.planned, measured ? &*measured : nullptr);
    return step;
}

/// Indices of the ops that take longest, or have the most FLOPs where no time is known.
std::vector<std::size_t> longestOps(const OpenedStep& step, std::int64_t top) {
    const auto weight = [&](std::size_t index) {
        const RecordedOp& op = step.file.step.ops[index];
        const auto& predicted = step.planned->prediction->opSeconds[index];
        return op.seconds ? *op.seconds : predicted ? *predicted : static_cast<double>(op.flops);
    };
    std::vector<std::size_t> order(step.file.step.ops.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{}, weight);
    order.resize(std::min(order.size(), static_cast<std::size_t>(top)));
    return order;
}

std::string figuresTable(const OpenedStep& step) {
    const Prediction& predicted = *step.planned->prediction;
    const Totals measured = step.measured ? step.measured->totals : Totals{};
    const AllocatorReading& allocator = step.file.allocator;
    Table table;
    table.add({"", "predicted", "measured", "difference"});
    table.add({"step time", quantity(predicted.totals.seconds, "s"), quantity(measured.seconds, "s"),
               difference(predicted.totals.seconds, measured.seconds)});
    if (predicted.totals.spread)
        table.add({fmt::format("  range ({})",
                               predicted.totals.tier ? tierName(*predicted.totals.tier) : "unknown tier"),
                   fmt::format("{} to {}", formatQuantity(predicted.totals.spread->low, "s"),
                               formatQuantity(predicted.totals.spread->high, "s")),
                   "", ""});
    const std::optional<Bytes> peak =
        saysMemory(step.file.step) ? std::optional(predicted.memory.peakBytes) : std::nullopt;
    table.add({"peak memory (tensors, allocator)", quantity(peak, "B"), quantity(allocator.peakBytes, "B"),
               difference(peak, allocator.peakBytes)});
    for (const Category category : kAllCategories)
        if (const Bytes bytes = predicted.memory.atPeak[category]; bytes > 0)
            table.add({fmt::format("  {}", categoryLabel(category)), bytesText(bytes), "", ""});
    if (allocator.insideLibrariesBytes)
        table.add({"  inside libraries", "", bytesText(*allocator.insideLibrariesBytes), ""});
    if (allocator.libraryBytes)
        table.add({"  workspaces of libraries", bytesText(*allocator.libraryBytes), "", ""});
    if (allocator.reservedPeakBytes)
        table.add({"reserved by the allocator", bytesText(*allocator.reservedPeakBytes), "", ""});
    table.add({"FLOPs", quantity(predicted.totals.flops, "FLOP"), "", ""});
    table.add({"  in matrix products", quantity(predicted.totals.matmulFlops, "FLOP"), "", ""});
    table.add({"bytes moved", quantity(predicted.totals.bytes, "B"), "", ""});
    return table.text();
}

/// Whether the device that the step was predicted for holds it.
std::string needLine(const StepFile& file) {
    if (!file.prediction || !file.prediction->deviceBytes) return {};
    const DeviceNeed need = deviceNeedOf(file, file.environment.device);
    const bool fits = need.total() <= *file.prediction->deviceBytes;
    return fmt::format("{}: {} of {}{}\n\n", fits ? "Fits" : "DOES NOT FIT", bytesText(need.total()),
                       bytesText(*file.prediction->deviceBytes),
                       need.context > 0 ? fmt::format(", {} of it an allowance for the GPU's context",
                                                      bytesText(need.context))
                                        : std::string());
}

std::string phasesTable(const OpenedStep& step) {
    const std::vector<PhaseSummary> predicted =
        summarisePhases(toReading(step.file.step, *step.planned->prediction));
    const std::vector<PhaseSummary> measured =
        step.measured ? summarisePhases(*step.measured) : std::vector<PhaseSummary>();
    Table table;
    table.add({"Phase", "ops", "FLOPs", "bytes", "predicted", "measured"});
    const bool saysBytes = step.planned->prediction->totals.bytes.has_value();
    for (std::size_t i = 0; i < predicted.size(); ++i)
        table.add({std::string(phaseName(predicted[i].phase)), std::to_string(predicted[i].ops),
                   quantity(predicted[i].flops, "FLOP"),
                   saysBytes ? quantity(predicted[i].bytes, "B") : std::string(kUnknown),
                   quantity(predicted[i].seconds, "s"),
                   i < measured.size() ? quantity(measured[i].seconds, "s") : std::string(kUnknown)});
    return table.text();
}

/// Top-level modules and those below them, two levels.
std::string modulesTable(const OpenedStep& step) {
    Table table;
    table.add({"Module", "parameters", "FLOPs", "forward", "backward", "kept"});
    for (const ModuleNode& node : step.modules->nodes()) {
        if (node.parent < 0 || std::ranges::count(node.path, '.') > 1) continue;
        const ModuleFigures& figures = node.figures;
        const auto bytesOrNone = [&](Bytes bytes) {
            return saysMemory(step.file.step) ? bytesText(bytes) : std::string(kUnknown);
        };
        table.add({node.path.empty() ? "outside of all modules" : node.path, bytesOrNone(figures.parameters),
                   quantity(figures.flops, "FLOP"), quantity(figures.forward, "s"),
                   quantity(figures.backward, "s"), bytesOrNone(figures.kept)});
    }
    return table.text();
}

std::string longestTable(const OpenedStep& step, std::int64_t top) {
    Table table;
    const std::vector<std::size_t> ops = longestOps(step, top);
    table.add({fmt::format("Longest {} of {} ops", ops.size(), step.file.step.ops.size()), "FLOPs", "bytes",
               "predicted", "measured"});
    for (const std::size_t index : ops) {
        const RecordedOp& op = step.file.step.ops[index];
        table.add(
            {step.file.step.opName(static_cast<std::int64_t>(index)),
             op.hasFlops ? formatQuantity(static_cast<double>(op.flops), "FLOP") : std::string(kUnknown),
             op.knownBytes() ? bytesText(op.bytes) : std::string(kUnknown),
             quantity(step.planned->prediction->opSeconds[index], "s"), quantity(op.seconds, "s")});
    }
    return table.text();
}

/// The losses that the file has, on a line.
std::string lossLine(const RecordedLosses& losses) {
    if (losses.steps.empty()) return fmt::format("\nNote: no losses. {}\n", losses.whyNone());
    const RecordedLoss &first = losses.steps.front(), &last = losses.steps.back();
    const auto at = [](const RecordedLoss& each) {
        return fmt::format("{} at step {} ({})", lossText(each.loss), each.step + 1, each.pass);
    };
    return fmt::format("\nLoss: {}{}, of {} steps: {}\n", at(first),
                       losses.steps.size() > 1 ? ", " + at(last) : std::string(), losses.steps.size(),
                       losses.sourceText());
}

std::string textOf(const OpenedStep& step, const OpenRequest& request) {
    const StepFile& file = step.file;
    std::string text = fmt::format("{}\n{}\n", file.step.title(), file.program);
    const RecordingEnvironment& environment = file.environment;
    const std::string device = environment.deviceName.empty() ? environment.device : environment.deviceName;
    const bool countsThreads = environment.device == "cpu" && environment.threads;
    const std::string threads = countsThreads ? fmt::format(" (threads: {})", *environment.threads) : "";
    text += file.prediction
                ? fmt::format("Not run: shapes alone, for {}, torch {}\n", device, environment.torch)
                : fmt::format("Recorded on {}{}, {}{} clean steps\n", device, threads,
                              environment.torch.empty() ? "" : "torch " + environment.torch + ", ",
                              file.stepSeconds.size());
    const Machine& machine = step.planned->machine();
    text +=
        machine.name.empty()
            ? "No time is predicted: the machine is none that is known here (see plumbline-cli devices)\n\n"
            : fmt::format("Predicted for {} ({})\n\n", machine.name, machine.source);
    if (const std::string other = otherThreadsText(environment, machine); !other.empty())
        text += "Note: " + other + "\n\n";
    text += figuresTable(step) + "\n" + needLine(file) + phasesTable(step) + "\n" + modulesTable(step) +
            "\n" + longestTable(step, request.top);
    for (const MissingFormula& missing : file.missingFormulas)
        text += fmt::format(
            "\nNote: no formula gives the FLOPs of {} ({} ops{})\n", missing.kind, missing.ops,
            missing.shareOfTime ? fmt::format(", {:.1f} % of the time", *missing.shareOfTime * 100) : "");
    text += lossLine(file.losses);
    for (const std::string& sentence : file.said) text += fmt::format("\nNote: {}\n", sentence);
    return text;
}

json jsonOf(const OpenedStep& step, const OpenRequest& request) {
    const StepFile& file = step.file;
    const Prediction& predicted = *step.planned->prediction;
    json document{
        {"format", StepFile::kFormat},
        {"title", file.step.title()},
        {"ops", file.step.opCount()},
        {"tensors", file.step.tensorCount()},
        {"parameters", valueOrNull(file.parameters)},
        {"flops", valueOrNull(predicted.totals.flops)},
        {"matmul_flops", file.step.matmulFlops},
        {"bytes", file.step.bytes},
        {"machine", step.planned->machine().name.empty() ? json() : json(step.planned->machine().name)},
        {"predicted_seconds", valueOrNull(predicted.totals.seconds)},
        {"measured_seconds", valueOrNull(file.medianSeconds())},
        {"peak_bytes", saysMemory(file.step) ? json(predicted.memory.peakBytes) : json()},
        {"allocator_peak_bytes", valueOrNull(file.allocator.peakBytes)},
        {"start_bytes", valueOrNull(file.allocator.startBytes)},
        {"reserved_peak_bytes", valueOrNull(file.allocator.reservedPeakBytes)},
        {"predicted_tier", predicted.totals.tier ? json(tierName(*predicted.totals.tier)) : json()},
        {"predicted_range", predicted.totals.spread
                                ? json{predicted.totals.spread->low, predicted.totals.spread->high}
                                : json()},
        {"losses", toJson(file.losses)},
        {"notes", file.said}};
    const DeviceNeed need = deviceNeedOf(file, file.environment.device);
    document["device_bytes"] = saysMemory(file.step) ? json(need.total()) : json();
    document["context_bytes"] = need.context;
    document["fits"] = file.prediction && file.prediction->deviceBytes
                           ? json(need.total() <= *file.prediction->deviceBytes)
                           : json();
    for (const Category category : kAllCategories)
        document["at_peak"][std::string(categoryName(category))] = predicted.memory.atPeak[category];
    for (const ModuleNode& node : step.modules->nodes())
        if (node.parent >= 0)
            document["modules"].push_back({{"path", node.path},
                                           {"parameter_bytes", node.figures.parameters},
                                           {"kept_bytes", node.figures.kept},
                                           {"flops", valueOrNull(node.figures.flops)},
                                           {"forward_seconds", valueOrNull(node.figures.forward)},
                                           {"backward_seconds", valueOrNull(node.figures.backward)}});
    for (const std::size_t index : longestOps(step, request.top))
        document["longest_ops"].push_back({{"id", file.step.ops[index].id},
                                           {"predicted_seconds", valueOrNull(predicted.opSeconds[index])},
                                           {"measured_seconds", valueOrNull(file.step.ops[index].seconds)}});
    return document;
}

}  // namespace

Result<void> openStepFile(const OpenRequest& request) {
    PLUMB_TRY(StepFile file, readStepFile(request.file));
    const OpenedStep step = opened(std::move(file));
    return print(request.json ? dumpJson(jsonOf(step, request), 1) + "\n" : textOf(step, request));
}

Result<void> openSnapshot(const OpenRequest& request) {
    PLUMB_TRY(const Snapshot snapshot, readSnapshot(request.file));
    return print(request.json ? document(snapshot) : report(snapshot));
}

}  // namespace plumb::cli
