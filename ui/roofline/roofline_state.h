// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/roofline_points.h"
#include "ui/charts/chart_style.h"
#include "ui/workbench/workbench.h"

#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>
#include <vector>

namespace plumb::ui {

/// A horizontal ceiling: peak rate of a dtype.
struct RooflineCeiling {
    Dtype dtype{};
    double flopPerSecond = 0;
    bool calibrated = false;  ///< measured on the spot, not from a data sheet
    bool active = false;      ///< the one that the configuration's products use
};

/// A slope: bandwidth. Rate = bandwidth * intensity.
struct RooflineSlope {
    QString label;
    double bytesPerSecond = 0;
    bool calibrated = false;
    std::optional<MemoryLevel> level;  ///< empty: a cache of which the level is not known
    bool active = true;                ///< whether it belongs to the level that is shown
};

/// What the roofline view shows of a scene, as plain data.
struct RooflineState {
    ScenePtr scene;                     ///< null before the first refresh
    QVector<RooflineCeiling> ceilings;  ///< highest first
    QVector<RooflineSlope> slopes;      ///< memory first
    MemoryLevel level = MemoryLevel::Dram;
    QString levelsAbsent;  ///< why there is no choice of levels; empty when counters tell them apart
    std::vector<RooflinePoint>
        points;  ///< points of the sliders' plan; measured filled in when that very plan ran
    std::vector<RooflinePoint>
        measuredPoints;  ///< points of the run, when it was another configuration; otherwise empty
    std::vector<RooflinePoint> named;  ///< what the labels name: the groups, measured where it was measured
    std::optional<double> balance;     ///< FLOP/B where the active ceiling meets the steepest slope
    int withoutFlops = 0;              ///< ops that have no place on a roofline
    double minIntensity = 0.1, maxIntensity = 1000;  ///< whole decades
    double minRate = 1e9, maxRate = 1e12;
    QString emptyText;  ///< why there is no chart; empty when there is one
    QString subtitle;
    QString subtitleHelp;  ///< tool tip of the subtitle
    QString summary;       ///< one sentence for screen readers

    /// Whether it is one of `measuredPoints`.
    [[nodiscard]] bool isOfRun(const RooflinePoint& point) const;
    /// The ops of the sliders' plan that a point stands for: of the run those of the same id, of which there
    /// may be none.
    [[nodiscard]] std::vector<int> shownOps(const RooflinePoint& point, bool ofRun) const;
};
/// Index of the point that holds op `op`, or -1.
[[nodiscard]] int pointOf(const std::vector<RooflinePoint>& points, std::int64_t op);
/// `inGroups`: one point for all ops of the same phase, kind and shape; otherwise one for each op.
/// `level`: whose bytes the measured points are placed by, where there are counters.
[[nodiscard]] RooflineState makeRooflineState(const ScenePtr& scene, bool inGroups,
                                              MemoryLevel level = MemoryLevel::Dram);

/// "DRAM", "L2", "L1".
[[nodiscard]] QString memoryLevelLabel(MemoryLevel level);

/// What the executed FLOPs and the bytes of a level were counted by in a run, "FLOPs: sm__ops_...", a line
/// each; empty where nothing was.
[[nodiscard]] QStringList metricLines(const Scene& scene, MemoryLevel level);

/// "weight gradient ×32"; empty for a point of one op that is no group.
[[nodiscard]] QString pointLabel(const Step& step, const RooflinePoint& point);

/// The card beside the pointer for a point.
[[nodiscard]] HoverCardContent rooflineCard(const RooflineState& state, const RooflinePoint& point);

}  // namespace plumb::ui
