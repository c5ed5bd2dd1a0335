// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>

namespace plumb::planner {

/// The least batch that every one of these numbers of devices divides. Errors: BadInput where it is larger
/// than a batch can be.
[[nodiscard]] Result<std::int64_t> commonBatch(std::span<const std::int64_t> devices);

}  // namespace plumb::planner
