// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recompute/recompute_state.h"

#include "core/plan/fit_schedule.h"
#include "core/plan/recompute_schedule.h"
#include "ui/charts/axis.h"
#include "ui/theme/error_text.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <set>

namespace plumb::ui {
namespace {

using Kind = RecomputePolicy::Kind;

constexpr std::int64_t kMostOnCurve = 64;  // points; also the depth up to which every k is shown
constexpr std::int64_t kFewestOnCurve = 12;
/// Layers of all points together: planning is what takes time, a second for so many.
constexpr std::int64_t kMostPlannedLayers = std::int64_t{1} << 19U;
constexpr std::int64_t kMostLinear = 24;  // deeper networks have a log axis: what matters is near sqrt(L)
constexpr int kMostMeasured = 8;          // values of k that are measured, beside the named policies
constexpr double kNoneX = 1.13;           // places of the policies without a k, right of the curve
constexpr double kFitX = 1.25;
constexpr double kEndX = 1.32;

RecomputePolicy policyOf(Kind kind, std::int64_t interval = 1, Bytes budget = 0) {
    return RecomputePolicy{.kind = kind, .interval = interval, .budgetBytes = budget};
}

/// The head alone has no layers and one schedule: that of a single layer.
std::int64_t depthOf(const RunConfig& config) { return std::max<std::int64_t>(config.layers, 1); }

double placeOf(std::int64_t interval, std::int64_t layers) {
    if (layers <= 1) return 0.5;
    const auto k = static_cast<double>(interval);
    const auto most = static_cast<double>(layers);
    return layers <= kMostLinear ? (k - 1) / (most - 1) : std::log(k) / std::log(most);
}

/// Whole numbers from 1 to `most`, evenly on a log scale, at most `count` of them.
std::set<std::int64_t> logSpaced(std::int64_t most, int count) {
    std::set<std::int64_t> values{1, most};
    for (int i = 0; i < count; ++i)
        values.insert(
            std::llround(std::pow(static_cast<double>(most), static_cast<double>(i) / (count - 1))));
    return values;
}

std::set<std::int64_t> intervalsOf(const RunConfig& config) {
    std::set<std::int64_t> intervals;
    const std::int64_t layers = depthOf(config);
    if (layers <= kMostOnCurve) {
        for (std::int64_t k = 1; k <= layers; ++k) intervals.insert(k);
        return intervals;
    }
    const std::int64_t points = std::clamp(kMostPlannedLayers / layers, kFewestOnCurve, kMostOnCurve);
    intervals = logSpaced(layers, static_cast<int>(points) - 2);
    intervals.insert(sqrtInterval(layers));
    if (config.recompute.kind == Kind::Every) intervals.insert(std::min(config.recompute.interval, layers));
    return intervals;
}

/// The step with this policy; empty, with the sentence in `why`, when it cannot be planned.
std::optional<RecomputePoint> pointOf(const Scene& scene, const RecomputePolicy& policy, QString* why) {
    RunConfig config = scene.config();
    config.recompute = policy;
    const Result<StepPlan> plan = planStep(config, scene.whatIf.plan->traits);
    if (!plan.has_value()) {
        if (why) *why = errorSentence(plan.error());
        return std::nullopt;
    }
    const Prediction prediction = predict(*plan, scene.whatIf.machine());
    RecomputePoint point{.policy = policy,
                         .label = policyLabel(policy),
                         .peak = prediction.memory.peakBytes,
                         .activationsAtPeak = prediction.memory.atPeak[Category::Activations]};
    point.fits = !scene.whatIf.machine().memoryBytes || point.peak <= *scene.whatIf.machine().memoryBytes;
    point.recomputed = plan->recomputedFlops;
    point.seconds = prediction.totals.seconds;
    if (point.seconds) {
        point.tier = prediction.totals.tier;
        point.recomputation = 0;
        for (std::size_t i = 0; i < plan->ops.size(); ++i)
            if (plan->ops[i].phase == Phase::Recompute)
                *point.recomputation += prediction.opSeconds[i].value_or(0);
    }
    return point;
}

/// What `fit` is shown for: the sliders' own budget; else the machine's memory where not all fits it; else
/// the peak of `sqrt`, to show what the same memory can do.
Bytes fitBudget(const Scene& scene, const QVector<RecomputePoint>& points) {
    if (scene.config().recompute.kind == Kind::Fit) return scene.config().recompute.budgetBytes;
    const bool allFits = std::all_of(points.begin(), points.end(), [](const auto& p) { return p.fits; });
    if (scene.whatIf.machine().memoryBytes && !allFits) return *scene.whatIf.machine().memoryBytes;
    const std::int64_t interval = sqrtInterval(depthOf(scene.config()));
    const auto found = std::find_if(points.begin(), points.end(),
                                    [&](const RecomputePoint& point) { return point.interval == interval; });
    return found == points.end() ? points.first().peak : found->peak;
}

QVector<ChartBand> bandsOf(const RecomputeCurve& curve) {
    QVector<ChartBand> bands;
    const std::int64_t layers = depthOf(curve.scene->config());
    const auto tick = [&](double x, const QString& label) { bands.push_back({x - 0.012, x + 0.012, label}); };
    std::set<std::int64_t> ticks;
    if (layers <= kMostLinear) {
        const std::int64_t step = layers <= 16 ? 1 : 2;
        for (std::int64_t k = step; k <= layers; k += step) ticks.insert(k);
        ticks.insert(1);
    } else {
        for (std::int64_t k = 1; k * 3 <= layers * 2; k *= 2) ticks.insert(k);
        ticks.insert(layers);
    }
    for (const std::int64_t k : ticks) tick(placeOf(k, layers), QString::number(k));
    for (qsizetype i = curve.onCurve; i < curve.points.size(); ++i)
        tick(curve.points[i].x, curve.points[i].mark);
    if (curve.onCurve < curve.points.size()) bands.push_back({1.06, kEndX, {}, 0, true});
    return bands;
}

/// A few k evenly on a log scale, sqrt, none, fit and the sliders' own, as far as they fit.
QVector<RecomputePolicy> choosePolicies(const RecomputeState& state) {
    const std::int64_t layers = depthOf(state.curve.scene->config());
    std::set<std::int64_t> wanted = logSpaced(layers, kMostMeasured);
    wanted.erase(layers);  // the same schedule as 1
    if (layers == 1) wanted.insert(1);
    QVector<RecomputePolicy> chosen;
    for (qsizetype i = 0; i < state.curve.points.size(); ++i) {
        const RecomputePoint& point = state.curve.points[i];
        // The first point from each wanted k on, of a deep network.
        const auto passed = wanted.upper_bound(point.interval);
        const bool reached = passed != wanted.begin();
        wanted.erase(wanted.begin(), passed);
        const bool last = point.interval == layers && layers > 1;
        if (!point.fits || last || !(reached || !point.mark.isEmpty() || i == state.current)) continue;
        chosen.push_back(point.policy);
    }
    return chosen;
}

QString measuresText(const RecomputeState& state) {
    if (state.toMeasure.isEmpty()) return tr("None of these policies fits into the memory of this device.");
    QStringList names;
    for (const RecomputePolicy& policy : state.toMeasure) names << policyLabel(policy);
    QString text =
        tr("Profiles %1, one after another, %2 steps each.").arg(listText(names)).arg(CurveMeasurer::kSteps);
    const bool some = std::any_of(state.curve.points.begin(), state.curve.points.end(),
                                  [](const RecomputePoint& point) { return !point.fits; });
    if (some) text = sentencesText({text, tr("What does not fit is left out.")});
    return text;
}

/// From the measurer, and from the document where it measured one of these policies.
void fillMeasured(RecomputeState& state, const CurveMeasurer& measurer) {
    const Scene& scene = *state.curve.scene;
    const std::int64_t layers = depthOf(scene.config());
    for (RecomputePoint& point : state.curve.points) {
        if (const MeasuredPolicy* found =
                measurer.find(scene.config(), point.policy, scene.whatIf.machine().id)) {
            point.measuredPeak = found->peakBytes;
            point.measuredSeconds = found->seconds;
            point.measuredSpread = found->spread;
            point.measuredSteps = found->steps;
        }
        if (!scene.measured || scene.measured->machine().id != scene.whatIf.machine().id) continue;
        RunConfig ran = scene.measured->config();
        if (depthOf(ran) != layers ||
            !(canonicalPolicy(ran.recompute, layers) == canonicalPolicy(point.policy, layers)))
            continue;
        ran.recompute = scene.config().recompute;
        if (!(ran == scene.config()) || !scene.measured->reading->totals.seconds) continue;
        if (scene.measured->reading->memory) point.measuredPeak = scene.measured->reading->memory->peakBytes;
        point.measuredSeconds = scene.measured->reading->totals.seconds;
        point.measuredSpread = scene.measured->reading->totals.spread;
        point.measuredSteps = scene.measured->reading->stepsMeasured;
    }
}

void chooseRanges(RecomputeState& state) {
    Bytes highest = 1;
    double seconds = 0;
    double ofNone = 0;
    for (const RecomputePoint& point : std::as_const(state.curve.points)) {
        highest = std::max({highest, point.peak, point.measuredPeak.value_or(0)});
        double& longest = point.policy.kind == Kind::None ? ofNone : seconds;
        longest = std::max({longest, point.seconds.value_or(0), point.measuredSeconds.value_or(0),
                            point.measuredSpread.value_or(Spread()).high});
    }
    // Recomputing each layer from the input takes so long in deep networks that nothing else could be told
    // apart.
    if (seconds == 0 || ofNone < 2 * seconds) seconds = std::max(seconds, ofNone);
    state.limit = state.curve.scene->whatIf.machine().memoryBytes;
    state.limitInSight =
        state.limit && static_cast<double>(*state.limit) <= 1.4 * static_cast<double>(highest);
    if (state.limitInSight) highest = std::max(highest, *state.limit);
    state.highestBytes = niceRange(0, static_cast<double>(highest) * 1.06, false).second;
    if (seconds > 0) state.highestSeconds = niceRange(0, seconds * 1.06, false).second;
}

QString subtitleOf(const RecomputeState& state) {
    QStringList parts;
    const auto& points = state.curve.points;
    const auto measured = std::count_if(points.begin(), points.end(),
                                        [](const auto& p) { return p.measuredSeconds.has_value(); });
    const auto tooLarge = std::count_if(points.begin(), points.end(), [](const auto& p) { return !p.fits; });
    if (state.limit && !state.limitInSight)
        parts << (tooLarge == 0 ? tr("all fit the %1 of the device") : tr("none fits the %1 of the device"))
                     .arg(bytesText(*state.limit));
    const bool predictsTimes = !points.isEmpty() && points.first().seconds.has_value();
    if (!predictsTimes && measured > 0) parts << tr("no ceilings to predict times with: calibrate");
    QString predicted = tr("hollow: predicted");
    if (predictsTimes && points.first().tier)
        predicted = listText({predicted, tierText(*points.first().tier)});
    parts << (measured == 0 ? tr("%1; nothing measured yet").arg(predicted)
                            : tr("%1 · filled: measured").arg(predicted));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

RecomputeCurve makeRecomputeCurve(const ScenePtr& scene) {
    RecomputeCurve curve;
    curve.scene = scene;
    const std::int64_t layers = depthOf(scene->config());
    const std::int64_t sqrt = sqrtInterval(layers);
    for (const std::int64_t interval : intervalsOf(scene->config())) {
        const Kind kind = interval == 1 ? Kind::All : interval == sqrt ? Kind::Sqrt : Kind::Every;
        std::optional<RecomputePoint> point =
            pointOf(*scene, policyOf(kind, kind == Kind::Every ? interval : 1), nullptr);
        if (!point) continue;
        point->interval = interval;
        point->x = placeOf(interval, layers);
        if (kind != Kind::Every) point->mark = policyLabel(point->policy);
        if (interval == layers && layers > 1) point->label = tr("every %1: keeps all").arg(interval);
        if (kind == Kind::Sqrt) point->label = tr("sqrt: every %1").arg(interval);
        curve.points.push_back(*std::move(point));
    }
    curve.onCurve = static_cast<int>(curve.points.size());
    if (curve.points.isEmpty()) return curve;
    const Bytes budget = fitBudget(*scene, curve.points);
    if (std::optional<RecomputePoint> none = pointOf(*scene, policyOf(Kind::None), nullptr)) {
        none->x = kNoneX;
        none->mark = policyLabel(none->policy);
        curve.points.push_back(*std::move(none));
    }
    if (std::optional<RecomputePoint> fit =
            pointOf(*scene, policyOf(Kind::Fit, 1, budget), &curve.withoutFit)) {
        fit->x = kFitX;
        fit->mark = tr("fit");
        curve.points.push_back(*std::move(fit));
    }
    return curve;
}

RecomputeState makeRecomputeState(RecomputeCurve curve, const CurveMeasurer& measurer) {
    RecomputeState state;
    state.curve = std::move(curve);
    const RunConfig& config = state.curve.scene->config();
    const RecomputePolicy current = canonicalPolicy(config.recompute, config.layers);
    for (qsizetype i = 0; i < state.curve.points.size() && state.current < 0; ++i)
        if (canonicalPolicy(state.curve.points[i].policy, config.layers) == current)
            state.current = static_cast<int>(i);
    fillMeasured(state, measurer);
    chooseRanges(state);
    state.bands = bandsOf(state.curve);
    state.maxX = state.curve.onCurve < state.curve.points.size() ? kEndX : 1.03;
    if (state.highestSeconds == 0)
        state.noTimes = tr("No ceilings for this machine yet. Calibrate, or measure this curve");
    state.toMeasure = choosePolicies(state);
    state.measures = measuresText(state);
    state.subtitle = subtitleOf(state);
    state.summary = tr("Peak memory and step time of %1 checkpoint policies: %2")
                        .arg(state.curve.points.size())
                        .arg(state.subtitle);
    return state;
}

HoverCardContent recomputeCard(const RecomputeState& state, const RecomputePoint& point) {
    const Scene& scene = *state.curve.scene;
    const RunConfig& config = scene.config();
    const QString unknown = QStringLiteral("–");
    const auto bytes = [&](const std::optional<Bytes>& value) { return value ? bytesText(*value) : unknown; };
    const auto time = [&](const std::optional<Seconds>& value) {
        return value ? quantityText(*value, "s") : unknown;
    };
    HoverCardContent card;
    card.title = point.label;
    card.header = {tr("predicted"), tr("measured")};
    card.rows.push_back(
        {tr("peak memory"), {bytesText(point.peak), bytes(point.measuredPeak)}, std::nullopt, true});
    card.rows.push_back(
        {tr("step time"), {time(point.seconds), time(point.measuredSeconds)}, std::nullopt, true});
    if (point.measuredSpread)
        card.rows.push_back({tr("10 % to 90 % of the steps"),
                             {QString(), tr("%1 to %2")
                                             .arg(quantityText(point.measuredSpread->low, "s"),
                                                  quantityText(point.measuredSpread->high, "s"))},
                             std::nullopt,
                             false});
    if (point.seconds || point.measuredSeconds)
        card.rows.push_back({tr("the time is"),
                             {point.seconds && point.tier ? tierText(*point.tier) : unknown,
                              point.measuredSeconds ? tierText(Tier::Measured) : unknown},
                             std::nullopt,
                             false});
    if (point.seconds)
        card.rows.push_back(
            {tr("of it recomputation"), {time(point.recomputation), QString()}, std::nullopt, false});
    card.rows.push_back({tr("recomputed"),
                         {quantityText(static_cast<double>(point.recomputed), "FLOP"), QString()},
                         std::nullopt,
                         false});
    const Bytes one = config.microBatchSize() * config.dim * dtypeSize(config.activationDtype());
    const Flops layer = 2 * config.rankBatch() * config.dim * config.dim;
    QStringList lines;
    // Ranks that divide layers have some of them in part.
    if (config.parallel.tensor == 1) {
        lines << tr("peak = %1 live h × %2 + %3 of all else")
                     .arg(point.activationsAtPeak / one)
                     .arg(bytesText(one), bytesText(point.peak - point.activationsAtPeak));
        lines << tr("recomputed = %1 layers × 2·B·D² = %1 × %2")
                     .arg(point.recomputed / layer)
                     .arg(quantityText(static_cast<double>(layer), "FLOP"));
    }
    if (point.seconds)
        lines << tr("time = %1 + %2 of recomputation, each predicted as the step time is")
                     .arg(quantityText(*point.seconds - point.recomputation.value_or(0), "s"),
                          time(point.recomputation));
    if (point.measuredSeconds) lines << tr("measured: median of %1 steps").arg(point.measuredSteps);
    if (!point.fits && state.limit)
        lines << tr("does not fit the %1 of the device").arg(bytesText(*state.limit));
    card.footer = lines.join(QLatin1Char('\n'));
    return card;
}

}  // namespace plumb::ui
