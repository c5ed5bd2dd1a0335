// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/findings/findings.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>

namespace plumb::cli {

/// All findings with evidence and what to try, and what was not looked at.
[[nodiscard]] std::string findingsReport(const Findings& findings);
/// The first ones, a line each, below a report; empty without any. `file`: where the others are read, empty
/// where nothing was written.
[[nodiscard]] std::string shortFindings(const Findings& findings, const std::string& file);
[[nodiscard]] nlohmann::json findingsJson(const Findings& findings);

}  // namespace plumb::cli
