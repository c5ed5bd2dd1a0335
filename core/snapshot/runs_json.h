// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"
#include "core/snapshot/snapshot.h"

#include <cstddef>
#include <vector>

// The other trainings of the session that a snapshot was saved in: its field "runs".
namespace plumb {

/// More runs than that are no session: a file with more is refused, and of more the newest are written.
inline constexpr std::size_t kMostSessionRuns = 1000;
/// Points of the curves of all runs together; above it each of them keeps fewer points, its extremes among
/// them.
inline constexpr std::size_t kMostRunPoints = 250'000;
/// Tensors with statistics, of all runs together; above it the oldest runs lose theirs.
inline constexpr std::size_t kMostRunTensors = 200'000;

/// `snapshot.runs` within these bounds, whatever was in them. A machine or traits that are the snapshot's own
/// are null.
[[nodiscard]] nlohmann::json runsJson(const Snapshot& snapshot);
/// `snapshot` has machine and traits already. Null, as in files of before: none.
[[nodiscard]] std::vector<SessionRun> readRuns(const JsonField& field, const Snapshot& snapshot);

}  // namespace plumb
