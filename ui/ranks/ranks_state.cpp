// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/ranks_state.h"

#include "core/base/entry_at.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"
#include "ui/workbench/step_text.h"

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

std::optional<RankReading> readingOf(const std::vector<RankReading>& readings, std::int64_t rank) {
    const auto found = std::ranges::find(readings, rank, &RankReading::rank);
    return found == readings.end() ? std::nullopt : std::optional(*found);
}

/// Without its pass: all of them are of the last micro-batch.
std::string nameOf(const Step& step, std::int32_t op) {
    const std::string name = step.opName(op);
    return name.substr(0, name.find(" · micro-batch"));
}

std::vector<CollectiveRow> rowsOf(const Scene& scene, const Reading* measured) {
    const PlannedStep& planned = scene.whatIf;
    std::vector<CollectiveRow> rows;
    for (const CollectiveReading& collective : planned.prediction->collectives) {
        if (collective.op >= planned.step->opCount()) continue;
        CollectiveRow& row = rows.emplace_back();
        row.op = collective.op;
        row.name = stepText(*planned.step, nameOf(*planned.step, collective.op));
        if (planned.plan != nullptr) row.axis = planned.plan->op(collective.op).axis;
        const std::int64_t ranks = row.groupSize = scene.config().parallel.along(row.axis);
        row.bytes = collective.bytes;
        row.planned = planned.step->op(collective.op).wireBytes;
        const std::string_view kind = planned.step->opKind(collective.op);
        row.isAllReduce = kCommKindNames.find(kind) == CommKind::AllReduce;
        row.predicted =
            figuresOf(collective, entryAt(planned.prediction->opSeconds, collective.op), kind, ranks);
        if (measured == nullptr) continue;
        const auto ran = std::ranges::find(measured->collectives, collective.op, &CollectiveReading::op);
        if (ran == measured->collectives.end()) continue;
        row.counted = ran->sentBytes;
        const OpReading* const op = scene.measuredOp(*planned.step, collective.op);
        row.measured = figuresOf(*ran, op != nullptr ? op->seconds : std::nullopt, kind, ranks);
    }
    return rows;
}

}  // namespace

std::optional<double> ShownRank::figure(const std::optional<RankReading>& of, RankFigure which) {
    if (!of) return std::nullopt;
    switch (which) {
    case RankFigure::Memory:
        return static_cast<double>(of->peakBytes);
    case RankFigure::Time:
        return of->seconds;
    case RankFigure::Waiting:
        return of->waited;
    }
    return std::nullopt;
}

std::optional<double> ShownRank::figure(RankFigure which) const {
    const std::optional<double> ran = figure(measured, which);
    return ran ? ran : figure(predicted, which);
}

std::optional<double> RanksState::least(RankFigure which) const {
    std::optional<double> least;
    for (const ShownRank& rank : shown)
        if (const auto value = rank.figure(which); value && (!least || *value < *least)) least = value;
    return least;
}

std::optional<double> RanksState::most(RankFigure which) const {
    std::optional<double> most;
    for (const ShownRank& rank : shown)
        if (const auto value = rank.figure(which); value && (!most || *value > *most)) most = value;
    return most;
}

RanksState makeRanksState(const Scene& scene, const std::vector<RankReading>& predicted) {
    RanksState state;
    const RunConfig& config = scene.config();
    const Target& target = scene.whatIf.target;
    state.ranks = config.parallel.ranks();
    state.tensor = config.parallel.tensor;
    state.isMeasured = scene.sameConfig();
    const Reading* const measured = state.isMeasured ? scene.measured->reading.get() : nullptr;
    if (measured != nullptr) state.measuredSeconds = measured->totals.seconds;
    state.seconds = scene.whatIf.prediction->totals.seconds;
    if (const auto memory = target.machine.memoryBytes; memory && *memory > 0)
        state.share = *memory / scene.whatIf.step->ranksOfMachine;
    if (state.ranks > 1 && state.ranks <= kMostToldRanks) {
        for (std::int64_t number = 0; number < state.ranks; ++number) {
            ShownRank& rank = state.shown.emplace_back();
            rank.number = number;
            rank.place = config.parallel.placeOf(number);
            rank.predicted = readingOf(predicted, number);
            if (measured != nullptr) rank.measured = readingOf(measured->ranks, number);
        }
    }
    if (state.ranks > 1) state.collectives = rowsOf(scene, measured);
    if (state.ranks > 1 && !state.seconds) {
        state.noTime = sentenceText(coreText(notPredicted(config, target)));
        state.canCalibrate = target.traits.exchanges && (config.parallel.data == 1 || state.tensor == 1);
        if (state.noTime.isEmpty())
            state.noTime = tr("The calibration of as many ranks lacks one of the operations of this step.");
    }
    return state;
}

QString groupText(const CollectiveRow& row) {
    return (row.axis == RankAxis::Tensor ? tr("tensor × %1") : tr("data × %1")).arg(row.groupSize);
}

QString rankText(std::int64_t number) { return tr("rank %1").arg(number); }

QString figureText(std::optional<double> value, RankFigure which) {
    return value ? quantityText(*value, which == RankFigure::Memory ? "B" : "s") : QStringLiteral("–");
}

}  // namespace plumb::ui
