// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/collective_state.h"

#include "ui/theme/text.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace plumb::ui {
namespace {

/// Points of a curve over the sizes: enough for its bend.
constexpr int kPointsOfDecade = 4;

/// A link as every language names it: "NVLink 4" of "NVLink 4 (18 links)", whose lanes are in the rate; "ICI
/// 2D" of "ICI 2D torus"; "PCIe 5 x16" of "PCIe 5.0 x16", which is no number that has decimals.
QString shortLinkName(const std::string& name) {
    static const QRegularExpression kWords(QStringLiteral("( [a-z]+\\b|[ ,]*\\(|,).*"));
    return toText(name).remove(kWords).remove(QLatin1String(".0"));
}

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

std::span<const lab::CollectiveMove> CollectiveState::moving() const {
    if (input.step == 0) return {};
    return collective.steps[static_cast<std::size_t>(input.step - 1)].moves;
}

int CollectiveState::addends(int rank, int slice) const {
    return std::popcount(has[static_cast<std::size_t>(rank)][static_cast<std::size_t>(slice)]);
}

QVector<CollectiveLinkChoice> collectiveLinks(const std::vector<Machine>& machines) {
    QVector<CollectiveLinkChoice> links;
    for (const Machine& machine : machines) {
        // A bridge joins a pair, of which no way differs from another.
        const bool isOfPair = machine.linkName.find("bridge") != std::string::npos;
        if (!machine.linkBytesPerSecond || machine.linkName.empty() || isOfPair) continue;
        const QString name = tr("%1, %2").arg(shortLinkName(machine.linkName),
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
    for (const lab::CollectiveMove& move : state.moving()) state.moves << moveText(move, input.ranks);
    state.summary =
        tr("%1 steps: %2 of latency, %3 of bytes")
            .arg(state.collective.steps.size())
            .arg(quantityText(input.latency * static_cast<double>(state.collective.steps.size()), "s"),
                 quantityText(state.collective.seconds -
                                  input.latency * static_cast<double>(state.collective.steps.size()),
                              "s"));
    return state;
}

QString keptText(const CollectiveInput& input, const CollectiveLinkChoice& link) {
    const QJsonObject kept{{QStringLiteral("kind"), static_cast<int>(input.kind)},
                           {QStringLiteral("way"), static_cast<int>(input.way)},
                           {QStringLiteral("ranks"), input.ranks},
                           {QStringLiteral("bytes"), input.bytes},
                           {QStringLiteral("link"), link.bytesPerSecond},
                           {QStringLiteral("latency"), input.latency}};
    return QString::fromUtf8(QJsonDocument(kept).toJson(QJsonDocument::Compact));
}

std::optional<CollectiveInput> keptCollective(const QString& kept,
                                              const QVector<CollectiveLinkChoice>& links) {
    const QJsonObject object = QJsonDocument::fromJson(kept.toUtf8()).object();
    const auto link = std::ranges::find(links, object[QStringLiteral("link")].toDouble(),
                                        &CollectiveLinkChoice::bytesPerSecond);
    const auto kind =
        std::ranges::find(kCollectiveKinds, static_cast<CommKind>(object[QStringLiteral("kind")].toInt(-1)));
    const auto way = std::ranges::find(
        lab::kCollectiveWays, static_cast<lab::CollectiveWay>(object[QStringLiteral("way")].toInt(-1)));
    CollectiveInput input;
    input.ranks = object[QStringLiteral("ranks")].toInt();
    input.bytes = object[QStringLiteral("bytes")].toInteger();
    input.latency = object[QStringLiteral("latency")].toDouble();
    const bool isQuestion = link != links.end() && kind != std::end(kCollectiveKinds) &&
                            way != std::end(lab::kCollectiveWays) && input.ranks >= 2 &&
                            input.ranks <= lab::kMostCollectiveRanks && input.bytes >= kLeastCollective &&
                            input.bytes <= kMostCollective && input.latency > 0;
    if (!isQuestion) return std::nullopt;
    input.kind = *kind;
    input.way = *way;
    input.link = static_cast<int>(link - links.begin());
    return input;
}

ColumnTexts collectiveWayColumns() {
    return {{tr("way"), tr("Enter or a double click shows its steps.")},
            {QCoreApplication::translate("plumb::ui", "steps", "of a collective"),
             tr("One after the other; what happens in one happens at once.")},
            {tr("most sent"), tr("Most bytes that one rank sends in all steps")},
            {QCoreApplication::translate("plumb::ui", "time", "of a collective"),
             tr("Of all steps; ranks that come late are not part of it.")},
            {tr("bus bandwidth"), tr("What the busiest link carries, as nccl-tests tells it.")}};
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
    QStringList titles;
    for (const ColumnText& column : collectiveWayColumns()) titles << column.title;
    lines << titles.join(QLatin1Char('\t'));
    for (const CollectiveWayCost& row : state.rows) lines << row.cells.join(QLatin1Char('\t'));
    lines << collectiveWayName(state.input.way) + QLatin1Char('\t') + state.stepText << state.moves;
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace plumb::ui
