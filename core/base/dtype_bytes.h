// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"

#include <cstdint>
#include <string>

namespace plumb {

/// Bytes that `elements` take side by side: fp4 goes two to a byte, the last one filled up. -1 where 63 bits
/// do not count them, and for a negative number of elements.
[[nodiscard]] std::int64_t bytesOrOverflow(Dtype dtype, std::int64_t elements);

/// What an element takes, as formulas say it: "2 B", "0.5 B".
[[nodiscard]] std::string elementSizeText(Dtype dtype);

}  // namespace plumb
