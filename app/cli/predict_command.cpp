// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/out_file.h"
#include "app/cli/report.h"
#include "core/machine/own_devices.h"

#include <fmt/format.h>

namespace plumb::cli {

namespace {

Result<void> runPredict(const Arguments& arguments) {
    PLUMB_TRY(const RunConfig config, arguments.runConfig());
    const std::string out = arguments.text("out");
    if (arguments.has("out")) PLUMB_CHECK(checkOutput({"--out", out}, filesOf(arguments, config)));
    Machine machine;
    BackendTraits traits;
    std::vector<std::string> notes;
    const std::string name = arguments.text("device");
    if (arguments.has("device") && !namesGpu(name)) {
        PLUMB_TRY(machine, KnownDevices::load().find(name));
        traits = traitsFor(machine.backend, machine.computeCapability);
        if (machine.backend.empty())
            notes.emplace_back(
                "no backend of this version runs steps on this device: memory is that of one which "
                "multiplies every format itself");
        else if (machine.backend == "cuda" && !traits.replaysSteps)
            notes.emplace_back(
                "the CUDA backend needs a GPU of compute capability 8.0 or newer: memory is that of "
                "one which multiplies every format itself");
    } else {
        PLUMB_TRY(const protocol::DeviceEntry device, localDevice({config.backend, name}));
        machine = device.target.machine;
        traits = device.target.traits;
    }
    PLUMB_TRY(const Snapshot snapshot, makeSnapshot(config, {machine, traits}));
    if (arguments.has("out")) PLUMB_CHECK(writeSnapshot(out, snapshot));
    return print(arguments.json() ? document(snapshot, std::move(notes))
                                  : report(snapshot, std::move(notes)));
}

}  // namespace

CommandSpec predictCommand() {
    return CommandSpec{
        .name = "predict",
        .help = "reading of one step; nothing is run",
        .takesRun = true,
        .options = {{"device", "NAME",
                     "a device of the hardware database or of your own, any unambiguous part of its name, "
                     "or a GPU of this machine by number or UUID (without: this machine)"},
                    {"out", "FILE.plumb", "write the snapshot here"}},
        .run = runPredict};
}

}  // namespace plumb::cli
