// SPDX-License-Identifier: Apache-2.0
#include "core/measure/memory_shares.h"

namespace plumb {

std::vector<MemoryShare> memoryShares(const DeviceMemoryCounts& counts) {
    std::vector<MemoryShare> shares;
    shares.push_back({"tensors", counts.tensors});
    shares.push_back({"rounding of the allocator", counts.poolUsed - counts.tensors});
    shares.push_back({"kept by the allocator for reuse", counts.poolReserved - counts.poolUsed});
    // Others that gave memory back while this program opened the device leave a rest that is not its context.
    if (counts.usedByOthers && *counts.usedByOthers <= counts.usedWithContext) {
        shares.push_back({"other programs", *counts.usedByOthers});
        shares.push_back({"context of this program", counts.usedWithContext - *counts.usedByOthers});
    } else {
        shares.push_back({"context of this program and other programs", counts.usedWithContext});
    }
    Bytes named = 0;
    for (const MemoryShare& share : shares) named += share.bytes;
    shares.push_back(
        {"code of kernels, the matrix library and what changed elsewhere", counts.usedNow - named});
    return shares;
}

}  // namespace plumb
