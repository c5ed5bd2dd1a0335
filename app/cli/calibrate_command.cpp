// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/table.h"
#include "core/account/calibration_file.h"
#include "core/io/json_fields.h"
#include "core/io/snapshot.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace plumb::cli {

namespace {

Result<void> runCalibrate(const Arguments& arguments) {
    PLUMB_TRY(const BackendChoice choice, backendFromName(arguments.text("backend", "auto")));
    PLUMB_TRY(const Machine known, localMachine(choice));
    PLUMB_TRY(const FileLock turn, claimCalibration());
    PLUMB_CHECK(checkCalibrationPlace(known));
    const Interrupt interrupt;
    ProgressLine progress;
    PLUMB_TRY(const Machine machine,
              calibrate(
                  choice,
                  [&](std::string_view what, int done, int total) {
                      progress.show(fmt::format("calibrate: {} ({} of {})", what, done, total));
                  },
                  interrupt.token(),
                  arguments.has("quick") ? CalibrationSize::Quick : CalibrationSize::Full));
    progress.clear();
    if (interrupt.token().stop_requested())
        return Error{ErrorCode::RunFailed, "calibration stopped", "nothing was kept, run it again"};
    // What was measured is told even if the disk has filled up meanwhile.
    const auto saved = saveCalibration(machine);
    if (arguments.json()) {
        PLUMB_CHECK(print(dumpJson(toJson(machine), 1) + "\n"));
        return saved;
    }
    Table table;
    for (const auto& [dtype, peak] : machine.peakFlopPerSecond)
        table.add({fmt::format("matrix products in {}", dtypeName(dtype)), formatQuantity(peak, "FLOP/s")});
    if (machine.bandwidthBytesPerSecond)
        table.add({"memory bandwidth", formatQuantity(*machine.bandwidthBytesPerSecond, "B/s")});
    if (machine.perOpOverhead) table.add({"overhead of an op", formatQuantity(*machine.perOpOverhead, "s")});
    if (machine.costs && !machine.costs->bandwidth.empty()) {
        const BandwidthPoint& cache = machine.costs->bandwidth.front();
        table.add(
            {fmt::format("bandwidth within {}", formatQuantity(static_cast<double>(cache.workingSet), "B")),
             formatQuantity(std::max({cache.read, cache.copy, cache.update}), "B/s")});
        table.add({"kinds of operations timed by size", std::to_string(machine.costs->tables.size())});
    }
    std::string note;
    if (machine.costs && machine.costs->speed) {
        const CalibratedSpeed& speed = *machine.costs->speed;
        table.add({"speed probe: product, copy, loop",
                   fmt::format("{}, {}, {}", formatQuantity(speed.probe.productFlopPerSecond, "FLOP/s"),
                               formatQuantity(speed.probe.copyBytesPerSecond, "B/s"),
                               formatQuantity(speed.probe.loopPerSecond, "/s"))});
        table.add({fmt::format("  how far {} probes lay apart", speed.probes),
                   fmt::format("{:.0f} %", 100 * speed.spread)});
        note = disturbanceOf(speed);
        if (!note.empty()) note = "Note: " + note + "\n";
    }
    PLUMB_CHECK(print(fmt::format("{} ({})\n{}{}", machine.name, machine.source, table.text(), note)));
    PLUMB_CHECK(saved);
    return print(fmt::format("kept in {}\n", calibrationPath(machine)));
}

}  // namespace

CommandSpec calibrateCommand() {
    CommandSpec command;
    command.name = "calibrate";
    command.help = "measures the ceilings of this machine and keeps them";
    command.options = {{"backend", "auto|cpu|cuda", "whose ceilings (auto)"},
                       {"quick", "", "fewer sizes: seconds instead of a minute, rougher predictions"}};
    command.run = runCalibrate;
    return command;
}

}  // namespace plumb::cli
