// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_state.h"

#include "core/base/entry_at.h"
#include "core/measure/module_spans.h"
#include "core/measure/plain_memory.h"
#include "ui/theme/text.h"
#include "ui/workbench/recording.h"
#include "ui/workbench/step_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>

namespace plumb::ui {
namespace {

/// A stretch of ops that both steps have: what belongs together on the X axis.
enum class Stretch { Forward, Backward, Optimizer };

Stretch stretchOf(Phase phase) {
    switch (phase) {
    case Phase::Data:
    case Phase::Forward:
    case Phase::Loss:
        return Stretch::Forward;
    case Phase::Recompute:
    case Phase::Backward:
        return Stretch::Backward;
    case Phase::Optimizer:
        return Stretch::Optimizer;
    }
    return Stretch::Forward;
}

struct Segment {
    int pass = 0;
    Stretch stretch{};
    int first = 0;
    int count = 0;
    bool recomputes = false;
    [[nodiscard]] bool sameKind(const Segment& other) const {
        return stretch == other.stretch && (pass == other.pass || stretch == Stretch::Optimizer);
    }
};

std::vector<Segment> segmentsOf(const Step* step) {
    std::vector<Segment> segments;
    if (!step) return segments;
    const std::vector<PassRange> passes = step->passes();
    for (int i = 0; i < step->opCount(); ++i) {
        const StepOp& op = step->op(i);
        const auto pass = std::ranges::find_if(passes, [i](const PassRange& of) { return i < of.end; });
        const Segment next{static_cast<int>(pass - passes.begin()), stretchOf(op.phase), i, 0, false};
        if (segments.empty() || !segments.back().sameKind(next)) segments.push_back(next);
        ++segments.back().count;
        segments.back().recomputes = segments.back().recomputes || op.phase == Phase::Recompute;
    }
    return segments;
}

QString stretchLabel(const Segment& segment) {
    switch (segment.stretch) {
    case Stretch::Forward:
        return tr("forward");
    case Stretch::Backward:
        return segment.recomputes ? tr("backward + recompute") : tr("backward");
    case Stretch::Optimizer:
        return tr("optimizer");
    }
    return {};
}

int opAt(const QVector<double>& edges, double x) {
    if (edges.size() < 2) return -1;
    const auto after = std::upper_bound(edges.begin(), edges.end(), x);
    return std::clamp(static_cast<int>(after - edges.begin()) - 1, 0, static_cast<int>(edges.size()) - 2);
}

void addPassBands(StepAxis& axis, const Step& step) {
    const std::vector<PassRange> passes = step.passes();
    if (passes.size() < 2) return;
    for (const PassRange& pass : passes) {
        if (pass.end <= pass.begin) continue;
        const bool repeats = pass.lastMicroBatch > pass.firstMicroBatch;
        const QString label =
            repeats ? tr("micro-batches %1–%2, shown once").arg(pass.firstMicroBatch).arg(pass.lastMicroBatch)
                    : tr("micro-batch %1").arg(pass.firstMicroBatch);
        axis.bands.push_back(
            {axis.planEdges[pass.begin], axis.planEdges[pass.end], label, 1, &pass != passes.data()});
    }
}

/// Below the axis which module runs, and what was there one row further down.
void addModuleBands(StepAxis& axis, const Step& step) {
    const std::vector<ModuleSpan> spans = moduleSpans(step);
    if (spans.empty()) return;
    for (ChartBand& band : axis.bands) band.level = 1;
    for (const ModuleSpan& span : spans)
        axis.bands.push_back({.from = axis.planEdges[span.begin],
                              .to = axis.planEdges[span.end],
                              .label = stepText(step, span.label),
                              .bracketed = true});
}

/// One entry per op, or nothing where the time of one is not known.
template <class SecondsOf>
std::optional<std::vector<Seconds>> secondsOfOps(const Step& step, SecondsOf secondsOf) {
    std::vector<Seconds> all;
    all.reserve(static_cast<std::size_t>(step.opCount()));
    for (std::int32_t op = 0; op < step.opCount(); ++op) {
        const std::optional<Seconds> seconds = step.op(op).isView() ? Seconds{0} : secondsOf(op);
        if (!seconds) return std::nullopt;
        all.push_back(*seconds);
    }
    return all;
}

std::optional<std::vector<Seconds>> measuredSeconds(const Scene& scene, const Step& step) {
    return secondsOfOps(step, [&](std::int32_t op) {
        const OpReading* const reading = scene.measuredOp(step, op);
        return reading ? reading->seconds : std::nullopt;
    });
}

QVector<double> edgesOf(const std::vector<Seconds>& seconds) {
    QVector<double> edges{0};
    edges.reserve(static_cast<qsizetype>(seconds.size()) + 1);
    for (const Seconds each : seconds) edges.push_back(edges.back() + each);
    return edges;
}

/// An axis of time where one is wanted and every time is known, else of ops.
void chooseAxis(MemoryState& state, const Step* run, bool byTime) {
    const Scene& scene = *state.scene;
    const Step& step = *scene.whatIf.step;
    const bool isSame = state.areas == MemoryState::Areas::Measured;
    std::optional<std::vector<Seconds>> ofRun =
        run ? measuredSeconds(scene, *run) : std::optional<std::vector<Seconds>>();
    const auto& predicted = scene.whatIf.prediction->opSeconds;
    const bool isMeasured = isSame && ofRun;
    const auto ofStep = isMeasured ? ofRun : secondsOfOps(step, [&](std::int32_t op) {
        return static_cast<std::size_t>(op) < predicted.size() ? entryAt(predicted, op) : std::nullopt;
    });
    if (!ofStep || (run && !isSame && !ofRun))
        state.timeAbsent = tr("Not every operation has a time: calibrate this machine, or run the step");
    state.isByTime = byTime && state.timeAbsent.isEmpty();
    if (!state.isByTime) {
        state.axis = alignSteps(step, run);
        state.axisTitle = tr("operations, in the order in which they run");
        return;
    }
    // What is drawn of one step twice stands at one place.
    state.axis = timeAxis(step, *ofStep, run, isSame ? *ofStep : ofRun.value_or(std::vector<Seconds>()));
    state.axisTitle = isMeasured ? tr("time, measured")
                      : run      ? tr("time: of the what-if predicted, of the run measured")
                                 : tr("time, predicted");
}

void tellDeviceMemory(MemoryState& state, const std::vector<MemoryShare>& shares) {
    if (shares.empty()) return;
    Bytes used = 0;
    QStringList parts;
    QStringList exact{tr("What the driver reports as used between two steps, by what it is for:")};
    for (const MemoryShare& share : shares) {
        used += share.bytes;
        if (share.bytes != 0) parts << tr("%1 %2").arg(coreText(share.name), bytesText(share.bytes));
        exact << tr("%1: %2").arg(coreText(share.name), exactText(share.bytes, "B"));
    }
    exact << tr("together: %1").arg(exactText(used, "B"));
    state.device = tr("In use on the device, measured: %1 = %2").arg(bytesText(used), parts.join(tr(" + ")));
    state.deviceHelp = exact.join(QLatin1Char('\n'));
}

}  // namespace

int StepAxis::planOpAt(double x) const { return opAt(planEdges, x); }
int StepAxis::runOpAt(double x) const { return opAt(runEdges, x); }

StepAxis alignSteps(const Step& step, const Step* run) {
    const std::vector<Segment> ours = segmentsOf(&step);
    const std::vector<Segment> theirs = segmentsOf(run);
    // Both lists are in the same order of passes and stretches; a stretch that one lacks has no width there.
    struct Pair {
        Segment plan;
        Segment run;
    };
    std::vector<Pair> pairs;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < ours.size() || j < theirs.size()) {
        const bool both = i < ours.size() && j < theirs.size() && ours[i].sameKind(theirs[j]);
        const bool planFirst =
            j == theirs.size() ||
            (i < ours.size() && ours[i].stretch != Stretch::Optimizer && ours.size() - i > theirs.size() - j);
        Pair pair{};
        if (both || planFirst) pair.plan = ours[i++];
        if (both || !planFirst) pair.run = theirs[j++];
        pairs.push_back(pair);
    }
    int total = 0;
    for (const Pair& pair : pairs) total += std::max(pair.plan.count, pair.run.count);
    StepAxis axis;
    axis.planEdges.reserve(qsizetype{step.opCount()} + 1);
    const double narrowest = total / 50.0;
    double left = 0;
    const auto spread = [&](QVector<double>& edges, const Segment& segment, double width) {
        for (int op = 0; op < segment.count; ++op) edges.push_back(left + width * op / segment.count);
    };
    for (const Pair& pair : pairs) {
        const double width =
            std::max(narrowest, static_cast<double>(std::max(pair.plan.count, pair.run.count)));
        spread(axis.planEdges, pair.plan, width);
        spread(axis.runEdges, pair.run, width);
        const Segment& named = pair.plan.count > 0 ? pair.plan : pair.run;
        axis.bands.push_back(
            {left, left + width, stretchLabel(named), 0, named.stretch == Stretch::Optimizer});
        left += width;
    }
    axis.planEdges.push_back(left);
    if (run) axis.runEdges.push_back(left);
    axis.width = left > 0 ? left : 1;
    addPassBands(axis, step);
    return axis;
}

