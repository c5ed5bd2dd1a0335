// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/machine/machine_speed.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// Where an op stands in its table: the sizes that its time depends on, all at least 1, and the work that it
/// does there. Which sizes those are for which op says costPoint() in core/machine/op_cost_key.h.
struct CostPoint {
    double row = 1;
    double column = 1;
    double plane = 1;
    double work = 1;
    bool operator==(const CostPoint&) const = default;
};

/// Measured seconds of one execution at rising rows, all at one column and plane.
struct CostLine {
    double plane = 1;
    double column = 1;
    std::vector<double> rows;
    std::vector<double> work;  ///< that the op does at each row
    std::vector<Seconds> seconds;
    bool operator==(const CostLine&) const = default;
};

/// Measured times of one kind of op, by its sizes: what calibration keeps of it.
struct CostTable {
    std::string op;               ///< OpSignature::text()
    std::vector<CostLine> lines;  ///< by rising plane, then column; none is empty
    bool operator==(const CostTable&) const = default;

    /// Seconds of one execution at `point`.
    ///
    /// What is interpolated is the rate (work per second): linear in the logarithms of rate and size, first
    /// along the lines next to the point, then between those of a plane, then between two planes. That is
    /// exact at what was measured and between the neighbours everywhere else. Above what was measured the
    /// rate of the nearest point holds: a product twice as large as the largest known one takes twice as
    /// long. Below the smallest rows and columns its seconds hold. Pre: there are lines.
    [[nodiscard]] Seconds at(const CostPoint& point) const;
};

/// How many times as long the variant takes as the plain op, at a point between those where both were
/// measured: the rates of the two bend alike, so that their distance is smooth.
[[nodiscard]] double distanceOf(const CostTable& variant, const CostTable& plain, const CostPoint& point);

/// Bytes per second of three access patterns, counting what is read and written, over arrays that take
/// `workingSet` bytes together: caches first, memory last.
struct BandwidthPoint {
    Bytes workingSet = 0;
    double read = 0;
    double copy = 0;
    double update = 0;  ///< a = a + s * b
    bool operator==(const BandwidthPoint&) const = default;
};

/// What a step takes beside its ops where a device replays it as a graph of nodes.
struct ReplayCosts {
    /// From the end of one node to the beginning of the next, which waits for it.
    Seconds betweenNodes = 0;
    /// Part of an op's time when it is timed by itself, between two marks, which no replay takes.
    Seconds marks = 0;
    bool operator==(const ReplayCosts&) const = default;
};

/// What calibration measures beyond the ceilings: the times of ops by their sizes. Data alone, so that a
/// snapshot predicts the same wherever it is opened.
struct CostTables {
    std::vector<CostTable> tables;          ///< by rising `op`
    std::vector<BandwidthPoint> bandwidth;  ///< by rising working set
    /// Time between two ops, for memory and dispatch: part of a step, of no op.
    Seconds betweenOps = 0;
    std::optional<CalibratedSpeed> speed = {};  ///< speed of the machine while all that was measured
    int threads = 1;                            ///< between which products are shared (threadsForProduct())
    /// Absent where steps are not replayed, and of a calibration that did not look.
    std::optional<ReplayCosts> replay = {};
    bool operator==(const CostTables&) const = default;

    [[nodiscard]] const CostTable* find(std::string_view op) const;
    /// Bytes/s of copying within `workingSet`, interpolated as tables are; absent without a curve.
    [[nodiscard]] std::optional<double> bandwidthAt(double workingSet) const;
};

/// What calibration measured of ranks that are threads of one machine and have equal parts of its cores: the
/// times of one of them while the others run the same step, and those of the collectives between them.
struct RankCosts {
    std::int64_t ranks = 2;
    std::string source;  ///< "calibrated 2026-11-28"
    CostTables costs;    ///< without a bandwidth curve
    bool operator==(const RankCosts&) const = default;
};

/// How right the predictions of this machine were when that was last checked.
struct PredictionErrors {
    std::string date;  ///< "2026-11-20", UTC
    std::int64_t configurations = 0;
    double medianError = 0;  ///< median of |predicted - measured| / measured over the configurations
    double p90Error = 0;     ///< 90 % of the configurations are at most this far off
    /// The same with each prediction taken at the speed that the machine had in that moment.
    std::optional<double> medianErrorAtSpeed = {}, p90ErrorAtSpeed = {};
    /// The errors of single ops, over all ops of all configurations.
    std::optional<double> opMedianError = {}, opP90Error = {};
    bool operator==(const PredictionErrors&) const = default;
};

/// "predictions on this machine: median error 6 %, 90 % within 19 % (50 configurations, 2026-11-20)"
[[nodiscard]] std::string text(const PredictionErrors& errors);

}  // namespace plumb
