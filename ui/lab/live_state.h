// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/value_histogram.h"
#include "ui/charts/chart_style.h"
#include "ui/charts/heat_map.h"

#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>
#include <vector>

namespace plumb::ui {

/// What one format makes of the numbers of a tensor; shares of the finite numbers, 0 to 1.
struct LiveRow {
    NumberFormat format;
    double exact = 0, rounded = 0, subnormal = 0, toZero = 0, beyond = 0;
    QString window;   ///< "2^0 … 2^12", "needs none", "no scale does"
    QString toolTip;  ///< how the window is found
    ColorRole tone{};
    [[nodiscard]] double lost() const { return toZero + beyond; }
};

/// The histogram of a tensor of the run, ready to be drawn.
struct LiveState {
    QString title;                 ///< "gradient of layer 3 at step 120: [256, 256] in fp16"
    QString summary;               ///< count, zeros, largest, smallest, RMS
    ChartAreas areas;              ///< share of the numbers for each power of two
    double least = -30, most = 4;  ///< powers of two that are shown
    double highest = 1;            ///< share
    std::vector<LiveRow> rows;
    std::optional<RecoveredNumbers> recovered;
    QString savedTo;  ///< where it was written; empty: nowhere
};
[[nodiscard]] LiveState makeLiveState(const TensorInspection& inspection);

/// "layer 3", "head".
/// The numbers themselves, or the means of the cells that they fall into; row 1 at the top.
[[nodiscard]] HeatMap::Content makeLiveMap(const TensorInspection& inspection);
[[nodiscard]] QString layerText(std::int32_t layer, std::int64_t layers);
/// The kinds of tensors that can be looked at, and what they are called.
struct LiveKind {
    TensorRole role{};
    const char* label = "";  ///< to be translated
    bool isProduct = false;  ///< whether it is the product of all weights, which are asked for as layer 0
};
[[nodiscard]] const std::vector<LiveKind>& liveKinds();
/// The layers that a kind has in a network of so many, with or without a head.
[[nodiscard]] std::pair<std::int32_t, std::int32_t> layersOf(TensorRole role, std::int64_t layers,
                                                             bool head = true);

}  // namespace plumb::ui
