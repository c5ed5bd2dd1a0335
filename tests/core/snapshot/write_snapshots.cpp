// SPDX-License-Identifier: Apache-2.0
// Writes snapshots of every kind into a folder, and definitions.json: the parts of the schema that are
// generated, for check_snapshot_schema.py.
#include "core/data/data_provenance.h"
#include "core/io/file.h"
#include "core/machine/hardware_database.h"
#include "core/machine/local_cpu.h"
#include "core/measure/counter_comparison.h"
#include "core/measure/training_series.h"
#include "core/snapshot/snapshot_json.h"

#include <cstdio>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Settings = std::vector<std::pair<std::string_view, std::string_view>>;
/// Between them they have every option that some optimizer, schedule, precision or data file brings along.
const std::vector<Settings> kMoreSettings{
    {{"optimizer", "momentum"}, {"lr-schedule", "cosine"}},
    {{"optimizer", "adagrad"}, {"lr-schedule", "step"}},
    {{"optimizer", "rmsprop"}, {"precision", "fp16"}},
    {{"optimizer", "adam"}, {"precision", "fp8"}},
    {{"optimizer", "lion"}, {"precision", "tf32"}, {"init", "fixed"}, {"init-std", "0.02"}},
    {{"optimizer", "adafactor"}, {"data", "corpus.u16"}},
    {{"optimizer", "sgd"}, {"data", "x.npy"}, {"targets", "y.npy"}},
    {{"data-parallel", "4"}, {"zero", "3"}},
};

bool write(const std::string& path, const plumb::Snapshot& snapshot) {
    const auto written = plumb::writeSnapshot(path, snapshot);
    if (!written.has_value()) std::fprintf(stderr, "%s\n", written.error().text().c_str());
    return written.has_value();
}

/// Every column has an entry that is null and one that is not.
plumb::Timeline smallTimeline() {
    using namespace plumb;
    TimelineBuilder builder(Source::Clock, 1);
    const std::uint16_t ops = builder.lane(LaneKind::Ops, "ops");
    const std::uint16_t memory = builder.lane(LaneKind::Memory, "memory");
    builder.addStep(4, 1, 1.5);
    builder.add({1, 1.25, -1, builder.name("kernel"), 0, 1, ops, TimelineKind::Kernel});
    builder.add({1.25, 1.25, 4096, -1, -1, 0, memory, TimelineKind::Memory});
    return builder.take();
}

/// The description of a snapshot, with what it refers to.
bool writeDefinitions(const std::string& path) {
    nlohmann::json definitions = nlohmann::json::object();
    plumb::Json<plumb::Snapshot>::schema(definitions);
    return plumb::writeFileAtomically(path, definitions.dump()).has_value();
}

plumb::Machine calibratedMachine() {
    using namespace plumb;
    Machine machine = localCpu();
    machine.bandwidthBytesPerSecond = 1e10;
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e11}};
    machine.source = "calibrated 2026-11-20";
    machine.costs =
        CostTables{{{"layer_forward fp32 fp32 > fp32", {{1, 32, {8, 64}, {8192, 65536}, {1e-6, 5.5e-6}}}}},
                   {{65536, 9e10, 8e10, 7e10}},
                   2.5e-7,
                   CalibratedSpeed{{4e11, 2e10, 6e8}, 0.04, 0.5, 12},
                   2};
    machine.checked = PredictionErrors{"2026-11-20", 50, 0.06, 0.19, 0.04, 0.11, 0.13, 0.5};
    return machine;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace plumb;
    if (argc != 2) {
        std::fprintf(stderr, "usage: write_snapshots FOLDER\n");
        return 2;
    }
    const std::string folder = argv[1];
    bool ok = writeDefinitions(folder + "/definitions.json");
    int number = 0;
    for (const char* machine : {"", "h200-sxm-141gb"}) {
        for (const char* checkpoint : {"all", "none", "2"}) {
            for (const char* precision : {"fp32", "bf16"}) {
                RunConfig config;
                config.dim = 8;
                config.microBatch = 64;
                ok = ok && setOption(config, "checkpoint", checkpoint).has_value() &&
                     setOption(config, "precision", precision).has_value();
                auto known = HardwareDatabase::builtIn().find(machine);
                auto made = makeSnapshot(config, {known.has_value() ? *known : localCpu(), cpuTraits()});
                if (!ok || !made.has_value()) return 1;
                Snapshot snapshot = std::move(made).value();
                if (number % 2 == 1) {
                    snapshot.measured = snapshot.predicted;
                    snapshot.measured->source = Source::Clock;
                    snapshot.measured->memory.reset();
                    std::vector<OpCounters> counters(snapshot.measured->ops.size());
                    for (OpCounters& op : counters)
                        for (const CounterKind kind : kAllCounters)
                            op[kind] = Counted{
                                number, kAllSources[static_cast<std::size_t>(kind) % kAllSources.size()]};
                    applyCounters(*snapshot.measured, counters,
                                  {"GH100", "580", "130001", {"dram__bytes_read.sum"}, 2, 1.98e9, {}});
                    snapshot.measured->timeline = std::make_shared<const Timeline>(smallTimeline());
                    snapshot.training = TrainingSeries{.steps = {{0, 1.5, 0}, {1, kNotKnown, 0.5}},
                                                       .firstScales = std::nullopt,
                                                       .lastScales = std::nullopt,
                                                       .holdOut = {},
                                                       .skippedSteps = 0,
                                                       .stepsDone = 2,
                                                       .look = {"first", RunLook::kColors, true, true},
                                                       .outcome = "diverged"};
                    snapshot.runs = {
                        {RunConfig{}, localCpu(), BackendTraits{}, false, *snapshot.training},
                        {config, snapshot.target.machine, snapshot.target.traits, true, *snapshot.training}};
                    snapshot.measurements = {
                        {config, snapshot.target.machine, snapshot.target.traits, true, *snapshot.measured}};
                    snapshot.curves = {{config,
                                        snapshot.target.machine,
                                        {{{RecomputePolicy::Kind::None, 1}, 12345, 0.0015, 10},
                                         {{RecomputePolicy::Kind::All, 1}, std::nullopt, std::nullopt, 0}}}};
                    snapshot.predictedBy = "plumbline 0.0.9 (abc)";
                    snapshot.note = "looked at \xe5\x9c\xa8 line 1\nand line 2";
                    snapshot.bookmarks = {{"the peak", "memory", snapshot.predicted->ops.front().id,
                                           snapshot.predicted->ops.back().id, MarkedTime{0.001, 0.002}},
                                          {"", "overview", "", "", std::nullopt}};
                }
                ok = write(folder + "/" + std::to_string(number++) + ".plumb", snapshot);
            }
        }
    }
    for (const Settings& settings : kMoreSettings) {
        RunConfig config;
        for (const auto& [name, value] : settings) ok = ok && setOption(config, name, value).has_value();
        auto made = makeSnapshot(config, {calibratedMachine(), cpuTraits()});
        if (!ok || !made.has_value()) return 1;
        if (config.data != "synthetic")
            made->data = DataProvenance{config.data + ", 100 rows", 90, 10, std::nullopt, std::nullopt};
        ok = write(folder + "/" + std::to_string(number++) + ".plumb", *made);
    }
    RunConfig deep;
    deep.layers = 4096;
    deep.dim = 8;
    auto made = makeSnapshot(deep, {localCpu(), cpuTraits()});
    if (!made.has_value()) return 1;
    made->measured = made->predicted;
    ok = ok && write(folder + "/" + std::to_string(number++) + ".plumb", *made);
    return ok ? 0 : 1;
}
