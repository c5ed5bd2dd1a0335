// SPDX-License-Identifier: Apache-2.0
#include "core/lab/host_bus.h"

#include <fmt/format.h>

#include <array>
#include <string>

namespace plumb::lab {
namespace {

constexpr double kLanes = 16;
/// 128 of 130 bits on the line are data, from PCIe 3.0 on.
constexpr double kEncoding = 128.0 / 130.0;
/// PCIe 6.0 sends flits of 256 bytes, 242 of them data.
constexpr double kFlit = 242.0 / 256.0;

constexpr double lanes(double transfersPerSecond, double share) {
    return kLanes * transfersPerSecond * share / 8;
}

constexpr std::array kBuses{
    HostBus{"pcie3", "PCIe 3.0 x16", lanes(8e9, kEncoding), "16 lanes · 8 GT/s · 128/130 / 8 bits"},
    HostBus{"pcie4", "PCIe 4.0 x16", lanes(16e9, kEncoding), "16 lanes · 16 GT/s · 128/130 / 8 bits"},
    HostBus{"pcie5", "PCIe 5.0 x16", lanes(32e9, kEncoding), "16 lanes · 32 GT/s · 128/130 / 8 bits"},
    HostBus{"pcie6", "PCIe 6.0 x16", lanes(64e9, kFlit), "16 lanes · 64 GT/s · 242/256 / 8 bits"},
    HostBus{"c2c", "NVLink-C2C", 450e9, "900 GB/s in both directions together (NVIDIA Grace Hopper)"}};

}  // namespace

std::span<const HostBus> hostBuses() { return kBuses; }

Result<HostBus> findHostBus(std::string_view name) {
    std::string known;
    for (const HostBus& bus : kBuses) {
        if (bus.name == name) return bus;
        known += (known.empty() ? "" : ", ") + std::string(bus.name);
    }
    return Error{ErrorCode::BadInput, fmt::format("unknown bus ({})", name), "use one of " + known};
}

}  // namespace plumb::lab
