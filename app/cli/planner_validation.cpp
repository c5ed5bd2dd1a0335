// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"
#include "app/cli/planner_carrying.h"
#include "app/cli/planner_questions.h"
#include "app/cli/planner_scenario.h"
#include "core/base/lines.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/planner/inputs.h"
#include "core/planner/priors.h"
#include "core/planner/step_parts.h"
#include "core/planner/validation.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace plumb::cli {

namespace {

using namespace planner;
using nlohmann::json;

using Takes = std::function<bool(const ValidatedRow&)>;

json summaryJson(const std::vector<ValidatedRow>& rows, const Takes& takes) {
    json result = json::object();
    for (const auto& [figure, name] :
         {std::pair{Figure::Time, "time"}, std::pair{Figure::Memory, "memory"}}) {
        const ErrorSummary found = summarise(rows, figure, takes);
        if (found.rows == 0) continue;
        result[name] = {{"rows", found.rows},
                        {"median_error", found.median},
                        {"ninetieth_error", found.ninetieth},
                        {"bias", found.bias},
                        {"held", found.held}};
    }
    return result;
}

void addSummary(Table& table, const std::string& what, const std::vector<ValidatedRow>& rows, Figure figure,
                const Takes& takes) {
    const ErrorSummary found = summarise(rows, figure, takes);
    if (found.rows == 0) return;
    table.add({what, fmt::format("{}", found.rows), fmt::format("{:.1f} %", 100 * found.median),
               fmt::format("{:.1f} %", 100 * found.ninetieth), fmt::format("{:+.3f}", found.bias),
               fmt::format("{:.1f} %", 100 * found.held)});
}

std::string partOf(std::string_view name, const Evidence& evidence, const PublishedTraining& row) {
    return std::ranges::find(divisions(), name, &Division::name)->of(evidence, row);
}

json rowJson(const Evidence& evidence, const ValidatedRow& row) {
    const auto orNull = [](const std::optional<double>& value) { return value ? json(*value) : json(); };
    const auto range = [](const std::optional<Range>& value) {
        return value ? json({value->low, value->expected, value->high}) : json();
    };
    const PublishedTraining& published = *row.row;
    json entry{{"id", published.id},
               {"use", evidence.sources[published.source].fits ? "fit" : "validate"},
               {"source", evidence.sources[published.source].id},
               {"device", published.device},
               {"generation", static_cast<int>(generationOf(*published.scenario.cluster.device))},
               {"devices", published.scenario.cluster.devices},
               {"software", name(published.scenario.software)},
               {"regime", partOf("regime", evidence, published)},
               {"published_seconds", published.step ? json(published.step->seconds) : json()},
               {"published_from", published.step ? json(published.step->from) : json()},
               {"seconds", range(row.seconds)},
               {"error", orNull(row.timeError())},
               {"published_memory", orNull(published.memoryBytes)},
               {"memory", range(row.memory)},
               {"memory_kind", published.memoryKind.empty() ? json() : json(published.memoryKind)},
               {"fits", row.fits ? json(*row.fits) : json()},
               {"taken", published.taken}};
    for (const Input input : plannerStepInputs())
        if (const auto value = numberOf(published.scenario, input); value.has_value())
            entry["inputs"][std::string(info(input).key)] = *value;
    if (!row.problem.empty()) entry["problem"] = row.problem;
    if (!row.memoryProblem.empty()) entry["memory_problem"] = row.memoryProblem;
    if (row.step)
        for (const StepPart& part : kStepParts)
            entry["parts"][std::string(part.key)] = *row.step.*(part.seconds);
    return entry;
}

/// Memory by source, and of the rest why there is none; trainings that ran and are said not to fit.
std::string memoryText(const Evidence& evidence, const std::vector<ValidatedRow>& rows, json& document) {
    Table table;
    table.add({"memory, source", "rows", "median error", "90 % within", "bias", "range holds"});
    for (std::size_t i = 0; i < evidence.sources.size(); ++i)
        addSummary(table, evidence.sources[i].id, rows, Figure::Memory,
                   [i](const ValidatedRow& row) { return row.row->source == i; });
    std::map<std::string, std::int64_t> why;
    std::int64_t tooLarge = 0;
    for (const ValidatedRow& row : rows) {
        if (!row.memoryProblem.empty()) ++why[row.memoryProblem];
        if (row.fits && !*row.fits) ++tooLarge;
    }
    document["ran_and_does_not_fit"] = tooLarge;
    document["memory_without_prediction"] = why;
    std::string text = "\n" + table.text();
    for (const auto& [reason, count] : why)
        text += fmt::format("{} published memories without a prediction: {}\n", count, reason);
    if (tooLarge > 0) text += fmt::format("{} trainings that ran are said not to fit\n", tooLarge);
    return text;
}

/// Numbers that are put in the place of those of the trainings; the plan of a training is its own.
Result<void> checkValidated(const Arguments& arguments, const Scenario& asked) {
    const std::vector<Input> taken = plannerStepInputs();
    const std::string text = arguments.text("assume");
    for (const std::string_view line : linesOf(text)) {
        PLUMB_TRY(const Input input, plannerInput(line.substr(0, line.find('='))));
        if (std::ranges::find(taken, input) == taken.end())
            return Error{ErrorCode::BadInput,
                         fmt::format("published trainings have a {} of their own (--assume {:s})",
                                     info(input).label, line),
                         "leave it out"};
    }
    if (!arguments.has("carry")) return {};
    for (const Input input : taken)
        if (asked.given[input])
            return Error{ErrorCode::BadInput,
                         fmt::format("--carry holds the planner's own numbers against measurements (--{:s})",
                                     info(input).key),
                         fmt::format("leave --{:s} or --carry out", info(input).key)};
    return {};
}

Result<void> runValidate(const Arguments& arguments) {
    if (const auto& known = Evidence::builtIn(); !known.has_value()) return known.error();
    const Evidence& evidence = *Evidence::builtIn();
    const std::string use = arguments.text("use", "all"), source = arguments.text("source", "");
    if (use != "all" && use != "fit" && use != "validate")
        return Error{ErrorCode::BadInput, fmt::format("--use cannot be {:s}", use),
                     "give fit, validate or all"};
    PLUMB_TRY(const Scenario asked, plannerScenario(arguments));
    PLUMB_CHECK(checkValidated(arguments, asked));
    const auto isAsked = [&](const PublishedTraining& row) {
        const EvidenceSource& from = evidence.sources[row.source];
        return (use == "all" || (use == "fit") == from.fits) && (source.empty() || from.id == source);
    };
    if (arguments.has("carry")) return printCarrying(arguments, evidence, isAsked);
    const std::vector<ValidatedRow> rows = validateAgainst(evidence, isAsked, [&](Scenario& scenario) {
        for (const Input input : plannerStepInputs())
            if (asked.given[input]) scenario.given[input] = asked.given[input];
    });
    if (rows.empty())
        return Error{ErrorCode::BadInput,
                     fmt::format("no published training is of that source ({:s})", source),
                     "plan validate without --source lists them"};
    const Takes everyone = [](const ValidatedRow&) { return true; };
    const auto ofUse = [&](bool fits) {
        return [&evidence, fits](const ValidatedRow& row) {
            return evidence.sources[row.row->source].fits == fits;
        };
    };
    const std::int64_t failed =
        std::ranges::count_if(rows, [](const auto& row) { return !row.problem.empty(); });
    json document{{"question", "validate"}, {"rows_without_prediction", failed}};
    Table table;
    table.add({"trainings", "rows", "median error", "90 % within", "bias", "range holds"});
    for (const auto& [name, takes] :
         {std::pair<std::string, Takes>{"validate", ofUse(false)}, {"fit", ofUse(true)}, {"all", everyone}}) {
        document[name] = summaryJson(rows, takes);
        addSummary(table, name + ", time", rows, Figure::Time, takes);
        addSummary(table, name + ", memory", rows, Figure::Memory, takes);
    }
    std::string text = table.text();
    for (const Division& division : divisions()) {
        std::vector<std::string> parts;
        for (const ValidatedRow& row : rows)
            if (std::string part = division.of(evidence, *row.row); !std::ranges::count(parts, part))
                parts.push_back(part);
        Table each;
        each.add({std::string(division.name), "rows", "median error", "90 % within", "bias", "range holds"});
        json& into = document["by_" + std::string(division.name)] = json::object();
        for (const std::string& part : parts) {
            const Takes takes = [&](const ValidatedRow& row) {
                return division.of(evidence, *row.row) == part;
            };
            into[part] = summaryJson(rows, takes);
            addSummary(each, part, rows, Figure::Time, takes);
        }
        text += "\n" + each.text();
    }
    text += memoryText(evidence, rows, document);
    if (failed > 0) text += fmt::format("\n{} rows without a prediction; --json says why\n", failed);
    if (!arguments.json()) return print(text);
    json& list = document["rows"] = json::array();
    for (const ValidatedRow& row : rows) list.push_back(rowJson(evidence, row));
    return print(dumpJson(document, 1) + "\n");
}

}  // namespace

CommandSpec plannerValidation() {
    std::vector<OptionSpec> options = plannerOptions({}, plannerStepInputs());
    // Model, device and layout are those of each training.
    std::erase_if(options, [](const OptionSpec& option) {
        const auto inputs = plannerStepInputs();
        return option.name != "assume" &&
               std::ranges::none_of(inputs, [&](Input input) { return info(input).key == option.name; });
    });
    options.insert(
        options.begin(),
        {{"use", "USE", "fit (what priors were fitted on), validate (what nothing was), all (all)"},
         {"source", "ID", "trainings of one source"},
         {"carry", "",
          "each predicted from others of its source as if they had been measured (--measured): how much that "
          "helps, by how far they lie apart"}});
    return CommandSpec{.name = "validate",
                       .help = "predictions beside published trainings: error, bias, and how often the range "
                               "holds, by source, device and regime",
                       .options = std::move(options),
                       .examples = "Examples:\n  plumbline-cli plan validate --use validate\n"
                                   "  plumbline-cli plan validate --source torchtitan --json\n"
                                   "  plumbline-cli plan validate --carry",
                       .run = runValidate};
}

}  // namespace plumb::cli
