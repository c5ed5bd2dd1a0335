// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/collective_figures.h"
#include "core/measure/scene.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace plumb::ui {

/// What the ranks are compared by.
enum class RankFigure : std::uint8_t { Memory, Time, Waiting };
constexpr RankFigure lastOf(RankFigure /*type*/) { return RankFigure::Waiting; }

/// One rank of a step, where it stands, and what it costs.
struct ShownRank {
    std::int64_t number = 0;
    Place place;
    std::optional<RankReading> predicted, measured;

    /// SI units; absent where it is not known.
    [[nodiscard]] static std::optional<double> figure(const std::optional<RankReading>& of, RankFigure which);
    /// Measured where it was, else predicted.
    [[nodiscard]] std::optional<double> figure(RankFigure which) const;
};

/// One collective, in the order of the ops.
struct CollectiveRow {
    std::int32_t op = -1;
    QString name;              ///< "layers 1–3 · all-reduce"
    bool isAllReduce = false;  ///< else each byte goes once where it does twice in one
    RankAxis axis = RankAxis::Data;
    std::int64_t groupSize = 1;    ///< ranks that take part, all along that axis
    Bytes bytes = 0;               ///< that are reduced
    std::optional<Bytes> planned;  ///< that a rank sends in a step ...
    std::optional<Bytes> counted;  ///< ... and those that were counted
    CollectiveFigures predicted, measured;

    /// Measured ones where they are, else predicted.
    [[nodiscard]] const CollectiveFigures& figures() const { return measured.seconds ? measured : predicted; }
};

/// What the view of the ranks shows of a scene, as plain data.
struct RanksState {
    std::int64_t ranks = 1;
    std::int64_t tensor = 1;       ///< of these, those that divide each matrix
    std::vector<ShownRank> shown;  ///< by number; empty: one rank, or too many to tell one by one
    std::optional<Bytes> share;    ///< of the device's memory, that each rank has
    std::vector<CollectiveRow> collectives;
    std::optional<Seconds> seconds;          ///< of the predicted step
    std::optional<Seconds> measuredSeconds;  ///< of the step that ran
    bool isMeasured = false;                 ///< the step that is asked for ran, here
    QString noTime;                          ///< why there is no predicted time, a sentence; empty: there is
    bool canCalibrate = false;               ///< a calibration of as many ranks gives the time

    [[nodiscard]] std::optional<double> least(RankFigure which) const;
    [[nodiscard]] std::optional<double> most(RankFigure which) const;
};

/// `predicted`: what predictedRanks() says of the scene's step, which takes longer than a frame for many
/// ranks.
[[nodiscard]] RanksState makeRanksState(const Scene& scene, const std::vector<RankReading>& predicted);

/// "data × 4", "tensor × 2": the group of a collective.
[[nodiscard]] QString groupText(const CollectiveRow& row);
[[nodiscard]] QString rankText(std::int64_t number);
[[nodiscard]] QString figureText(std::optional<double> value, RankFigure which);

}  // namespace plumb::ui
