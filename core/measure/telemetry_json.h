// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/json_type.h"
#include "core/measure/device_history.h"
#include "core/measure/telemetry.h"

namespace plumb {

[[nodiscard]] JsonType<Telemetry> jsonType(Of<Telemetry>);
[[nodiscard]] JsonType<DeviceSample> jsonType(Of<DeviceSample>);
[[nodiscard]] JsonType<DeviceMoment> jsonType(Of<DeviceMoment>);
[[nodiscard]] JsonType<DeviceHistory> jsonType(Of<DeviceHistory>);

}  // namespace plumb
