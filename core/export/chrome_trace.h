// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exported_step.h"

#include <string>

namespace plumb {

/// The times of a step in the Trace Event Format, with the categories and names of PyTorch's profiler, so
/// that Perfetto (ui.perfetto.dev), chrome://tracing and HolisticTraceAnalysis read it.
///
/// Process 1 is what was measured: a thread for each lane, bars as complete events ("X"), live bytes as a
/// counter ("C"), launches joined to what they launched by flows ("s", "f"). Without a timeline its ops stand
/// end to end. Process 2 is the prediction of the same step, its ops end to end from the beginning of the
/// first measured one, with the bytes of each category. Steps are annotations ProfilerStep#N, and one more of
/// a nanosecond ends the last, since HolisticTraceAnalysis leaves the last out. Times are microseconds with
/// three decimals; bars of a thread lie within each other or apart.
///
/// Errors: BadInput when there is neither a timeline nor any time of an op, and for a step of more than 285
/// years.
[[nodiscard]] Result<std::string> toChromeTrace(const ExportedStep& step);

}  // namespace plumb
