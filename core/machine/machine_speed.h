// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace plumb {

/// What a probe of some milliseconds found: how fast the machine is right now. The same small work every
/// time, so that two probes can be compared, on the threads that steps run on.
struct SpeedProbe {
    double productFlopPerSecond = 0;  ///< a matrix product in fp32 that fits the caches
    double copyBytesPerSecond = 0;    ///< rate of copying arrays that do not fit them, read and written
    /// Turns of one thread through several chains of operations at once, as many as a core can do. One chain
    /// alone would not notice who else uses the core: what waits for itself leaves room for others.
    double loopPerSecond = 0;
    bool operator==(const SpeedProbe&) const = default;
};

/// The state in which a calibration measured, and how far its probes lay apart.
struct CalibratedSpeed {
    SpeedProbe probe;   ///< probe of fast moments, to which its times belong: 75 % of the probes are slower
    double spread = 0;  ///< (90 % - 10 %) / median of the part that varied most; 0.05 is a quiet machine
    double systemLoad = 0;  ///< other runnable programs per core when it began
    std::int64_t probes = 0;
    std::string sharedWith = {};  ///< who else used the device meanwhile, a sentence; empty: nobody was seen
    bool operator==(const CalibratedSpeed&) const = default;
};

/// Why a calibration is to be repeated when the machine is quiet; empty when nothing disturbed it.
[[nodiscard]] std::string disturbanceOf(const CalibratedSpeed& speed);

/// Each part at this share of the probes, ordered by it: 0.5 is the median. Absent without probes.
[[nodiscard]] std::optional<SpeedProbe> quantileOf(std::span<const SpeedProbe> probes, double share);
[[nodiscard]] inline std::optional<SpeedProbe> medianOf(std::span<const SpeedProbe> probes) {
    return quantileOf(probes, 0.5);
}

/// How far the probes lie apart: (90 % - 10 %) / median of the part that varied most; 0 for fewer than two.
[[nodiscard]] double spreadOf(std::span<const SpeedProbe> probes);

/// How fast the machine was while something was measured on it.
struct MeasuredSpeed {
    SpeedProbe probe;  ///< the median of the probes between the steps
    /// What was measured, as a share of the speed that calibration found: 0.6 took 1 / 0.6 of the time. The
    /// parts of the probe, each weighted with the time that the prediction gives to ops which it limits.
    /// Absent without a calibration that was probed too.
    std::optional<double> ofCalibrated;
    bool operator==(const MeasuredSpeed&) const = default;
};

/// `now` as shares of `then`, part by part: 0.6 is slower than then.
struct RelativeSpeed {
    double product = 1;
    double copy = 1;
    double loop = 1;

    [[nodiscard]] double slowest() const { return std::min({product, copy, loop}); }
    [[nodiscard]] double fastest() const { return std::max({product, copy, loop}); }
};
[[nodiscard]] RelativeSpeed relativeSpeed(const SpeedProbe& now, const SpeedProbe& then);

}  // namespace plumb
