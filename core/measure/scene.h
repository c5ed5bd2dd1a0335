// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/hardware_database.h"
#include "core/measure/planned_step.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace plumb {

/// Everything that the views show; immutable and shared, a new one replaces it as a whole.
///
/// What was measured may be another step, or on another machine, than the sliders ask for while the user asks
/// what-if during a run; sameConfig() says so, and views label it.
struct Scene {
    PlannedStep whatIf;                    ///< what the sliders ask for
    std::optional<MeasuredStep> measured;  ///< absent: nothing was measured yet
    /// Data sheets: built-in ones and the user's own. Never null.
    std::shared_ptr<const std::vector<Machine>> dataSheets =
        std::make_shared<const std::vector<Machine>>(HardwareDatabase::builtIn().machines);

    [[nodiscard]] const RunConfig& config() const { return whatIf.config(); }
    /// True when the sliders ask for exactly what was measured, on the same machine.
    [[nodiscard]] bool sameConfig() const {
        return measured && measured->step->isSameStep(*whatIf.step) &&
               measured->machine().id == whatIf.machine().id;
    }
    /// Measured entry of the op with this id, or null.
    [[nodiscard]] const OpReading* measuredOp(std::string_view id) const {
        return measured ? measured->op(id) : nullptr;
    }
    /// That of the op at an index of `step`, or null.
    [[nodiscard]] const OpReading* measuredOp(const Step& step, std::int64_t index) const {
        return measured ? measured->op(step, index) : nullptr;
    }
};
using ScenePtr = std::shared_ptr<const Scene>;

}  // namespace plumb
