// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/account/layer_statistics.h"
#include "core/account/reading.h"
#include "core/account/timeline.h"
#include "core/model/run_config.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// The loss over all samples that are held out, with the weights before this step (steps done: the last
/// ones).
struct HoldOutLoss {
    std::int64_t step = 0;
    double loss = 0;
    bool operator==(const HoldOutLoss&) const = default;
};

/// The loss curve and its companions, decimated with extremes kept (see LossHistory); equal lengths.
struct TrainingSeries {
    std::vector<std::int64_t> step;
    std::vector<double> loss;
    std::vector<double> seconds;  ///< wall time since the start of training, pauses left out
    // As in LossPoint; not a number where it is not known. All empty in files of the first version.
    std::vector<double> stepSeconds;
    std::vector<double> gradientNorm;
    std::vector<double> updateRatio;
    std::vector<double> learningRate;
    std::vector<double> lossScale;
    std::optional<LayerStatistics> firstScales;  ///< tensor statistics of the first and of the newest ...
    std::optional<LayerStatistics> lastScales;   ///< ... observed step
    std::vector<HoldOutLoss> holdOut;            ///< empty where nothing is held out
    std::int64_t skippedSteps = 0;               ///< fp16: of stepsDone, those that updated nothing
    std::int64_t stepsDone = 0;
    std::string outcome;  ///< "finished", "stopped", "diverged at step 12: ...", "engine died ..."
};

/// What was taken from each column of a table and what it was then divided by, of the samples that are
/// trained on. The deviation of a column that is the same everywhere is 1.
struct Standardization {
    std::vector<double> means;
    std::vector<double> deviations;
    bool operator==(const Standardization&) const = default;
};

/// The data that a run read from files; absent for synthetic data.
struct DataRecord {
    std::string description;   ///< BatchSource::summary(): files, their types, rows or tokens
    std::int64_t samples = 0;  ///< of one epoch
    std::int64_t heldOut = 0;  ///< samples that are not trained on
    std::optional<Standardization> standardization = {};  ///< of the features
    std::optional<Standardization> targetStandardization =
        {};  ///< the loss is that of the standardised targets
};

/// What another checkpoint policy was measured to need, everything else being as in the snapshot.
struct MeasuredPolicy {
    CheckpointPolicy policy;
    std::optional<Bytes> peakBytes;
    std::optional<Seconds> seconds;  ///< of a step, median
    std::int64_t steps = 0;          ///< behind the median
    bool operator==(const MeasuredPolicy&) const = default;
};

/// Another training of the session that a snapshot was saved in, beside the snapshot's own.
struct SessionRun {
    RunConfig config;
    Machine machine;  ///< where it ran
    BackendTraits traits;
    bool isNewer = false;  ///< it began after Snapshot::training; false when there is none
    TrainingSeries series;
};

/// Another measurement of the session, beside the snapshot's own.
struct SessionMeasurement {
    RunConfig config;
    Machine machine;  ///< where it was measured
    BackendTraits traits;
    bool isNewer = false;  ///< it began after Snapshot::measured; false when there is none
    Reading measured;
};

/// The checkpoint curve of another configuration than the snapshot's.
struct SessionCurve {
    RunConfig config;
    Machine machine;
    std::vector<MeasuredPolicy> points;
};

/// The file: what every view shows and every exporter writes. Self-contained.
struct Snapshot {
    static constexpr int kVersion = 2;  ///< 2: has readings in columns (reading_columns.h); else written as 1
    std::string created;                ///< ISO 8601, UTC
    std::string program;                ///< "plumbline 0.1.0 (commit)"
    RunConfig config;
    Machine machine;
    BackendTraits traits;
    std::optional<Reading> predicted;
    std::string predictedBy;  ///< the program that predicted; in files of before and empty: `program`
    std::optional<Reading> measured;
    std::optional<DataRecord> data;
    std::optional<TrainingSeries> training;  ///< of `config`
    std::vector<MeasuredPolicy> checkpointCurve;
    std::vector<SessionRun> runs;  ///< the other trainings of the session, in the order in which they began
    std::vector<SessionMeasurement> measurements;  ///< the others of the session, in their order
    std::vector<SessionCurve> curves;              ///< of the session, of other configurations
};

