// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exported_step.h"

#include <string>

namespace plumb {

/// The step as one HTML file that needs no network: key figures predicted and measured, memory curve,
/// roofline, loss, operations in a table that sorts, modules, configuration and provenance; for screens light
/// and dark, and for paper. Figures carry their exact value as `data-value`, in SI base units.
[[nodiscard]] Result<std::string> toHtmlReport(const ExportedStep& step);

}  // namespace plumb
