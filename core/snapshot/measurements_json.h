// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"
#include "core/snapshot/snapshot.h"

#include <cstddef>
#include <vector>

// What else was measured in the session that a snapshot was saved in: its fields "measurements" and "curves".
namespace plumb {

/// More than that are no session: a file with more is refused.
inline constexpr std::size_t kMostMeasurements = 1000;
inline constexpr std::size_t kMostCurves = 1000;
inline constexpr std::size_t kMostCurvePoints = 20'000;  ///< points of all curves together

/// What policies were measured to need, everything else being as in `config`.
[[nodiscard]] nlohmann::json curveJson(const std::vector<MeasuredPolicy>& curve, const RunConfig& config);
[[nodiscard]] std::vector<MeasuredPolicy> readCurve(const JsonField& field, RunConfig config);

/// All of them, within the bounds of boundSession(), whatever was in the snapshot. A machine or traits that
/// are the snapshot's own are null.
[[nodiscard]] nlohmann::json measurementsJson(const Snapshot& snapshot);
[[nodiscard]] nlohmann::json curvesJson(const Snapshot& snapshot);
/// `snapshot` has machine and traits already. Null, as in files of before: none.
[[nodiscard]] std::vector<SessionMeasurement> readMeasurements(const JsonField& field,
                                                               const Snapshot& snapshot);
[[nodiscard]] std::vector<SessionCurve> readCurves(const JsonField& field, const Snapshot& snapshot);

}  // namespace plumb
