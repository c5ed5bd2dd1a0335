// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "core/base/table.h"
#include "core/comm/comm_call.h"
#include "core/io/json_fields.h"
#include "core/machine/calibration_file.h"
#include "core/machine/machine_json.h"
#include "core/machine/op_cost_key.h"
#include "core/plan/traffic.h"
#include "core/snapshot/snapshot.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <utility>

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

/// What `survey` measures, with its progress shown and an interrupt heard.
template <class Survey>
auto measure(const Interrupt& interrupt, const Survey& survey)
    -> decltype(survey(CalibrationProgress(), std::stop_token())) {
    ProgressLine progress;
    auto measured =
        survey([&](std::string_view what, int done,
                   int total) { progress.show(fmt::format("calibrate: {} ({} of {})", what, done, total)); },
               interrupt.token());
    progress.clear();
    if (interrupt.token().stop_requested())
        return Error{ErrorCode::RunFailed, "calibration stopped", "nothing was kept, run it again"};
    return measured;
}

/// The two halves of an all-reduce by themselves, at their largest size.
void addHalves(const RankCosts& ranks, Table& table) {
    for (const OpKind kind : {OpKind::ReduceScatter, OpKind::AllGather}) {
        const CostTable* const half = ranks.costs.find(trafficTable(kind, Dtype::Fp32));
        if (half == nullptr) continue;
        const CostLine& line = half->lines.front();
        const Seconds seconds = line.seconds.back();
        table.add(
            {fmt::format("{} of fp32, {}", kindLabel(kindName(kind)), bytesText(line.rows.back())),
             formatQuantity(seconds, "s"),
             formatQuantity(busBandwidth(commKindOf(kind), line.rows.back(), seconds, ranks.ranks), "B/s")});
    }
}

/// Collectives by size, all-reduces alone and while the ranks compute.
Table traffic(const RankCosts& ranks) {
    const std::string reduced = trafficTable(OpKind::AllReduce, Dtype::Fp32);
    const CostTable* const alone = ranks.costs.find(reduced);
    const CostTable* const beside = ranks.costs.find(reduced + std::string(kBesideProductsEnding));
    Table table;
    if (alone == nullptr || beside == nullptr) return table;
    table.add({"all-reduce of fp32", "time", "bus bandwidth", "while the ranks compute"});
    const CostLine& line = alone->lines.front();
    for (std::size_t i = 0; i < line.rows.size(); ++i)
        table.add({"  " + bytesText(line.rows[i]), formatQuantity(line.seconds[i], "s"),
                   formatQuantity(
                       busBandwidth(CommKind::AllReduce, line.rows[i], line.seconds[i], ranks.ranks), "B/s"),
                   formatQuantity(beside->at({line.rows[i], 1, 1, line.work[i]}), "s")});
    addHalves(ranks, table);
    return table;
}

/// "1.42 to 1.98": products of a layer, over all sizes that were timed in both ways.
std::string slowDown(const RankCosts& ranks) {
    const CostTable* const plain =
        ranks.costs.find("layer_forward fp32 fp32 > fp32" + std::string(kWithoutTrafficEnding));
    const CostTable* const slowed =
        ranks.costs.find("layer_forward fp32 fp32 > fp32" + std::string(kBesideTrafficEnding));
    if (plain == nullptr || slowed == nullptr) return {};
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const CostLine& line : slowed->lines)
        for (std::size_t i = 0; i < line.rows.size(); ++i) {
            const double times = distanceOf(*slowed, *plain, {line.rows[i], line.column, line.plane, 1});
            least = std::min(least, times);
            most = std::max(most, times);
        }
    return fmt::format("products take {:.2f} to {:.2f} times as long beside all-reduces\n", least, most);
}

std::string textOf(const Machine& machine, const RankCosts& ranks) {
    return fmt::format("{}, {} ranks ({})\n{} kinds of operations timed by size\n{}{}", machine.name,
                       ranks.ranks, ranks.source, ranks.costs.tables.size(), traffic(ranks).text(),
                       slowDown(ranks));
}

