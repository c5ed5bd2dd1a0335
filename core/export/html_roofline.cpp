// SPDX-License-Identifier: Apache-2.0
#include "core/base/words.h"
#include "core/export/html_charts.h"
#include "core/export/html_text.h"
#include "core/export/svg_plot.h"
#include "core/measure/memory_roofs.h"
#include "core/measure/roofline_points.h"
#include "core/recorded/recorded_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace plumb {
namespace {

struct Roofs {
    std::vector<MemoryRoof> slopes;
    std::vector<std::pair<std::string, double>> peaks;  ///< name and FLOP/s, the highest first
};

/// The ceilings that ops of this step have.
Roofs roofsOf(const ExportedStep& step) {
    const Machine& machine = step.planned->machine();
    std::set<Dtype> used;
    for (std::int32_t op = 0; op < step.step()->opCount(); ++op)
        if (step.step()->op(op).flops > 0) used.insert(step.step()->op(op).units);
    Roofs roofs{memoryRoofs(machine), {}};
    for (const auto& [dtype, peak] : machine.peakFlopPerSecond)
        if (used.contains(dtype) && peak > 0) roofs.peaks.emplace_back(dtypeName(dtype), peak);
    std::ranges::sort(roofs.peaks, std::greater{}, &std::pair<std::string, double>::second);
    return roofs;
}

/// The range of both axes: around all points and the knees of the roofs.
struct Ranges {
    double xLow = 1e300, xHigh = 0, yLow = 1e300, yHigh = 0;
    void take(double x, double y) {
        if (!(x > 0) || !(y > 0) || !std::isfinite(x) || !std::isfinite(y)) return;
        xLow = std::min(xLow, x);
        xHigh = std::max(xHigh, x);
        yLow = std::min(yLow, y);
        yHigh = std::max(yHigh, y);
    }
};

Ranges rangesOf(const std::vector<RooflinePoint>& points, const Roofs& roofs) {
    Ranges ranges;
    for (const RooflinePoint& point : points) {
        if (point.predicted) ranges.take(point.intensity, *point.predicted);
        if (point.measured) ranges.take(point.measuredIntensity(), *point.measured);
    }
    for (const auto& [name, peak] : roofs.peaks)
        if (!roofs.slopes.empty()) ranges.take(peak / roofs.slopes.front().bytesPerSecond, peak);
    return ranges;
}

void addRoofs(SvgPlot& plot, const Roofs& roofs, const Ranges& ranges) {
    if (roofs.peaks.empty() || roofs.slopes.empty()) return;
    const double left = ranges.xLow / 3, right = ranges.xHigh * 3;
    const double top = roofs.peaks.front().second;
    for (std::size_t i = 0; i < roofs.slopes.size(); ++i) {
        const double rate = roofs.slopes[i].bytesPerSecond;
        const double begin = std::max(left, ranges.yLow / 3 / rate), knee = std::min(top / rate, right);
        if (!(knee > begin)) continue;
        plot.path(i == 0 ? "roof" : "roof faint",
                  fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", plot.x(begin), plot.y(begin * rate),
                              plot.x(knee), plot.y(knee * rate)));
    }
    double taken = -1e9;
    for (const auto& [name, peak] : roofs.peaks) {
        const double from = std::max(peak / roofs.slopes.front().bytesPerSecond, left);
        plot.path("roof", fmt::format("M{:.1f} {:.1f}H{:.1f}", plot.x(from), plot.y(peak), plot.right()));
        const double at = std::max(plot.y(peak) - 5, taken + 14);
        plot.text(plot.right() - 4, at, "tick end", name + " " + formatQuantity(peak, "FLOP/s"));
        taken = at;
    }
    const double rate = roofs.slopes.front().bytesPerSecond;
    const double at = std::max(left, ranges.yLow / 3 / rate) * 1.3;
    plot.text(plot.x(at) + 12, std::min(plot.y(at * rate) + 10, plot.bottom() - 6), "tick",
              inWords("memory") + " " + formatQuantity(rate, "B/s"));
}

std::string titleOf(const ExportedStep& step, const RooflinePoint& point, std::string_view what,
                    std::optional<Seconds> seconds, double rate) {
    const std::size_t ops = point.ops.size();
    return fmt::format(
        "{} · {} · {} · {} · {}{}", inWords(phaseName(point.phase)), nameInWords(*step.step(), point.label),
        inWords(ops == 1 ? "1 operation" : fmt::format("{} operations", ops)), inWords(what),
        formatQuantity(rate, "FLOP/s"), seconds ? " · " + formatQuantity(*seconds, "s") : std::string());
}

}  // namespace

std::string rooflineFigure(const ExportedStep& step) {
    if (!step.planned) return absentFigure("There is no roofline, since this version cannot plan the step");
    std::optional<MeasuredStep> measured;
    if (step.measured) measured.emplace(*step.planned, step.measured);
    const auto measuredOp = [&](std::int64_t op) {
        return measured ? measured->op(*step.step(), op) : nullptr;
    };
    const std::vector<RooflinePoint> points =
        groupedPoints(rooflinePoints(*step.step(), step.planned->machine(), *step.planned->prediction,
                                     MemoryLevel::Dram, measuredOp),
                      *step.step());
    const Roofs roofs = roofsOf(step);
    const Ranges ranges = rangesOf(points, roofs);
    if (!(ranges.xHigh > 0))
        return absentFigure(
            "There is no roofline: no time of an operation with FLOPs is known, and no ceiling of "
            "its machine");
    SvgPlot plot(
        inWords("Roofline: FLOP/s over FLOP per byte"),
        {ranges.xLow / 3, ranges.xHigh * 3, true, "", inWords("arithmetic intensity, FLOP per byte")},
        {ranges.yLow / 3, ranges.yHigh * 3, true, "FLOP/s", ""});
    addRoofs(plot, roofs, ranges);
    bool hasPredicted = false, hasMeasured = false;
    std::set<Phase> phases;
    for (const RooflinePoint& point : points) {
        if (point.predicted || point.measured) phases.insert(point.phase);
        if (point.predicted) {
            hasPredicted = true;
            plot.dot(plot.x(point.intensity), plot.y(*point.predicted),
                     fmt::format("dot hollow {}", phaseName(point.phase)),
                     titleOf(step, point, "predicted", point.predictedSeconds, *point.predicted));
        }
        if (point.measured && *point.measured > 0) {
            hasMeasured = true;
            plot.dot(plot.x(point.measuredIntensity()), plot.y(*point.measured),
                     fmt::format("dot {}", phaseName(point.phase)),
                     titleOf(step, point, "measured", point.measuredSeconds, *point.measured));
        }
    }
    std::string legend;
    for (const Phase phase : phases)
        legend +=
            fmt::format(R"(<li><i class="area {}"></i>{}</li>)", phaseName(phase), said(phaseName(phase)));
    std::vector<std::string> caption{said("A point is all operations of one phase, kind and shape.")};
    if (hasPredicted)
        caption.push_back(
            said(step.hasSamePrediction ? "Hollow: predicted." : "Hollow: predicted by this version."));
    if (hasMeasured) caption.push_back(said("Filled: measured."));
    const Machine& machine = step.planned->machine();
    caption.push_back(said(roofs.peaks.empty() || roofs.slopes.empty()
                               ? "No ceilings, since those of the machine are not known."
                               : fmt::format("Lines: ceilings of {} ({}).", machine.name, machine.source)));
    return fmt::format("<figure>{}<ul class=\"legend\">{}</ul><figcaption>{}</figcaption></figure>",
                       plot.take(), legend, fmt::join(caption, " "));
}

}  // namespace plumb
