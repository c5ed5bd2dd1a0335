// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/collective_state.h"

#include "ui/theme/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

/// Points of a curve over the sizes: enough for its bend.
constexpr int kPointsOfDecade = 4;

lab::CollectiveLink linkOf(const CollectiveInput& input, const CollectiveLinkChoice& link) {
    return {.bytesPerSecond = link.bytesPerSecond, .latency = input.latency};
}

CollectiveWayCost rowOf(const CollectiveInput& input, lab::CollectiveWay way,
                        const CollectiveLinkChoice& link) {
    const auto made =
        lab::makeCollective(input.kind, way, input.ranks, input.bytes, linkOf(input, link)).value();
    CollectiveWayCost row{.way = way};
    row.cells = {collectiveWayName(way), QString::number(made.steps.size()), bytesText(made.mostSent),
                 quantityText(made.seconds, "s"), quantityText(made.busBytesPerSecond, "B/s")};
    const double decades = std::log10(static_cast<double>(kMostCollective) / kLeastCollective);
    const int points = static_cast<int>(std::lround(decades * kPointsOfDecade));
    for (int i = 0; i <= points; ++i) {
        const auto bytes = static_cast<Bytes>(
            std::llround(kLeastCollective * std::pow(10.0, static_cast<double>(i) / kPointsOfDecade)));
        const auto at = lab::makeCollective(input.kind, way, input.ranks, bytes, linkOf(input, link)).value();
        row.timeBySize.push_back({static_cast<double>(bytes), at.seconds});
    }
    return row;
}

QString moveText(const lab::CollectiveMove& move, int ranks) {
    const QString what = move.slices == ranks ? tr("the whole buffer") : tr("slice %1").arg(move.slice);
    const QString text =
        tr("rank %1 to rank %2: %3, %4").arg(move.from).arg(move.to).arg(what, bytesText(move.bytes));
    return move.isAdded ? tr("%1, added").arg(text) : text;
}

QString stepTextOf(const CollectiveState& state) {
    const auto steps = static_cast<int>(state.collective.steps.size());
    if (state.input.step == 0)
        return state.input.kind == CommKind::AllGather
                   ? tr("Before the first of %1 steps: each rank has its own slice").arg(steps)
                   : tr("Before the first of %1 steps: each rank has its own addends").arg(steps);
    const lab::CollectiveStep& step = state.collective.steps[static_cast<std::size_t>(state.input.step - 1)];
    return tr("After step %1 of %2: %3 at most of a rank in %4")
        .arg(state.input.step)
        .arg(steps)
        .arg(bytesText(step.mostBytes), quantityText(step.seconds, "s"));
}

}  // namespace

QVector<CollectiveLinkChoice> collectiveLinks(const std::vector<Machine>& machines) {
    QVector<CollectiveLinkChoice> links;
    for (const Machine& machine : machines) {
        if (!machine.linkBytesPerSecond || machine.linkName.empty()) continue;
        const QString name = tr("%1, %2").arg(toText(machine.linkName.substr(0, machine.linkName.find(" ("))),
                                              quantityText(*machine.linkBytesPerSecond, "B/s"));
        const bool isThere =
            std::ranges::any_of(links, [&](const CollectiveLinkChoice& link) { return link.name == name; });
        if (!isThere) links.push_back({name, coreText(machine.source), *machine.linkBytesPerSecond});
    }
    return links;
}

CollectiveState makeCollectiveState(CollectiveInput input, const CollectiveLinkChoice& link) {
    if (!lab::hasWay(input.kind, input.way)) input.way = lab::CollectiveWay::Ring;
    input.ranks = std::clamp(input.ranks, 2, lab::kMostCollectiveRanks);
    input.bytes = std::clamp(input.bytes, kLeastCollective, kMostCollective);
    CollectiveState state;
    state.collective =
        lab::makeCollective(input.kind, input.way, input.ranks, input.bytes, linkOf(input, link)).value();
    input.step = std::clamp(input.step, 0, static_cast<int>(state.collective.steps.size()));
    state.input = input;
    state.has = lab::contributions(state.collective, input.kind, static_cast<std::size_t>(input.step));
    for (const lab::CollectiveWay way : lab::kCollectiveWays)
        if (lab::hasWay(input.kind, way)) state.rows.push_back(rowOf(input, way, link));
    state.stepText = stepTextOf(state);
    if (input.step > 0)
        for (const lab::CollectiveMove& move :
             state.collective.steps[static_cast<std::size_t>(input.step - 1)].moves)
            state.moves << moveText(move, input.ranks);
    state.summary =
        tr("%1 steps: %2 of latency, %3 of bytes")
            .arg(state.collective.steps.size())
            .arg(quantityText(input.latency * static_cast<double>(state.collective.steps.size()), "s"),
                 quantityText(state.collective.seconds -
                                  input.latency * static_cast<double>(state.collective.steps.size()),
                              "s"));
    return state;
}

QString collectiveKindName(CommKind kind) {
    if (kind == CommKind::AllGather) return tr("All-gather");
    return kind == CommKind::ReduceScatter ? tr("Reduce-scatter") : tr("All-reduce");
}

QString collectiveWayName(lab::CollectiveWay way) {
    if (way == lab::CollectiveWay::Tree) return QCoreApplication::translate("plumb::ui", "Tree", "of ranks");
    return way == lab::CollectiveWay::Ring ? tr("Ring") : tr("Exchange");
}

QString collectiveWayText(lab::CollectiveWay way) {
    if (way == lab::CollectiveWay::Tree)
        return tr("Pairs add whole buffers up to rank 0, which hands the sum down: few steps, many bytes");
    return way == lab::CollectiveWay::Ring
               ? tr("Each rank sends one slice to the next, step after step: least bytes, many steps")
               : tr("Each rank sends every other one its slice at once: least bytes, one step each way; as "
                    "Plumbline's own ranks do");
}

QString collectiveReport(const CollectiveState& state, const QString& link) {
    QStringList lines{tr("%1 of %2 on %3 ranks over %4, %5 of latency a step")
                          .arg(collectiveKindName(state.input.kind), bytesText(state.input.bytes))
                          .arg(state.input.ranks)
                          .arg(link, quantityText(state.input.latency, "s"))};
    lines << QStringList{tr("way"), QCoreApplication::translate("plumb::ui", "steps", "of a collective"),
                         tr("most sent by a rank"),
                         QCoreApplication::translate("plumb::ui", "time", "of a collective"),
                         tr("bus bandwidth")}
                 .join(QLatin1Char('\t'));
    for (const CollectiveWayCost& row : state.rows) lines << row.cells.join(QLatin1Char('\t'));
    lines << collectiveWayName(state.input.way) + QLatin1Char('\t') + state.stepText << state.moves;
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace plumb::ui
