// SPDX-License-Identifier: Apache-2.0
#include "core/export/html_report.h"

#include "core/base/words.h"
#include "core/export/html_charts.h"
#include "core/export/html_findings.h"
#include "core/export/html_text.h"
#include "core/export/report_page.h"
#include "core/measure/module_tree.h"
#include "core/recorded/recorded_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace plumb {
namespace {

/// A table of more rows is no report; the tables of the other formats have all.
constexpr std::size_t kMostOps = 1000;
constexpr std::size_t kMostReportModules = 200;

std::string section(std::string_view id, std::string_view heading, std::string_view content) {
    return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}\n</section>\n", id, said(heading), content);
}

/// A row of the key figures; the cell of the measurement stands out.
template <class Value>
std::string figureRow(std::string_view id, std::string_view name, std::string_view unit,
                      std::optional<Value> predicted, std::optional<Value> measured,
                      std::string_view classes = "") {
    std::string measuredCell = numberCell(measured, unit);
    measuredCell.replace(measuredCell.find("\"n\""), 3, "\"n measured\"");
    std::optional<double> from, to;
    if (predicted) from = static_cast<double>(*predicted);
    if (measured) to = static_cast<double>(*measured);
    return fmt::format(R"(<tr id="figure-{}" class="{}"><th scope="row">{}</th>{}{}{}</tr>)", id, classes,
                       said(name), numberCell(predicted, unit), measuredCell, differenceCell(from, to)) +
           "\n";
}

std::string rangeOf(const Reading* reading) {
    if (reading == nullptr || !reading->totals.seconds) return {};
    std::vector<std::string> parts;
    if (reading->totals.tier) parts.push_back(inWords(tierName(*reading->totals.tier)));
    if (reading->totals.spread)
        parts.push_back(inWords(fmt::format("{} to {}", formatQuantity(reading->totals.spread->low, "s"),
                                            formatQuantity(reading->totals.spread->high, "s"))));
    if (reading->stepsMeasured > 0) parts.push_back(inWords(fmt::format("{} steps", reading->stepsMeasured)));
    return fmt::format("{}", fmt::join(parts, inWords(", ")));
}

std::string memoryRows(const ExportedStep& step) {
    const auto memoryOf = [](const Reading* reading) {
        return reading != nullptr && reading->memory ? &*reading->memory : nullptr;
    };
    const MemoryReading* predicted = memoryOf(step.predicted.get());
    const MemoryReading* measured = memoryOf(step.measured.get());
    const auto peak = [](const MemoryReading* memory) {
        return memory == nullptr ? std::nullopt : std::optional(memory->peakBytes);
    };
    std::string rows = figureRow<Bytes>("peak-bytes", "Peak memory", "B", peak(predicted), peak(measured));
    for (const Category category : kAllCategories) {
        const auto atPeak = [&](const MemoryReading* memory) {
            return memory == nullptr || memory->atPeak[category] <= 0
                       ? std::nullopt
                       : std::optional(memory->atPeak[category]);
        };
        if (atPeak(predicted) || atPeak(measured))
            rows += figureRow<Bytes>(categoryName(category),
                                     fmt::format("{} at the peak", categoryLabel(category)), "B",
                                     atPeak(predicted), atPeak(measured), "sub");
    }
    const auto rest = [](const MemoryReading* memory) {
        const Bytes bytes = memory == nullptr ? 0 : memory->peakBytes - total(memory->atPeak);
        return bytes > 0 ? std::optional(bytes) : std::nullopt;
    };
    if (rest(predicted) || rest(measured))
        rows += figureRow<Bytes>("no-tensor", "of no tensor that was seen, at the peak", "B", rest(predicted),
                                 rest(measured), "sub");
    return rows;
}

