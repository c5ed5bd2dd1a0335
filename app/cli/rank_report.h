// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/rank_comparison.h"

#include <cstdint>
#include <string>

namespace plumb::cli {

/// One JSON document (docs/trace.md); lists of collectives and kernels hold `top` entries.
[[nodiscard]] std::string jsonOf(const trace::RankComparison& comparison, std::int64_t top);
[[nodiscard]] std::string textOf(const trace::RankComparison& comparison, std::int64_t top);

}  // namespace plumb::cli
