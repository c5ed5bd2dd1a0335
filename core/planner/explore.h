// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step.h"
#include "core/planner/answer.h"
#include "core/planner/step_parts.h"

#include <array>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace plumb::planner {

/// A value that was solved for.
struct Solution {
    double value = 0;
    std::string note;  ///< what it gives, where that misses the target and no other value comes nearer
};
/// Changes `unknown` until `output` is `target`. A whole input gets the value that comes nearest and keeps to
/// it: at most so many days, bytes or dollars, at least so many parameters or tokens per second; that is the
/// least of all where every value does and it comes nearest. Where the answer takes it for granted that the
/// training runs, values are tried that let it run, such as devices that can share the batch, unless none
/// does. A batch that was not given is held when the layout is changed (isLayout()). Errors: BadInput when
/// the output does not depend on it, or when no accepted value reaches the target (the message says from
/// where to where it goes).
[[nodiscard]] Result<Solution> solveFor(const Scenario& scenario, Output output, double target,
                                        Input unknown);

/// One bar of a tornado chart: the answer with one input at its low and at its high end. Facts and choices
/// are moved by 10 % down and up (whole ones to the nearest usable value), assumptions to their ends. All
/// else is held, also a batch that was not given.
struct Bar {
    Input input{};
    Range inputRange;  ///< where it was put
    double atLow = 0;  ///< the answer then; the expected one where it is undefined
    double atHigh = 0;
    [[nodiscard]] double width() const { return atHigh > atLow ? atHigh - atLow : atLow - atHigh; }
};
/// Widest first; inputs without effect are left out. Errors: those of evaluate() at the expected values.
[[nodiscard]] Result<std::vector<Bar>> sensitivity(const Scenario& scenario, Output output);

/// One axis of a map.
struct Axis {
    Input input{};
    std::vector<double> values;
};
/// `count` values from `from` to `to`, spaced evenly or by a constant factor; whole ones rounded, without
/// repeats.
[[nodiscard]] Axis axisOf(Input input, double from, double to, std::size_t count, bool logarithmic);

struct MapCell {
    bool possible = false;   ///< the scenario can be worked out at all
    bool fits = false;       ///< memoryPerDevice <= memory of the device
    double stepSeconds = 0;  ///< 0 when not possible, and for a mere number of parameters
    double memoryBytes = 0;
    std::int64_t batch = 0;  ///< batch of the step; 0 when not possible
    std::string problem;     ///< why not possible
};
struct Map {
    Axis x;
    Axis y;
    std::vector<MapCell> cells;  ///< row by row: cells[iy * x.values.size() + ix]
    bool complete = false;       ///< false when it was cancelled
};
/// Step time and memory over two inputs. Cells that differ in their layout alone (isLayout()) have the same
/// batch, also where none was given: one that all of them divide. Stops early when `stop` is requested;
/// `progress` gets the share done from 0 to 1 after each row, on the caller's thread. Errors: BadInput for an
/// axis without values.
[[nodiscard]] Result<Map> makeMap(const Scenario& scenario, Axis x, Axis y, const std::stop_token& stop = {},
                                  const std::function<void(double)>& progress = {});

/// A way to spread the work that was tried, and what it gives.
struct ShardingOption {
    ParallelLayout layout;
    Recompute recompute{};
    double memoryBytes = 0;
    double stepSeconds = 0;
    double mfu = 0;
    bool fits = false;
    std::array<double, kStepParts.size()> parts{};  ///< seconds of the step, in the order of kStepParts
    Category largest{};                             ///< what most of the memory is
    std::string why;  ///< why it is not the one to take: "slower by ...", "does not fit by ..."; empty: it is
    std::int64_t devices = 0;
    double stepDollars = 0;  ///< price of the devices for one step
};
/// What came of trying many.
struct ShardingSearch {
    std::vector<ShardingOption> plans;     ///< fitting ones first, the fastest first
    std::vector<ShardingOption> tooLarge;  ///< faster than the first of these, and do not fit; fastest first
    /// Those that no other is faster than with less memory and for less money, from the least memory on.
    std::vector<ShardingOption> front;
    std::size_t tried = 0;      ///< combinations that divide
    double available = 0;       ///< bytes of a device
    std::int64_t batch = 0;     ///< of all of them
    double steps = 0;           ///< of the training, over its goodput: what is paid for; 0 without tokens
    double dollarsPerHour = 0;  ///< of a device
    std::string priceSource;
    [[nodiscard]] bool fits() const { return !plans.empty() && plans.front().fits; }
};
/// What to try: all combinations of degrees that divide (tensor within a node, pipeline with chunks, context,
/// expert), ZeRO stages, recomputation and micro-batches, the batch held. At most `keep` plans and `keep`
/// that are too large, of each layout the best micro-batch, and another recomputation only where it is faster
/// or smaller. A search that is stopped has what it tried. Errors: BadInput when there is nothing to
/// try; OutOfMemory never: a search without a fitting layout returns the ones that need the least.
[[nodiscard]] Result<ShardingSearch> searchShardings(const Scenario& scenario, std::size_t keep,
                                                     const std::stop_token& stop = {},
                                                     const std::function<void(double)>& progress = {});
/// The same over several numbers of devices with one batch: the front is then time against memory and price.
/// A batch that was not given is one that all of them divide. Errors: BadInput without a number of devices.
[[nodiscard]] Result<ShardingSearch> searchDevices(const Scenario& scenario,
                                                   const std::vector<std::int64_t>& devices, std::size_t keep,
                                                   const std::stop_token& stop = {},
                                                   const std::function<void(double)>& progress = {});
/// The scenario spread in that way.
[[nodiscard]] Scenario withSharding(Scenario scenario, const ShardingOption& option, std::int64_t batch);
/// "tensor 8, pipeline 2 x 3 chunks, ZeRO 1, micro-batch 1": what is more than one, and the last two.
[[nodiscard]] std::string layoutText(const ParallelLayout& layout);

/// Largest micro-batch (in sequences) that fits on a device for each recomputation, 0 where none does. The
/// batch is then one micro-batch on each data-parallel device (with a pipeline 4 per stage). The deep linear
/// model: the largest batch that fits for each recompute policy.
struct BatchOption {
    std::string label;  ///< "none", "full, every 2 layers", "checkpoint sqrt"
    Recompute recompute{};
    std::int64_t interval = 1;
    std::int64_t microBatch = 0;  ///< deep linear model: samples of a device
    double memoryBytes = 0;
    double tokensPerSecond = 0;
};
[[nodiscard]] Result<std::vector<BatchOption>> largestMicroBatches(const Scenario& scenario);

/// A device of the database and what the training would take with it.
struct DeviceOption {
    Machine device;
    std::string problem;                   ///< why it cannot be used: "no bf16 peak"
    double devicesToHold = 0;              ///< by bytes per parameter
    std::optional<double> devicesForDays;  ///< to finish within the scenario's days, where they are given and
                                           ///< as many can run
    std::optional<double> days;            ///< with the scenario's number of devices
    std::optional<bool> fits;              ///< with these, the way that the scenario spreads the work
    std::optional<double> energyJoule;
    double intensity = 0;  ///< FLOP per byte at which its products stop being limited by memory
};
/// Every machine that is given, in order.
[[nodiscard]] std::vector<DeviceOption> compareDevices(const Scenario& scenario,
                                                       const std::vector<Machine>& machines);

}  // namespace plumb::planner