std::string figures(const ExportedStep& step) {
    const Reading* predicted = step.predicted.get();
    const Reading* measured = step.measured.get();
    std::string rows = memoryRows(step);
    const auto seconds = [](const Reading* reading) {
        return reading ? reading->totals.seconds : std::nullopt;
    };
    const auto add = [&](std::string_view id, std::string_view name, std::string_view unit, auto member) {
        using Value = typename std::remove_reference_t<decltype(std::declval<Totals>().*member)>::value_type;
        const auto value = [&](const Reading* reading) {
            return reading == nullptr ? std::optional<Value>() : reading->totals.*member;
        };
        if (value(predicted) || value(measured))
            rows += figureRow<Value>(id, name, unit, value(predicted), value(measured));
    };
    rows += figureRow<double>("seconds", "Step time", "s", seconds(predicted), seconds(measured));
    if (const std::string low = rangeOf(predicted), high = rangeOf(measured); !low.empty() || !high.empty())
        rows += fmt::format("<tr class=\"sub founded\"><th scope=\"row\">{}</th><td class=\"n\">{}</td>"
                            "<td class=\"n\">{}</td><td></td></tr>\n",
                            said("how well founded"), htmlText(low), htmlText(high));
    // What the step is to do is known of it and not measured.
    const Reading* planned = predicted != nullptr ? predicted : measured;
    const auto addPlanned = [&](std::string_view id, std::string_view name, std::string_view unit,
                                std::optional<std::int64_t> value) {
        if (value)
            rows += fmt::format("<tr id=\"figure-{}\"><th scope=\"row\">{}</th>{}<td></td><td></td></tr>\n",
                                id, said(name), numberCell(value, unit));
    };
    if (planned != nullptr) {
        addPlanned("flops", "FLOPs of a step", "FLOP", planned->totals.flops);
        addPlanned("matmul-flops", "of these in matrix products", "FLOP", planned->totals.matmulFlops);
        addPlanned("bytes", "Bytes moved, at least", "B", planned->totals.bytes);
    }
    addPlanned("parameters", "Parameters", "", step.parameters);
    add("samples-per-second", "Samples per second", "/s", &Totals::samplesPerSecond);
    add("flop-per-second", "FLOP per second", "FLOP/s", &Totals::flopPerSecond);
    add("mfu", "Utilisation of the peak (MFU)", "%", &Totals::mfu);
    std::string table =
        fmt::format("<div class=\"scroll\"><table class=\"figures\"><thead><tr><th scope=\"col\">{}</th>"
                    "<th scope=\"col\" class=\"n\">{}</th><th scope=\"col\" class=\"n\">{}</th>"
                    "<th scope=\"col\" class=\"n\">{}</th></tr></thead><tbody>\n{}</tbody></table></div>",
                    said("of one step"),
                    step.ranElsewhere ? said(fmt::format("what-if, on {}", step.planned->machine().name))
                                      : said("predicted"),
                    said("measured"), said("difference"), rows);
    if (predicted == nullptr) table += absentFigure("Nothing was predicted");
    if (measured == nullptr) table += absentFigure("Nothing was measured: the step did not run");
    return table;
}

/// An op as a row of the report.
struct ReportRow {
    const OpReading* predicted = nullptr;
    const OpReading* measured = nullptr;

    [[nodiscard]] const OpReading& op() const { return predicted != nullptr ? *predicted : *measured; }
    [[nodiscard]] std::optional<Seconds> seconds(const OpReading* ReportRow::*which) const {
        return this->*which != nullptr ? (this->*which)->seconds : std::nullopt;
    }
    [[nodiscard]] std::optional<Seconds> best() const {
        const auto real = seconds(&ReportRow::measured);
        return real ? real : seconds(&ReportRow::predicted);
    }
};

std::vector<ReportRow> rowsOf(const ExportedStep& step) {
    std::vector<ReportRow> rows;
    std::unordered_map<std::string_view, std::size_t> places;
    const auto add = [&](const Reading* reading, const OpReading* ReportRow::*which) {
        if (reading == nullptr) return;
        for (const OpReading& op : reading->ops) {
            const auto [place, isNew] = places.emplace(op.id, rows.size());
            if (isNew) rows.emplace_back();
            rows[place->second].*which = &op;
        }
    };
    add(step.predicted.get(), &ReportRow::predicted);
    add(step.measured.get(), &ReportRow::measured);
    return rows;
}

