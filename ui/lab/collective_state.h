// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/collective.h"
#include "core/machine/machine.h"
#include "ui/widgets/column_text.h"

#include <QPointF>
#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>
#include <span>
#include <vector>

namespace plumb::ui {

/// What the page of collectives is asked.
struct CollectiveInput {
    CommKind kind = CommKind::AllReduce;
    lab::CollectiveWay way = lab::CollectiveWay::Ring;
    int ranks = 4;
    qint64 bytes = 64'000'000;
    int link = 0;  ///< of collectiveLinks()
    Seconds latency = 5e-6;
    int step = 1;  ///< that is shown; 0: before the first
    bool operator==(const CollectiveInput&) const = default;
};

/// A link that a collective may run over.
struct CollectiveLinkChoice {
    QString name;    ///< "NVLink 4, 450 GB/s"
    QString source;  ///< of the rate
    double bytesPerSecond = 0;
};
/// The links of the machines that have some, each once, in their order.
[[nodiscard]] QVector<CollectiveLinkChoice> collectiveLinks(const std::vector<Machine>& machines);

/// One way of doing it, beside the others.
struct CollectiveWayCost {
    lab::CollectiveWay way;
    QStringList cells;            ///< those of collectiveWayColumns()
    QVector<QPointF> timeBySize;  ///< bytes and seconds
};

/// Everything that the page shows.
struct CollectiveState {
    CollectiveInput input;  ///< as it holds: a way that the kind has, a step that there is
    lab::Collective collective;
    std::vector<std::vector<std::uint32_t>> has;  ///< of each rank, after the step
    std::vector<CollectiveWayCost> rows;          ///< of each way that the kind has
    QString stepText;   ///< "step 2 of 6, 40 µs: each rank sends 16 MB to the next one"
    QStringList moves;  ///< "rank 0 to rank 1: slice 4, 16 MB, added", of the step
    QString summary;    ///< what the whole of it comes to

    /// Messages of the step that is shown; none before the first.
    [[nodiscard]] std::span<const lab::CollectiveMove> moving() const;
    /// Of how many ranks the addends are in what a rank has of a slice.
    [[nodiscard]] int addends(int rank, int slice) const;
};
/// Pre: `link` is one of the choices.
[[nodiscard]] CollectiveState makeCollectiveState(CollectiveInput input, const CollectiveLinkChoice& link);

/// The question as the settings keep it, and back; empty: nobody asked, or that link is no more.
[[nodiscard]] QString keptText(const CollectiveInput& input, const CollectiveLinkChoice& link);
[[nodiscard]] std::optional<CollectiveInput> keptCollective(const QString& kept,
                                                            const QVector<CollectiveLinkChoice>& links);

[[nodiscard]] ColumnTexts collectiveWayColumns();
[[nodiscard]] QString collectiveKindName(CommKind kind);
[[nodiscard]] QString collectiveWayName(lab::CollectiveWay way);
/// What the way does, in a sentence.
[[nodiscard]] QString collectiveWayText(lab::CollectiveWay way);
/// All that the page says, as text.
[[nodiscard]] QString collectiveReport(const CollectiveState& state, const QString& link);

/// Kinds that the page has.
inline constexpr CommKind kCollectiveKinds[]{CommKind::AllReduce, CommKind::ReduceScatter,
                                             CommKind::AllGather};
inline constexpr qint64 kLeastCollective = 1000, kMostCollective = 10'000'000'000;

}  // namespace plumb::ui
