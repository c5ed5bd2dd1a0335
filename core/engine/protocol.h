// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/counter_support.h"
#include "core/machine/target.h"
#include "core/measure/device_history.h"
#include "core/measure/fit_proof.h"
#include "core/measure/layer_statistics.h"
#include "core/measure/loss_history.h"
#include "core/measure/reading.h"
#include "core/measure/training_series.h"
#include "core/measure/value_histogram.h"
#include "core/model/checkpoint_options.h"
#include "core/model/run_config.h"
#include "core/plan/einsum.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The engine protocol: newline-delimited JSON, one message a line, UTF-8, on the engine's standard input
// (commands) and output (events). The first line from each side is its hello with the protocol version.
namespace plumb::protocol {

inline constexpr int kVersion = 1;
/// A longer line is refused and skipped to its end; a reading at L = 512 is about 1 MB.
inline constexpr std::size_t kMaxLineBytes = std::size_t{64} << 20U;

// Commands, window to engine. "id" is echoed in every event that the command causes.
struct Hello {
    int version = kVersion;
    std::string program;
    // With an engine that outlives its windows (engine --serve):
    /// Names the engine's process. From a window: the one that it was attached to before; empty: none.
    std::string session = {};
    /// "after": number of the last event that the window has; those after it are sent again.
    std::int64_t after = 0;
    /// "last_command": id of the last command that the engine has heard; those after it can be sent again.
    std::int64_t lastCommand = 0;
};
struct Run {
    RunConfig config;
    std::int64_t steps = 0;  ///< steps of the whole training, also when it is resumed; 0: until stopped
    CheckpointOptions checkpoints;  ///< "checkpoint_dir", "save_every" and "keep"
    std::string resumeFrom;   ///< "resume": a checkpoint, or a folder whose newest is taken; empty: a new one
    std::string device = {};  ///< as --device: which GPU; empty: the first
};
struct Profile {
    RunConfig config;
    std::int64_t steps = 20;
    std::optional<CounterDetail> counters;  ///< read them in further steps; empty: none
    std::string device = {};                ///< as that of Run
};
struct Pause {};
struct Resume {};
struct Stop {};
struct Calibrate {
    std::string device = {};  ///< as that of Run
};
struct Devices {
    /// "python": look for PyTorch, too, with this interpreter (empty: PLUMBLINE_PYTHON, else python3), which
    /// takes a while: a second list with this id has what was found. Absent: those that are known already.
    std::optional<std::string> python = {};
};
/// A look at a tensor of the training that goes on, answered with one TensorValues or ErrorEvent: a weight at
/// once, also while paused; what a step makes (activations, gradients) at the end of the next step. Weights
/// of moderate size are there after the training, too, until the next one begins.
struct Inspect {
    TensorRole role = TensorRole::Weight;  ///< one of statisticsRoleName()
    std::int32_t layer = 1;  ///< 1..L; L + 1: the head; 0: the features as an activation, the product of all
                             ///< weights as a weight
    std::string saveTo;      ///< "save_to": also write it there, on the engine's machine, as .npy, or all
                             ///< weights as .safetensors; empty: nothing is written
};
/// Times an expression of the lab on the engine's machine: state timing, EinsumTimed, Finished.
struct TimeEinsum {
    std::string expression;
    DimensionSizes sizes;
    Dtype dtype = Dtype::Fp32;
};
/// Tries the largest batch that is predicted to fit, and the next: state proving, progress, Proved, Finished.
struct Prove {
    RunConfig config;                       ///< whatever its batch
    std::optional<Bytes> memoryLimit = {};  ///< "memory_limit"; empty: what the device has
    std::string device = {};                ///< as that of Run
};
struct Quit {};
struct Command {
    std::int64_t id = 0;
    std::variant<Hello, Run, Profile, Pause, Resume, Stop, Calibrate, Devices, Inspect, TimeEinsum, Prove,
                 Quit>
        body;
};

// Events, engine to window.
enum class EngineState : std::uint8_t { Idle, Running, Paused, Profiling, Calibrating, Timing, Proving };
struct State {
    EngineState state{};
};
struct LossBatch {
    std::vector<StepMetrics> points;  ///< decimated with extremes kept when steps are faster than batches
    std::int64_t stepsDone = 0;
    std::int64_t skippedSteps = 0;  ///< how many of stepsDone updated nothing; fp16
    double stepsPerSecond = 0;
};
struct StatisticsEvent {
    LayerStatistics statistics;
};
struct ReadingEvent {
    Reading measured;
};
struct Progress {
    std::string what;
    std::int64_t done = 0;
    std::int64_t total = 0;
};
struct DeviceEntry {
    Target target;
    bool available = true;
    std::string reason;
    CounterSupport counters;
};
struct DeviceList {
    std::vector<DeviceEntry> devices;
};
struct HoldOutEvent {
    HoldOutLoss loss;
};
/// What the device of the run tells of itself, about twice a second; never where readings say why not.
struct DeviceEvent {
    DeviceMoment moment;
};
/// A training checkpoint of the run was written, or could not be.
struct CheckpointEvent {
    CheckpointReport report;
};
struct Calibrated {
    Machine machine;
};
struct TensorValues {
    TensorInspection inspection;
};
/// A step was recorded into a file, on the engine's machine: what an engine of modules sends instead of a
/// reading.
struct Recorded {
    std::string path;
};
struct EinsumTimed {
    std::string expression;  ///< as it was asked
    Seconds median = 0;
    Seconds fastest = 0;
    std::int64_t runs = 0;
    std::string implementation;  ///< "own:avx512", "plain loops"
    std::string machine;         ///< id of the device that ran it: the processor, also beside a GPU
};
/// A training has begun. A window that comes to one that goes on is told the same, and its losses so far.
struct Began {
    Run run;
};
/// What Prove found.
struct Proved {
    FitProof proof;
};
struct ErrorEvent {
    Error error;
};
/// So many events after the last that the window has are kept no more; what follows says how things stand.
struct Missed {
    std::int64_t count = 0;
};
/// Another window is attached to the engine now, and this one no more.
struct TakenOver {};
/// Ends a run, profile, calibrate, time_einsum or prove.
struct Finished {
    std::string outcome;
    std::int64_t stepsDone = 0;
};
struct Event {
    std::int64_t id = 0;
    std::variant<Hello, State, LossBatch, ReadingEvent, StatisticsEvent, Progress, DeviceList, Calibrated,
                 ErrorEvent, Finished, CheckpointEvent, TensorValues, EinsumTimed, HoldOutEvent, DeviceEvent,
                 Recorded, Missed, TakenOver, Proved, Began>
        body;
    std::int64_t sequence = 0;  ///< "seq": its number in the engine's journal; 0: the engine keeps none
};

/// One line without its newline.
[[nodiscard]] std::string encode(const Command& command);
[[nodiscard]] std::string encode(const Event& event);
/// Errors: BadInput for what is not JSON, has no or an unknown "type", a wrong field or another version.
[[nodiscard]] Result<Command> parseCommand(std::string_view line);
[[nodiscard]] Result<Event> parseEvent(std::string_view line);

/// What a line says of itself, whether or not it can be obeyed.
struct Heading {
    std::int64_t id = 0;
    std::string type;
};
/// So that the refusal of a command carries its id. Keeps nothing else of the line in memory. An id that is
/// no whole number from 0 on, a type that is no text and all of what is not one JSON object stay at their
/// defaults.
[[nodiscard]] Heading headingOf(std::string_view line);

/// The hello in a line, whichever version of the protocol it names; empty for every other line. So that an
/// engine of another release is told apart from what is no engine.
[[nodiscard]] std::optional<Hello> helloOf(std::string_view line);

/// Cuts a byte stream into lines with a size limit; used on both sides.
class LineBuffer {
public:
    explicit LineBuffer(std::size_t limit = kMaxLineBytes) : m_limit(limit) {}
    /// Adds bytes and returns what became complete: a line, or BadInput once per oversized line.
    [[nodiscard]] std::vector<Result<std::string>> add(std::string_view bytes);
    /// Ends the stream. Errors: BadInput when an unfinished line is left.
    [[nodiscard]] Result<void> finish() const;

private:
    std::string m_pending;
    std::size_t m_limit;
    bool m_skipping = false;
};

}  // namespace plumb::protocol
