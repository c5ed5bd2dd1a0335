// SPDX-License-Identifier: Apache-2.0
#include "core/compare/budget.h"

#include "core/compare/comparison_report.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {

namespace {

/// A step that says nothing but that it has ops: whatever a budget limits, there is a line for it.
ComparedStep quietStep() {
    ComparedStep step;
    step.label = "quiet";
    auto recorded = std::make_shared<RecordedStep>();
    recorded->addUp();
    step.step = recorded;
    step.reading = std::make_shared<const Reading>();
    return step;
}

}  // namespace

void budget(std::string_view input) {
    const auto read = parseBudget(input, "budget.json");
    if (!isTaken(read)) {
        require(read.error().text().find("budget.json") != std::string::npos, "a refusal names the file",
                read.error().text());
        return;
    }
    const ComparedStep step = quietStep();
    const std::vector<BudgetLine> lines = checkBudget(*read, step, &step);
    require(!lines.empty(), "a budget has a limit");
    for (const BudgetLine& line : lines) require(line.limit >= 0, "a limit is not negative", line.name);
    for (const TableForm form : {TableForm::Text, TableForm::Markdown, TableForm::Csv})
        require(!budgetReport(lines, form).empty(), "a budget is written");
}

}  // namespace plumb::fuzz
