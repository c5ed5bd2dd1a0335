// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"
#include "app/cli/planner_questions.h"
#include "app/cli/planner_report.h"
#include "app/cli/planner_scenario.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/planner/plan_comparison.h"
#include "core/planner/scenario_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace plumb::cli {

namespace {

using namespace planner;
using nlohmann::json;

Result<void> runSave(const Arguments& arguments) {
    PLUMB_TRY(const Scenario s, plannerScenario(arguments));
    const std::string path = arguments.text("FILE.plan.json");
    PLUMB_CHECK(writeScenario(path, s));
    if (arguments.json()) return print(dumpJson({{"question", "save"}, {"file", path}}, 1) + "\n");
    return print(fmt::format("saved {}: {}\n", path, s.model.name.empty() ? "no model" : s.model.name));
}

/// File names without folder and ending; the paths where two have the same.
std::vector<std::string> namesOf(const std::vector<std::string>& paths) {
    std::vector<std::string> names;
    for (const std::string& path : paths) {
        std::string name = std::filesystem::path(path).filename().string();
        if (name.ends_with(kPlanSuffix)) name.resize(name.size() - kPlanSuffix.size());
        names.push_back(name);
    }
    return std::set<std::string>(names.begin(), names.end()).size() == names.size() ? names : paths;
}

json rowsJson(const std::vector<ComparedRow>& rows) {
    json list = json::array();
    for (const ComparedRow& row : rows) {
        json values = json::array(), differences = json::array();
        for (std::size_t i = 0; i < row.texts.size(); ++i) {
            values.push_back(row.values[i]                             ? numberJson(*row.values[i], row.unit)
                             : row.unit.empty() && row.texts[i] != "–" ? json(row.texts[i])
                                                                       : json());
            differences.push_back(row.values[i] && row.values.front()
                                      ? numberJson(*row.values[i] - *row.values.front(), row.unit)
                                      : json());
        }
        list.push_back({{"key", row.key},
                        {"label", row.label.substr(row.label.find_first_not_of(' '))},
                        {"unit", row.unit},
                        {"values", values},
                        {"texts", row.texts},
                        {"differences", differences},
                        {"differs", row.differs}});
    }
    return list;
}

std::string comparisonText(const PlanComparison& comparison, bool all) {
    Table inputs;
    std::vector<std::string> heading{"what differs"};
    heading.insert(heading.end(), comparison.names.begin(), comparison.names.end());
    inputs.add(heading);
    std::size_t same = 0;
    for (const ComparedRow& row : comparison.inputs) {
        if (!row.differs) ++same;
        if (!row.differs && !all) continue;
        std::vector<std::string> cells{row.label};
        cells.insert(cells.end(), row.texts.begin(), row.texts.end());
        inputs.add(std::move(cells));
    }
    std::string text = inputs.text();
    if (!all) text += fmt::format("({} {} the same in all)\n", same, same == 1 ? "input is" : "inputs are");
    Table answers;
    heading.front() = "answers";
    for (std::size_t i = 1; i < comparison.names.size(); ++i)
        heading.push_back(fmt::format("{} over {}", comparison.names[i], comparison.names.front()));
    answers.add(heading);
    for (const ComparedRow& row : comparison.answers) {
        std::vector<std::string> cells{row.label};
        cells.insert(cells.end(), row.texts.begin(), row.texts.end());
        for (std::size_t i = 1; i < row.values.size(); ++i) cells.push_back(row.difference(i));
        answers.add(std::move(cells));
    }
    text += "\n" + answers.text();
    std::string problems;
    for (std::size_t i = 0; i < comparison.problems.size(); ++i)
        for (const std::string& problem : comparison.problems[i])
            problems += fmt::format("{}: {}\n", comparison.names[i], problem);
    return problems.empty() ? text : text + "\n" + problems;
}

Result<void> runComparePlans(const Arguments& arguments) {
    const std::vector<std::string> paths = arguments.texts("FILE.plan.json");
    const std::vector<std::string> names = namesOf(paths);
    std::vector<NamedScenario> plans;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        PLUMB_TRY(Scenario s, readScenario(paths[i]));
        plans.push_back({names[i], std::move(s)});
    }
    PLUMB_TRY(const PlanComparison comparison, comparePlans(plans));
    if (!arguments.json()) return print(comparisonText(comparison, arguments.has("all")));
    return print(dumpJson({{"question", "compare"},
                           {"plans", comparison.names},
                           {"inputs", rowsJson(comparison.inputs)},
                           {"answers", rowsJson(comparison.answers)},
                           {"problems", comparison.problems}},
                          1) +
                 "\n");
}

}  // namespace

std::vector<CommandSpec> plannerFileQuestions() {
    std::vector<Input> everything;
    for (const InputInfo& about : allInputs()) everything.push_back(about.input);
    return {CommandSpec{.name = "save",
                        .help = "writes a plan into a file, for --scenario, compare and the window",
                        .positional = "FILE.plan.json",
                        .positionalHelp = "where to",
                        .options = plannerOptions({true, true}, everything),
                        .examples =
                            "Example:\n  plumbline-cli plan save 70b.plan.json --model llama-3-70b --device "
                            "h100-sxm --devices 512 --tensor 8 --tokens 15T",
                        .run = runSave},
            CommandSpec{.name = "compare",
                        .help = "two or three plans side by side: what differs, then their answers",
                        .positional = "FILE.plan.json",
                        .positionalHelp = "a plan that save or the window wrote; two or three of them",
                        .options = {{"all", "", "also the inputs that do not differ"}},
                        .examples = "Example:\n  plumbline-cli plan compare a.plan.json b.plan.json",
                        .run = runComparePlans,
                        .leastPositionals = 2}};
}

}  // namespace plumb::cli
