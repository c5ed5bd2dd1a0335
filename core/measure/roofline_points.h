// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/op_counters.h"
#include "core/measure/reading.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// One dot: an op, or all ops of the same phase, kind and shape.
struct RooflinePoint {
    std::string label;  ///< of a group: "weight gradient"
    Phase phase{};
    std::vector<std::int64_t> ops;    ///< indices into the step's ops, in order; never empty
    double intensity = 0;             ///< FLOP per byte of compulsory traffic
    std::optional<double> predicted;  ///< FLOP/s; absent where the machine has no ceiling for it
    std::optional<double> measured;   ///< FLOP/s = FLOPs / measured seconds
    std::optional<double> roof;       ///< FLOP/s that the ceilings allow at this intensity
    Bound bound = Bound::Unknown;
    Flops flops = 0;
    Bytes bytes = 0;
    std::optional<Seconds> predictedSeconds;
    std::optional<Tier> tier;  ///< tier of these: the least founded of the ops
    std::optional<Seconds> measuredSeconds;
    // From hardware counters, where the reading has them; `measured` is then of the executed FLOPs.
    std::optional<Flops> executedFlops;
    std::optional<Bytes> countedBytes;       ///< at the level of memory that was asked for
    std::optional<double> countedIntensity;  ///< executed FLOPs per counted byte

    /// Where the filled dot stands.
    [[nodiscard]] double measuredIntensity() const { return countedIntensity.value_or(intensity); }
};

/// The measured entry of an op of the step, or null.
using MeasuredOp = std::function<const OpReading*(std::int64_t op)>;

/// A point for each op of `step` that computes and moves bytes. `level`: whose counted bytes place the
/// measured ones.
[[nodiscard]] std::vector<RooflinePoint> rooflinePoints(const Step& step, const Machine& machine,
                                                        const Prediction& prediction, MemoryLevel level,
                                                        const MeasuredOp& measured);

/// One point for all ops of the same phase, kind and shape. A rate of a group needs the time of each of its
/// ops; a part of them would make it too fast.
[[nodiscard]] std::vector<RooflinePoint> groupedPoints(const std::vector<RooflinePoint>& points,
                                                       const Step& step);

}  // namespace plumb
