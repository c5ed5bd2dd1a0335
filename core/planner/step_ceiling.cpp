// SPDX-License-Identifier: Apache-2.0
#include "core/planner/step_ceiling.h"

#include "core/planner/inputs.h"
#include "core/planner/memory.h"
#include "core/planner/published_mfu.h"
#include "core/planner/step_time.h"
#include "core/planner/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace plumb::planner {

namespace {

/// The deep linear model's own plan knows its operations one by one, on one device.
Result<MfuCeiling> ceilingOfLinear(const Scenario& scenario, RunConfig config) {
    PLUMB_TRY(const ResolvedLayout layout, resolve(scenario));
    config.batch = layout.batch / layout.data;
    PLUMB_TRY(const StepPlan step, planStep(config, traitsOf(scenario)));
    const auto ceiling = scenario.cluster.device ? mfuCeiling(step, *scenario.cluster.device) : std::nullopt;
    if (!ceiling)
        return Error{ErrorCode::BadInput, "the ceilings of the device are not known", "choose a device"};
    return *ceiling;
}

}  // namespace

Result<MfuCeiling> stepCeiling(const Scenario& scenario) {
    if (const RunConfig* config = scenario.model.linear()) return ceilingOfLinear(scenario, *config);
    Scenario ideal = scenario;
    for (const Input share : {Input::MatmulEfficiency, Input::AttentionEfficiency, Input::MemoryEfficiency,
                              Input::LinkEfficiency, Input::PassFactor, Input::Sustained})
        ideal.given[share] = Range{1, 1, 1};
    for (const Input loss : {Input::Contention, Input::Straggling}) ideal.given[loss] = Range{0, 0, 0};
    ideal.given[Input::StepFactor] = Range{1, 1, 1};
    PLUMB_TRY(const double peak, numberOf(ideal, Input::Peak));
    PLUMB_TRY(const double bandwidth, numberOf(ideal, Input::Bandwidth));
    PLUMB_TRY(const StepTime time, stepTime(ideal));
    MfuCeiling ceiling;
    ceiling.mfu = time.executedMfu;
    ceiling.balance = peak / bandwidth;
    EnumArray<MfuLoss, double> lost{};
    const auto lose = [&](MfuLoss loss, double seconds) { lost[loss] += seconds; };
    lose(MfuLoss::Optimizer, time.update);
    lose(MfuLoss::Recomputation, time.recomputed);
    lose(MfuLoss::Communication, time.communication);
    lose(MfuLoss::Pipeline, time.bubble);
    double flops = 0, bytes = 0, passes = -time.update;  // which is one of them
    for (const TimedOp& op : time.ops) {
        if (op.product) {
            flops += op.flops;
            bytes += op.bytes;
        }
        if (op.bound == Bound::Overhead)
            lose(MfuLoss::Overhead, op.seconds);
        else if (op.product)
            lose(MfuLoss::Memory, op.seconds - op.flops / peak);
        else
            passes += op.seconds;
    }
    lose(MfuLoss::Passes, std::max(0.0, passes));
    if (bytes <= 0 || time.total() <= 0)
        return Error{ErrorCode::BadInput, "the step has no matrix products", "choose a larger model"};
    ceiling.intensity = flops / bytes;
    ceiling.oneByOne = highestMfu(2.0 / effectiveRecipe(ideal).weightBytes, ceiling.balance);
    nameLargestLoss(ceiling, lost, time.total());
    return ceiling;
}

std::vector<std::string> judgeStepMfu(const Scenario& scenario, double mfu) {
    const Result<MfuCeiling> ceiling = stepCeiling(scenario);
    const Result<Work> work = workPerToken(scenario);
    const double skipped = work.has_value() ? work->skippedShare() : 0;
    std::vector<std::string> lines =
        judgeMfu(mfu * (1 - skipped), ceiling.has_value() ? std::optional(*ceiling) : std::nullopt);
    if (work.has_value() && !skippedPairsNote(*work, mfu).empty())
        lines.front() = "without masked query-key pairs, which are not executed, " + lines.front();
    if (std::string published = publishedMfuText(scenario); !published.empty())
        lines.push_back(std::move(published));
    return lines;
}

}  // namespace plumb::planner
