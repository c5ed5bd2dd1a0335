// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/roofline/roofline_state.h"

#include "core/machine/attainable.h"
#include "core/measure/memory_roofs.h"
#include "ui/charts/axis.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/workbench/recording.h"
#include "ui/workbench/step_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace plumb::ui {
namespace {

/// The data sheet of a machine that was calibrated, when one of the data sheets is of that very machine.
const Machine* dataSheetOf(const Machine& machine, const std::vector<Machine>& known) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const Machine& entry) {
        return entry.id == machine.id || entry.name == machine.name;
    });
    return found == known.end() ? nullptr : &*found;
}

void addCeilings(RooflineState& state, const Machine& machine, Dtype compute, bool calibrated) {
    for (const auto& [dtype, rate] : machine.peakFlopPerSecond) {
        if (rate > 0) state.ceilings.push_back({dtype, rate, calibrated, dtype == compute});
    }
    for (const MemoryRoof& roof : memoryRoofs(machine)) {
        const QString whole =
            QCoreApplication::translate("plumb::ui", "memory", "a level, with its bandwidth");
        const QString name = roof.level && *roof.level != MemoryLevel::Dram ? memoryLevelLabel(*roof.level)
                             : roof.upTo ? tr("cache, up to %1").arg(bytesText(*roof.upTo))
                                         : whole;
        state.slopes.push_back({QStringLiteral("%1 %2").arg(name, quantityText(roof.bytesPerSecond, "B/s")),
                                roof.bytesPerSecond, calibrated, roof.level, roof.level == state.level});
    }
}

/// Why measured points cannot be placed by the bytes of another level than the model's.
QString whyNoLevels(const Scene& scene) {
    if (!scene.measured)
        return tr("Nothing is measured yet: only counters tell the bytes of each level of memory apart");
    const bool counted = std::ranges::any_of(scene.measured->reading->ops, [](const OpReading& op) {
        return op.counters.bytesAt(MemoryLevel::L2) || op.counters.bytesAt(MemoryLevel::L1) ||
               op.counters.bytesAt(MemoryLevel::Dram);
    });
    if (counted) return {};
    const QString reason = coreText(scene.measured->reading->countersAbsent);
    return reason.isEmpty() ? tr("Only hardware counters tell the bytes of each level of memory apart: this "
                                 "reading has none")
                            : reason;
}

void chooseRanges(RooflineState& state) {
    double lowX = 1e300;
    double highX = 0;
    double lowY = 1e300;
    double highY = 0;
    for (const auto* points : {&state.points, &state.measuredPoints}) {
        for (const RooflinePoint& point : *points) {
            lowX = std::min({lowX, point.intensity, point.measuredIntensity()});
            highX = std::max({highX, point.intensity, point.measuredIntensity()});
            for (const auto& rate : {point.predicted, point.measured}) {
                if (!rate) continue;
                lowY = std::min(lowY, *rate);
                highY = std::max(highY, *rate);
            }
        }
    }
    for (const RooflineCeiling& ceiling : state.ceilings) highY = std::max(highY, ceiling.flopPerSecond);
    if (state.balance) {
        lowX = std::min(lowX, *state.balance / 10);
        highX = std::max(highX, *state.balance * 10);
    }
    if (!state.slopes.isEmpty() && highY > 0)
        lowY = std::min(lowY, state.slopes.first().bytesPerSecond * lowX);
    if (lowX < highX * 2)
        std::tie(state.minIntensity, state.maxIntensity) = niceRange(lowX / 1.3, highX * 1.3, true);
    if (highY > 0 && lowY <= highY)
        std::tie(state.minRate, state.maxRate) = niceRange(lowY / 1.3, highY * 1.4, true);
}

QString boundText(Bound bound) {
    switch (bound) {
    case Bound::Compute:
        return tr("compute");
    case Bound::Memory:
        return tr("memory bandwidth");
    case Bound::Overhead:
        return tr("overhead per op");
    case Bound::Unknown:
        return tr("not known");
    }
    return {};
}

