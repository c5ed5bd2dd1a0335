// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/measure/rank_reading.h"

namespace plumb {

[[nodiscard]] JsonType<RankReading> jsonType(Of<RankReading>);

}  // namespace plumb
