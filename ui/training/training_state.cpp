// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_state.h"

#include "core/measure/training_series.h"
#include "ui/theme/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumb::ui {

namespace {

/// Means of `values`, weighted, over the entries at most `reach` steps away, as many on either side: near an
/// end the reach shrinks, so that the first and the last entry stay what they are. Sums run along,
/// O(entries).
std::vector<double> boxMeans(const std::vector<LossMean>& at, const std::vector<double>& values,
                             double reach) {
    std::vector<double> sums(values.size() + 1), weights(values.size() + 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto weight = static_cast<double>(at[i].count);
        sums[i + 1] = sums[i] + weight * values[i];
        weights[i + 1] = weights[i] + weight;
    }
    std::vector<double> means(values.size());
    std::size_t begin = 0, end = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double here = at[i].step;
        const double most = std::min({reach, here - at.front().step, at.back().step - here});
        while (at[begin].step < here - most) ++begin;
        end = std::max(end, i + 1);
        while (end < values.size() && at[end].step <= here + most) ++end;
        means[i] = end - begin < 2 ? values[i] : (sums[end] - sums[begin]) / (weights[end] - weights[begin]);
    }
    return means;
}

/// Adds the smoothed losses to `curve`: what lies further away than the stated window has no part in a point.
///
/// On a log axis a falling loss is a straight line, which a mean of losses would lift and bend long before
/// the data bends. So the trend is the mean of the logarithms; but that of noisy losses lies below what a
/// model can reach, and so the losses as multiples of the trend have their arithmetic mean put back. All of
/// it is made of the history's exact means and never of the kept extremes.
void addSmooth(TrainingCurve& curve, const LossHistory& history, const TrainingOptions& options) {
    const auto length = static_cast<double>(curve.points.back().step - curve.points.front().step);
    const double share = options.smoothing / 100.0;
    curve.window = share * share * length;
    if (curve.window < 1) {  // less than a step on either side is no mean
        curve.window = 0;
        return;
    }
    std::vector<LossMean> means = history.means();
    std::erase_if(means, [](const LossMean& mean) { return !std::isfinite(mean.loss) || mean.loss <= 0; });
    if (means.empty()) return;  // a log axis has no place for them
    // Four boxes, one after the other, reach as far as the window and look like a bell.
    const double reach = curve.window / 4;
    std::vector<double> trend(means.size()), multiple(means.size());
    std::ranges::transform(means, trend.begin(), [](const LossMean& mean) { return std::log(mean.loss); });
    trend = boxMeans(means, boxMeans(means, trend, reach), reach);
    for (std::size_t i = 0; i < means.size(); ++i) multiple[i] = means[i].loss / std::exp(trend[i]);
    multiple = boxMeans(means, boxMeans(means, multiple, reach), reach);
    const bool bySteps = options.axis == TrainingOptions::Axis::Steps;
    curve.smooth.reserve(static_cast<qsizetype>(means.size()) + 2);
    // A mean of merged steps lies between them: the curve begins and ends where the data does.
    const auto addEnd = [&](const QPointF& end) {
        if (std::isfinite(end.y()) && (curve.smooth.isEmpty() || curve.smooth.last().x() < end.x()))
            curve.smooth.append(end);
    };
    if (bySteps ? means.front().step > curve.line.first().x()
                : means.front().seconds > curve.line.first().x())
        addEnd(curve.line.first());
    for (std::size_t i = 0; i < means.size(); ++i)
        curve.smooth.append({bySteps ? means[i].step : means[i].seconds, std::exp(trend[i]) * multiple[i]});
    addEnd(curve.line.last());
}

}  // namespace

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
    if (options.smoothing > 0) addSmooth(curve, history, options);
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

QString runDifference(const RunConfig& run, const RunConfig& current) {
    QStringList parts;
    for (const OptionInfo& option : runOptions()) {
        const std::string value = optionValue(run, option.name);
        if (value == optionValue(current, option.name)) continue;
        parts << toText(option.name) + u' ' + toText(value);
    }
    constexpr qsizetype kShown = 2;
    if (parts.size() > kShown) {
        const auto more = parts.size() - kShown;
        parts.resize(kShown);
        parts << tr("%1 more").arg(more);
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

bool isFailure(const QString& outcome) {
    return !outcome.isEmpty() && !outcome.startsWith(QStringLiteral("finished")) &&
           !outcome.startsWith(QStringLiteral("stopped")) &&
           !outcome.startsWith(QCoreApplication::translate("plumb::ui::Workbench", "stopped"));
}

}  // namespace plumb::ui
