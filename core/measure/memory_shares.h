// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"

#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// What a part of the memory that is in use on a device is for.
struct MemoryShare {
    std::string name;
    Bytes bytes = 0;
    bool operator==(const MemoryShare&) const = default;
};

/// What is known of a device's memory at some moments; "used" is what its driver reports as not free.
struct DeviceMemoryCounts {
    std::optional<Bytes> usedByOthers;  ///< before this program touched the device; empty: nobody could say
    Bytes usedWithContext = 0;          ///< once the device was opened, before anything was allocated
    Bytes usedNow = 0;
    Bytes tensors = 0;       ///< handed out now, as asked for
    Bytes poolUsed = 0;      ///< the same as the driver's pool rounds it
    Bytes poolReserved = 0;  ///< that the pool has taken from the device
};

/// The parts of what is used now, by name; they add up to `usedNow`. What nobody counts - code of kernels,
/// what the matrix library keeps, what other programs have taken or given back since - is the last part, and
/// negative when others gave back more. The context is told apart from other programs only where these were
/// known and not larger than both together.
[[nodiscard]] std::vector<MemoryShare> memoryShares(const DeviceMemoryCounts& counts);

}  // namespace plumb
