// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/answer.h"
#include "core/planner/evidence.h"
#include "core/planner/step_time.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace plumb::planner {

/// A published training beside what the planner says of it.
struct ValidatedRow {
    const PublishedTraining* row = nullptr;
    std::optional<Range> seconds;  ///< predicted, of a step
    std::optional<StepTime> step;  ///< parts of the expected time
    std::optional<Range> memory;   ///< predicted, of the fullest device, of the kind that was published
    std::string memoryProblem;     ///< why there is none beside a published one; empty: there is
    std::optional<bool> fits;      ///< whether this training, which ran, fits by the prediction
    std::string problem;           ///< why nothing is predicted; empty: it is

    /// ln(predicted / published) of the step's time and of memory; empty without one of them.
    [[nodiscard]] std::optional<double> timeError() const;
    [[nodiscard]] std::optional<double> memoryError() const;
};

/// How far predictions are from what was published.
struct ErrorSummary {
    std::int64_t rows = 0;
    double median = 0;     ///< of |predicted / published - 1|
    double ninetieth = 0;  ///< nine of ten rows are nearer
    double bias = 0;       ///< mean of ln(predicted / published): above 0, too slow (or too much memory)
    double held = 0;       ///< share of the rows whose figure lies in the predicted range
};

/// The scenario without what a figure of this kind leaves out: an allocator knows nothing of context and
/// communication buffers, and what is in use has no fragmentation. Kinds are those of published.json.
[[nodiscard]] Scenario asMemoryKind(Scenario scenario, std::string_view kind);

/// The rows that `takes` accepts (empty: all), in the order of the evidence. `change` is applied to each
/// scenario before it is asked.
[[nodiscard]] std::vector<ValidatedRow>
validateAgainst(const Evidence& evidence, const std::function<bool(const PublishedTraining&)>& takes = {},
                const std::function<void(Scenario&)>& change = {});

/// Of times, or of memory, over the rows that `takes` accepts.
enum class Figure : std::uint8_t { Time, Memory };
[[nodiscard]] ErrorSummary summarise(const std::vector<ValidatedRow>& rows, Figure figure,
                                     const std::function<bool(const ValidatedRow&)>& takes);

}  // namespace plumb::planner
