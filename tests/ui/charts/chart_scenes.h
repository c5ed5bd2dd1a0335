// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workbench/workbench.h"

#include <QWidget>

#include <memory>

namespace plumb::ui::test {

/// A machine with round ceilings: fp32 60 T, bf16 1 P, 5 TB/s, 140 GB.
[[nodiscard]] Machine roundMachine();
/// A machine of which name and memory alone are known.
[[nodiscard]] Machine bareMachine();

[[nodiscard]] RunConfig deepConfig(std::int64_t layers, std::int64_t dim = 4096, std::int64_t batch = 8192);

/// What a measurement would look like: the plan's own memory, and times that are the predicted ones off by up
/// to a quarter, the same ones each time. For pictures and tests only.
[[nodiscard]] std::shared_ptr<const Reading> perturbedReading(const StepPlan& plan, const Machine& machine);

/// Plans `config`, as it would come with a measurement.
[[nodiscard]] std::shared_ptr<const StepPlan> planned(const RunConfig& config);

/// Measures the workbench's own configuration, as perturbedReading() does.
void pretendMeasured(Workbench& workbench);

}  // namespace plumb::ui::test
