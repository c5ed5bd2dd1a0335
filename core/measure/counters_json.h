// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/measure/op_counters.h"

namespace plumb {

[[nodiscard]] JsonType<CounterRun> jsonType(Of<CounterRun>);

/// An object by the names of the counters; null where nothing was counted.
template <>
struct Json<OpCounters> {
    static nlohmann::json write(const OpCounters& counters);
    static OpCounters read(const JsonField& field);
    static nlohmann::json schema(nlohmann::json& definitions);
};

}  // namespace plumb