/// `kept`: what is said about the file.
std::vector<std::string> notesOf(const CostTables* costs, const std::string& kept) {
    std::vector<std::string> notes;
    if (!kept.empty()) notes.push_back(kept + "; calibrate --replace keeps the new one");
    if (costs != nullptr && costs->speed)
        if (const std::string disturbance = disturbanceOf(*costs->speed); !disturbance.empty())
            notes.push_back(disturbance);
    return notes;
}

/// Tells what was measured, even if the disk has filled up meanwhile.
Result<void> tell(const Arguments& arguments, nlohmann::json document, std::string text,
                  const CostTables* costs, const Result<KeptCalibration>& kept, const Machine& machine) {
    auto saved = kept.has_value() ? Result<void>() : Result<void>(kept.error());
    const std::vector<std::string> notes = notesOf(costs, kept.has_value() ? kept->note : std::string());
    if (arguments.json()) {
        if (!notes.empty()) document["notes"] = notes;
        PLUMB_CHECK(print(dumpJson(document, 1) + "\n"));
        return saved;
    }
    for (const std::string& note : notes) text += "Note: " + note + "\n";
    PLUMB_CHECK(print(text));
    if (!saved.has_value()) return saved;
    return print(fmt::format("{} in {}\n", kept->note.empty() ? "kept" : "the earlier one stays",
                             calibrationPath(machine)));
}

Result<void> runCalibrate(const Arguments& arguments) {
    DeviceWish wish{BackendChoice::Auto, arguments.text("device")};
    PLUMB_TRY(wish.backend, backendFromName(arguments.text("backend", "auto")));
    PLUMB_TRY(const Machine known, localMachine(wish));
    PLUMB_TRY(const std::int64_t ranks, arguments.countOr("ranks", 2, 1));
    if (ranks > 1) PLUMB_CHECK(checkCanShare(known, ranks));
    PLUMB_TRY(const FileLock turn, claimCalibration());
    PLUMB_CHECK(checkCalibrationPlace(known));
    if (ranks > 1) PLUMB_CHECK(checkIsCalibrated(known));
    const Interrupt interrupt;
    const auto size = arguments.has("quick") ? CalibrationSize::Quick : CalibrationSize::Full;
    const bool replaces = arguments.has("replace");
    if (ranks > 1) {
        PLUMB_TRY(const RankCosts costs,
                  measure(interrupt, [&](const CalibrationProgress& progress, std::stop_token stop) {
                      return calibrateRanks(ranks, progress, std::move(stop), size);
                  }));
        return tell(arguments, toJson(costs), textOf(known, costs), &costs.costs,
                    keepRankCosts(known, costs, replaces), known);
    }
    PLUMB_TRY(const Machine machine,
              measure(interrupt, [&](const CalibrationProgress& progress, std::stop_token stop) {
                  return calibrate(wish, progress, std::move(stop), size);
              }));
    return tell(arguments, toJson(machine),
                fmt::format("{} ({})\n{}", machine.name, machine.source, ceilings(machine).text()),
                machine.costs ? &*machine.costs : nullptr, keepCalibration(machine, replaces), machine);
}

}  // namespace

CommandSpec calibrateCommand() {
    return CommandSpec{
        .name = "calibrate",
        .help = "measures the ceilings of this machine and keeps them",
        .options = {{"backend", "auto|cpu|cuda", "whose ceilings (auto)"},
                    deviceOption(),
                    {"replace", "", "keep the new figures though earlier ones found the machine faster"},
                    {"ranks", "N",
                     "what each of so many ranks costs that share the processor, and their collectives; kept "
                     "beside the calibration of the machine as a whole"},
                    {"quick", "", "fewer sizes: half a minute instead of three, rougher predictions"}},
        .run = runCalibrate};
}

}  // namespace plumb::cli
