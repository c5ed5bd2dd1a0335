// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/compare_memory.h"
#include "app/cli/comparison_json.h"
#include "app/cli/console.h"
#include "app/cli/step_files.h"
#include "core/compare/comparison_report.h"
#include "core/io/json_fields.h"
#include "core/opening/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace plumb::cli {
namespace {

Result<ComparedStep> comparedStepAt(const std::string& path) {
    PLUMB_CHECK(checkIsStep(path));
    return readComparedStep(path);
}

const OptionSpec kForm{"format", "text|markdown|csv", "how tables are written (text)"};

Result<TableForm> formOf(const Arguments& arguments) {
    const std::string form = arguments.text("format", "text");
    if (form == "text") return TableForm::Text;
    if (form == "markdown") return TableForm::Markdown;
    if (form == "csv") return TableForm::Csv;
    return badInput(fmt::format("unknown format ({:s})", form), "the formats are text, markdown and csv");
}

Result<MemoryKey> memoryKeyOf(const Arguments& arguments) {
    const std::string name = arguments.text("by", "site");
    if (const std::optional<MemoryKey> key = kMemoryKeyNames.find(name)) return *key;
    return badInput(fmt::format("unknown key ({:s})", name),
                    "the keys are category, op, module, size and site");
}

Result<void> runCompare(const Arguments& arguments) {
    PLUMB_TRY(const TableForm form, formOf(arguments));
    PLUMB_TRY(const MemoryKey key, memoryKeyOf(arguments));
    const auto first = fileKindAt(arguments.texts("FILE").front());
    if (first.has_value() && first.value() == FileKind::MemorySnapshot) {
        PLUMB_TRY(const std::string report,
                  compareMemorySnapshots(arguments.texts("FILE"),
                                         {key, form, arguments.json(), arguments.has("all")}));
        return print(report);
    }
    if (arguments.has("by"))
        return badInput("--by is of memory snapshots, and these are steps", "leave it out");
    std::vector<ComparedStep> steps;
    for (const std::string& path : arguments.texts("FILE")) {
        PLUMB_TRY(ComparedStep step, comparedStepAt(path));
        const auto isSame = [&](const ComparedStep& other) { return other.label == step.label; };
        if (std::ranges::any_of(steps, isSame)) step.label = path;  // two files of one name in two folders
        steps.push_back(std::move(step));
    }
    const Comparison comparison = compare(std::move(steps));
    if (arguments.json()) return print(dumpJson(comparisonJson(comparison), 1) + "\n");
    return print(comparisonReport(comparison, form, arguments.has("all")));
}

Result<void> runCheck(const Arguments& arguments) {
    PLUMB_TRY(const TableForm form, formOf(arguments));
    if (!arguments.has("budget"))
        return badInput("--budget is missing", "give a file such as {\"peak_bytes\": \"80 GB\"}");
    const std::string path = arguments.text("budget");
    PLUMB_TRY(const Budget budget, readBudget(path));
    if (budget.needsBaseline() != arguments.has("baseline"))
        return budget.needsBaseline()
                   ? badInput(fmt::format("--baseline is missing, over which {:s} limits the growth", path),
                              "give the file of the step that was before")
                   : badInput(fmt::format("no limit of {:s} is over a baseline (--baseline)", path),
                              "leave it out, or give a limit such as \"step_seconds_growth\"");
    PLUMB_TRY(const ComparedStep step, comparedStepAt(arguments.text("FILE")));
    std::optional<ComparedStep> baseline;
    if (arguments.has("baseline")) {
        PLUMB_TRY(baseline, comparedStepAt(arguments.text("baseline")));
    }
    const std::vector<BudgetLine> lines = checkBudget(budget, step, baseline ? &*baseline : nullptr);
    PLUMB_CHECK(print(arguments.json() ? dumpJson(budgetJson(lines), 1) + "\n" : budgetReport(lines, form)));
    std::string exceeded;
    for (const BudgetLine& line : lines)
        if (!line.isKept) exceeded += (exceeded.empty() ? "" : ", ") + line.name;
    if (exceeded.empty()) return {};
    return Error{ErrorCode::RunFailed, fmt::format("the budget is exceeded ({})", exceeded),
                 fmt::format("see the table for what is allowed, or raise the limits in {:s}", path)};
}

}  // namespace

CommandSpec compareCommand() {
    return CommandSpec{
        .name = "compare",
        .help = "steps side by side: snapshots and recorded steps, or two memory snapshots; the first is the "
                "baseline",
        .positional = "FILE",
        .positionalHelp = "a snapshot, a recorded step or a memory snapshot; two or more of them",
        .options = {kForm,
                    {"all", "", "also what does not differ"},
                    {"by", "KEY", "of memory snapshots: category, op, module, size or site (site)"}},
        .examples = "Example:\n  plumbline-cli compare before.plumb after.plumb",
        .run = runCompare,
        .leastPositionals = 2};
}

CommandSpec checkCommand() {
    return CommandSpec{.name = "check",
                       .help =
                           "whether a step keeps a budget of memory, time and FLOPs; exit status 1 if not",
                       .positional = "FILE",
                       .positionalHelp = "a snapshot or a recorded step",
                       .options = {{"budget", "FILE.json", "limits by name (docs/compare.md)"},
                                   {"baseline", "FILE", "the step that growth is over"},
                                   kForm},
                       .examples = "Example:\n  plumbline-cli check step.plumb --budget budget.json",
                       .run = runCheck};
}

}  // namespace plumb::cli
