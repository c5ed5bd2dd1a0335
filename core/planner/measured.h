// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/planner/carry.h"
#include "core/planner/inputs.h"
#include "core/planner/scenario.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace plumb::planner {

/// Most bytes of one device while a step was measured. Each is there where somebody counted it.
struct MeasuredMemory {
    std::optional<double> allocated;  ///< in tensors
    std::optional<double> reserved;   ///< by the framework's allocator, what it holds back with it
    std::optional<double> device;     ///< by a monitor, all that is in use
    bool operator==(const MeasuredMemory&) const = default;
};

/// A way to count that memory.
struct MemoryFigure {
    std::string_view key;    ///< as measuredFigures() takes it
    std::string_view field;  ///< in files
    std::string_view about;
    std::optional<double> MeasuredMemory::*bytes;
};
inline constexpr std::array kMemoryFigures{
    MemoryFigure{"allocated", "allocated_bytes", "In tensors, at the peak", &MeasuredMemory::allocated},
    MemoryFigure{"reserved", "reserved_bytes", "By the framework's allocator", &MeasuredMemory::reserved},
    MemoryFigure{"memory", "device_bytes", "By a monitor: all in use", &MeasuredMemory::device}};

/// A step that somebody measured, and what it says of the step model: how much longer the step took than was
/// predicted of it. Made by measure() alone.
struct Measurement {
    std::shared_ptr<const Scenario> in;  ///< what was measured; rests on no measurement itself
    std::string what;                    ///< "step 1.23 s", "98.3e3 tokens per second"
    std::string file;                    ///< that it was read from; empty: it was given
    double seconds = 0;                  ///< of a step; of a model that is a mere count, of a token
    MeasuredMemory memory;
    double predicted = 0;  ///< of the same, at the expected values of all assumptions
    // What the counted memory says of the model of memory; empty without it.
    std::optional<double> activationFactor;
    std::optional<double> fragmentation;
    std::optional<double> deviceOverhead;

    [[nodiscard]] double factor() const { return seconds / predicted; }
    /// "measured: step 1.23 s, base.plan.json".
    [[nodiscard]] std::string source() const;
};

/// What was read or given, before it is held against the step model.
struct MeasuredFigures {
    std::string what;
    std::string file;
    double seconds = 0;  ///< as in Measurement; 0: memory alone was measured
    MeasuredMemory memory;
};

/// Holds figures against what is predicted of the scenario that they were measured in. Errors: those of
/// stepTime(); BadInput for a time in which the device would do more than its peak (with likely causes), for
/// one that is a hundred times off, and for memory that does not hold weights and states.
[[nodiscard]] Result<std::shared_ptr<const Measurement>> measure(const Scenario& in, MeasuredFigures figures);

/// "step=1.23s", "tokens-per-second=98300", "tflops=412" (of a device, the model's own FLOPs of all query-key
/// pairs), "mfu=0.41"; "allocated=", "reserved=" and "memory=" are bytes of a device. One of the first four,
/// and any of the others, a line each. Errors: BadInput with the text and what can be given.
[[nodiscard]] Result<MeasuredFigures> measuredFigures(std::string_view lines, const Scenario& in);

/// What the measurement of a scenario makes of an assumption; empty where it says nothing of it.
[[nodiscard]] std::optional<Range> measuredRange(const Scenario& scenario, Input input);
/// Where that is from.
[[nodiscard]] std::string measuredSource(const Scenario& scenario, Input input);
/// Whether times rest on a measurement: tier "measured".
[[nodiscard]] bool restsOnMeasurement(const Scenario& scenario);

/// The scenario with an assumption or a fact at a value. Where the measured scenario has the same one, it is
/// moved there too: a measured time stays what it is, whatever was assumed.
[[nodiscard]] Scenario withValue(const Scenario& scenario, Input input, double value);

}  // namespace plumb::planner
