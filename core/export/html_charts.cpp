// SPDX-License-Identifier: Apache-2.0
#include "core/export/html_charts.h"

#include "core/base/sentence.h"
#include "core/base/words.h"
#include "core/export/html_text.h"
#include "core/export/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace plumb {
namespace {

constexpr std::size_t kMostColumns = 600;  // of a curve: as many as can be told apart
constexpr double kHeadroom = 1.06;

/// One column of the memory chart: ops that share a place, shown as that of them with the most bytes.
struct MemoryColumn {
    std::size_t begin = 0;
    std::size_t end = 0;
    CategoryBytes bytes{};
};

std::vector<MemoryColumn> columnsOf(const std::vector<CategoryBytes>& curve) {
    std::vector<MemoryColumn> columns;
    const std::size_t count = std::min(curve.size(), kMostColumns);
    for (std::size_t i = 0; i < count; ++i) {
        MemoryColumn column{i * curve.size() / count, (i + 1) * curve.size() / count, {}};
        for (std::size_t op = column.begin; op < column.end; ++op)
            if (op == column.begin || total(curve[op]) > total(column.bytes)) column.bytes = curve[op];
        columns.push_back(column);
    }
    return columns;
}

/// The steps of a curve as a path: from left to right, or back.
template <class Value>
std::string steppedPath(const SvgPlot& plot, const std::vector<MemoryColumn>& columns, bool isBack,
                        const Value& value) {
    std::string data;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const MemoryColumn& column = columns[isBack ? columns.size() - 1 - i : i];
        const double from = plot.x(static_cast<double>(isBack ? column.end : column.begin));
        const double to = plot.x(static_cast<double>(isBack ? column.begin : column.end));
        fmt::format_to(std::back_inserter(data), "{}{:.1f} {:.1f}H{:.1f}", i == 0 && !isBack ? "M" : "L",
                       from, plot.y(static_cast<double>(value(i, column))), to);
    }
    return data;
}

void addAreas(SvgPlot& plot, const std::vector<MemoryColumn>& columns) {
    std::vector<Bytes> below(columns.size(), 0);
    for (const Category category : kAllCategories) {
        if (std::ranges::all_of(columns, [&](const auto& column) { return column.bytes[category] <= 0; }))
            continue;
        const std::string top =
            steppedPath(plot, columns, false, [&](std::size_t i, const MemoryColumn& column) {
                return below[i] + column.bytes[category];
            });
        const std::string back =
            steppedPath(plot, columns, true, [&](std::size_t i, const MemoryColumn& /*c*/) {
                return below[columns.size() - 1 - i];
            });
        plot.path(fmt::format("area {}", categoryName(category)), top + back + "Z");
        for (std::size_t i = 0; i < columns.size(); ++i) below[i] += columns[i].bytes[category];
    }
}

/// Which phase runs when, as bars under the axis; named where there is room.
void addPhases(SvgPlot& plot, const std::vector<OpReading>& ops) {
    constexpr double kRoom = 62;
    const double top = plot.bottom() + 26;
    for (std::size_t begin = 0; begin < ops.size();) {
        std::size_t end = begin;
        while (end < ops.size() && ops[end].phase == ops[begin].phase) ++end;
        const double from = plot.x(static_cast<double>(begin)), to = plot.x(static_cast<double>(end));
        const std::string_view phase = phaseName(ops[begin].phase);
        plot.add(fmt::format(R"(<rect class="bar {}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="4">)"
                             R"(<title>{}</title></rect>)",
                             phase, from, top, std::max(to - from, 0.5), said(phase)));
        if (to - from >= kRoom) plot.text((from + to) / 2, top + 18, "tick mid", inWords(phase));
        begin = end;
    }
}

std::string legendEntry(std::string_view classes, std::string_view text) {
    return fmt::format(R"(<li><i class="{}"></i>{}</li>)", classes, said(text));
}

const MemoryReading* memoryOf(const Reading* reading) {
    return reading != nullptr && reading->memory && !reading->memory->curve.empty() ? &*reading->memory
                                                                                    : nullptr;
}

}  // namespace

std::string absentFigure(std::string_view why) {
    return fmt::format(R"(<p class="absent">{}</p>)", htmlText(asSentence(inWords(why))));
}

