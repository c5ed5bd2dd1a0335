// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"
#include "core/measure/reading.h"

namespace plumb {

[[nodiscard]] nlohmann::json toJson(const Reading& reading);
[[nodiscard]] nlohmann::json toJson(const Timeline& timeline);  ///< columns, whole nanoseconds in seconds

/// The way back. Errors: BadInput with the path of the field.
[[nodiscard]] Reading readReading(const JsonField& field);
[[nodiscard]] Result<Reading> readingFromJson(const nlohmann::json& json);
/// `ops`: of the reading that it is part of; its records name them by index.
[[nodiscard]] Timeline readTimeline(const JsonField& field, std::size_t ops);

}  // namespace plumb