/// Where the time of one op lies, predicted and measured; a group has none.
QStringList rangesOf(const RooflineState& state, const RooflinePoint& point, bool ofRun) {
    QStringList texts{QStringLiteral("–"), QStringLiteral("–")};
    if (point.ops.size() != 1) return texts;
    const Scene& scene = *state.scene;
    const auto say = [](const std::optional<Spread>& spread) {
        return spread && spread->high > spread->low
                   ? tr("%1 to %2").arg(quantityText(spread->low, "s"), quantityText(spread->high, "s"))
                   : QStringLiteral("–");
    };
    const auto& predicted =
        ofRun ? scene.measured->prediction->opSpreads : scene.whatIf.prediction->opSpreads;
    const auto op = static_cast<std::size_t>(point.ops.front());
    if (op < predicted.size() && point.predictedSeconds) texts[0] = say(predicted[op]);
    const Step& step = ofRun ? *scene.measured->step : *scene.whatIf.step;
    const OpReading* const reading = scene.measuredOp(step, point.ops.front());
    if (reading && point.measuredSeconds) texts[1] = say(reading->spread);
    return texts;
}

}  // namespace

bool RooflineState::isOfRun(const RooflinePoint& point) const {
    return std::ranges::any_of(measuredPoints, [&](const RooflinePoint& other) { return &other == &point; });
}

std::vector<int> RooflineState::shownOps(const RooflinePoint& point, bool ofRun) const {
    std::vector<int> ops;
    for (const std::int64_t op : point.ops) {
        const int shown =
            ofRun ? scene->whatIf.step->findOp(scene->measured->step->opId(op)) : static_cast<int>(op);
        if (shown >= 0) ops.push_back(shown);
    }
    return ops;
}

int pointOf(const std::vector<RooflinePoint>& points, std::int64_t op) {
    if (op < 0) return -1;
    const auto found = std::find_if(points.begin(), points.end(), [op](const RooflinePoint& point) {
        return std::binary_search(point.ops.begin(), point.ops.end(), op);
    });
    return found == points.end() ? -1 : static_cast<int>(found - points.begin());
}

QString memoryLevelLabel(MemoryLevel level) {
    switch (level) {
    case MemoryLevel::Dram:
        return tr("DRAM");
    case MemoryLevel::L2:
        return tr("L2");
    case MemoryLevel::L1:
        return tr("L1");
    }
    return {};
}

