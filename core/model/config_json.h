// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/model/run_config.h"

namespace plumb {

/// Every applicable option by name: switches as booleans, numbers as numbers, everything else as text.
[[nodiscard]] nlohmann::json toJson(const RunConfig& config);

/// The way back. Each value comes as JSON type or as the text of the command line ("4Ki", "on") and is kept
/// when it is given, also when it equals a default; missing names (and null) keep their defaults. A document
/// written by toJson() names all options, so what is read from it equals what was written, but its
/// micro-batch, lr and weight-decay no longer follow batch and optimizer. It is not validated here. Errors:
/// BadInput with the path of the field.
[[nodiscard]] Result<RunConfig> configFromJson(const nlohmann::json& json);

/// Its options are in a table (runOptions()) already.
template <>
struct Json<RunConfig> {
    static nlohmann::json write(const RunConfig& config) { return toJson(config); }
    static RunConfig read(const JsonField& field);
    static nlohmann::json schema(nlohmann::json& /*definitions*/) { return {{"$ref", "#/$defs/config"}}; }
};

/// One that is refused where it cannot be trained.
struct ValidConfig : Json<RunConfig> {
    static RunConfig read(const JsonField& field);
};

}  // namespace plumb
