// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"
#include "core/machine/machine.h"

namespace plumb {

[[nodiscard]] nlohmann::json toJson(const Machine& machine);
/// The way back. Errors: BadInput with the path of the field. Dtypes that this version does not know are
/// passed over.
[[nodiscard]] Machine readMachine(const JsonField& field);
[[nodiscard]] Result<Machine> machineFromJson(const nlohmann::json& json);

}  // namespace plumb
