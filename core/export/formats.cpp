// SPDX-License-Identifier: Apache-2.0
#include "core/export/formats.h"

#include "core/export/chrome_trace.h"
#include "core/export/html_report.h"
#include "core/export/tables.h"
#include "core/export/tensorboard.h"
#include "core/io/parquet.h"
#include "core/io/table.h"
#include "core/memory_snapshot/step_exports.h"

#include <algorithm>
#include <span>
#include <utility>

namespace plumb {
namespace {

using Absent = std::optional<Error>;

constexpr const char* kMeasure = "measure it: profile --out FILE.plumb, or Run > Profile in the window";

Absent withoutReading(const ExportedStep& step) {
    if (step.reading() != nullptr && !step.reading()->ops.empty()) return std::nullopt;
    return badInput("there is neither a prediction nor a measurement",
                    "predict it: predict --out FILE.plumb");
}

Absent withoutMemory(const ExportedStep& step) {
    for (const Reading* reading : {step.predicted.get(), step.measured.get()})
        if (reading != nullptr && reading->memory && !reading->memory->curve.empty()) return std::nullopt;
    return badInput("there is no memory curve", "predict it: predict --out FILE.plumb");
}

Absent withoutPlan(const ExportedStep& step) {
    if (step.step() != nullptr) return std::nullopt;
    if (step.notPlanned.empty()) return badInput("there is no step", "predict it: predict --out FILE.plumb");
    return badInput("this version cannot plan the step", step.notPlanned);
}

Absent withoutTimeline(const ExportedStep& step) {
    if (step.measured && step.measured->timeline && !step.measured->timeline->records.empty())
        return std::nullopt;
    return badInput("there is no timeline", kMeasure);
}

Absent withoutTraining(const ExportedStep& step) {
    if (step.training && !step.training->steps.empty()) return std::nullopt;
    if (std::string_view why = step.whyNoTraining; !why.empty()) {
        if (why.ends_with('.')) why.remove_suffix(1);  // a remedy comes behind it
        return badInput(std::string(why), "record it as it runs, with a loss for step()");
    }
    return badInput("there is no training history",
                    "train it: train --out FILE.plumb, or Run > Run in the window");
}

Absent withoutTimes(const ExportedStep& step) {
    if (!withoutTimeline(step)) return std::nullopt;
    for (const Reading* reading : {step.predicted.get(), step.measured.get()})
        if (reading != nullptr &&
            std::ranges::any_of(reading->ops, [](const OpReading& op) { return op.seconds.has_value(); }))
            return std::nullopt;
    return badInput("there is no timeline and no time of an operation", kMeasure);
}

Absent never(const ExportedStep& /*step*/) { return std::nullopt; }

/// A table that is offered in several formats.
struct OfferedTable {
    const char* prefix;  ///< of the ids; "" for the table of the operations, which csv alone means
    const char* name;
    const char* holds;
    const char* fileName;  ///< without its ending
    bool hasNpy;           ///< whether its numbers are curves
    Absent (*absent)(const ExportedStep&);
    Table (*table)(const ExportedStep&);
};

constexpr OfferedTable kTables[] = {
    {"", "Operations", "one row per operation: FLOPs, bytes, times, memory by category, counters",
     "operations", false, withoutReading, opsTable},
    {"tensors-", "Tensors", "one row per tensor: category, module, type, shape, bytes, lifetime", "tensors",
     false, withoutPlan, tensorsTable},
    {"memory-", "Memory curve", "bytes in use during each operation by category, predicted and measured",
     "memory", true, withoutMemory, memoryTable},
    {"modules-", "Modules", "one row per module with all below it: FLOPs, bytes, times by phase", "modules",
     false, withoutPlan, modulesTable},
    {"timeline-", "Timeline", "one row per record: begin, end, lane, operation, bytes", "timeline", true,
     withoutTimeline, timelineTable},
    {"training-", "Training", "one row per kept step: loss, seconds, norms, learning rate", "training", true,
     withoutTraining, trainingTable},
};

/// What a Parquet file says of where its rows are from.
std::vector<std::pair<std::string_view, std::string>> notesOf(const ExportedStep& step) {
    return {{"plumbline.step", step.title},
            {"plumbline.program", step.program},
            {"plumbline.created", step.created}};
}

void addTables(std::vector<ExportFormat>& formats) {
    const auto add = [&](const OfferedTable& table, const char* id, const char* name, const char* opens,
                         bool isText, std::function<Result<std::string>(const ExportedStep&)> write) {
        formats.push_back({std::string(table.prefix) + id, std::string(table.name) + ", " + name,
                           std::string(table.holds) + opens, std::string(table.fileName) + "." + id, isText,
                           table.absent, std::move(write)});
    };
    for (const OfferedTable& table : kTables)
        add(table, "csv", "CSV", "", true,
            [of = table.table](const ExportedStep& step) { return Result<std::string>(toCsv(of(step))); });
    for (const OfferedTable& table : kTables)
        add(table, "parquet", "Parquet", "; for pandas, Polars, DuckDB, Spark", false,
            [of = table.table](const ExportedStep& step) { return toParquet(of(step), notesOf(step)); });
    for (const OfferedTable& table : kTables)
        if (table.hasNpy)
            add(table, "npy", "NumPy", "; its numbers as an array of records", false,
                [of = table.table](const ExportedStep& step) {
                    return Result<std::string>(toNpy(of(step)));
                });
}

std::vector<ExportFormat> makeFormats() {
    std::vector<ExportFormat> formats;
    formats.push_back({"html", "Report, HTML",
                       "figures, charts and operations on one page that needs no network; prints",
                       "report.html", true, never, toHtmlReport});
    formats.push_back({"chrome-trace", "Chrome trace",
                       "operations, kernels and memory in time; for Perfetto and HolisticTraceAnalysis",
                       "timeline.json", true, withoutTimes, toChromeTrace});
    formats.push_back({"memory-snapshot", "PyTorch memory snapshot",
                       "every tensor where and while it lives; for torch.cuda._memory_viz", "memory.pickle",
                       false, withoutPlan, [](const ExportedStep& step) {
                           return Result<std::string>(toMemorySnapshot(*step.step(), step.opSeconds()));
                       }});
    formats.push_back({"speedscope", "speedscope",
                       "time by phase and module, memory at its peak by category and tensor",
                       "step.speedscope.json", true, withoutPlan, [](const ExportedStep& step) {
                           return Result<std::string>(toSpeedscope(*step.step(), step.opSeconds()));
                       }});
    formats.push_back({"tensorboard", "TensorBoard scalars",
                       "loss, norms and learning rate of a training, in an event file",
                       "events.out.tfevents.plumbline", false, withoutTraining, [](const ExportedStep& step) {
                           return Result<std::string>(toTensorBoard(*step.training, step.created));
                       }});
    addTables(formats);
    return formats;
}

}  // namespace

std::string_view ExportFormat::ending() const {
    return std::string_view(fileName).substr(fileName.rfind('.') + 1);
}

const std::vector<ExportFormat>& exportFormats() {
    static const std::vector<ExportFormat> formats = makeFormats();
    return formats;
}

const ExportFormat* findExportFormat(std::string_view id) {
    const auto found = std::ranges::find(exportFormats(), id, &ExportFormat::id);
    return found == exportFormats().end() ? nullptr : &*found;
}

std::string exportFormatList() {
    std::string list;
    for (const ExportFormat& format : exportFormats()) list += (list.empty() ? "" : ", ") + format.id;
    return list;
}

Result<std::string> exported(const ExportedStep& step, const ExportFormat& format) {
    if (std::optional<Error> absent = format.absent(step)) return *std::move(absent);
    return format.write(step);
}

}  // namespace plumb
