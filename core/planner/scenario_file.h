// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/planner/scenario.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace plumb::planner {

/// How names of plans end.
inline constexpr std::string_view kPlanSuffix = ".plan.json";
/// Version of the file; grows when a reader of the version before would misread it.
inline constexpr std::int64_t kPlanVersion = 1;

/// A scenario as a document of its own, and back: everything that answers go by, the device with its figures
/// and the model with its sizes, so that it gives the same answers on a machine that knows neither. Paths
/// of files are left out.
/// Errors: BadInput said of `what` ("a.plan.json"), with the path of the field: what is no plan, a newer
/// version, a field that is missing, unusable or not known. Whether the layout divides is said by resolve().
[[nodiscard]] std::string scenarioToText(const Scenario& scenario);
[[nodiscard]] Result<Scenario> scenarioFromText(std::string_view text, const std::string& what);

/// The file appears whole or not at all (writeFileAtomically()). Errors: BadInput for a name without
/// kPlanSuffix; Io.
[[nodiscard]] Result<void> writeScenario(const std::string& path, const Scenario& scenario);
/// Errors: Io, and those of scenarioFromText().
[[nodiscard]] Result<Scenario> readScenario(const std::string& path);
/// Whether the beginning of a file says that it is a plan, whatever its name.
[[nodiscard]] bool looksLikeScenario(std::string_view start);

/// The schema of such a document, without what $defs/config is.
[[nodiscard]] nlohmann::json scenarioSchema();

}  // namespace plumb::planner
