// SPDX-License-Identifier: Apache-2.0
#include "core/machine/device_figures.h"
#include "core/machine/hardware_database.h"
#include "core/machine/own_devices.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {

void devices(std::string_view input) {
    const auto machines = devicesFromText(input, "the records");
    if (isTaken(machines)) {
        const std::string written = devicesToText(*machines);
        const auto again = devicesFromText(written, "the records");
        require(again.has_value(), "records that were written are read", written);
        require(devicesToText(*again) == written, "records are written as they were read", written);
        for (const Machine& machine : *machines) {
            (void)problemsOf(machine, *machines);
            (void)renamedApart(machine, *machines);
        }
    }
    if (const auto sheets = sheetsFromText(input, "the sheet"); isTaken(sheets))
        for (const Machine& machine : *sheets)
            require(problemsOf(machine, {}).empty(), "a sheet that was read can be kept", machine.name);
    const auto database = HardwareDatabase::parse(input);
    if (isTaken(database)) (void)database->find(input.substr(0, 20));
    (void)HardwareDatabase::builtIn().find(input.substr(0, 40));
}

}  // namespace plumb::fuzz
