// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/file.h"

#include <cstdint>

namespace plumb {

/// Bytes that were added to the file since it was opened: what reads it reads what stood there then, and says
/// so. 0 where it did not grow, or where the system does not tell.
[[nodiscard]] std::uint64_t grownBytes(const ReadableFile& file);

}  // namespace plumb
