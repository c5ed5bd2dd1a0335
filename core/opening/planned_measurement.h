// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/machine.h"
#include "core/planner/measured.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace plumb {

/// What a file of a measured step says to the planner.
struct FiledStep {
    planner::Scenario in;  ///< that it was measured in; of a recorded step without the model
    planner::MeasuredFigures figures;
    std::string device;                      ///< that it ran on
    bool hasModel = true;                    ///< false: a recorded step, whose model has to be described
    std::optional<std::int64_t> parameters;  ///< of a recorded step
    Dtype products{};                        ///< the format in which most of its products ran
};

/// Reads a snapshot of the own trainer, or a recorded step of PyTorch. The device of a recorded step is the
/// one among `known` that it ran on. Errors: those of the readers; BadInput for a step that was predicted and
/// did not run.
[[nodiscard]] Result<FiledStep> readFiledStep(const std::string& path, std::span<const Machine> known);

/// Holds the step against the scenario that it was measured in. Memory that the planner's model of memory
/// cannot have is left out, and the measurement says so. Errors: those of measure(); BadInput where the file
/// and the scenario contradict each other: number of parameters, format of the products; and for a recorded
/// step without a model or a device.
[[nodiscard]] Result<std::shared_ptr<const planner::Measurement>> measure(const FiledStep& step,
                                                                          const planner::Scenario& in);

}  // namespace plumb
