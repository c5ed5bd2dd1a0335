// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/answer.h"
#include "core/planner/evidence.h"
#include "core/planner/step_time.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::planner {

/// What a published training says that the planner predicts too.
enum class Figure : std::uint8_t { Time, Memory };

/// A published training beside what the planner says of it.
struct ValidatedRow {
    const PublishedTraining* row = nullptr;
    std::optional<Range> seconds;  ///< predicted, of a step
    std::optional<StepTime> step;  ///< parts of the expected time
    std::optional<Range> memory;   ///< predicted, of the fullest device, of the kind that was published
    std::string memoryProblem;     ///< why there is none beside a published one; empty: there is
    std::optional<bool> fits;      ///< whether this training, which ran, fits by the prediction
    std::string problem;           ///< why nothing is predicted; empty: it is

    [[nodiscard]] const std::optional<Range>& predicted(Figure figure) const {
        return figure == Figure::Time ? seconds : memory;
    }
    /// Seconds of a step, or bytes of the fullest device; empty where the source does not print it.
    [[nodiscard]] std::optional<double> published(Figure figure) const;
    /// ln(predicted / published); empty without one of them.
    [[nodiscard]] std::optional<double> error(Figure figure) const;
    [[nodiscard]] std::optional<double> timeError() const { return error(Figure::Time); }
    [[nodiscard]] std::optional<double> memoryError() const { return error(Figure::Memory); }
    /// predicted / published - 1; empty as error() is.
    [[nodiscard]] std::optional<double> deviation(Figure figure) const;
    /// Whether the published figure lies in the predicted range; empty as error() is.
    [[nodiscard]] std::optional<bool> held(Figure figure) const;
};

/// How far predictions are from what was published.
struct ErrorSummary {
    std::int64_t rows = 0;
    double median = 0;     ///< of deviations, without their signs
    double ninetieth = 0;  ///< nine of ten rows are nearer
    double bias = 0;       ///< mean of ln(predicted / published): above 0, too slow (or too much memory)
    double held = 0;       ///< share of the rows whose figure lies in the predicted range
};

/// One prediction beside what was published.
struct FoundError {
    double logarithm = 0;  ///< ln(predicted / published)
    bool held = false;     ///< the published figure lies in the predicted range
};
[[nodiscard]] ErrorSummary summarise(const std::vector<FoundError>& errors);

/// What validation sources should be predicted within (docs/evidence.md).
struct ErrorGoals {
    double median = 0;
    double ninetieth = 0;
    double bias = 0;      ///< in either direction
    double heldFrom = 0;  ///< the share that a range is meant to hold ...
    double heldTo = 0;    ///< ... and above which it says too little
};
[[nodiscard]] const ErrorGoals& goalsOf(Figure figure);
/// The scenario without what a figure of this kind leaves out: an allocator knows nothing of context and
/// communication buffers, and what is in use has no fragmentation. Kinds are those of published.json.
[[nodiscard]] Scenario asMemoryKind(Scenario scenario, std::string_view kind);

/// The rows that `takes` accepts (empty: all), in the order of the evidence. `change` is applied to each
/// scenario before it is asked. Ends early when `stop` is requested and keeps what is done; `progress` gets
/// the share that is done before each row, on the caller's thread.
[[nodiscard]] std::vector<ValidatedRow>
validateAgainst(const Evidence& evidence, const std::function<bool(const PublishedTraining&)>& takes = {},
                const std::function<void(Scenario&)>& change = {}, const std::stop_token& stop = {},
                const std::function<void(double)>& progress = {});

/// Of times, or of memory, over the rows that `takes` accepts.
[[nodiscard]] ErrorSummary summarise(const std::vector<ValidatedRow>& rows, Figure figure,
                                     const std::function<bool(const ValidatedRow&)>& takes);

/// A way to divide the rows, and what the part is called that a row is in.
struct Division {
    std::string_view name;  ///< "source", "device", "regime", "software"
    std::string (*of)(const Evidence& evidence, const PublishedTraining& row);
};
[[nodiscard]] std::span<const Division> divisions();
/// Devices whose kernels are alike: "Hopper", "TPU".
[[nodiscard]] std::string_view familyOf(const PublishedTraining& row);

}  // namespace plumb::planner
