// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_state.h"

#include "core/measure/loss_smoothing.h"
#include "core/measure/training_series.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/workbench/option_titles.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumb::ui {

double xOf(const StepMetrics& point, TrainingOptions::Axis axis) {
    return axis == TrainingOptions::Axis::Steps ? static_cast<double>(point.step) : point.seconds;
}

TrainingCurve makeCurve(const LossHistory& history, const TrainingOptions& options) {
    TrainingCurve curve;
    curve.points = history.points();
    if (curve.points.empty()) return curve;
    curve.lowest = std::numeric_limits<double>::infinity();
    curve.line.reserve(static_cast<qsizetype>(curve.points.size()));
    for (const StepMetrics& point : curve.points) {
        const double x = xOf(point, options.axis);
        curve.lastX = std::max(curve.lastX, x);
        if (std::isfinite(point.loss) && point.loss > 0) {
            curve.lowest = std::min(curve.lowest, point.loss);
            curve.highest = std::max(curve.highest, point.loss);
            curve.line.append({x, point.loss});
            continue;
        }
        (std::isfinite(point.loss) ? curve.notPositive : curve.notFinite).append(x);
        curve.line.append({x, std::numeric_limits<double>::quiet_NaN()});
    }
    if (std::isinf(curve.lowest)) curve.lowest = 0;
    const SmoothLosses smooth = smoothLosses(history, options.smoothing / 100.0);
    curve.window = smooth.window;
    curve.smooth.reserve(static_cast<qsizetype>(smooth.losses.size()));
    const bool bySteps = options.axis == TrainingOptions::Axis::Steps;
    for (const SmoothLoss& point : smooth.losses)
        curve.smooth.append({bySteps ? point.step : point.seconds, point.loss});
    return curve;
}

QVector<QPointF> holdOutLine(const std::vector<HoldOutLoss>& points, const TrainingCurve& curve,
                             TrainingOptions::Axis axis) {
    QVector<QPointF> line;
    for (const HoldOutLoss& point : points) {
        if (!std::isfinite(point.loss) || point.loss <= 0) continue;
        const auto step = static_cast<double>(point.step);
        const StepMetrics* at = nearestPoint(curve, step, TrainingOptions::Axis::Steps);
        if (axis == TrainingOptions::Axis::Seconds && at == nullptr) continue;
        line.append({axis == TrainingOptions::Axis::Seconds ? at->seconds : step, point.loss});
    }
    return line;
}

QVector<QPointF> pointsInside(const QVector<QPointF>& line, const TrainingWindow& window) {
    if (!window) return line;
    auto first = std::ranges::lower_bound(line, window->first, {}, &QPointF::x);
    auto last = std::ranges::upper_bound(line, window->second, {}, &QPointF::x);
    if (first != line.begin()) --first;
    if (last != line.end()) ++last;
    return {first, std::max(first, last)};
}

std::optional<std::pair<double, double>> positiveInside(const QVector<QPointF>& line,
                                                        const TrainingWindow& window) {
    std::optional<std::pair<double, double>> range;
    for (const QPointF& point : line) {
        const bool isInside = !window || (point.x() >= window->first && point.x() <= window->second);
        if (!isInside || !std::isfinite(point.y()) || point.y() <= 0) continue;
        if (!range) range.emplace(point.y(), point.y());
        range = std::pair(std::min(range->first, point.y()), std::max(range->second, point.y()));
    }
    return range;
}

const StepMetrics* nearestPoint(const TrainingCurve& curve, double x, TrainingOptions::Axis axis) {
    if (curve.points.empty()) return nullptr;
    const auto right =
        std::ranges::lower_bound(curve.points, x, {}, [axis](const StepMetrics& p) { return xOf(p, axis); });
    if (right == curve.points.begin()) return &*right;
    const auto left = std::prev(right);
    if (right == curve.points.end()) return &*left;
    return x - xOf(*left, axis) <= xOf(*right, axis) - x ? &*left : &*right;
}

QVector<QPointF> columnExtremes(const QVector<QPointF>& line, double column) {
    if (!(column > 0)) return line;
    QVector<QPointF> kept;
    const auto columnOf = [column](const QPointF& point) { return std::floor(point.x() / column); };
    for (qsizetype begin = 0; begin < line.size();) {
        if (std::isnan(line[begin].y())) {
            kept.append(line[begin++]);
            continue;
        }
        qsizetype low = begin;
        qsizetype high = begin;
        qsizetype end = begin;
        for (;
             end < line.size() && !std::isnan(line[end].y()) && columnOf(line[end]) == columnOf(line[begin]);
             ++end) {
            if (line[end].y() < line[low].y()) low = end;
            if (line[end].y() > line[high].y()) high = end;
        }
        kept.append(line[std::min(low, high)]);
        if (low != high) kept.append(line[std::max(low, high)]);
        begin = end;
    }
    return kept;
}

QVector<QPointF> onePerColumn(const QVector<QPointF>& line, double column) {
    if (!(column > 0) || line.isEmpty()) return line;
    QVector<QPointF> kept{line.first()};
    for (const QPointF& point : line)
        if (point.x() - kept.back().x() >= column) kept.append(point);
    if (kept.back() != line.last()) kept.append(line.last());
    return kept;
}

QString runDifference(const TrainingRun& run, const TrainingRun& current) {
    std::vector<std::string_view> differing;
    for (const OptionInfo& option : runOptions())
        if (optionValue(run.config, option.name) != optionValue(current.config, option.name))
            differing.push_back(option.name);
    return optionsText(run.config, differing);
}

QVector<double> thinned(const QVector<double>& xs, double distance) {
    QVector<double> kept;
    for (const double x : xs)
        if (kept.isEmpty() || x - kept.back() >= distance) kept.append(x);
    return kept;
}

std::optional<double> secondsLeft(const TrainingRun& run) {
    if (!run.outcome.isEmpty() || run.stepsWanted <= 0 || !(run.stepsPerSecond > 0)) return std::nullopt;
    return static_cast<double>(std::max<std::int64_t>(0, run.stepsWanted - run.stepsDone)) /
           run.stepsPerSecond;
}

QString clockText(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0 || seconds > 1e12) return QStringLiteral("–");
    const auto whole = static_cast<qint64>(std::llround(seconds));
    const auto two = [](qint64 value) { return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0')); };
    if (whole >= 86400) return QStringLiteral("%1 d %2 h").arg(whole / 86400).arg(two(whole / 3600 % 24));
    if (whole >= 3600)
        return QStringLiteral("%1:%2:%3").arg(whole / 3600).arg(two(whole / 60 % 60), two(whole % 60));
    return two(whole / 60) + u':' + two(whole % 60);
}

}  // namespace plumb::ui
