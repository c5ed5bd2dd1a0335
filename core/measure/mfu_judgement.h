// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_array.h"
#include "core/machine/machine.h"
#include "core/plan/step_plan.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// How well a step uses its device, in words.
enum class MfuGrade : std::uint8_t { Poor, Fair, Good, Impossible };
constexpr MfuGrade lastOf(MfuGrade /*type*/) { return MfuGrade::Impossible; }
inline constexpr double kPoorMfu = 0.2;  ///< below: poor
inline constexpr double kGoodMfu = 0.5;  ///< above: good; between them: fair
/// What large products reach of a peak in public shape searches; planner::Input::MatmulEfficiency starts from
/// the same numbers.
inline constexpr double kUsualLow = 0.6, kUsualHigh = 0.85;

[[nodiscard]] MfuGrade gradeOf(double mfu);
[[nodiscard]] std::string_view name(MfuGrade grade);  ///< "poor", "fair", "good", "impossible"
/// "3.4 % is poor (below 20 % poor, above 50 % good)"; above 100 %, that it can be none.
[[nodiscard]] std::string gradeText(double mfu);

/// Highest share of the peak that an op of this intensity can have: min(1, intensity / balance), both in
/// FLOP per byte; the balance is peak over bandwidth.
[[nodiscard]] double highestMfu(double intensity, double balance);

/// What takes most of the time that is not spent at the peak.
enum class MfuLoss : std::uint8_t {
    None,
    Memory,
    Optimizer,
    Passes,
    Recomputation,
    Overhead,
    Communication,  ///< traffic between several devices, not hidden by computation
    Pipeline        ///< stages that wait for it to fill and drain
};
constexpr MfuLoss lastOf(MfuLoss /*type*/) { return MfuLoss::Pipeline; }

/// The highest MFU of a whole step by the device's ceilings alone, and what keeps it from the peak. Where a
/// step has a side branch, an op that memory holds may hide behind one that units hold (leastSeconds()).
struct MfuCeiling {
    double mfu = 0;        ///< model FLOPs / (peak · the least that the step takes)
    double intensity = 0;  ///< intensity of the matrix products together
    double balance = 0;    ///< balance of the device, in the products' number format
    /// The most that inference of single samples reaches: 2 FLOPs for each weight that is read.
    double oneByOne = 0;
    MfuLoss loss = MfuLoss::None;
    double lossShare = 0;  ///< share of the time of all ops together
};
/// Puts the largest of the losses (seconds of each) into `ceiling`, when it is worth naming; `seconds`: of
/// all ops together.
void nameLargestLoss(MfuCeiling& ceiling, const EnumArray<MfuLoss, double>& lost, double seconds);
/// Absent when the device lacks a peak or the bandwidth.
[[nodiscard]] std::optional<MfuCeiling> mfuCeiling(const StepPlan& plan, const Machine& machine);

/// Sentences without a full stop: the grade, what this size allows and why, and where training and inference
/// sit on this device. Empty ones are left out.
[[nodiscard]] std::vector<std::string> judgeMfu(double mfu, const std::optional<MfuCeiling>& ceiling);

}  // namespace plumb
