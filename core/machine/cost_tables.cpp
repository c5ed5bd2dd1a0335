// SPDX-License-Identifier: Apache-2.0
#include "core/machine/cost_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace plumb {

namespace {

/// The neighbours of `x` among rising `size` values, and how far it lies from the first to the second;
/// clamped.
struct Between {
    std::size_t first = 0;
    std::size_t second = 0;
    double share = 0;
};

template <class ValueAt>
Between locate(std::size_t size, double x, ValueAt&& valueAt) {
    if (x <= valueAt(0)) return {0, 0, 0};
    if (x >= valueAt(size - 1)) return {size - 1, size - 1, 0};
    std::size_t low = 0;
    std::size_t high = size - 1;
    while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        (valueAt(middle) <= x ? low : high) = middle;
    }
    const double begin = std::log(valueAt(low));
    return {low, high, (std::log(x) - begin) / (std::log(valueAt(high)) - begin)};
}

/// Exact at both ends, whatever rounding does in between.
double mix(double first, double second, double share) {
    return share <= 0 ? first : first + (second - first) * share;
}

/// How much less work there is at `x` than at the smallest measured size `first`, as a logarithm; 0 from
/// there on. The work grows between the sizes `first` and `second` from `firstWork` to `secondWork`, by a
/// power law. Below what was measured an op takes as long as there: what it takes to begin does not shrink
/// with it.
double logWorkBelow(double x, double first, double second, double firstWork, double secondWork) {
    if (x >= first || second <= first) return 0;
    return std::log(secondWork / firstWork) / std::log(second / first) * std::log(first / x);
}

/// Logarithm of seconds per unit of work.
double logCost(const CostLine& line, double row) {
    const Between at = locate(line.rows.size(), row, [&](std::size_t i) { return line.rows[i]; });
    const auto cost = [&](std::size_t i) { return std::log(line.seconds[i] / line.work[i]); };
    const std::size_t next = std::min<std::size_t>(1, line.rows.size() - 1);
    return mix(cost(at.first), cost(at.second), at.share) +
           logWorkBelow(row, line.rows[0], line.rows[next], line.work[0], line.work[next]);
}

/// Logarithm of the cost by the lines of one plane.
double logCost(std::span<const CostLine> lines, const CostPoint& point) {
    const Between at = locate(lines.size(), point.column, [&](std::size_t i) { return lines[i].column; });
    const double first = logCost(lines[at.first], point.row);
    if (at.share > 0) return mix(first, logCost(lines[at.second], point.row), at.share);
    if (point.column >= lines.front().column) return first;
    // Work at the same row in both lines, where they have one in common: its growth with the column alone.
    const CostLine &here = lines.front(), &next = lines[std::min<std::size_t>(1, lines.size() - 1)];
    for (std::size_t i = 0; i < here.rows.size(); ++i)
        for (std::size_t j = 0; j < next.rows.size(); ++j)
            if (here.rows[i] == next.rows[j])
                return first +
                       logWorkBelow(point.column, here.column, next.column, here.work[i], next.work[j]);
    return first;
}

}  // namespace

Seconds CostTable::at(const CostPoint& point) const {
    // The planes next to the point: [below, above) and [above, end); few lines are looked at one by one.
    const auto planeEnd = [&](std::size_t begin) {
        std::size_t end = begin;
        while (end < lines.size() && lines[end].plane == lines[begin].plane) ++end;
        return end;
    };
    const std::span<const CostLine> all(lines);
    std::size_t below = 0;
    std::size_t above = planeEnd(below);
    while (above < lines.size() && lines[above].plane <= point.plane) {
        below = above;
        above = planeEnd(below);
    }
    double cost = logCost(all.subspan(below, above - below), point);
    if (above < lines.size() && point.plane > lines[below].plane) {
        const double begin = std::log(lines[below].plane);
        const double share = (std::log(point.plane) - begin) / (std::log(lines[above].plane) - begin);
        cost = mix(cost, logCost(all.subspan(above, planeEnd(above) - above), point), share);
    }
    return point.work * std::exp(cost);
}

double distanceOf(const CostTable& variant, const CostTable& plain, const CostPoint& point) {
    CostTable distance;
    distance.lines.reserve(variant.lines.size());
    for (const CostLine& line : variant.lines) {
        CostLine& ratios = distance.lines.emplace_back(line);
        for (std::size_t i = 0; i < line.rows.size(); ++i) {
            ratios.seconds[i] /= plain.at({line.rows[i], line.column, line.plane, line.work[i]});
            ratios.work[i] = 1;
        }
    }
    return distance.at({point.row, point.column, point.plane, 1});
}

const CostTable* CostTables::find(std::string_view op) const {
    const auto found =
        std::lower_bound(tables.begin(), tables.end(), op, [](const CostTable& table, std::string_view name) {
            return std::string_view(table.op) < name;
        });
    return found != tables.end() && found->op == op ? &*found : nullptr;
}

std::optional<double> CostTables::bandwidthAt(double workingSet) const {
    if (bandwidth.empty()) return std::nullopt;
    const Between at = locate(bandwidth.size(), workingSet,
                              [&](std::size_t i) { return static_cast<double>(bandwidth[i].workingSet); });
    return std::exp(mix(std::log(bandwidth[at.first].copy), std::log(bandwidth[at.second].copy), at.share));
}

std::string text(const PredictionErrors& errors) {
    std::string atSpeed;
    if (errors.medianErrorAtSpeed && errors.p90ErrorAtSpeed)
        atSpeed = fmt::format("; at the speed of the moment {:.2g} %, 90 % within {:.2g} %",
                              100 * *errors.medianErrorAtSpeed, 100 * *errors.p90ErrorAtSpeed);
    if (errors.opMedianError)
        atSpeed += fmt::format("; of single operations {:.2g} %", 100 * *errors.opMedianError);
    return fmt::format("predictions on this machine: median error {:.2g} %, 90 % within {:.2g} % "
                       "({} configuration{}, {}){}",
                       100 * errors.medianError, 100 * errors.p90Error, errors.configurations,
                       errors.configurations == 1 ? "" : "s", errors.date, atSpeed);
}

}  // namespace plumb
