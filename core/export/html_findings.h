// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exported_step.h"

#include <string>

namespace plumb {

/// The findings of a step as a table, with what was not looked at; says that there are none.
[[nodiscard]] std::string findingsTable(const ExportedStep& step);

}  // namespace plumb