std::string memoryFigure(const ExportedStep& step) {
    const MemoryReading* predicted = memoryOf(step.predicted.get());
    const MemoryReading* measured = memoryOf(step.measured.get());
    const MemoryReading* filled = measured != nullptr ? measured : predicted;
    if (filled == nullptr) return absentFigure("No memory was predicted or measured");
    const Reading& reading = measured != nullptr ? *step.measured : *step.predicted;
    const bool isOfOneStep = predicted != nullptr && predicted->curve.size() == filled->curve.size();

    const std::vector<MemoryColumn> columns = columnsOf(filled->curve);
    Bytes most = 1;
    for (const MemoryReading* memory : {predicted, measured})
        if (memory != nullptr)
            for (const CategoryBytes& bytes : memory->curve) most = std::max(most, total(bytes));
    SvgPlot plot(inWords("Memory over one step by category"),
                 {0, static_cast<double>(filled->curve.size()), false, "", inWords("operation in the step")},
                 {0, static_cast<double>(most) * kHeadroom, false, "B", ""}, 26);
    addAreas(plot, columns);
    if (measured != nullptr && isOfOneStep)
        plot.path("line dashed", steppedPath(plot, columnsOf(predicted->curve), false,
                                             [](std::size_t /*i*/, const MemoryColumn& column) {
                                                 return total(column.bytes);
                                             }));
    addPhases(plot, reading.ops);

    std::string legend;
    for (const Category category : kAllCategories)
        if (filled->categoryPeak[category] > 0)
            legend += legendEntry(
                fmt::format("area {}", categoryName(category)),
                fmt::format("{} {}", inWords(categoryLabel(category)), bytesText(filled->atPeak[category])));
    if (measured != nullptr && isOfOneStep) legend += legendEntry("dashed", "predicted, all together");
    std::string caption =
        said(measured != nullptr
                 ? "Filled: measured. Beside each category its bytes at the peak."
                 : "Filled: predicted; nothing was measured. Beside each category its bytes at the peak.");
    if (filled->curve.size() > kMostColumns)
        caption += " " + said("Neighbouring operations share a place, which shows the largest of them.");
    return fmt::format("<figure>{}<ul class=\"legend\">{}</ul><figcaption>{}</figcaption></figure>",
                       plot.take(), legend, caption);
}

std::string lossFigure(const ExportedStep& step) {
    if (!step.training || step.training->steps.empty()) return {};
    std::vector<const StepMetrics*> known;
    for (const StepMetrics& metrics : step.training->steps)
        if (std::isfinite(metrics.loss)) known.push_back(&metrics);
    if (known.empty()) return absentFigure("The loss of this training is not finite in any step");
    double low = known.front()->loss, high = low;
    for (const StepMetrics* metrics : known) {
        low = std::min(low, metrics->loss);
        high = std::max(high, metrics->loss);
    }
    const bool isLog = low > 0 && high / low > 10;
    const auto first = static_cast<double>(known.front()->step),
               last = static_cast<double>(known.back()->step);
    const double room = std::max((high - low) * 0.05, std::abs(high) * 1e-3 + 1e-12);
    SvgPlot plot(inWords("Loss by step"), {first, std::max(last, first + 1), false, "", inWords("step")},
                 {isLog ? low / 1.2 : low - room, isLog ? high * 1.2 : high + room, isLog, "", ""});
    std::string data;
    for (const StepMetrics* metrics : known)
        fmt::format_to(std::back_inserter(data), "{}{:.1f} {:.1f}", data.empty() ? "M" : "L",
                       plot.x(static_cast<double>(metrics->step)), plot.y(metrics->loss));
    plot.path("line loss", data);
    const std::int64_t done = step.training->stepsDone;
    const std::string& outcome = step.training->outcome;
    const std::string caption =
        isLog ? fmt::format(
                    "{} steps done, {}. Shown are the steps that the file keeps, on a logarithmic axis.",
                    done, outcome)
              : fmt::format("{} steps done, {}. Shown are the steps that the file keeps.", done, outcome);
    return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>", plot.take(), said(caption));
}

}  // namespace plumb
