// SPDX-License-Identifier: Apache-2.0
#include "core/compare/shift.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace plumb {
namespace {

std::optional<RooflineSpot> spotOf(const OpRow::Figures& figures) {
    if (!figures.flops || !figures.bytes || !figures.time) return std::nullopt;
    if (*figures.flops <= 0 || *figures.bytes <= 0 || !(figures.time->median > 0)) return std::nullopt;
    const auto flops = static_cast<double>(*figures.flops);
    return RooflineSpot{flops / static_cast<double>(*figures.bytes), flops / figures.time->median};
}

std::vector<std::pair<double, double>> lossesOf(const ComparedStep& step) {
    std::vector<std::pair<double, double>> losses;
    for (const StepMetrics& metrics : step.training)
        if (std::isfinite(metrics.loss)) losses.emplace_back(static_cast<double>(metrics.step), metrics.loss);
    return losses;
}

}  // namespace

std::vector<RooflineShift> rooflineShifts(const Comparison& comparison, std::size_t index) {
    std::vector<RooflineShift> shifts;
    for (std::size_t i = 0; i < comparison.ops.size(); ++i) {
        const OpRow& row = comparison.ops[i];
        const OpRow::Figures &before = row.figures.front(), &after = row.figures[index];
        const auto baseline = spotOf(before), other = spotOf(after);
        if (!baseline || !other) continue;
        shifts.push_back({i, row.phase, row.place.empty() ? row.kind : row.place + " · " + row.kind,
                          *baseline, *other, std::max(before.time->median, after.time->median),
                          row.differsAt(index)});
    }
    std::ranges::stable_sort(shifts, std::greater{}, &RooflineShift::seconds);
    return shifts;
}

LossDifference lossDifference(const ComparedStep& baseline, const ComparedStep& other) {
    LossDifference result;
    const auto before = lossesOf(baseline);
    if (before.empty()) return result;
    auto above = before.begin();
    for (const auto& [step, loss] : lossesOf(other)) {
        above =
            std::find_if(above, before.end(), [at = step](const auto& point) { return point.first >= at; });
        if (above == before.end()) break;
        double known = above->second;
        if (above->first > step) {
            if (above == before.begin()) continue;
            const auto below = std::prev(above);
            const double share = (step - below->first) / (above->first - below->first);
            known = below->second + share * (above->second - below->second);
        }
        result.steps.push_back(step);
        result.difference.push_back(loss - known);
    }
    return result;
}

}  // namespace plumb
