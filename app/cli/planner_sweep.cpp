// SPDX-License-Identifier: Apache-2.0
#include "app/cli/planner_sweep.h"

#include "app/cli/console.h"
#include "app/cli/planner_report.h"
#include "app/cli/planner_scenario.h"
#include "core/base/table.h"
#include "core/io/csv_writer.h"
#include "core/io/json_fields.h"
#include "core/planner/conventions.h"
#include "core/planner/sweep.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace plumb::cli {

namespace {

using namespace planner;
using nlohmann::json;

json sweepJson(std::string_view question, const Sweep& swept) {
    json rows = json::array();
    for (const SweepRow& row : swept.rows) {
        json each{{"value", numberJson(row.value, info(swept.axis.input).unit)},
                  {"problem", row.problem.empty() ? json() : json(row.problem)}};
        for (std::size_t i = 0; i < swept.outputs.size(); ++i) {
            const OutputInfo& about = info(swept.outputs[i]);
            each[std::string(about.key)] = row.answers[i] ? rangeJson(*row.answers[i], about.unit) : json();
        }
        if (wantsVerdict(swept.outputs)) addVerdict(each, row.verdict);
        rows.push_back(std::move(each));
    }
    return {{"question", question},
            {"sweep", info(swept.axis.input).key},
            {"complete", swept.complete},
            {"rows", std::move(rows)}};
}

std::string sweepCsv(const Sweep& swept) {
    CsvWriter csv;
    csv.cell(info(swept.axis.input).key);
    for (const Output output : swept.outputs)
        for (const char* end : {"", "_low", "_high"}) csv.cell(fmt::format("{}{}", info(output).key, end));
    for (const char* name : {"fits", "needed_bytes", "available_bytes", "problem"}) csv.cell(name);
    csv.endRow();
    for (const SweepRow& row : swept.rows) {
        csv.cell(std::optional(row.value));
        for (const auto& answer : row.answers) {
            csv.cell(answer ? std::optional(answer->expected) : std::nullopt);
            csv.cell(answer ? std::optional(answer->low) : std::nullopt);
            csv.cell(answer ? std::optional(answer->high) : std::nullopt);
        }
        csv.cell(!row.verdict ? "" : row.verdict->fits() ? "true" : "false");
        csv.cell(row.verdict ? std::optional(row.verdict->needed.expected) : std::nullopt);
        csv.cell(row.verdict ? std::optional(row.verdict->available) : std::nullopt);
        csv.cell(row.problem);
        csv.endRow();
    }
    return csv.take();
}

std::string sweepText(const Scenario& s, const Sweep& swept) {
    const bool fits = wantsVerdict(swept.outputs);
    Table table;
    std::vector<std::string> heading{std::string(info(swept.axis.input).label)};
    for (const Output output : swept.outputs) heading.emplace_back(info(output).label);
    if (fits) heading.emplace_back("");
    table.add(std::move(heading));
    // Why numbers are missing stands behind the table: a sentence would tear the columns apart.
    std::string problems;
    for (const SweepRow& row : swept.rows) {
        std::vector<std::string> texts{formatInput(swept.axis.input, row.value)};
        for (std::size_t i = 0; i < swept.outputs.size(); ++i)
            texts.push_back(row.answers[i] ? formatOutput(swept.outputs[i], row.answers[i]->expected) : "–");
        if (fits)
            texts.push_back(!row.verdict ? "–" : row.verdict->fits() ? "fits" : std::string(kDoesNotFit));
        if (!row.problem.empty()) problems += fmt::format("{}: {}\n", texts.front(), row.problem);
        table.add(std::move(texts));
    }
    // Where the layout is what is swept, it is that of the first value.
    Scenario first = s;
    std::string line;
    if (const double value = swept.axis.values.front(); setInput(first, swept.axis.input, value).has_value())
        line = conventionsLine(
            swept.outputs, first,
            fmt::format("at {} {}", info(swept.axis.input).label, formatInput(swept.axis.input, value)));
    return table.text() + (problems.empty() ? "" : "\n" + problems) +
           (line.empty() ? "" : "\n" + line + "\n");
}

}  // namespace

std::vector<OptionSpec> withSweep(std::vector<OptionSpec> options) {
    options.push_back({"sweep", "NUMBER=VALUES",
                       "the answers over many values of a number: devices=64..4096:x2, micro-batch=1..8:+1, "
                       "tensor=1,2,8"});
    options.push_back({"csv", "", "of a sweep: a table for programs"});
    return options;
}

Result<void> runSweep(const Arguments& arguments, std::string_view question, const Scenario& scenario,
                      std::vector<Output> outputs) {
    if (arguments.json() && arguments.has("csv"))
        return Error{ErrorCode::BadInput, "a sweep is written in one form (--csv)", "give --json or --csv"};
    const std::string text = arguments.text("sweep");
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
        return Error{ErrorCode::BadInput, fmt::format("--sweep cannot be used ({})", text),
                     "give NUMBER=VALUES, such as devices=64..4096:x2"};
    PLUMB_TRY(const Input input, plannerInput(text.substr(0, equals)));
    PLUMB_TRY(Axis axis, sweepAxis(scenario, input, std::string_view(text).substr(equals + 1)));
    const std::size_t count = axis.values.size();
    const Interrupt interrupt;
    ProgressLine line;
    const Sweep swept =
        sweep(scenario, std::move(axis), std::move(outputs), interrupt.token(), [&](double done) {
            if (line.due()) line.show(fmt::format("sweeping: {:.0f} %", 100 * done));
        });
    line.clear();
    PLUMB_CHECK(print(arguments.json()       ? dumpJson(sweepJson(question, swept), 1) + "\n"
                      : arguments.has("csv") ? sweepCsv(swept)
                                             : sweepText(scenario, swept)));
    if (swept.complete) return {};
    return Error{ErrorCode::RunFailed,
                 fmt::format("the sweep was stopped after {} of {} values", swept.rows.size(), count),
                 "start it again for the others"};
}

}  // namespace plumb::cli
