// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/machine/machine.h"
#include "core/measure/reading.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace plumb {

/// One op of a checked step, all its executions.
struct CheckedOp {
    std::string signature;  ///< OpSignature::text()
    Seconds predicted = 0;
    Seconds measured = 0;
    double speed = 1;  ///< speed of the machine, as a share of its calibrated speed at what this op follows

    [[nodiscard]] double errorAtSpeed() const { return (predicted / speed - measured) / measured; }
};

/// A step that was predicted and then run.
struct CheckedStep {
    RunConfig config;
    Seconds predicted = 0;
    Seconds measured = 0;                     ///< median of the measured steps, as profile() gives it
    std::optional<MeasuredSpeed> speed = {};  ///< speed of the machine meanwhile
    std::vector<CheckedOp> ops = {};          ///< those with a predicted and a measured time

    /// (predicted - measured) / measured
    [[nodiscard]] double error() const { return (predicted - measured) / measured; }
    /// The same of what is predicted at the speed that the machine had; error() where that is not known.
    [[nodiscard]] double errorAtSpeed() const {
        const double share = speed && speed->ofCalibrated ? *speed->ofCalibrated : 1;
        return (predicted / share - measured) / measured;
    }
};

struct PredictionCheck {
    std::vector<CheckedStep> steps;

    /// Median of the absolute errors. Pre: there are steps.
    [[nodiscard]] double medianError() const;
    /// The smallest of the errors that 90 % of the steps do not exceed. Pre: there are steps.
    [[nodiscard]] double p90Error() const;
    /// All of these with today's date, at the speed of the moment too. Pre: there are steps.
    [[nodiscard]] PredictionErrors errors() const;
};

struct CheckOptions {
    std::int64_t configurations = 100;
    std::uint64_t seed = 0;
    Seconds mostPerStep = 1;  ///< predicted; what takes longer is not drawn
    std::stop_token stop;
    std::function<void(const CheckedStep& step, std::int64_t done)> progress;
};

/// The configuration number `index` of the check with this seed: sizes over two or three orders of magnitude,
/// every recipe, optimizer and policy, every fourth with rows of a file; never a size that calibration
/// measures. The same on every machine as far as it can run them in `mostPerStep` and a quarter of its
/// memory. Errors: BadInput when the machine predicts no times.
[[nodiscard]] Result<RunConfig> checkConfig(const Machine& machine, const BackendTraits& traits,
                                            const CheckOptions& options, std::int64_t index);

/// Predicts and measures steps until all are done or it is stopped; what is done by then is returned. Errors:
/// those of checkConfig() and of profile(), BadInput for less than one configuration.
[[nodiscard]] Result<PredictionCheck> checkPredictions(Backend& backend, const Machine& machine,
                                                       const CheckOptions& options);

}  // namespace plumb
