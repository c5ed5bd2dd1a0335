// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/read_control.h"
#include "core/measure/planned_step.h"
#include "core/measure/training_series.h"
#include "core/recorded/recorded_step.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// The program and the machine that a step was recorded with.
struct RecordingEnvironment {
    std::string torch;   ///< its version
    std::string python;  ///< its version
    std::string system;  ///< "Linux x86_64"
    std::string device;  ///< "cpu" or "cuda"
    std::optional<std::int64_t> threads;
    std::string deviceName;  ///< of the GPU, or the processor's model; empty: not known
    bool operator==(const RecordingEnvironment&) const = default;
};

/// What an allocator said of the step, beside the tensors that were seen.
struct AllocatorReading {
    std::optional<Bytes> startBytes;            ///< alive at the beginning of the step
    std::optional<Bytes> peakBytes;             ///< most that was given out at once
    std::optional<Bytes> insideLibrariesBytes;  ///< of that, what no tensor of the step accounts for
    std::optional<Bytes> roundedPeakBytes;      ///< predicted for a GPU: each storage in whole blocks
    std::optional<Bytes> reservedPeakBytes;     ///< predicted for a GPU: segments of the caching allocator
    std::optional<Bytes> libraryBytes;          ///< predicted for a GPU: workspaces of cuBLAS, in both above
    bool operator==(const AllocatorReading&) const = default;
};

/// What a recorder predicted of a step that it did not run.
struct RecorderPrediction {
    std::string device;  ///< empty: none was named
    std::optional<Bytes> deviceBytes;
    std::optional<bool> fits;  ///< absent where the device's memory is not known
    std::optional<Seconds> seconds;
    std::optional<Seconds> secondsLow;
    std::optional<Seconds> secondsHigh;
    std::string tier;
    bool operator==(const RecorderPrediction&) const = default;
};

/// Ops of one kind whose FLOPs no formula gives.
struct MissingFormula {
    std::string kind;
    std::int64_t ops = 0;
    std::optional<double> shareOfTime;  ///< 0 to 1, of the seconds of all ops; absent: they are not known
    bool operator==(const MissingFormula&) const = default;
};

/// The loss of one of the steps that a recorder let run.
struct RecordedLoss {
    std::int64_t step = 0;  ///< since the recording began, from 0
    std::string pass;       ///< that this step was: "T"; "W": one to warm up
    double loss = 0;        ///< of the weights before the update; NaN: it was not finite
    Seconds seconds = 0;    ///< when it ended, since the recording began: what passes cost is in it
};

/// Losses of the steps of a recording.
struct RecordedLosses {
    std::string source;  ///< what was taken for the loss: "step", "training_step", "backward"; empty: none
    std::string absent;  ///< why steps have none; empty: all have one, or the file is silent
    std::vector<RecordedLoss> steps;  ///< those whose loss is known, in order

    /// Why there is none, as sentences; empty where there are.
    [[nodiscard]] std::string whyNone() const;
    /// "what was given to step()": what the source is.
    [[nodiscard]] std::string_view sourceText() const;
};

/// One training step as a recorder of another program wrote it down (docs/step-file.md).
struct StepFile {
    static constexpr std::string_view kFormat = "plumbline.step";
    static constexpr std::int64_t kVersion = 1;
    /// The most ops, and tensors, of a file: a step of more is not one that a person asks about.
    static constexpr std::size_t kMostRows = 1'000'000;

    std::string created;  ///< ISO 8601, UTC
    std::string program;  ///< "plumbline-profiler 0.1.0 (torch 2.15.0)"
    RecordingEnvironment environment;
    std::optional<std::int64_t> parameters;  ///< tied ones once
    RecordedStep step;
    AllocatorReading allocator;
    std::vector<Seconds> stepSeconds;              ///< of steps that only the clock watched; may be empty
    std::optional<Seconds> recordingSeconds;       ///< of the step that was written down
    RecordedLosses losses;                         ///< of all steps that the recorder let run
    std::optional<RecorderPrediction> prediction;  ///< absent: the step ran
    std::vector<MissingFormula> missingFormulas;
    std::vector<std::string> said;  ///< what could not be recorded, and why, a sentence each

    /// Median of stepSeconds; absent without any.
    [[nodiscard]] std::optional<Seconds> medianSeconds() const;
    /// How many times as long as a clean step the one took that was written down, whose operations have
    /// times; absent where only one of them was watched.
    [[nodiscard]] std::optional<double> overhead() const;
};

[[nodiscard]] nlohmann::json toJson(const StepFile& file);
[[nodiscard]] nlohmann::json toJson(const RecordedLosses& losses);

/// Whether a file that begins so says that it is one.
[[nodiscard]] bool isStepFile(std::string_view start);
/// The same of the file at `path`. Errors: Io where it cannot be read.
[[nodiscard]] Result<bool> isStepFileAt(const std::string& path);
/// Errors: BadInput for text that is no step file, is of a newer version, or says what cannot be; the message
/// names `path` and the field. RunFailed when it was told to stop.
[[nodiscard]] Result<StepFile> parseStepFile(std::string_view text, const std::string& path,
                                             const ReadControl& control = {});
/// Errors: those of parseStepFile(), and Io where the file cannot be read.
[[nodiscard]] Result<StepFile> readStepFile(const std::string& path, const ReadControl& control = {});

/// The machine among these that the step ran on: the only one whose name has all words of the device's name;
/// of several of one processor that with as many cores as the step had threads. Null where none or several
/// have.
[[nodiscard]] const Machine* machineOf(const RecordingEnvironment& environment,
                                       std::span<const Machine> known);
/// Where the step had another number of threads than the machine has cores, which its ceilings are of: a
/// sentence that says so, else empty.
[[nodiscard]] std::string otherThreadsText(const RecordingEnvironment& environment, const Machine& machine);

/// What the step costs on a target by the ceilings of its machine; its memory by the lifetimes of its
/// tensors.
[[nodiscard]] PlannedStep plannedOn(const StepFile& file, Target target);
/// The step as it stands on the machine that it ran on, of which nothing but the name is known, where that is
/// another than that of `planned`.
[[nodiscard]] std::optional<PlannedStep> ranElsewhere(const StepFile& file, const PlannedStep& planned);
/// What was measured of the step; null where it did not run. Times are those of the machine that it ran on,
/// and an MFU is a share of the peak of `machine`.
[[nodiscard]] std::shared_ptr<const Reading> readingOf(const StepFile& file, const Machine& machine);
/// The losses as those of a training; null without any.
[[nodiscard]] std::shared_ptr<const TrainingSeries> trainingOf(const StepFile& file);

}  // namespace plumb
