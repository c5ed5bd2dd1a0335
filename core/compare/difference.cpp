// SPDX-License-Identifier: Apache-2.0
#include "core/compare/difference.h"

#include "core/io/csv_writer.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace plumb {
namespace {

template <class Number>
std::optional<double> asNumber(const std::optional<Number>& value) {
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

DifferenceRow rowOf(const OpRow& op, std::size_t index, DifferenceOf what) {
    const OpRow::Figures &baseline = op.figures.front(), &other = op.figures[index];
    DifferenceRow row{.name = op.label(), .phase = op.phase};
    row.isInBaseline = baseline.ops > 0;
    row.isInOther = other.ops > 0;
    const auto take = [&](std::string_view unit, auto valueOf, const std::vector<Judgement>& judgements) {
        row.unit = unit;
        row.baseline = valueOf(baseline);
        row.other = valueOf(other);
        row.judgement = judgements[index];
    };
    if (what == DifferenceOf::OpFlops) {
        take(
            "FLOP", [](const OpRow::Figures& figures) { return asNumber(figures.flops); }, op.flops);
    } else if (what == DifferenceOf::OpBytes) {
        take(
            "B", [](const OpRow::Figures& figures) { return asNumber(figures.bytes); }, op.bytes);
    } else {
        take(
            "s",
            [](const OpRow::Figures& figures) {
                return figures.time ? std::optional(figures.time->median) : std::nullopt;
            },
            op.times);
    }
    return row;
}

}  // namespace

std::optional<double> DifferenceRow::difference() const {
    const auto valueOf = [](bool isThere, const std::optional<double>& value) {
        return isThere ? value : std::optional<double>(0);
    };
    const auto before = valueOf(isInBaseline, baseline), after = valueOf(isInOther, other);
    return before && after ? std::optional(*after - *before) : std::nullopt;
}

std::optional<double> DifferenceRow::noise() const {
    return judgement.band && baseline ? std::optional(*judgement.band * *baseline) : std::nullopt;
}

std::vector<DifferenceRow> differences(const Comparison& comparison, std::size_t index, DifferenceOf what) {
    std::vector<DifferenceRow> rows;
    if (what == DifferenceOf::Figures) {
        for (const FigureRow& figure : comparison.figures)
            rows.push_back({.name = figure.name,
                            .unit = figure.unit,
                            .baseline = figure.values.front(),
                            .other = figure.values[index],
                            .judgement = figure.judgements[index]});
        return rows;
    }
    if (what == DifferenceOf::Tensors) {
        for (const TensorRow& tensor : comparison.tensors) {
            if (!tensor.bytes.front() && !tensor.bytes[index]) continue;  // of a third step
            rows.push_back({.name = tensor.name,
                            .unit = "B",
                            .category = tensor.category,
                            .isInBaseline = tensor.bytes.front().has_value(),
                            .isInOther = tensor.bytes[index].has_value(),
                            .baseline = asNumber(tensor.bytes.front()),
                            .other = asNumber(tensor.bytes[index]),
                            .judgement = tensor.judgements[index]});
        }
        return rows;
    }
    for (const OpRow& op : comparison.ops)
        if (op.figures.front().ops > 0 || op.figures[index].ops > 0) rows.push_back(rowOf(op, index, what));
    return rows;
}

std::string percentText(const Judgement& judged) {
    if (judged.change == Change::None) return "same";
    if (!judged.ratio) return std::string(kNoNumber);
    return *judged.ratio >= 10 ? fmt::format("{:.3g} ×", *judged.ratio)
                               : fmt::format("{:+.1f} %", (*judged.ratio - 1) * 100);
}

std::string differenceText(const Judgement& judged) {
    const std::string number = percentText(judged);
    if (judged.change == Change::None || !judged.ratio) return number;
    if (!judged.band) return judged.change == Change::Unknown ? number + ", noise not known" : number;
    // What is less than nothing would be within the noise: from there on it is a factor either way.
    const std::string band = *judged.band < 1 ? fmt::format(" ± {:.1f}", *judged.band * 100)
                                              : fmt::format(" ×/÷ {:.3g}", 1 + *judged.band);
    if (judged.change == Change::Disturbed) return number + band + ", the machine was disturbed";
    return judged.change == Change::WithinNoise ? number + band + ", no real change" : number + band;
}

std::string_view verdictOf(const DifferenceRow& row) {
    if (!row.isInOther) return "only in the baseline";
    if (!row.isInBaseline) return "not in the baseline";
    switch (row.judgement.change) {
    case Change::None:
        return "same";
    case Change::WithinNoise:
        return "no real change";
    case Change::Less:
        return "less";
    case Change::More:
        return "more";
    case Change::Disturbed:
        return "machine was disturbed";
    case Change::Unknown:
        break;
    }
    return row.judgement.ratio ? "noise not known" : "not known";
}

namespace {

constexpr std::array<std::string_view, 10> kCsvTitles{"name",  "phase",      "category", "unit",  "baseline",
                                                      "other", "difference", "share",    "noise", "verdict"};

void writeCells(CsvWriter& csv, const DifferenceRow& row) {
    csv.cell(row.name);
    csv.cell(row.phase ? phaseName(*row.phase) : std::string_view());
    csv.cell(row.category ? categoryName(*row.category) : std::string_view());
    csv.cell(row.unit);
    csv.cell(row.baseline);
    csv.cell(row.other);
    csv.cell(row.difference());
    csv.cell(row.judgement.ratio ? std::optional(*row.judgement.ratio - 1) : std::nullopt);
    csv.cell(row.noise());
    csv.cell(verdictOf(row));
    csv.endRow();
}

}  // namespace

std::string differencesCsv(std::span<const DifferenceRow> rows) {
    CsvWriter csv;
    for (const std::string_view title : kCsvTitles) csv.cell(title);
    csv.endRow();
    for (const DifferenceRow& row : rows) writeCells(csv, row);
    return csv.take();
}

std::string comparisonCsv(const Comparison& comparison, bool all) {
    CsvWriter csv;
    csv.cell(std::string_view("step"));
    csv.cell(std::string_view("of"));
    for (const std::string_view title : kCsvTitles) csv.cell(title);
    csv.endRow();
    for (std::size_t index = 1; index < comparison.steps.size(); ++index)
        for (const auto& [what, name] : kDifferenceNames)
            for (const DifferenceRow& row : differences(comparison, index, what)) {
                if (!all && what != DifferenceOf::Figures && !row.isReal()) continue;
                csv.cell(comparison.steps[index].label);
                csv.cell(name);
                writeCells(csv, row);
            }
    return csv.take();
}

}  // namespace plumb
