// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exported_step.h"
#include "core/findings/findings.h"

namespace plumb {

/// The findings of the step; none, and no rule that looked, where it could not be planned.
[[nodiscard]] Findings findingsOf(const ExportedStep& step);

}  // namespace plumb
