// SPDX-License-Identifier: Apache-2.0
// Large documents, which take seconds to read: with progress, and given up midway.
#pragma once

#include "core/base/result.h"
#include "core/io/json_inspector.h"
#include "core/io/read_control.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace plumb {

/// As readFile(). Errors: also readingStopped().
[[nodiscard]] Result<std::string> readFile(const std::string& path, std::size_t limitBytes,
                                           const ReadControl& control);

/// A document that the inspector lets through. Errors: those of JsonInspector::inspect(); readingStopped() of
/// `path`.
[[nodiscard]] Result<nlohmann::json> parseJson(std::string_view text, const std::string& path,
                                               JsonInspector& inspector, const ReadControl& control);

}  // namespace plumb