StepAxis timeAxis(const Step& step, const std::vector<Seconds>& seconds, const Step* run,
                  const std::vector<Seconds>& runSeconds) {
    StepAxis axis;
    axis.planEdges = edgesOf(seconds);
    if (run) axis.runEdges = edgesOf(runSeconds);
    for (const Segment& segment : segmentsOf(&step))
        axis.bands.push_back({axis.planEdges[segment.first], axis.planEdges[segment.first + segment.count],
                              stretchLabel(segment), 0, segment.stretch == Stretch::Optimizer});
    const double last = std::max(axis.planEdges.back(), run ? axis.runEdges.back() : 0.0);
    axis.width = last > 0 ? last : 1;
    addPassBands(axis, step);
    return axis;
}

const std::vector<CategoryBytes>& MemoryState::areaCurve() const {
    return areas == Areas::Predicted ? scene->whatIf.prediction->memory.curve
                                     : scene->measured->reading->memory->curve;
}

const Step& MemoryState::areaStep() const {
    return areas == Areas::Predicted ? *scene->whatIf.step : *scene->measured->step;
}

const QVector<double>& MemoryState::areaEdges() const {
    return areas == Areas::Predicted ? axis.planEdges : axis.runEdges;
}

int MemoryState::planOp(const QString& id) const {
    return scene ? scene->whatIf.step->findOp(id.toStdString()) : -1;
}

