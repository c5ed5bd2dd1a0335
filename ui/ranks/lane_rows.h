// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/scene.h"
#include "ui/charts/chart_style.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace plumb::ui {

/// One stretch of a lane: ops of one phase of a micro-batch that follow each other, a collective, or a wait.
struct LaneBar {
    enum class Kind : std::uint8_t { Phase, Between, Traffic, Wait };
    Kind kind = Kind::Phase;
    Seconds begin = 0, end = 0;       ///< from the beginning of the step on
    Phase phase{};                    ///< of Phase
    std::int64_t microBatch = 0;      ///< counted from 0
    std::int64_t lastMicroBatch = 0;  ///< of Between: the last of several
    std::int32_t op = -1;             ///< of Traffic: index into the ops of the step
};

/// What the first rank does in one lane.
struct LaneRow {
    Lane lane = Lane::Compute;
    bool isMeasured = false;
    std::vector<LaneBar> bars;  ///< by time, none over another
    QString aside;              ///< what stands at its right end

    /// Time of its waits.
    [[nodiscard]] Seconds waiting() const;
};

/// Both lanes of the first rank, predicted and as they ran.
struct LaneRows {
    std::vector<LaneRow> rows;
    std::int64_t microBatches = 1;
    Seconds predicted = 0, measured = 0;  ///< lengths of the steps; 0: there is none
    /// Of the measured step: its number in the training, counted from 0.
    std::int64_t step = 0;
    QString noMeasured;  ///< why there are no measured lanes; empty: there are

    [[nodiscard]] Seconds whole() const { return std::max(predicted, measured); }
};

/// No rows: neither is known.
[[nodiscard]] LaneRows makeLaneRows(const Scene& scene);

/// "forward 2", "all-reduce of layers 1–3", "waits".
[[nodiscard]] QString barName(const Step& step, const LaneRows& rows, const LaneBar& bar);
/// "F2": where a bar has no room for its name; empty: nothing.
[[nodiscard]] QString briefBarName(const LaneRows& rows, const LaneBar& bar);

}  // namespace plumb::ui
