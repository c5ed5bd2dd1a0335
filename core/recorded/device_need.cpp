// SPDX-License-Identifier: Apache-2.0
#include "core/recorded/device_need.h"

#include "core/machine/attainable.h"
#include "core/measure/reading.h"

namespace plumb {

DeviceNeed deviceNeedOf(const StepFile& file, std::string_view backend) {
    DeviceNeed need{.tensors = summariseCurve(memoryCurve(file.step)).peakBytes};
    if (backend.empty() || backend == "cpu") return need;
    need.reserved = file.allocator.reservedPeakBytes;
    need.context = static_cast<Bytes>(kContextBytes.expected);
    return need;
}

}  // namespace plumb