/// What of a session is more than a file takes.
struct SessionLoss {
    std::size_t runs = 0;
    std::size_t measurements = 0;
    std::size_t timelines = 0;  ///< of measurements that are kept
    std::size_t curves = 0;
};
/// Takes the oldest away until a file takes all that is left. toJson() writes no more than that, but says
/// nothing.
SessionLoss boundSession(Snapshot& snapshot);

/// A snapshot of `config` on `machine` with its prediction, created now by this program.
[[nodiscard]] Result<Snapshot> makeSnapshot(const RunConfig& config, const Machine& machine,
                                            const BackendTraits& traits);

/// "plumbline 0.1.0 (abc1234)".
[[nodiscard]] std::string programVersion();

/// The JSON of docs/snapshot.md. Numbers that are not known, and those that are not finite, are null.
[[nodiscard]] nlohmann::json toJson(const RunConfig& config);
[[nodiscard]] nlohmann::json toJson(const Machine& machine);
[[nodiscard]] nlohmann::json toJson(const BackendTraits& traits);
[[nodiscard]] nlohmann::json toJson(const Reading& reading);
[[nodiscard]] nlohmann::json toJson(const Timeline& timeline);  ///< columns, whole nanoseconds in seconds
[[nodiscard]] nlohmann::json toJson(const TrainingSeries& series);
[[nodiscard]] nlohmann::json toJson(const LayerStatistics& statistics);
/// Of more runs and measurements than a file takes the newest (boundSession()), and the curves of many runs
/// with fewer points (core/io/runs_json.h).
[[nodiscard]] nlohmann::json toJson(const Snapshot& snapshot);

/// The way back. Errors: BadInput with the path of the field. Fields that are not known are ignored.
///
/// A configuration takes each value as JSON type or as the text of the command line ("4Ki", "on") and keeps
/// every one that is given, also one that equals a default; missing names (and null) keep their defaults. A
/// document written by toJson() names all options, so what is read from it equals what was written, but its
/// micro-batch, lr and weight-decay no longer follow batch and optimizer. It is not validated here.
[[nodiscard]] Result<RunConfig> configFromJson(const nlohmann::json& json);
[[nodiscard]] Result<Machine> machineFromJson(const nlohmann::json& json);
[[nodiscard]] Result<BackendTraits> traitsFromJson(const nlohmann::json& json);
[[nodiscard]] Result<Reading> readingFromJson(const nlohmann::json& json);
[[nodiscard]] Result<TrainingSeries> trainingFromJson(const nlohmann::json& json);  ///< a null loss is NaN
[[nodiscard]] Result<Snapshot>
snapshotFromJson(const nlohmann::json& json);  ///< the configuration is validated

/// Errors: BadInput for a file that is truncated, not ours, of a newer version, too large (over 256 MB, or
/// 512 MB in memory) or inconsistent (the field is named); Io when it cannot be read.
[[nodiscard]] Result<Snapshot> readSnapshot(const std::string& path);
/// Written to a temporary name beside it, synced and renamed. Errors: Io with the reason and the remedy.
[[nodiscard]] Result<void> writeSnapshot(const std::string& path, const Snapshot& snapshot);

/// One row per op: id, name, phase, kind, flops, bytes, predicted and measured seconds, and a column of bytes
/// per category from both memory curves. RFC 4180. Values that are not known are empty.
[[nodiscard]] std::string toCsv(const Snapshot& snapshot);
/// step,loss,seconds,step_seconds,gradient_norm,update_ratio,learning_rate,loss_scale rows of the series.
[[nodiscard]] std::string trainingToCsv(const TrainingSeries& series);

}  // namespace plumb
