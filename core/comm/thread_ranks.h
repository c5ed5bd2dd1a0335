// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/comm/world.h"

#include <memory>
#include <vector>

namespace plumb {

/// The worlds of `size` ranks that are threads of this process: element r is that of rank r, to be used by
/// its thread. A rank ends when its world goes away; who waits for it then gets an error. Pre: size >= 1.
[[nodiscard]] std::vector<std::unique_ptr<World>> threadRanks(int size);

}  // namespace plumb