/// Indices of the rows that are shown, in the order of the step: the longest, or those with the most FLOPs.
std::vector<std::size_t> shownRows(const std::vector<ReportRow>& rows) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (rows.size() <= kMostOps) return order;
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) {
        return rows[i].best().value_or(0) + static_cast<double>(rows[i].op().flops.value_or(0)) * 1e-30;
    });
    order.resize(kMostOps);
    std::ranges::sort(order);
    return order;
}

std::string operations(const ExportedStep& step) {
    const std::vector<ReportRow> rows = rowsOf(step);
    if (rows.empty()) return absentFigure("There are no operations");
    std::unordered_map<std::string, std::string> modules;
    if (step.step() != nullptr)
        for (std::int32_t op = 0; op < step.step()->opCount(); ++op)
            modules.emplace(step.step()->opId(op), step.step()->opModule(op));
    // Of a step that this version cannot plan the names stay as they are.
    const auto nameOf = [&](std::string_view name) {
        return htmlText(step.step() == nullptr ? std::string(name) : nameInWords(*step.step(), name));
    };
    const std::optional<Seconds> whole = step.reading()->totals.seconds;
    std::string body;
    for (const std::size_t i : shownRows(rows)) {
        const ReportRow& row = rows[i];
        const OpReading& op = row.op();
        const auto found = modules.find(op.id);
        const std::optional<Seconds> own = (step.measured ? row.measured : row.predicted) != nullptr
                                               ? (step.measured ? row.measured : row.predicted)->seconds
                                               : std::nullopt;
        const std::optional<double> share =
            own && whole && *whole > 0 ? std::optional(*own / *whole) : std::nullopt;
        body += fmt::format(
            "<tr><td class=\"n\" data-value=\"{0}\">{0}</td><td>{1}</td><td class=\"phase\"><i class=\"key "
            "{2}\"></i>{3}</td>"
            "<td class=\"module\">{4}</td>{5}{6}{7}{8}{9}{10}</tr>\n",
            i + 1, nameOf(op.name), phaseName(op.phase), said(phaseName(op.phase)),
            found == modules.end() ? std::string() : nameOf(found->second), numberCell(op.flops, "FLOP"),
            numberCell(op.bytes, "B"), numberCell(row.seconds(&ReportRow::predicted), "s"),
            numberCell(row.seconds(&ReportRow::measured), "s"),
            differenceCell(row.seconds(&ReportRow::predicted), row.seconds(&ReportRow::measured)),
            numberCell(share, "%"));
    }
    std::string heads;
    const std::pair<const char*, bool> columns[] = {
        {"#", true},          {"operation", false}, {"phase", false},    {"module", false},
        {"FLOPs", true},      {"bytes", true},      {"predicted", true}, {"measured", true},
        {"difference", true}, {"of the step", true}};
    for (const auto& [name, isNumber] : columns)
        heads += fmt::format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>",
                             isNumber ? " class=\"n\"" : "", said(name));
    std::string note =
        said(step.measured ? "A heading sorts by its column. Shares are of the measured step time."
                           : "A heading sorts by its column. Shares are of the predicted step time.");
    if (rows.size() > kMostOps)
        note +=
            " " + said(fmt::format("Shown are the {} longest of {} operations; the export as CSV has all.",
                                   kMostOps, rows.size()));
    return fmt::format(
        "<p class=\"note\">{}</p><div class=\"scroll\"><table class=\"sortable\"><thead><tr>{}</tr>"
        "</thead><tbody>\n{}</tbody></table></div>",
        note, heads, body);
}

