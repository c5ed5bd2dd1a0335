// SPDX-License-Identifier: Apache-2.0
#include "core/snapshot/runs_json.h"

#include "core/machine/machine_json.h"
#include "core/measure/loss_history.h"
#include "core/measure/training_json.h"
#include "core/measure/training_series.h"
#include "core/snapshot/session_entries.h"

#include <algorithm>
#include <utility>

namespace plumb {

namespace {

using nlohmann::json;

/// Enough for a curve across a screen, whatever the number of runs.
constexpr std::size_t kFewestPoints = 64;

/// The series with at most `most` points: the first, the last, and the extremes between them.
TrainingSeries thinned(const TrainingSeries& series, std::size_t most) {
    TrainingSeries kept = series;
    if (series.steps.size() <= most) return kept;
    // Two points of a bucket, and both ends.
    LossHistory history((most - 2) / 4 * 2);
    for (const StepMetrics& step : series.steps) history.add(step);
    kept.steps = history.points();
    return kept;
}

std::size_t tensorsOf(const TrainingSeries& series) {
    return (series.firstScales ? series.firstScales->tensors.size() : 0) +
           (series.lastScales ? series.lastScales->tensors.size() : 0);
}

}  // namespace

json runsJson(const Snapshot& snapshot) {
    const std::size_t count = std::min(snapshot.runs.size(), kMostSessionRuns);
    json runs = json::array();
    if (count == 0) return runs;
    const json machine = toJson(snapshot.target.machine);
    const std::size_t most = std::max(kFewestPoints, kMostRunPoints / count);
    std::size_t tensors = kMostRunTensors;
    // The newest first: what does not fit is of the oldest.
    for (std::size_t i = 0; i < count; ++i) {
        const SessionRun& run = snapshot.runs[snapshot.runs.size() - 1 - i];
        TrainingSeries series = thinned(run.series, most);
        if (tensorsOf(series) > std::exchange(tensors, tensors - std::min(tensors, tensorsOf(series)))) {
            series.firstScales.reset();
            series.lastScales.reset();
        }
        json entry = entryJson(run, snapshot, machine);
        entry["training"] = toJson(series);
        runs.push_back(std::move(entry));
    }
    std::reverse(runs.begin(), runs.end());
    return runs;
}

std::vector<SessionRun> readRuns(const JsonField& field, const Snapshot& snapshot) {
    return readEntries<SessionRun>(field, kMostSessionRuns, snapshot,
                                   [](const JsonField& from, SessionRun& run) {
                                       const JsonField training = from["training"];
                                       run.series = readJson<TrainingSeries>(training);
                                   });
}

}  // namespace plumb
