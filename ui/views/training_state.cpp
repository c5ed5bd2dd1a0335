// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/training_state.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumb::ui {

namespace {

/// Adds the exponential mean of log(loss) to `curve`, reaching back and ahead, so that it lies on a falling
/// curve and does not trail behind it. The logarithm, because the axis shows it: a mean of the losses
/// themselves would lie far above a curve that falls through decades. A point counts for the steps that it
/// stands for, so that thinning out the history does not change the mean.
void addSmooth(TrainingCurve& curve, const TrainingOptions& options) {
    const double length = static_cast<double>(curve.points.back().step - curve.points.front().step);
    const double share = options.smoothing / 100.0;
    curve.window = share * share * length / 5;
    if (!(curve.window > 0)) return;
    struct Entry {
        double x, step, log, width, sum, weight;
    };
    std::vector<Entry> entries;
    entries.reserve(curve.points.size());
    for (const LossPoint& point : curve.points)
        if (std::isfinite(point.loss) && point.loss > 0)
            entries.push_back(
                {xOf(point, options.axis), static_cast<double>(point.step), std::log(point.loss), 1, 0, 0});
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double before = i > 0 ? entries[i].step - entries[i - 1].step : 0;
        const double after = i + 1 < entries.size() ? entries[i + 1].step - entries[i].step : 0;
        entries[i].width = std::max(1.0, (before + after) / 2);
    }
    if (entries.empty()) return;
    // `sum` and `weight` are what lies beyond the first entry of the pass, seen from there.
    const auto pass = [&](auto begin, auto end, double sum, double weight) {
        double last = begin->step;
        for (auto entry = begin; entry != end; ++entry) {
            const double keep = std::exp(-std::abs(entry->step - last) / curve.window);
            sum *= keep;
            weight *= keep;
            entry->sum += sum;  // without itself, which is added once at the end
            entry->weight += weight;
            sum += entry->width * entry->log;
            weight += entry->width;
            last = entry->step;
        }
    };
    pass(entries.rbegin(), entries.rend(), 0, 0);
    // Before the first step stands the curve turned around that point: the mean starts where the loss starts,
    // which falls fastest there. The newest end has no such support; turned around a noisy point it would
    // jump.
    const Entry& first = entries.front();
    pass(entries.begin(), entries.end(), 2 * first.log * first.weight - first.sum, first.weight);
    curve.smooth.reserve(static_cast<qsizetype>(entries.size()));
    for (const Entry& entry : entries)
        curve.smooth.append(
            {entry.x, std::exp((entry.sum + entry.width * entry.log) / (entry.weight + entry.width))});
}

}  // namespace

double xOf(const LossPoint& point, TrainingOptions::Axis axis) {
    return axis == TrainingOptions::Axis::Steps ? static_cast<double>(point.step) : point.seconds;
}

TrainingCurve makeCurve(const LossHistory& history, const TrainingOptions& options) {
    TrainingCurve curve;
    curve.points = history.points();
    if (curve.points.empty()) return curve;
    curve.lowest = std::numeric_limits<double>::infinity();
    curve.line.reserve(static_cast<qsizetype>(curve.points.size()));
    for (const LossPoint& point : curve.points) {
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
    if (options.smoothing > 0) addSmooth(curve, options);
    return curve;
}

const LossPoint* nearestPoint(const TrainingCurve& curve, double x, TrainingOptions::Axis axis) {
    if (curve.points.empty()) return nullptr;
    const auto right =
        std::ranges::lower_bound(curve.points, x, {}, [axis](const LossPoint& p) { return xOf(p, axis); });
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

QString runDifference(const RunConfig& run, const RunConfig& current) {
    QStringList parts;
    for (const OptionInfo& option : runOptions()) {
        const std::string value = optionValue(run, option.name);
        if (value == optionValue(current, option.name)) continue;
        parts << QString::fromUtf8(option.name.data(), static_cast<qsizetype>(option.name.size())) + u' ' +
                     QString::fromStdString(value);
    }
    constexpr qsizetype kShown = 2;
    if (parts.size() > kShown) {
        const auto more = parts.size() - kShown;
        parts.resize(kShown);
        parts << QCoreApplication::translate("TrainingView", "%1 more").arg(more);
    }
    return parts.join(QStringLiteral(", "));
}

QVector<double> thinned(const QVector<double>& xs, double distance) {
    QVector<double> kept;
    for (const double x : xs)
        if (kept.isEmpty() || x - kept.back() >= distance) kept.append(x);
    return kept;
}

std::optional<double> noiseFloor(const RunConfig& config) {
    if (config.data != "synthetic" || config.noise <= 0) return std::nullopt;
    return config.noise * config.noise;
}

std::optional<double> secondsLeft(const RunRecord& run) {
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

bool isFailure(const QString& outcome) {
    return !outcome.isEmpty() && !outcome.startsWith(QStringLiteral("finished")) &&
           !outcome.startsWith(QStringLiteral("stopped")) &&
           !outcome.startsWith(QCoreApplication::translate("plumb::ui::Workbench", "stopped"));
}

}  // namespace plumb::ui
