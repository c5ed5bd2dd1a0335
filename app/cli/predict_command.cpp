// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/report.h"
#include "core/account/own_devices.h"

#include <fmt/format.h>

namespace plumb::cli {

namespace {

Result<void> runPredict(const Arguments& arguments) {
    PLUMB_TRY(const RunConfig config, arguments.runConfig());
    Machine machine;
    std::vector<std::string> notes;
    if (arguments.has("device")) {
        PLUMB_TRY(machine, KnownDevices::load().find(arguments.text("device")));
        if (machine.backend != "cpu")
            notes.push_back(
                fmt::format("memory is as the CPU backend lays it out; this version has no {} backend to "
                            "run it",
                            machine.backend));
    } else {
        PLUMB_TRY(machine, localMachine(config.backend));
    }
    PLUMB_TRY(const Snapshot snapshot, makeSnapshot(config, machine, cpuTraits()));
    return print(arguments.json() ? document(snapshot) : report(snapshot, std::move(notes)));
}

}  // namespace

CommandSpec predictCommand() {
    CommandSpec command;
    command.name = "predict";
    command.help = "reading of one step; nothing is run";
    command.takesRun = true;
    command.options = {{"device", "NAME",
                        "a device of the hardware database or of your own, any unambiguous part of its name "
                        "(without: this machine)"}};
    command.run = runPredict;
    return command;
}

}  // namespace plumb::cli
