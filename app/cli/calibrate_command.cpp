// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/machine/calibration_file.h"
#include "core/machine/machine_json.h"
#include "core/snapshot/snapshot.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace plumb::cli {

namespace {

/// The ceilings that were measured.
Table ceilings(const Machine& machine) {
    Table table;
    for (const auto& [dtype, peak] : machine.peakFlopPerSecond)
        table.add({fmt::format("matrix products in {}", dtypeName(dtype)), formatQuantity(peak, "FLOP/s")});
    if (machine.bandwidthBytesPerSecond)
        table.add({"memory bandwidth", formatQuantity(*machine.bandwidthBytesPerSecond, "B/s")});
    if (machine.perOpOverhead) table.add({"overhead of an op", formatQuantity(*machine.perOpOverhead, "s")});
    if (machine.costs && !machine.costs->bandwidth.empty()) {
        const BandwidthPoint& cache = machine.costs->bandwidth.front();
        table.add({fmt::format("bandwidth within {}", bytesText(cache.workingSet)),
                   formatQuantity(std::max({cache.read, cache.copy, cache.update}), "B/s")});
        table.add({"kinds of operations timed by size", std::to_string(machine.costs->tables.size())});
    }
    if (machine.costs && machine.costs->replay) {
        const ReplayCosts& replay = *machine.costs->replay;
        table.add({"between two nodes of a graph", formatQuantity(replay.betweenNodes, "s")});
        table.add({"  what timing an op by itself adds to it", formatQuantity(replay.marks, "s")});
    }
    if (machine.costs && machine.costs->speed) {
        const CalibratedSpeed& speed = *machine.costs->speed;
        table.add({"speed of fast moments: product, copy, loop",
                   fmt::format("{}, {}, {}", formatQuantity(speed.probe.productFlopPerSecond, "FLOP/s"),
                               formatQuantity(speed.probe.copyBytesPerSecond, "B/s"),
                               formatQuantity(speed.probe.loopPerSecond, "/s"))});
        table.add({fmt::format("  how far {} probes lay apart", speed.probes),
                   fmt::format("{:.0f} %", 100 * speed.spread)});
    }
    if (machine.copies) table.add({"copies", copySource(*machine.copies)});
    for (const CopyLine& line : copyLines(machine)) table.add({"  " + line.label, line.value});
    return table;
}

Result<Machine> measure(const DeviceWish& wish, const Interrupt& interrupt, bool quick) {
    ProgressLine progress;
    PLUMB_TRY(Machine machine,
              calibrate(
                  wish,
                  [&](std::string_view what, int done, int total) {
                      progress.show(fmt::format("calibrate: {} ({} of {})", what, done, total));
                  },
                  interrupt.token(), quick ? CalibrationSize::Quick : CalibrationSize::Full));
    progress.clear();
    if (interrupt.token().stop_requested())
        return Error{ErrorCode::RunFailed, "calibration stopped", "nothing was kept, run it again"};
    return machine;
}

/// `kept`: what is said about the file.
std::vector<std::string> notesOf(const Machine& machine, const std::string& kept) {
    std::vector<std::string> notes;
    if (!kept.empty()) notes.push_back(kept + "; calibrate --replace keeps the new one");
    if (machine.costs && machine.costs->speed)
        if (const std::string disturbance = disturbanceOf(*machine.costs->speed); !disturbance.empty())
            notes.push_back(disturbance);
    return notes;
}

Result<void> runCalibrate(const Arguments& arguments) {
    DeviceWish wish{BackendChoice::Auto, arguments.text("device")};
    PLUMB_TRY(wish.backend, backendFromName(arguments.text("backend", "auto")));
    PLUMB_TRY(const Machine known, localMachine(wish));
    PLUMB_TRY(const FileLock turn, claimCalibration());
    PLUMB_CHECK(checkCalibrationPlace(known));
    const Interrupt interrupt;
    PLUMB_TRY(const Machine machine, measure(wish, interrupt, arguments.has("quick")));
    // What was measured is told even if the disk has filled up meanwhile.
    const auto kept = keepCalibration(machine, arguments.has("replace"));
    auto saved = kept.has_value() ? Result<void>() : Result<void>(kept.error());
    const std::vector<std::string> notes = notesOf(machine, kept.has_value() ? kept->note : std::string());
    if (arguments.json()) {
        nlohmann::json document = toJson(machine);
        if (!notes.empty()) document["notes"] = notes;
        PLUMB_CHECK(print(dumpJson(document, 1) + "\n"));
        return saved;
    }
    std::string text = fmt::format("{} ({})\n{}", machine.name, machine.source, ceilings(machine).text());
    for (const std::string& note : notes) text += "Note: " + note + "\n";
    PLUMB_CHECK(print(text));
    if (!saved.has_value()) return saved;
    return print(fmt::format("{} in {}\n", kept->note.empty() ? "kept" : "the earlier one stays",
                             calibrationPath(machine)));
}

}  // namespace

CommandSpec calibrateCommand() {
    return CommandSpec{
        .name = "calibrate",
        .help = "measures the ceilings of this machine and keeps them",
        .options = {{"backend", "auto|cpu|cuda", "whose ceilings (auto)"},
                    deviceOption(),
                    {"replace", "", "keep the new figures though earlier ones found the machine faster"},
                    {"quick", "", "fewer sizes: half a minute instead of three, rougher predictions"}},
        .run = runCalibrate};
}

}  // namespace plumb::cli
