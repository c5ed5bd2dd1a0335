// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <span>
#include <string_view>

namespace plumb::lab {

/// The way between the host's memory and a GPU.
struct HostBus {
    std::string_view name;      ///< "pcie5"
    std::string_view label;     ///< "PCIe 5.0 x16"
    double bytesPerSecond = 0;  ///< in one direction, at most; transfers reach some nine tenths of it
    std::string_view source;    ///< how it is worked out
};

/// PCIe 3.0 to 6.0 with 16 lanes and NVLink-C2C, the slowest first.
[[nodiscard]] std::span<const HostBus> hostBuses();
/// Errors: BadInput with the known names.
[[nodiscard]] Result<HostBus> findHostBus(std::string_view name);

}  // namespace plumb::lab
