// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"

#include <string_view>
#include <vector>

namespace plumb {

/// A device of resources/hardware.json that has what a roofline needs.
struct HardwareDatabase {
    std::vector<Machine> machines;

    /// Errors: BadInput with the device and the field when a figure is missing its unit, source or sign.
    [[nodiscard]] static Result<HardwareDatabase> parse(std::string_view json);
    /// The database compiled into the program (resources/hardware.json).
    [[nodiscard]] static const HardwareDatabase& builtIn();
    /// Any unambiguous part of id or name, case-insensitive. Errors: BadInput with the candidates.
    [[nodiscard]] Result<Machine> find(std::string_view part) const;
};

}  // namespace plumb