std::string modulesSection(const ExportedStep& step) {
    if (!step.planned) return {};
    std::optional<MeasuredStep> measured;
    if (step.measured) measured.emplace(*step.planned, step.measured);
    const ModuleTree tree(*step.planned, measured ? &*measured : nullptr);
    if (!tree.hasModules()) return {};
    std::string body;
    std::size_t shown = 0;
    for (const ModuleNode& node : tree.nodes()) {
        if (node.parent < 0 || node.path.empty() || std::ranges::count(node.path, '.') > 1) continue;
        if (shown++ == kMostReportModules) break;
        const ModuleFigures& figures = node.figures;
        body += fmt::format(
            "<tr><td>{}</td>{}{}{}{}{}{}</tr>\n", htmlText(nameInWords(*step.step(), node.path)),
            numberCell(std::optional<std::int64_t>(figures.ops), ""),
            numberCell(std::optional<Bytes>(figures.parameters), "B"),
            numberCell(std::optional<Bytes>(figures.kept), "B"), numberCell(figures.flops, "FLOP"),
            numberCell(figures.predicted, "s"), numberCell(figures.measured(), "s"));
    }
    std::string heads;
    for (const char* name :
         {"module", "operations", "parameters", "kept activations", "FLOPs", "predicted", "measured"})
        heads += fmt::format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>",
                             std::string_view(name) == "module" ? "" : " class=\"n\"", said(name));
    return section(
        "modules", "Modules",
        fmt::format("<p class=\"note\">{}</p>"
                    "<div class=\"scroll\"><table class=\"sortable\"><thead><tr>{}</tr></thead><tbody>\n{}"
                    "</tbody></table></div>",
                    said("Each with all below it; the upper levels of the tree."), heads, body));
}

std::string factsTable(const std::vector<StepFact>& facts) {
    const auto half = static_cast<std::ptrdiff_t>((facts.size() + 1) / 2);
    std::string columns;
    for (const auto& [begin, end] :
         {std::pair(facts.begin(), facts.begin() + half), std::pair(facts.begin() + half, facts.end())}) {
        if (begin == end) continue;
        columns += "<table class=\"facts\"><tbody>";
        for (auto fact = begin; fact != end; ++fact)
            columns += fmt::format("<tr><th scope=\"row\">{}</th>{}</tr>\n", said(fact->name),
                                   textCell(fact->name == "device" ? inWords(fact->value) : fact->value));
        columns += "</tbody></table>";
    }
    return "<div class=\"columns\">" + columns + "</div>";
}

std::string provenance(const ExportedStep& step) {
    std::string list;
    const auto add = [&](std::string_view name, std::string_view value) {
        if (!value.empty())
            list += fmt::format("<tr><th scope=\"row\">{}</th>{}</tr>\n", said(name), textCell(value));
    };
    add("written by", step.program);
    add("created", step.created);
    if (step.planned) {
        add("predicted for", inWords(step.planned->machine().name));
        add("its ceilings", inWords(step.planned->machine().source));
    }
    if (step.measured) add("times", inWords(fmt::format("source: {}", sourceName(step.measured->source))));
    add("data", step.data);
    if (!step.notPlanned.empty()) add("not planned", inWords(step.notPlanned));
    for (const std::string& sentence : step.said) add("not recorded", inWords(sentence));
    return "<table class=\"facts\"><tbody>" + list + "</tbody></table>";
}

}  // namespace

Result<std::string> toHtmlReport(const ExportedStep& step) {
    const std::string subtitle =
        said(step.measured && step.predicted ? "One training step, predicted and measured"
                                             : fmt::format("One training step, {}", step.origin())) +
        (step.created.empty() ? "" : " · " + htmlText(step.created));
    std::string body = fmt::format("<header><div><h1>{}</h1><p>{}</p></div>"
                                   "<button type=\"button\" id=\"scheme\">{}</button></header>\n",
                                   said(step.title), subtitle, said("Light / dark"));
    body += section("figures", "Key figures", figures(step));
    body += section("findings", "Findings", findingsTable(step));
    body += section("memory", "Memory over one step", memoryFigure(step));
    body += section("roofline", "Roofline", rooflineFigure(step));
    if (const std::string loss = lossFigure(step); !loss.empty()) body += section("loss", "Loss", loss);
    body += section("operations", "Operations", operations(step));
    body += modulesSection(step);
    if (!step.facts.empty())
        body += section("configuration", "Configuration and environment", factsTable(step.facts));
    body += section("provenance", "Provenance", provenance(step));
    body += fmt::format(
        "<footer><p>{}</p></footer>",
        said("Made by Plumbline. GB is 10⁹ bytes; a multiply-add is two FLOPs; a dash is a number that is "
             "not known."));
    return reportPage(inWords(step.title) + " – Plumbline", body);
}

}  // namespace plumb