RooflineState makeRooflineState(const ScenePtr& scene, bool inGroups, MemoryLevel level) {
    RooflineState state;
    state.scene = scene;
    state.levelsAbsent = whyNoLevels(*scene);
    state.level = state.levelsAbsent.isEmpty() ? level : MemoryLevel::Dram;
    const Step& step = *scene->whatIf.step;
    const Machine& machine = scene->whatIf.machine();
    const Dtype compute = step.productDtype;
    const bool calibrated = isCalibrated(machine);
    addCeilings(state, machine, compute, calibrated);
    const auto strongest = [&]() -> const RooflineCeiling* {
        for (const RooflineCeiling& ceiling : std::as_const(state.ceilings)) {
            if (ceiling.active) return &ceiling;
        }
        return nullptr;
    };
    const auto slope = std::ranges::find_if(state.slopes, &RooflineSlope::active);
    if (strongest() && !state.slopes.isEmpty())
        state.balance = strongest()->flopPerSecond /
                        (slope == state.slopes.end() ? state.slopes.first() : *slope).bytesPerSecond;
    if (const Machine* sheet = calibrated ? dataSheetOf(machine, *scene->dataSheets) : nullptr)
        addCeilings(state, *sheet, compute, false);
    std::stable_sort(
        state.ceilings.begin(), state.ceilings.end(),
        [](const RooflineCeiling& a, const RooflineCeiling& b) { return a.flopPerSecond > b.flopPerSecond; });

    for (int op = 0; op < step.opCount(); ++op) state.withoutFlops += step.op(op).flops <= 0 ? 1 : 0;
    const bool measured = scene->measured.has_value();
    const bool same = measured && scene->sameConfig();
    const auto readingIn = [&](const Step& of) {
        return MeasuredOp([&](std::int64_t op) { return scene->measuredOp(of, op); });
    };
    const auto nothing = [](std::int64_t) -> const OpReading* { return nullptr; };
    state.points =
        same ? rooflinePoints(step, machine, *scene->whatIf.prediction, state.level, readingIn(step))
             : rooflinePoints(step, machine, *scene->whatIf.prediction, state.level, nothing);
    const bool other = measured && !same;
    if (other)
        state.measuredPoints =
            rooflinePoints(*scene->measured->step, scene->measured->machine(), *scene->measured->prediction,
                           state.level, readingIn(*scene->measured->step));
    state.named = other ? groupedPoints(state.measuredPoints, *scene->measured->step)
                        : groupedPoints(state.points, step);
    // A recorded step has a kernel for each parameter and rule of its optimizer: hundreds of dots at one
    // place.
    if (inGroups || !scene->whatIf.plan) {
        state.points = other ? groupedPoints(state.points, step) : state.named;
        if (other) state.measuredPoints = state.named;
    }
    chooseRanges(state);

    const bool anyRate =
        std::any_of(state.points.begin(), state.points.end(),
                    [](const RooflinePoint& point) { return point.predicted || point.measured; }) ||
        !state.measuredPoints.empty();
    const bool noCeilings = state.ceilings.isEmpty() && state.slopes.isEmpty();
    // The machine may be calibrated by now: what is shown is as the file knew it.
    const bool isFiled = scene->whatIf.isFiled;
    if (noCeilings && !anyRate)
        state.emptyText =
            isFiled ? tr("The file has no ceilings. Choose the device again, or calibrate (takes about three "
                         "minutes)")
                    : tr("No ceilings for this machine yet. Calibrate (takes about three minutes)");
    QStringList parts;
    if (noCeilings && anyRate)
        parts << tr("filled: measured")
              << (isFiled ? tr("the file has no ceilings") : tr("no ceilings for this machine yet"));
    else if (other)
        parts << tr("hollow: what-if") << tr("filled: %1").arg(whatRan(*scene));
    else if (same)
        parts << (state.levelsAbsent.isEmpty()
                      ? tr("filled: measured, by the bytes at %1").arg(memoryLevelLabel(state.level))
                      : tr("filled: measured"))
              << tr("hollow: predicted");
    else
        parts << tr("hollow: predicted; nothing measured yet");
    if (state.withoutFlops > 0)
        parts << (state.withoutFlops == 1 ? tr("not shown: 1 op without FLOPs")
                                          : tr("not shown: %1 ops without FLOPs").arg(state.withoutFlops));
    if (state.emptyText.isEmpty()) state.subtitle = parts.join(QStringLiteral(" · "));
    state.summary = state.emptyText.isEmpty()
                        ? tr("Roofline with %1 points: %2").arg(state.points.size()).arg(state.subtitle)
                        : state.emptyText;
    return state;
}

QStringList metricLines(const Scene& scene, MemoryLevel level) {
    if (!scene.measured || !scene.measured->reading->counterRun) return {};
    const CounterRun& run = *scene.measured->reading->counterRun;
    const auto line = [&run](const QString& what, const std::vector<CounterKind>& kinds) {
        QStringList names;
        for (const CounterKind kind : kinds)
            if (const QString name = coreText(metricsText(kind, run)); !name.isEmpty()) names << name;
        return names.isEmpty() ? QString() : QStringLiteral("%1: %2").arg(what, listText(names));
    };
    const QString bytes = tr("bytes, %1").arg(memoryLevelLabel(level));
    QStringList lines{line(tr("FLOPs"), {CounterKind::TensorFlops, CounterKind::CoreFlops}),
                      level == MemoryLevel::Dram ? line(bytes, {CounterKind::DramBytes})
                      : level == MemoryLevel::L2
                          ? line(bytes, {CounterKind::L2Bytes})
                          : line(bytes, {CounterKind::L1Bytes, CounterKind::SharedBytes})};
    lines.removeAll(QString());
    return lines;
}

