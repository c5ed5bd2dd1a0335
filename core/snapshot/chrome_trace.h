// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/snapshot/snapshot.h"

#include <string>

namespace plumb {

/// The timeline of a snapshot in the Trace Event Format, which Perfetto (ui.perfetto.dev) and
/// chrome://tracing open. Process 1 is what was measured: a thread for each lane, bars as complete events
/// ("X"), live bytes as a counter ("C"), launches joined to what they launched by flows ("s", "f"). Process 2
/// is the prediction of the same step: its ops end to end from the beginning of the first measured one. Times
/// are microseconds with three decimals.
///
/// Errors: BadInput when the snapshot holds neither a timeline nor predicted times.
[[nodiscard]] Result<std::string> toChromeTrace(const Snapshot& snapshot);

}  // namespace plumb
