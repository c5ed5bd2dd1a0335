// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exported_step.h"

#include <string>

namespace plumb {

// Figures of a report: an SVG chart with legend and caption, or a sentence why there is none.

/// Bytes in use during each op, stacked by category: filled what was measured (or predicted where nothing
/// was), dashed the sum of the prediction.
[[nodiscard]] std::string memoryFigure(const ExportedStep& step);
/// Ops of one phase, kind and shape as points below the ceilings of the machine: hollow predicted, filled
/// measured.
[[nodiscard]] std::string rooflineFigure(const ExportedStep& step);
/// Loss by step. Empty without a training.
[[nodiscard]] std::string lossFigure(const ExportedStep& step);

/// The same sentence for every figure that is not there.
[[nodiscard]] std::string absentFigure(std::string_view why);

}  // namespace plumb
