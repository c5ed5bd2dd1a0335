// SPDX-License-Identifier: Apache-2.0
#include "core/findings/rules.h"
#include "core/measure/divergence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace plumb {
namespace {

Verdict skippedSteps(const Facts& facts) {
    const TrainingSeries* const training = facts.training();
    if (training == nullptr || training->stepsDone <= 0 ||
        std::ranges::none_of(training->steps,
                             [](const StepMetrics& step) { return std::isfinite(step.lossScale); }))
        return Lack::Training;
    const double share =
        static_cast<double>(training->skippedSteps) / static_cast<double>(training->stepsDone);
    constexpr double kMostSkipped = 0.01;  // the scale's search for its place skips a few
    if (share < kMostSkipped) return {};
    Finding finding;
    finding.stake = std::clamp(share, 0.0, 1.0);
    finding.severity = severityOf(finding.stake);
    finding.view = "training";
    finding.figures = {{"skipped steps", countOf(training->skippedSteps), Basis::Training},
                       {"steps", countOf(training->stepsDone), Basis::Training}};
    finding.sentence = {
        "%1 of %2 steps updated nothing, since a gradient was not finite at their loss scale.",
        {countOf(training->skippedSteps), countOf(training->stepsDone)}};
    if (facts.plan() != nullptr && facts.plan()->config.scalesLoss())
        if (const std::optional<TriedPlan> tried = Trials(facts).of({{"precision", "bf16"}});
            tried && tried->fits()) {
            finding.remedy =
                remedyOf({"Train in bf16, which has the range of fp32 and needs no scale.", {}}, *tried);
            return finding;
        }
    finding.remedy.advice = {"Start with a smaller loss scale, or train in bf16, which needs none.", {}};
    return finding;
}

Verdict lossDiverges(const Facts& facts) {
    const TrainingSeries* const training = facts.training();
    if (training == nullptr || training->steps.empty()) return Lack::Losses;
    LossHistory history;
    for (const StepMetrics& step : training->steps) history.add(step);
    const std::optional<Divergence> found = findDivergence(history);
    if (!found) return {};
    Finding finding;
    finding.stake = 1;  // what is trained from there on is of no use
    finding.severity = Severity::Serious;
    finding.view = "training";
    finding.figures = {{"step", countOf(found->step + 1), Basis::Training}};
    if (found->kind == Divergence::Kind::NotFinite) {
        finding.sentence = {"The training diverges: the loss of step %1 is no finite number.",
                            {countOf(found->step + 1)}};
    } else {
        finding.figures.push_back({"mean of the newest losses", {found->newest, ""}, Basis::Training});
        finding.figures.push_back({"mean of the lowest losses", {found->lowest, ""}, Basis::Training});
        finding.sentence = {"The training diverges: the newest losses are %1, those around step %2 were %3.",
                            {Amount{found->newest, ""}, countOf(found->step + 1), Amount{found->lowest, ""}}};
    }
    finding.remedy.advice = {"Lower the learning rate, to a third at first, or let it warm up; clip the "
                             "gradients' norm where single steps are the cause.",
                             {}};
    return finding;
}

/// Where the time of a training goes, by its curve.
struct TrainingTime {
    std::int64_t steps = 0;
    Seconds usual = 0;      ///< median of the steps
    Seconds perStep = 0;    ///< of the training, with everything between
    Seconds inSteps = 0;    ///< mean of the steps themselves
    std::int64_t slow = 0;  ///< steps of more than twice the median
};

std::optional<TrainingTime> timeOf(const TrainingSeries& training) {
    constexpr std::size_t kFewestSteps = 50;  // below, the first ones count for much
    std::vector<Seconds> known;
    for (const StepMetrics& step : training.steps)
        if (std::isfinite(step.stepSeconds) && step.stepSeconds > 0) known.push_back(step.stepSeconds);
    if (known.size() < kFewestSteps) return std::nullopt;
    const StepMetrics &first = training.steps.front(), &last = training.steps.back();
    TrainingTime time;
    time.steps = last.step - first.step;
    if (time.steps <= 0 || !(last.seconds > first.seconds)) return std::nullopt;
    const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
    std::ranges::nth_element(known, middle);
    time.usual = *middle;
    time.perStep = (last.seconds - first.seconds) / static_cast<double>(time.steps);
    time.inSteps = std::accumulate(known.begin(), known.end(), 0.0) / static_cast<double>(known.size());
    time.slow = std::ranges::count_if(known, [&](Seconds step) { return step > 2 * time.usual; });
    return time;
}

Verdict slowerThanItsSteps(const Facts& facts) {
    constexpr double kBeyond = 0.2;  // of the training's time
    const TrainingSeries* const training = facts.training();
    if (training == nullptr) return Lack::Training;
    const std::optional<TrainingTime> time = timeOf(*training);
    if (!time) return Lack::StepTimes;
    const double beyond = 1 - time->usual / time->perStep;
    if (beyond < kBeyond) return {};
    Finding finding;
    finding.stake = std::clamp(beyond, 0.0, 1.0);
    finding.severity = severityOf(finding.stake);
    finding.view = "training";
    const double between = std::clamp(1 - time->inSteps / time->perStep, 0.0, 1.0);
    finding.figures = {{"median of the steps", {time->usual, "s"}, Basis::Training},
                       {"training time of a step", {time->perStep, "s"}, Basis::Training},
                       {"steps", countOf(time->steps), Basis::Training},
                       {"steps of more than twice the median", countOf(time->slow), Basis::Training},
                       {"time between the steps", {between, "%"}, Basis::Training}};
    const Amount share{finding.stake, "%"}, usual{time->usual, "s"}, perStep{time->perStep, "s"};
    if (2 * between >= beyond) {
        finding.sentence = {"%1 of the training's time is no usual step: a step takes %2 and the training %3 "
                            "for each, most of the rest lies between the steps.",
                            {share, usual, perStep}};
        finding.remedy.advice = {"Save checkpoints less often; a larger batch makes fewer steps.", {}};
        return finding;
    }
    finding.sentence = {"%1 of the training's time is no usual step: a step takes %2 and the training %3 for "
                        "each, since %4 steps took more than twice as long.",
                        {share, usual, perStep, countOf(time->slow)}};
    finding.remedy.advice = {
        "Something held these steps up: end other programs; a larger batch makes fewer and longer steps.",
        {}};
    return finding;
}

constexpr std::array kTrainingRules{
    Rule{"skipped-steps", "steps that the loss scale skipped", skippedSteps},
    Rule{"loss-diverges", "whether the loss runs away", lossDiverges},
    Rule{"slower-than-its-steps", "whether the training is as fast as its steps", slowerThanItsSteps}};

}  // namespace

std::span<const Rule> trainingRules() { return kTrainingRules; }

}  // namespace plumb
