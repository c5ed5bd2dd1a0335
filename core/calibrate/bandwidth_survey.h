// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calibrate/cost_survey.h"
#include "core/engine/backend.h"
#include "core/machine/cost_tables.h"

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace plumb {

/// Bytes per second of one way to go through memory (a rate of BandwidthPoint), over arrays of so many bytes
/// together; the best of its own repeats.
using TrafficRate = std::function<Result<double>(double BandwidthPoint::*pattern, Bytes workingSet)>;

/// The bandwidth over each of `workingSets`. A point that was measured while the machine was clearly slower
/// than it mostly is is measured again, up to three times in all, and the best of each rate counts.
/// Errors: RunFailed when stopped; those of `rate` and of the backend's probe.
[[nodiscard]] Result<std::vector<BandwidthPoint>>
surveyBandwidth(Backend& backend, std::span<const Bytes> workingSets, const TrafficRate& rate,
                const SurveyProgress& progress, const std::stop_token& stop);

}  // namespace plumb
