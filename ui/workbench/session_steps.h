// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/compare/compared_step.h"

#include <QString>

#include <functional>
#include <vector>

namespace plumb::ui {

class Workbench;

/// A step that the session has, to be compared with others.
struct SessionStep {
    QString title;  ///< "3 · D 256 · L 4 · B 256 · fp32 · AdamW · 20 steps"
    std::function<Result<ComparedStep>()> make;  ///< owns what it needs; errors: those of planStep()
};

/// What the sliders ask for as it is predicted, the recorded step that is shown, and every measurement, the
/// newest first.
[[nodiscard]] std::vector<SessionStep> sessionSteps(const Workbench& workbench);

/// The measurement at `index` of Workbench::measurements(), with the losses of the newest training of its
/// configuration.
[[nodiscard]] SessionStep measuredStepOf(const Workbench& workbench, std::size_t index);

}  // namespace plumb::ui
