// SPDX-License-Identifier: Apache-2.0
#include "core/findings/rules.h"
#include "core/measure/divergence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

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

constexpr std::array kTrainingRules{Rule{"skipped-steps", "steps that the loss scale skipped", skippedSteps},
                                    Rule{"loss-diverges", "whether the loss runs away", lossDiverges}};

}  // namespace

std::span<const Rule> trainingRules() { return kTrainingRules; }

}  // namespace plumb
