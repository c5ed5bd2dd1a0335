// SPDX-License-Identifier: Apache-2.0
#include "core/compare/comparison_report.h"

#include "core/base/table.h"
#include "core/compare/difference.h"
#include "core/io/csv_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace plumb {
namespace {

/// As many operations and tensors are listed, the largest differences first.
constexpr std::size_t kMostRows = 20;

std::string written(const Table& table, TableForm form) {
    return form == TableForm::Markdown ? table.markdown() : table.text();
}
std::string heading(const std::string& text, TableForm form) {
    return form == TableForm::Markdown ? fmt::format("\n### {}\n\n", text) : fmt::format("\n{}\n", text);
}

template <class Number>
std::string quantity(const std::optional<Number>& value, std::string_view unit) {
    return value ? formatQuantity(static_cast<double>(*value), unit) : std::string(kNoNumber);
}

std::vector<std::string> head(const Comparison& comparison, std::string first) {
    std::vector<std::string> row{std::move(first)};
    for (std::size_t i = 0; i < comparison.steps.size(); ++i) {
        row.push_back(comparison.steps[i].label);
        if (i > 0) row.emplace_back("difference");
    }
    return row;
}

/// A value for each step, and behind each but the baseline what became of it.
std::vector<std::string> cells(std::string name, std::size_t steps,
                               const std::function<std::string(std::size_t)>& value,
                               const std::vector<Judgement>& judgements) {
    std::vector<std::string> row{std::move(name)};
    for (std::size_t i = 0; i < steps; ++i) {
        row.push_back(value(i));
        if (i > 0) row.push_back(differenceText(judgements[i]));
    }
    return row;
}

bool isReal(const std::vector<Judgement>& judgements) {
    return std::ranges::any_of(judgements, &Judgement::isReal);
}

/// How far apart the rows of a table stand: the largest difference of a value from the baseline's.
double distanceOf(const OpRow& row) {
    double distance = 0;
    const auto secondsOf = [](const OpRow::Figures& figures) {
        return figures.time ? figures.time->median : 0;
    };
    for (const OpRow::Figures& figures : row.figures)
        distance = std::max(distance, std::abs(secondsOf(figures) - secondsOf(row.figures.front())));
    return distance;
}
double distanceOf(const TensorRow& row) {
    double distance = 0;
    for (const auto& bytes : row.bytes)
        distance = std::max(distance,
                            std::abs(static_cast<double>(bytes.value_or(0) - row.bytes.front().value_or(0))));
    return distance;
}

/// Rows that are shown, the largest differences first, and what is said of the others.
template <class Row>
std::vector<const Row*> shownRows(const std::vector<Row>& rows, bool all) {
    std::vector<const Row*> shown;
    for (const Row& row : rows)
        if (all || row.differs()) shown.push_back(&row);
    if (!all) {
        std::ranges::stable_sort(shown, std::greater{}, [](const Row* row) { return distanceOf(*row); });
        shown.resize(std::min(shown.size(), kMostRows));
    }
    return shown;
}

template <class Row>
std::string countText(std::string_view what, const std::vector<Row>& rows, std::size_t shown, bool all) {
    if (all) return fmt::format("All {} {}", rows.size(), what);
    const auto different = static_cast<std::size_t>(std::ranges::count_if(rows, &Row::differs));
    if (different == 0) return fmt::format("None of {} {} really differs", rows.size(), what);
    return shown < different ? fmt::format("{} of {} {} really differ, the largest {} (--all shows the rest)",
                                           different, rows.size(), what, shown)
                             : fmt::format("{} of {} {} really differ", different, rows.size(), what);
}

std::string opsReport(const Comparison& comparison, TableForm form, bool all) {
    const std::size_t steps = comparison.steps.size();
    const std::vector<const OpRow*> rows = shownRows(comparison.ops, all);
    std::string text = heading(countText("kinds of operation", comparison.ops, rows.size(), all), form);
    if (rows.empty()) return text;
    Table table;
    table.add(head(comparison, "Time"));
    Table flops;
    flops.add(head(comparison, "FLOPs"));
    bool hasFlops = false;
    for (const OpRow* row : rows) {
        table.add(cells(
            row->label(), steps,
            [&](std::size_t i) {
                const OpRow::Figures& figures = row->figures[i];
                if (figures.ops == 0) return std::string("none");
                return figures.time ? formatQuantity(figures.time->median, "s") : std::string(kNoNumber);
            },
            row->times));
        if (!isReal(row->flops)) continue;
        hasFlops = true;
        flops.add(cells(
            row->label(), steps, [&](std::size_t i) { return quantity(row->figures[i].flops, "FLOP"); },
            row->flops));
    }
    text += written(table, form);
    if (hasFlops) text += (form == TableForm::Markdown ? "\n" : "") + written(flops, form);
    return text;
}

std::string tensorsReport(const Comparison& comparison, TableForm form, bool all) {
    const std::vector<const TensorRow*> rows = shownRows(comparison.tensors, all);
    std::string text = heading(countText("tensors", comparison.tensors, rows.size(), all), form);
    if (rows.empty()) return text;
    Table table;
    table.add(head(comparison, "Tensor"));
    for (const TensorRow* row : rows)
        table.add(cells(
            row->name, comparison.steps.size(),
            [&](std::size_t i) { return row->bytes[i] ? bytesText(*row->bytes[i]) : std::string("none"); },
            row->judgements));
    return text + written(table, form);
}

std::string budgetCsv(const std::vector<BudgetLine>& lines) {
    CsvWriter csv;
    for (const std::string_view title : {"limit", "unit", "allowed", "value", "kept", "note"})
        csv.cell(title);
    csv.endRow();
    for (const BudgetLine& line : lines) {
        csv.cell(line.name);
        csv.cell(line.unit == "%" ? std::string_view("share") : line.unit);
        csv.cell(std::optional(line.limit));
        csv.cell(line.value);
        csv.cell(std::string_view(line.isKept ? "true" : "false"));
        csv.cell(line.note);
        csv.endRow();
    }
    return csv.take();
}

}  // namespace

