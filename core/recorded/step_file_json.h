// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/recorded/step_file.h"

namespace plumb {

[[nodiscard]] JsonType<RecordingEnvironment> jsonType(Of<RecordingEnvironment>);
[[nodiscard]] JsonType<AllocatorReading> jsonType(Of<AllocatorReading>);
[[nodiscard]] JsonType<RecorderPrediction> jsonType(Of<RecorderPrediction>);
[[nodiscard]] JsonType<MissingFormula> jsonType(Of<MissingFormula>);
[[nodiscard]] JsonType<StepFile> jsonType(Of<StepFile>);

}  // namespace plumb
