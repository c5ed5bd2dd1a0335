// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/machine.h"
#include "core/plan/step_plan.h"

#include <optional>
#include <string>
#include <string_view>

namespace plumb {

/// Where a step runs: the device, and what its backend does differently.
struct Target {
    Machine machine;
    BackendTraits traits;
};

/// How PyTorch runs steps there is what the traits' backend says: "pytorch-eager", "pytorch-compile".
inline constexpr std::string_view kPyTorch = "pytorch";
[[nodiscard]] inline bool runsPyTorch(const Target& target) {
    return target.traits.backend.starts_with(kPyTorch);
}
/// As `device` of a run names it where PyTorch runs: "pytorch-eager", on a GPU "pytorch-eager:0".
[[nodiscard]] inline std::string pyTorchDevice(const Target& target) {
    const std::optional<int>& index = target.machine.index;
    return target.traits.backend + (index ? ":" + std::to_string(*index) : std::string());
}

}  // namespace plumb
