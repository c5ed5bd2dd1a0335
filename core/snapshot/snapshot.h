// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/data_provenance.h"
#include "core/io/read_control.h"
#include "core/machine/target.h"
#include "core/measure/fit_proof.h"
#include "core/measure/reading.h"
#include "core/measure/training_series.h"
#include "core/model/run_config.h"
#include "core/snapshot/bookmark.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// What another recompute policy was measured to need, everything else being as in the snapshot.
struct MeasuredPolicy {
    RecomputePolicy policy;
    std::optional<Bytes> peakBytes;
    std::optional<Seconds> seconds;  ///< median time of a step
    std::int64_t steps = 0;          ///< behind the median
    std::optional<Spread> spread{};  ///< where 10 % to 90 % of them lie
    bool operator==(const MeasuredPolicy&) const = default;
};

/// Another training of the session that a snapshot was saved in, beside the snapshot's own.
struct SessionRun {
    RunConfig config;
    Target target;         ///< where it ran
    bool isNewer = false;  ///< it began after Snapshot::training; false when there is none
    TrainingSeries series;
};

/// Another measurement of the session, beside the snapshot's own.
struct SessionMeasurement {
    RunConfig config;
    Target target;         ///< where it was measured
    bool isNewer = false;  ///< it began after Snapshot::measured; false when there is none
    Reading measured;
};

/// The recompute curve of another configuration than the snapshot's.
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
    Target target;
    std::optional<Reading> predicted;
    std::string predictedBy;  ///< the program that predicted; in files of before and empty: `program`
    std::optional<Reading> measured;
    std::optional<DataProvenance> data;
    std::optional<TrainingSeries> training;  ///< curve of `config`
    std::vector<MeasuredPolicy> recomputeCurve;
    std::vector<SessionRun> runs;  ///< the other trainings of the session, in the order in which they began
    std::vector<SessionMeasurement> measurements;  ///< the others of the session, in their order
    std::vector<SessionCurve> curves;              ///< curves of the session's other configurations
    std::string note;                              ///< in its reader's own words, many lines
    std::vector<Bookmark> bookmarks;               ///< in their order
    std::optional<std::int64_t> stepsWanted;       ///< of the next run; 0: until it is stopped
    std::optional<FitProof> fitProof;  ///< newest proof of the session; of a configuration of its own
};

/// What of a session is more than a file takes.
struct SessionLoss {
    std::size_t runs = 0;
    std::size_t measurements = 0;
    std::size_t timelines = 0;  ///< timelines of measurements that are kept
    std::size_t curves = 0;
};
/// Takes the oldest away until a file takes all that is left. toJson() writes no more than that, but says
/// nothing.
SessionLoss boundSession(Snapshot& snapshot);

/// A snapshot of `config` on `target` with its prediction, created now by this program.
[[nodiscard]] Result<Snapshot> makeSnapshot(const RunConfig& config, const Target& target);

/// The JSON of docs/snapshot.md. Numbers that are not known, and those that are not finite, are null.
/// Writes the newest of more runs and measurements than a file takes (boundSession()), and the curves of many
/// runs with fewer points (core/snapshot/snapshot_json.h).
[[nodiscard]] nlohmann::json toJson(const Snapshot& snapshot);

/// The way back. Errors: BadInput with the path of the field. Fields that are not known are ignored.
[[nodiscard]] Result<Snapshot>
snapshotFromJson(const nlohmann::json& json);  ///< the configuration is validated

inline constexpr std::size_t kMostSnapshotBytes = std::size_t{256} << 20U;  ///< of a file

/// Errors: BadInput for a file that is truncated, not ours, of a newer version, too large (over 256 MB, or
/// 512 MB in memory) or inconsistent (the field is named); Io when it cannot be read; RunFailed when it was
/// told to stop.
[[nodiscard]] Result<Snapshot> readSnapshot(const std::string& path, const ReadControl& control = {});
/// The same of the text of such a file, which messages call `name`.
[[nodiscard]] Result<Snapshot> parseSnapshot(const std::string& text, const std::string& name,
                                             const ReadControl& control = {});
/// The text of the file.
[[nodiscard]] std::string snapshotText(const Snapshot& snapshot);
/// Written to a temporary name beside it, synced and renamed. Errors: Io with the reason and the remedy.
[[nodiscard]] Result<void> writeSnapshot(const std::string& path, const Snapshot& snapshot);

}  // namespace plumb