std::string originOf(const ComparedStep& step) {
    if (!step.isMeasured()) return "predicted";
    return fmt::format("measured, {} step{}", step.reading->stepsMeasured,
                       step.reading->stepsMeasured == 1 ? "" : "s");
}

std::string comparisonReport(const Comparison& comparison, TableForm form, bool all) {
    if (form == TableForm::Csv) return comparisonCsv(comparison, all);
    const std::size_t steps = comparison.steps.size();
    Table names(3);
    names.add({"Step", "", ""});
    for (std::size_t i = 0; i < steps; ++i)
        names.add({comparison.steps[i].label, i == 0 ? "baseline" : "", originOf(comparison.steps[i])});
    std::string text = written(names, form);

    if (comparison.facts.empty()) {
        text += heading("Nothing was chosen or found differently", form);
    } else {
        text += heading("What was chosen or found differently", form);
        Table facts(1 + steps);
        std::vector<std::string> row{""};
        for (const ComparedStep& step : comparison.steps) row.push_back(step.label);
        facts.add(row);
        for (const FactRow& fact : comparison.facts) {
            row = {fact.name};
            for (const std::string& value : fact.values)
                row.push_back(value.empty() ? std::string(kNoNumber) : value);
            facts.add(row);
        }
        text += written(facts, form);
    }

    text += heading("The step", form);
    Table figures;
    figures.add(head(comparison, ""));
    for (const FigureRow& row : comparison.figures)
        figures.add(cells(
            row.name, steps, [&](std::size_t i) { return quantity(row.values[i], row.unit); },
            row.judgements));
    text += written(figures, form);
    for (std::size_t i = 1; i < steps; ++i)
        if (comparison.drifts[i] > 0)
            text += fmt::format(
                "{}The machine's own speed, as probed beside {} and {}, differs by up to {:.1f} %.\n",
                form == TableForm::Markdown ? "\n" : "", comparison.steps.front().label,
                comparison.steps[i].label, comparison.drifts[i] * 100);
    text += opsReport(comparison, form, all) + tensorsReport(comparison, form, all);
    for (std::size_t i = 1; i < steps; ++i)
        if (!comparison.isChanged(i))
            text += fmt::format("\nNo real change from {} to {}.\n", comparison.steps.front().label,
                                comparison.steps[i].label);
    return text;
}

std::string budgetReport(const std::vector<BudgetLine>& lines, TableForm form) {
    if (form == TableForm::Csv) return budgetCsv(lines);
    const auto text = [](std::optional<double> value, std::string_view unit) {
        if (!value) return std::string(kNoNumber);
        return unit == "%" ? fmt::format("{:+.1f} %", *value * 100) : formatQuantity(*value, unit);
    };
    Table table;
    table.add({"Limit", "allowed", "value", "", ""});
    for (const BudgetLine& line : lines)
        table.add({line.name, text(line.limit, line.unit), text(line.value, line.unit),
                   line.isKept ? "kept" : "exceeded", line.note});
    return written(table, form);
}

}  // namespace plumb
