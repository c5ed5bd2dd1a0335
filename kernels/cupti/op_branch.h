// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace plumb::cupti {

/// Where a replayed step runs an op.
enum class OpBranch : std::uint8_t {
    Main,
    Side,            ///< beside the others
    SideButTheLast,  ///< all but its last execution in a step
};

}  // namespace plumb::cupti