MemoryState makeMemoryState(const ScenePtr& scene, bool byTime) {
    MemoryState state;
    state.scene = scene;
    const bool measured =
        scene->measured && scene->measured->reading->memory &&
        std::ssize(scene->measured->reading->memory->curve) == scene->measured->step->opCount();
    state.areas = !measured             ? MemoryState::Areas::Predicted
                  : scene->sameConfig() ? MemoryState::Areas::Measured
                                        : MemoryState::Areas::MeasuredOtherRun;
    chooseAxis(state, measured ? scene->measured->step.get() : nullptr, byTime);
    // Our own model says its layers by the ops.
    if (!scene->whatIf.plan) addModuleBands(state.axis, *scene->whatIf.step);
    state.limit = scene->whatIf.machine().memoryBytes;
    const auto survey = [&](const std::vector<CategoryBytes>& curve) {
        for (const CategoryBytes& bytes : curve) {
            for (const Category category : kAllCategories)
                if (bytes[category] > 0) state.used[category] = true;
            state.highest = std::max(state.highest, total(bytes));
        }
    };
    survey(scene->whatIf.prediction->memory.curve);
    if (measured) survey(scene->measured->reading->memory->curve);

    const MemoryReading& memory =
        measured ? *scene->measured->reading->memory : scene->whatIf.prediction->memory;
    state.peakOp = memory.peakOp;
    state.peakBytes = memory.peakBytes;
    if (!saysMemory(state.areaStep())) {
        state.peakOp = -1;
        state.emptyText = tr("This step says nothing of memory: it was made of a trace without allocations "
                             "(profile_memory=True records them)");
    }
    if (state.peakOp >= 0 && state.peakOp < state.areaStep().opCount())
        state.peakName = stepText(state.areaStep(), state.areaStep().opName(state.peakOp));
    if (state.peakOp >= 0) state.peak = tr("peak %1 at %2").arg(bytesText(state.peakBytes), state.peakName);
    switch (state.areas) {
    case MemoryState::Areas::Predicted:
        state.subtitle = tr("predicted; nothing measured yet");
        break;
    case MemoryState::Areas::Measured:
        state.subtitle = tr("filled: measured · dashed: predicted");
        break;
    case MemoryState::Areas::MeasuredOtherRun:
        state.subtitle = tr("dashed: what-if · filled: %1").arg(whatRan(*scene));
        break;
    }
    if (!state.emptyText.isEmpty()) state.subtitle.clear();
    if (scene->whatIf.plan) {
        const PlainMemory plain = plainMemory(*scene->whatIf.plan, scene->whatIf.prediction->memory);
        state.plain =
            tr("Plain sum: %1; %2").arg(coreText(plain.sumText()), coreText(plain.differenceText()));
    }
    if (measured) tellDeviceMemory(state, memory.device);
    state.summary =
        state.emptyText.isEmpty()
            ? tr("Memory over one step, %1: %2").arg(measured ? tr("measured") : tr("predicted"), state.peak)
            : state.emptyText;
    return state;
}

