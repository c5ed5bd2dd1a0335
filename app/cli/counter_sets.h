// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/engine/counter_support.h"
#include "core/measure/counter_set.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::cli {

/// A set of counters with what the vendor's library says of it, if that is installed. Needs no GPU.
struct DescribedSet {
    CounterSet set;                      ///< passes is 0 where they are not known
    std::string cupti;                   ///< version of the library's interface; empty: not loaded
    std::optional<Error> passesUnknown;  ///< why
};

/// Chips that there are sets for. Errors: Unavailable in a version that was built without CUDA.
[[nodiscard]] Result<std::vector<std::string>> counterChips();

/// Errors: Unavailable as above, and for a chip without a set.
[[nodiscard]] Result<DescribedSet> describeCounters(std::string_view chip, Precision precision,
                                                    CounterDetail detail);

/// What can be said of the counters of a GPU before it is used; the numbers are asked once and kept.
[[nodiscard]] CounterSupport counterSupport(int computeCapability);

}  // namespace plumb::cli
