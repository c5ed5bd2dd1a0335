// SPDX-License-Identifier: Apache-2.0
#include "core/measure/mfu_judgement.h"

#include "core/measure/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace plumb {

namespace {

/// Why, and what would change it.
std::string_view reasonOf(MfuLoss loss) {
    switch (loss) {
    case MfuLoss::None:
        break;
    case MfuLoss::Memory:
        return "products that wait for memory; a larger batch and width do more with each byte";
    case MfuLoss::Optimizer:
        return "the optimizer's pass over all parameters; a larger batch spreads it over more samples";
    case MfuLoss::Passes:
        return "passes without products, loading and loss; a larger width does more products beside them";
    case MfuLoss::Recomputation:
        return "activations that are worked out again; MFU does not count them";
    case MfuLoss::Overhead:
        return "starting operations this small; larger sizes start fewer";
    case MfuLoss::Communication:
        return "traffic between devices that nothing hides; a larger batch for each device has more to hide "
               "it";
    case MfuLoss::Pipeline:
        return "stages that wait for the pipeline; more micro-batches in a step keep them busy";
    }
    return "";
}

/// Two digits of a share: "3.7", "41", "100".
std::string percent(double share) {
    return share >= 0.0995 ? fmt::format("{:.0f}", 100 * share) : fmt::format("{:.2g}", 100 * share);
}

}  // namespace

MfuGrade gradeOf(double mfu) {
    if (mfu > 1) return MfuGrade::Impossible;
    if (mfu > kGoodMfu) return MfuGrade::Good;
    return mfu < kPoorMfu ? MfuGrade::Poor : MfuGrade::Fair;
}

std::string_view name(MfuGrade grade) {
    constexpr EnumArray<MfuGrade, std::string_view> kNames{"poor", "fair", "good", "impossible"};
    return kNames[grade];
}

std::string gradeText(double mfu) {
    const MfuGrade grade = gradeOf(mfu);
    if (grade == MfuGrade::Impossible)
        return fmt::format("MFU {:.0f} % is more than there is: the peak that it is measured by is too low",
                           100 * mfu);
    return fmt::format("MFU {:.1f} % is {} (below {:.0f} % poor, above {:.0f} % good)", 100 * mfu,
                       name(grade), 100 * kPoorMfu, 100 * kGoodMfu);
}

double highestMfu(double intensity, double balance) {
    return balance > 0 ? std::min(1.0, intensity / balance) : 1.0;
}

std::optional<MfuCeiling> mfuCeiling(const StepPlan& plan, const Machine& machine) {
    const std::optional<double> peak = machine.peak(plan.config.computeDtype());
    if (!peak || !machine.bandwidthBytesPerSecond || plan.matmulFlops <= 0) return std::nullopt;
    MfuCeiling ceiling;
    ceiling.balance = *peak / *machine.bandwidthBytesPerSecond;
    const std::optional<Seconds> least = leastSeconds(plan, machine);
    if (!least || *least <= 0) return std::nullopt;
    double bytes = 0, flops = 0, ofAllOps = 0;
    EnumArray<MfuLoss, double> lost{};
    const auto lose = [&](MfuLoss loss, double seconds) { lost[loss] += seconds; };
    for (const Op& op : plan.ops) {
        const std::optional<Seconds> seconds = rooflineSeconds(op, machine);
        if (!seconds) return std::nullopt;
        ofAllOps += *seconds;
        const double overhead =
            static_cast<double>(op.executions * op.repeat) * machine.perOpOverhead.value_or(0);
        lose(MfuLoss::Overhead, overhead);
        if (op.phase == Phase::Optimizer) {
            lose(MfuLoss::Optimizer, *seconds - overhead);
        } else if (einsumText(op.kind).empty()) {
            lose(MfuLoss::Passes, *seconds - overhead);
        } else {
            const double atPeak = static_cast<double>(op.matmulFlops) / *peak;
            lose(MfuLoss::Memory, *seconds - overhead - atPeak);
            flops += static_cast<double>(op.matmulFlops);
            bytes += static_cast<double>(op.bytes);
        }
    }
    lose(MfuLoss::Recomputation, static_cast<double>(plan.recomputedFlops) / *peak);
    if (bytes <= 0) return std::nullopt;
    ceiling.mfu = static_cast<double>(plan.matmulFlops - plan.recomputedFlops) / *peak / *least;
    ceiling.intensity = flops / bytes;
    ceiling.oneByOne =
        highestMfu(2.0 / static_cast<double>(dtypeSize(plan.config.weightDtype())), ceiling.balance);
    nameLargestLoss(ceiling, lost, ofAllOps);
    return ceiling;
}

void nameLargestLoss(MfuCeiling& ceiling, const EnumArray<MfuLoss, double>& lost, double seconds) {
    const auto largest = std::ranges::max_element(lost);
    ceiling.lossShare = *largest / seconds;
    constexpr double kWorthNaming = 0.02;
    if (ceiling.lossShare > kWorthNaming) ceiling.loss = lost.enumeratorOf(largest);
}

std::vector<std::string> judgeMfu(double mfu, const std::optional<MfuCeiling>& ceiling) {
    std::vector<std::string> lines{gradeText(mfu)};
    if (!ceiling) return lines;
    std::string typical = fmt::format(
        "this size allows {} % at most and {} to {} % are usual: products reach {} to {} % of their ceilings",
        percent(ceiling->mfu), percent(kUsualLow * ceiling->mfu), percent(kUsualHigh * ceiling->mfu),
        percent(kUsualLow), percent(kUsualHigh));
    if (ceiling->loss != MfuLoss::None)
        typical += fmt::format(", and {} % of what the ops take at best goes into {}",
                               percent(ceiling->lossShare), reasonOf(ceiling->loss));
    lines.push_back(std::move(typical));
    lines.push_back(fmt::format(
        "an op has at most min(1, intensity / balance) of the peak: the products of this step min(1, "
        "{:.3g} / {:.3g}) = {} %, inference of one sample at a time, 2 FLOPs for each weight read, {} %",
        ceiling->intensity, ceiling->balance, percent(highestMfu(ceiling->intensity, ceiling->balance)),
        percent(ceiling->oneByOne)));
    return lines;
}

}  // namespace plumb
