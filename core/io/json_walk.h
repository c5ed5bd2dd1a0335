// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/read_control.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace plumb {

/// Shows a visitor what JSON text holds, in order: what nlohmann::json::sax_parse() shows, in half its time,
/// with progress and given up midway. What is wrong with it is told to the visitor's parse_error() in that
/// parser's words. The text holds no zero byte. Where the two differ: "0e999" is out of range here.
void walkJson(std::string_view text, const ReadControl& control, nlohmann::json_sax<nlohmann::json>& visitor);

}  // namespace plumb
