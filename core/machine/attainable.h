// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/range.h"
#include "core/base/result.h"
#include "core/machine/machine.h"
#include "core/machine/tier.h"

#include <optional>

namespace plumb {

// What programs reach of the ceilings of a data sheet, as far as public measurements tell. The planner's
// assumptions and the predictions of a step on a device that is not calibrated are these.

/// Large products, as a share of the peak: what public shape searches reached on data-centre devices.
inline constexpr Range kProductShare{0.6, 0.75, 0.85};
/// Products on a device that a public shape search measured, as a share of the best it found.
inline constexpr Range kPublishedShare{0.8, 0.95, 1};
/// Passes over memory, as a share of the bandwidth.
inline constexpr Range kMemoryShare{0.7, 0.85, 0.95};
/// Seconds to launch an operation: 2 to 10 us; near 0 where a whole step is launched as a graph.
inline constexpr Range kLaunchSeconds{0, 2e-6, 10e-6};

/// Bytes that a GPU's driver takes for a process: context and kernels. 0.5 to 2 GiB in public reports.
inline constexpr Range kContextBytes{0.5e9, 1e9, 2.1e9};

/// Rate of products in `dtype`, where the data sheet of this device holds what a public shape search reached.
[[nodiscard]] std::optional<Range> publishedProductShare(const Machine& machine, Dtype dtype);

/// Whether times come from measurements on the machine itself: tables of ops, or (of older calibrations)
/// ceilings and an overhead that were measured there.
[[nodiscard]] bool isCalibrated(const Machine& machine);

/// Why no work in `dtype` can be timed on `machine`, and what to do about it: only a machine that is this one
/// and not calibrated is to be calibrated. Empty where its peak and the bandwidth are known.
[[nodiscard]] std::optional<Error> missingCeiling(const Machine& machine, Dtype dtype);

/// The tier of times that `machine` predicts for products in `dtype`.
[[nodiscard]] Tier tierOf(const Machine& machine, Dtype dtype);

}  // namespace plumb
