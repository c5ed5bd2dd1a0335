// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"
#include "core/model/run_config.h"

namespace plumb {

/// Every applicable option by name: switches as booleans, numbers as numbers, everything else as text.
[[nodiscard]] nlohmann::json toJson(const RunConfig& config);

/// The way back. Each value comes as JSON type or as the text of the command line ("4Ki", "on") and is kept
/// when it is given, also when it equals a default; missing names (and null) keep their defaults. A document
/// written by toJson() names all options, so what is read from it equals what was written, but its
/// micro-batch, lr and weight-decay no longer follow batch and optimizer. It is not validated here. Errors:
/// BadInput with the path of the field.
[[nodiscard]] RunConfig readConfig(const JsonField& field);
[[nodiscard]] Result<RunConfig> configFromJson(const nlohmann::json& json);

}  // namespace plumb
