// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/snapshot/snapshot.h"

#include <cstddef>

namespace plumb {

/// More than that are no session: a file with more is refused, and of more the newest are written.
inline constexpr std::size_t kMostSessionRuns = 1000;
inline constexpr std::size_t kMostMeasurements = 1000;
inline constexpr std::size_t kMostCurves = 1000;
inline constexpr std::size_t kMostCurvePoints = 20'000;  ///< of all curves together
/// Most points of the loss curves of all runs together; above it each of them keeps fewer points, its
/// extremes among them.
inline constexpr std::size_t kMostRunPoints = 250'000;
/// Most moments that devices told of, in all runs together; above it each keeps fewer moments.
inline constexpr std::size_t kMostRunMoments = 20'000;
/// Tensors with statistics, of all runs together; above it the oldest runs lose theirs.
inline constexpr std::size_t kMostRunTensors = 200'000;

[[nodiscard]] JsonType<Snapshot> jsonType(Of<Snapshot>);
[[nodiscard]] JsonType<MeasuredPolicy> jsonType(Of<MeasuredPolicy>);
[[nodiscard]] JsonType<SessionRun> jsonType(Of<SessionRun>);
[[nodiscard]] JsonType<SessionMeasurement> jsonType(Of<SessionMeasurement>);
[[nodiscard]] JsonType<SessionCurve> jsonType(Of<SessionCurve>);
[[nodiscard]] JsonType<MarkedTime> jsonType(Of<MarkedTime>);
[[nodiscard]] JsonType<Bookmark> jsonType(Of<Bookmark>);

/// A list of a session within these bounds and those of boundSession(), whatever was in the snapshot. A
/// machine or traits that are the snapshot's own, which come before the lists, are null.
template <auto kList, std::size_t kMost>
struct SessionList {
    static nlohmann::json write(const Snapshot& snapshot);
    static void read(const JsonField& field, Snapshot& snapshot);
    static nlohmann::json schema(nlohmann::json& definitions);
};
using SessionRuns = SessionList<&Snapshot::runs, kMostSessionRuns>;
using SessionMeasurements = SessionList<&Snapshot::measurements, kMostMeasurements>;
using SessionCurves = SessionList<&Snapshot::curves, kMostCurves>;
template <>
nlohmann::json SessionRuns::write(const Snapshot& snapshot);
template <>
nlohmann::json SessionMeasurements::write(const Snapshot& snapshot);
template <>
nlohmann::json SessionCurves::write(const Snapshot& snapshot);

}  // namespace plumb
