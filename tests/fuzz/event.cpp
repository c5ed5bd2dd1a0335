// SPDX-License-Identifier: Apache-2.0
#include "core/engine/protocol.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {

void event(std::string_view input) {
    const auto read = protocol::parseEvent(input);
    if (!isTaken(read)) return;
    const std::string written = protocol::encode(*read);
    const auto again = protocol::parseEvent(written);
    require(again.has_value(), "an event that was written is read", written);
    require(protocol::encode(*again) == written, "an event is written as it was read", written);

    // The window plans and predicts with what a device list says.
    const auto* const list = std::get_if<protocol::DeviceList>(&read->body);
    if (list == nullptr) return;
    RunConfig config;
    config.dim = 64;
    config.batch = 32;
    for (const protocol::DeviceEntry& device : list->devices)
        for (const Precision precision : {Precision::Fp32, Precision::Fp8}) {
            config.precision = precision;
            const auto plan = planStep(config, device.target.traits);
            if (isTaken(plan)) (void)predictedReading(*plan, device.target.machine);
        }
}

}  // namespace plumb::fuzz
