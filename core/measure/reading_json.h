// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/measure/reading.h"

namespace plumb {

[[nodiscard]] JsonType<Reading> jsonType(Of<Reading>);
/// Its records are in columns, whole nanoseconds in seconds; readTimeline() reads them.
[[nodiscard]] JsonType<Timeline> jsonType(Of<Timeline>);
/// `ops`: of the reading that it is part of; its records name them by index.
[[nodiscard]] Timeline readTimeline(const JsonField& field, std::size_t ops);

}  // namespace plumb
