// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/measure/fit_proof.h"

namespace plumb {

[[nodiscard]] JsonType<FitTrial> jsonType(Of<FitTrial>);
[[nodiscard]] JsonType<FitProof> jsonType(Of<FitProof>);

}  // namespace plumb
