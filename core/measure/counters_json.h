// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_fields.h"
#include "core/measure/op_counters.h"

namespace plumb {

/// {"dram_bytes": {"value": 5, "source": "counter"}, ...} with what was counted alone; null for nothing.
[[nodiscard]] nlohmann::json countersJson(const OpCounters& counters);
/// Counters that this version does not know are passed over.
[[nodiscard]] OpCounters readCounters(const JsonField& field);

[[nodiscard]] nlohmann::json counterRunJson(const CounterRun& run);
[[nodiscard]] CounterRun readCounterRun(const JsonField& field);

}  // namespace plumb
