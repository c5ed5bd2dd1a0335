// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/engine/counter_support.h"

#include <cstddef>
#include <string_view>

namespace plumb::cupti {

struct CuptiApi;

/// More ranges at once need more memory than they save (0.3 MB each), and beyond some thousand CUPTI fails: a
/// longer step is counted a part at a time, each part in steps of its own.
inline constexpr std::size_t kMostRanges = 256;

/// A chip of this compute capability (90 for 9.0) whose metrics and passes are those of all of them; empty
/// for one that no set is known of. Which chip a GPU really is, the driver says when counting begins.
[[nodiscard]] std::string_view chipOfCapability(int computeCapability);

/// What can be said without a call of the driver: whether CUPTI is there and of a version that fits, whether
/// it counts on such a GPU, what the driver's parameters permit this process, and the passes by CUPTI's host
/// library.
[[nodiscard]] CounterSupport counterSupport(int computeCapability);
/// The same of a CUPTI and a permission that are handed in. `permitted`: an error is the reason why not.
[[nodiscard]] CounterSupport counterSupport(int computeCapability, const Result<const CuptiApi*>& cupti,
                                            const Result<void>& permitted);

/// Whether this process may read counters as far as the driver's parameters and its own capabilities tell, in
/// the format of /proc/driver/nvidia/params and /proc/self/status. A driver that says nothing permits.
/// Errors: Unavailable.
[[nodiscard]] Result<void> countingPermitted(std::string_view driverParameters,
                                             std::string_view processStatus);

}  // namespace plumb::cupti
