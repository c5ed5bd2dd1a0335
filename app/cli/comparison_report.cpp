// SPDX-License-Identifier: Apache-2.0
#include "app/cli/comparison_report.h"

#include "app/cli/step_tables.h"
#include "app/cli/table.h"
#include "core/io/json_type.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace plumb::cli {
namespace {

using nlohmann::json;

/// As many operations and tensors are listed, the largest differences first.
constexpr std::size_t kMostRows = 20;

std::string written(const Table& table, TableForm form) {
    return form == TableForm::Markdown ? table.markdown() : table.text();
}
std::string heading(const std::string& text, TableForm form) {
    return form == TableForm::Markdown ? fmt::format("\n### {}\n\n", text) : fmt::format("\n{}\n", text);
}

/// "+5.1 %", with the noise of a time: "+5.1 % ± 1.9"; words where it is no number.
std::string differenceText(const Judgement& judged) {
    if (judged.change == Change::None) return "same";
    if (!judged.ratio) return std::string(kUnknown);
    const double percent = (*judged.ratio - 1) * 100;
    const std::string number =
        *judged.ratio >= 10 ? fmt::format("{:.3g} ×", *judged.ratio) : fmt::format("{:+.1f} %", percent);
    if (!judged.band) return judged.change == Change::Unknown ? number + ", noise not known" : number;
    const std::string band = fmt::format(" ± {:.1f}", *judged.band * 100);
    return judged.change == Change::WithinNoise ? number + band + ", no real change" : number + band;
}

std::string originOf(const ComparedStep& step) {
    if (!step.isMeasured()) return "predicted";
    return fmt::format("measured, {} step{}", step.reading->stepsMeasured,
                       step.reading->stepsMeasured == 1 ? "" : "s");
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
                return figures.time ? formatQuantity(figures.time->median, "s") : std::string(kUnknown);
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

json judgementsJson(const std::vector<Judgement>& judgements) {
    json list = json::array();
    for (const Judgement& judged : judgements)
        list.push_back({{"change", changeName(judged.change)},
                        {"ratio", valueOrNull(judged.ratio)},
                        {"noise", valueOrNull(judged.band)}});
    return list;
}

json opJson(const OpRow& row) {
    json entry{{"phase", phaseName(row.phase)},
               {"module", row.place},
               {"kind", row.kind},
               {"seconds_changes", judgementsJson(row.times)},
               {"flops_changes", judgementsJson(row.flops)},
               {"bytes_changes", judgementsJson(row.bytes)}};
    for (const OpRow::Figures& figures : row.figures) {
        entry["ops"].push_back(figures.ops);
        entry["seconds"].push_back(figures.time ? json(figures.time->median) : json());
        entry["flops"].push_back(valueOrNull(figures.flops));
        entry["bytes"].push_back(valueOrNull(figures.bytes));
    }
    return entry;
}

}  // namespace

std::string comparisonReport(const Comparison& comparison, TableForm form, bool all) {
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
                row.push_back(value.empty() ? std::string(kUnknown) : value);
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

json comparisonJson(const Comparison& comparison) {
    json document{{"steps", json::array()},
                  {"facts", json::array()},
                  {"figures", json::array()},
                  {"operations", json::array()},
                  {"tensors", json::array()}};
    for (std::size_t i = 0; i < comparison.steps.size(); ++i) {
        const ComparedStep& step = comparison.steps[i];
        document["steps"].push_back({{"label", step.label},
                                     {"measured", step.isMeasured()},
                                     {"steps_measured", step.reading->stepsMeasured},
                                     {"machine_drift", comparison.drifts[i]},
                                     {"changed", comparison.isChanged(i)}});
    }
    for (const FactRow& fact : comparison.facts)
        document["facts"].push_back({{"name", fact.name}, {"values", fact.values}});
    for (const FigureRow& row : comparison.figures) {
        json values = json::array();
        for (const auto& value : row.values) values.push_back(valueOrNull(value));
        document["figures"].push_back({{"name", row.name},
                                       {"unit", row.unit},
                                       {"values", values},
                                       {"changes", judgementsJson(row.judgements)}});
    }
    for (const OpRow& row : comparison.ops) document["operations"].push_back(opJson(row));
    for (const TensorRow& row : comparison.tensors) {
        json values = json::array();
        for (const auto& bytes : row.bytes) values.push_back(valueOrNull(bytes));
        document["tensors"].push_back({{"name", row.name},
                                       {"category", categoryName(row.category)},
                                       {"bytes", values},
                                       {"changes", judgementsJson(row.judgements)}});
    }
    return document;
}

std::string budgetReport(const std::vector<BudgetLine>& lines, TableForm form) {
    const auto text = [](std::optional<double> value, std::string_view unit) {
        if (!value) return std::string(kUnknown);
        return unit == "%" ? fmt::format("{:+.1f} %", *value * 100) : formatQuantity(*value, unit);
    };
    Table table;
    table.add({"Limit", "allowed", "value", "", ""});
    for (const BudgetLine& line : lines)
        table.add({line.name, text(line.limit, line.unit), text(line.value, line.unit),
                   line.isKept ? "kept" : "exceeded", line.note});
    return written(table, form);
}

json budgetJson(const std::vector<BudgetLine>& lines) {
    json list = json::array();
    bool isKept = true;
    for (const BudgetLine& line : lines) {
        list.push_back({{"name", line.name},
                        {"unit", line.unit == "%" ? "share" : line.unit},
                        {"limit", line.limit},
                        {"value", valueOrNull(line.value)},
                        {"kept", line.isKept},
                        {"note", line.note}});
        isKept = isKept && line.isKept;
    }
    return {{"kept", isKept}, {"limits", std::move(list)}};
}

}  // namespace plumb::cli