QString pointLabel(const Step& step, const RooflinePoint& point) {
    const QString label = stepText(step, point.label);
    return point.ops.size() > 1 ? tr("%1 ×%2").arg(label).arg(point.ops.size()) : label;
}

HoverCardContent rooflineCard(const RooflineState& state, const RooflinePoint& point) {
    HoverCardContent card;
    const bool ofRun = state.isOfRun(point);
    const Step& step = ofRun ? *state.scene->measured->step : *state.scene->whatIf.step;
    card.title = point.ops.size() == 1 ? stepText(step, step.opName(point.ops.front()))
                                       : QStringLiteral("%1 · %2").arg(coreText(phaseName(point.phase)),
                                                                       pointLabel(step, point));
    const QString unknown = QStringLiteral("–");
    const auto rate = [&](const std::optional<double>& value) {
        return value ? quantityText(*value, "FLOP/s") : unknown;
    };
    const auto time = [&](const std::optional<Seconds>& value) {
        return value ? quantityText(*value, "s") : unknown;
    };
    const Machine& machine = ofRun ? state.scene->measured->machine() : state.scene->whatIf.machine();
    const auto share = [&](const std::optional<Seconds>& seconds) {
        if (!seconds) return QString(unknown);
        // Ops of a group cost the same: the mean time of one is that of any of them.
        const auto reached =
            roofShare(step.op(point.ops.front()), machine, *seconds / static_cast<double>(point.ops.size()));
        return reached ? toText(text(*reached, memoryRoofs(machine))) : unknown;
    };
    // Only seconds, and the rate that follows from them, are measured.
    card.header = {tr("predicted"), tr("measured")};
    card.rows.push_back(
        {tr("rate"), {rate(point.predicted), rate(point.measured)}, ChartColor(point.phase), true});
    card.rows.push_back(
        {tr("time"), {time(point.predictedSeconds), time(point.measuredSeconds)}, std::nullopt, false});
    if (const auto ranges = rangesOf(state, point, ofRun); ranges != QStringList{unknown, unknown})
        card.rows.push_back({tr("between"), ranges, std::nullopt, false});
    card.rows.push_back({tr("share of roof"),
                         {share(point.predictedSeconds), share(point.measuredSeconds)},
                         std::nullopt,
                         false});
    if (point.predictedSeconds || point.measuredSeconds)
        card.rows.push_back({tr("source of the time"),
                             {point.tier && point.predictedSeconds ? tierText(*point.tier) : unknown,
                              point.measuredSeconds ? tierText(Tier::Measured) : unknown},
                             std::nullopt,
                             false});
    card.rows.push_back({tr("roof here"), {rate(point.roof), QString()}, std::nullopt, false});
    card.rows.push_back(
        {tr("intensity"),
         {quantityText(point.intensity, "FLOP/B"),
          point.countedIntensity ? quantityText(*point.countedIntensity, "FLOP/B") : QString()},
         std::nullopt,
         false});
    const auto counted = [](const std::optional<std::int64_t>& value, const char* unit) {
        return value ? quantityText(static_cast<double>(*value), unit) : QString();
    };
    card.rows.push_back(
        {tr("FLOPs"),
         {quantityText(static_cast<double>(point.flops), "FLOP"), counted(point.executedFlops, "FLOP")},
         std::nullopt,
         false});
    card.rows.push_back(
        {state.levelsAbsent.isEmpty() ? tr("bytes, %1").arg(memoryLevelLabel(state.level)) : tr("bytes"),
         {bytesText(point.bytes), counted(point.countedBytes, "B")},
         std::nullopt,
         false});
    card.rows.push_back({tr("limited by"), {boundText(point.bound), QString()}, std::nullopt, false});
    QStringList footer;
    if (ofRun) footer << tr("of the run %1").arg(coreText(step.title()));
    if (ofRun && state.shownOps(point, true).empty())
        footer << tr("The step of the sliders has no such operation: a click chooses none");
    // What the counted numbers are by the vendor's names, where this point has some.
    if (point.executedFlops || point.countedBytes) footer << metricLines(*state.scene, state.level);
    card.footer = footer.join(QLatin1Char('\n'));
    return card;
}

}  // namespace plumb::ui