HoverCardContent memoryCard(const MemoryState& state, int planOp, int runOp) {
    HoverCardContent card;
    const Scene& scene = *state.scene;
    const bool measured = state.areas != MemoryState::Areas::Predicted && runOp >= 0;
    const bool other = state.areas == MemoryState::Areas::MeasuredOtherRun;
    if (planOp < 0) return card;
    const auto planIndex = static_cast<std::size_t>(planOp);
    const auto runIndex = static_cast<std::size_t>(std::max(runOp, 0));
    card.title = stepText(*scene.whatIf.step, scene.whatIf.step->opName(planOp));
    card.header = QStringList{other ? tr("what-if") : tr("predicted")};
    if (measured) card.header.push_back(other ? tr("run, measured") : tr("measured"));
    const CategoryBytes& predicted = scene.whatIf.prediction->memory.curve[planIndex];
    const CategoryBytes none{};
    const CategoryBytes& seen = measured ? scene.measured->reading->memory->curve[runIndex] : none;
    for (const Category category : kAllCategories) {
        if (!state.used[category]) continue;
        QStringList values{bytesText(predicted[category])};
        if (measured) values.push_back(bytesText(seen[category]));
        card.rows.push_back({coreText(categoryLabel(category)), values, ChartColor(category), false});
    }
    QStringList totals{bytesText(total(predicted))};
    QStringList exact{exactText(total(predicted), "B")};
    if (measured) {
        totals.push_back(bytesText(total(seen)));
        exact.push_back(exactText(total(seen), "B"));
    }
    card.rows.push_back({tr("total"), totals, std::nullopt, true});
    card.rows.push_back({tr("exactly"), exact, std::nullopt, false});
    const auto place = tr("op %1 of %2").arg(planOp + 1).arg(scene.whatIf.step->opCount());
    if (measured && other)
        card.footer = tr("%1 · run: %2")
                          .arg(place, stepText(*scene.measured->step, scene.measured->step->opName(runOp)));
    else
        card.footer = place;
    return card;
}

}  // namespace plumb::ui
