// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/machine/cost_tables.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb {

/// Which steps a survey runs. Every op is timed inside a real step, by the executor, on real numbers: its
/// operands lie where the op before left them, and the weights are those of several layers in turn.
struct SurveyGrid {
    std::vector<std::int64_t> widths;  ///< D of the plain fp32 steps ...
    std::vector<std::int64_t> rows;    ///< ... each with these batches
    std::vector<std::int64_t> variantWidths;
    std::vector<std::int64_t> variantRows;      ///< for the other recipes, ReLU and later micro-batches
    std::vector<std::int64_t> optimizerWidths;  ///< for every optimizer ...
    std::vector<std::int64_t> optimizerRows;    ///< ... and batch; for each recipe the first one alone
    std::vector<std::int64_t> outputs;          ///< K beside 1, for each recipe three of them ...
    std::vector<std::int64_t> headWidths;       ///< ... for these D, for each recipe three of them ...
    std::vector<std::int64_t> headRows;         ///< ... and batches
    std::vector<std::int64_t> loadWidths;       ///< rows of a file, of so many values ...
    std::vector<std::int64_t> loadRows;         ///< ... in such batches
    std::vector<std::int64_t> deepWidths;       ///< steps of kDeepLayers, of these widths ...
    std::vector<std::int64_t> deepRows;         ///< ... and batches, both among those of the plain steps
    std::vector<std::int64_t> trafficWidths;    ///< of ranks: steps beside traffic, of these widths ...
    std::vector<std::int64_t> trafficRows;      ///< ... and batches
    std::vector<Bytes> messages;                ///< of ranks: what is reduced at once
    double mostWork = 0;                        ///< batch * D * D of the largest step
    Seconds perRound = 0;                       ///< time for one round of steps; at least two are run
    int rounds = 1;                             ///< the median of the rounds' medians counts
    Seconds enough = 0;                         ///< no further round after this: long steps are steady

    [[nodiscard]] static SurveyGrid full();
    [[nodiscard]] static SurveyGrid quick();  ///< every kind of op at the fewest sizes
};

/// Which ops of a step a survey keeps: those that were run at many sizes. A size on its own would bend the
/// table around it.
enum class Surveyed : std::uint8_t {
    Overhead,
    Everything,
    Optimizer,
    GradientNorm,
    Loading,
    Deep,
    DeepSums,
    BesideTraffic
};

struct SurveyStep {
    RunConfig config;
    Surveyed keeps = Surveyed::Everything;
};

/// A plain fp32 step.
[[nodiscard]] RunConfig surveyConfig(std::int64_t width, std::int64_t rows);
/// The steps of a survey in the order in which they are run; the first one has hardly any work in it.
/// `ofRanks`: with those beside traffic.
[[nodiscard]] std::vector<SurveyStep> surveySteps(const SurveyGrid& grid, bool ofRanks = false);

struct Survey {
    CostTables costs;                             ///< without a bandwidth curve
    std::vector<std::pair<Dtype, double>> peaks;  ///< best FLOP/s of a layer's products, by compute type
    Seconds perOpOverhead = 0;                    ///< median op of the step with hardly any work
    std::optional<CalibratedSpeed> speed;         ///< absent where the backend has no probe
    std::int64_t disturbed = 0;                   ///< steps that stayed slow however often they were timed
};

using SurveyProgress = std::function<void(std::string_view what, int done, int total)>;

/// What surveyCosts() counts to: its steps, and half as many for those that meet a slow moment and are timed
/// again. How many these are turns out meanwhile, and a bar whose end moves away says nothing.
[[nodiscard]] int surveyCount(const SurveyGrid& grid, bool ofRanks = false);

/// That of a part which `before` of the whole's timings precede and `after` follow.
[[nodiscard]] SurveyProgress progressOfPart(const SurveyProgress& whole, int before, int after);

/// What a survey says when it was stopped.
[[nodiscard]] Error surveyStopped();

/// Times the ops of `grid`'s steps on `backend`. A step that the backend does not know, or that needs more
/// than a quarter of its memory, is left out. `others`: of other ranks that share the machine, and the
/// memory; they run each step too while it is timed.
///
/// A probe of the machine's speed stands beside every step. Steps that ran while the machine was clearly
/// slower than in its fast moments are timed again later, up to three times in all, and the fastest moment
/// counts; what is left of the difference is taken out of their times, so that all of them are of the speed
/// of fast moments. Where a backend replays steps, each is also captured and replayed, as a training runs it.
/// Errors: RunFailed when stopped; those of the executor.
[[nodiscard]] Result<Survey> surveyCosts(Backend& backend, const SurveyGrid& grid,
                                         const SurveyProgress& progress, const std::stop_token& stop,
                                         std::span<Backend* const> others = {});

/// Makes `machine` one that was calibrated today: what `survey` found, and `curve`, by growing working sets
/// and not empty, whose last point is that of the memory.
void keepSurvey(Survey survey, std::vector<BandwidthPoint> curve, Machine& machine);

}  // namespace plumb
