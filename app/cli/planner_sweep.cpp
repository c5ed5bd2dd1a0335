// SPDX-License-Identifier: Apache-2.0
#include "app/cli/planner_sweep.h"

#include "app/cli/console.h"
#include "app/cli/planner_report.h"
#include "app/cli/planner_scenario.h"
#include "core/base/lines.h"
#include "core/base/quantity.h"
#include "core/base/table.h"
#include "core/io/csv_writer.h"
#include "core/io/json_fields.h"
#include "core/planner/conventions.h"
#include "core/planner/sweep.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace plumb::cli {

namespace {

using namespace planner;
using nlohmann::json;

/// What is swept, in the order of sweptValues().
std::vector<Input> sweptInputs(const Sweep& swept) {
    std::vector<Input> inputs{swept.axis.input};
    for (const Axis& other : swept.others) inputs.push_back(other.input);
    return inputs;
}

std::vector<double> sweptValues(const SweepRow& row) {
    std::vector<double> values{row.value};
    values.insert(values.end(), row.others.begin(), row.others.end());
    return values;
}

/// The value of a sweep, "value"; of a grid "values" by their keys.
json sweptRowJson(const Sweep& swept, const SweepRow& row) {
    json each{{"problem", row.problem.empty() ? json() : json(row.problem)},
              {"batch", row.batch ? json(*row.batch) : json()}};
    if (swept.others.empty()) {
        each["value"] = numberJson(row.value, info(swept.axis.input).unit);
        return each;
    }
    const std::vector<Input> inputs = sweptInputs(swept);
    const std::vector<double> values = sweptValues(row);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        each["values"][std::string(info(inputs[i]).key)] = numberJson(values[i], info(inputs[i]).unit);
    return each;
}

json sweepJson(std::string_view question, const Sweep& swept) {
    json rows = json::array();
    for (const SweepRow& row : swept.rows) {
        json each = sweptRowJson(swept, row);
        for (std::size_t i = 0; i < swept.outputs.size(); ++i) {
            const OutputInfo& about = info(swept.outputs[i]);
            each[std::string(about.key)] = row.answers[i] ? rangeJson(*row.answers[i], about.unit) : json();
        }
        if (wantsVerdict(swept.outputs)) addVerdict(each, row.verdict);
        rows.push_back(std::move(each));
    }
    json keys = json::array();
    for (const Input input : sweptInputs(swept)) keys.push_back(info(input).key);
    return {{"question", question},
            {"sweep", swept.others.empty() ? keys.front() : keys},
            {"complete", swept.complete},
            {"rows", std::move(rows)}};
}

std::string sweepCsv(const Sweep& swept) {
    CsvWriter csv;
    for (const Input input : sweptInputs(swept)) csv.cell(info(input).key);
    const bool isBatchKnown =
        std::ranges::any_of(swept.rows, [](const SweepRow& row) { return row.batch.has_value(); });
    if (isBatchKnown) csv.cell(info(Input::Batch).key);
    for (const Output output : swept.outputs)
        for (const char* end : {"", "_low", "_high"}) csv.cell(fmt::format("{}{}", info(output).key, end));
    for (const char* name : {"fits", "needed_bytes", "available_bytes", "problem"}) csv.cell(name);
    csv.endRow();
    for (const SweepRow& row : swept.rows) {
        for (const double value : sweptValues(row)) csv.cell(std::optional(value));
        if (isBatchKnown) csv.cell(row.batch ? std::optional(static_cast<double>(*row.batch)) : std::nullopt);
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

/// Whether the answers depend on a batch that was not given, and which is not that of the first row in all.
bool showsBatch(const Sweep& swept) {
    constexpr std::array kOfBatch{Output::TrainingSteps, Output::LeastSteps, Output::LeastTokens};
    const bool depends = wantsVerdict(swept.outputs) ||
                         std::ranges::find_first_of(swept.outputs, kOfBatch) != swept.outputs.end();
    std::optional<std::int64_t> first;
    for (const SweepRow& row : swept.rows) {
        if (row.batch && !first) first = row.batch;
        if (depends && row.batch && row.batch != first) return true;
    }
    return false;
}

/// The line of conventions at the first row: where the layout is what is swept, it is that of its values.
std::string conventionsAtFirst(Scenario s, const Sweep& swept) {
    std::string where;
    const std::vector<Input> inputs = sweptInputs(swept);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const double value = i == 0 ? swept.axis.values.front() : swept.others[i - 1].values.front();
        if (!setInput(s, inputs[i], value).has_value()) return {};
        where += fmt::format("{} {} {}", i == 0 ? "at" : " and", info(inputs[i]).label,
                             formatInput(inputs[i], value));
    }
    return conventionsLine(swept.outputs, s, where);
}

std::string sweepText(const Scenario& s, const Sweep& swept) {
    const bool fits = wantsVerdict(swept.outputs), batch = showsBatch(swept);
    const std::vector<Input> inputs = sweptInputs(swept);
    Table table;
    std::vector<std::string> heading;
    heading.reserve(inputs.size() + swept.outputs.size() + 2);
    for (const Input input : inputs) heading.emplace_back(info(input).label);
    if (batch) heading.emplace_back("batch");
    for (const Output output : swept.outputs) heading.emplace_back(info(output).label);
    if (fits) heading.emplace_back("");
    table.add(std::move(heading));
    // Why numbers are missing stands behind the table: a sentence would tear the columns apart.
    std::vector<std::pair<std::string, std::string>> problems;  // a reason, and the values that have it
    for (const SweepRow& row : swept.rows) {
        std::vector<std::string> texts;
        const std::vector<double> values = sweptValues(row);
        for (std::size_t i = 0; i < inputs.size(); ++i) texts.push_back(formatInput(inputs[i], values[i]));
        if (!row.problem.empty()) {
            const std::string where = fmt::format("{}", fmt::join(texts, ", "));
            if (problems.empty() || problems.back().first != row.problem)
                problems.emplace_back(row.problem, where);
            else
                problems.back().second += "; " + where;
        }
        if (batch) texts.push_back(row.batch ? formatExact(*row.batch, "") : "–");
        for (std::size_t i = 0; i < swept.outputs.size(); ++i)
            texts.push_back(row.answers[i] ? formatOutput(swept.outputs[i], row.answers[i]->expected) : "–");
        if (fits)
            texts.push_back(!row.verdict ? "–" : row.verdict->fits() ? "fits" : std::string(kDoesNotFit));
        table.add(std::move(texts));
    }
    const std::string line = conventionsAtFirst(s, swept);
    std::string reasons;
    for (const auto& [reason, where] : problems) reasons += fmt::format("{}: {}\n", where, reason);
    return table.text() + (reasons.empty() ? "" : "\n" + reasons) +
           (batch ? "\nthe batch was not given and grows with what is swept (--batch holds it)\n" : "") +
           (line.empty() ? "" : "\n" + line + "\n");
}

Result<Axis> sweptAxisOf(const Scenario& scenario, std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        return Error{ErrorCode::BadInput, fmt::format("--sweep cannot be used ({:s})", text),
                     "give NUMBER=VALUES, such as devices=64..4096:x2"};
    PLUMB_TRY(const Input input, plannerInput(text.substr(0, equals)));
    return sweepAxis(scenario, input, text.substr(equals + 1));
}

}  // namespace

std::vector<OptionSpec> withSweep(std::vector<OptionSpec> options) {
    options.push_back({"sweep", "NUMBER=VALUES",
                       "the answers over many values of a number: devices=64..4096:x2, micro-batch=1..8:+1, "
                       "tensor=1,2,8; once more for a grid of several",
                       false, true});
    options.push_back({"csv", "", "of a sweep: a table for programs, on stdout"});
    return options;
}

Result<void> runSweep(const Arguments& arguments, std::string_view question, const Scenario& scenario,
                      std::vector<Output> outputs) {
    if (arguments.json() && arguments.has("csv"))
        return Error{ErrorCode::BadInput, "a sweep is written in one form (--csv)", "give --json or --csv"};
    std::vector<Axis> axes;
    std::size_t count = 1;
    const std::string text = arguments.text("sweep");
    std::vector<std::string_view> asked = linesOf(text);
    if (asked.empty()) asked.emplace_back();  // which is refused by its name
    for (const std::string_view each : asked) {
        PLUMB_TRY(Axis axis, sweptAxisOf(scenario, each));
        count *= axis.values.size();
        axes.push_back(std::move(axis));
    }
    const Interrupt interrupt;
    ProgressLine line;
    PLUMB_TRY(const Sweep swept,
              sweepGrid(scenario, std::move(axes), std::move(outputs), interrupt.token(), [&](double done) {
                  if (line.due()) line.show(fmt::format("sweeping: {:.0f} %", 100 * done));
              }));
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
