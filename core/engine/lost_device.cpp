// SPDX-License-Identifier: Apache-2.0
#include "core/engine/lost_device.h"

#include "core/engine/backend.h"

#include <fmt/format.h>

namespace plumb {

Error lostDevice(std::string_view told) {
    return {
        ErrorCode::DeviceLost, fmt::format("the GPU is lost to this program ({})", told),
        "start the program anew (in the window: Restart the engine); where it is lost again see nvidia-smi "
        "and the driver's messages (Xid) in the system's log, reset it (nvidia-smi --gpu-reset), and report "
        "it with the configuration"};
}

Error causeOf(const Error& error, Backend& backend) {
    const Result<void> alive = backend.synchronize();
    return !alive.has_value() && isLost(alive.error()) ? alive.error() : error;
}

}  // namespace plumb
