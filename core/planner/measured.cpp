// SPDX-License-Identifier: Apache-2.0
#include "core/planner/measured.h"

#include "core/base/quantity.h"
#include "core/planner/answer.h"
#include "core/planner/step_time.h"
#include "core/planner/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

/// A step further off than this is one of another scenario, or in another unit.
constexpr double kMostFactor = 100;

Error aboveThePeak(const std::string& what, double share) {
    return {ErrorCode::BadInput,
            fmt::format("{} would be a utilisation of {:.4g} %, above 100 %", what, 100 * share),
            std::string(kUtilisationCauses)};
}

/// Seconds that are predicted, and the share of the peak that is executed in them.
struct Predicted {
    double seconds = 0;
    double utilisation = 0;
};

Result<Predicted> predictedOf(const Scenario& in) {
    if (in.model.count() == nullptr) {
        PLUMB_TRY(const StepTime time, stepTime(in));
        return Predicted{time.total(), time.hfu};
    }
    PLUMB_TRY(const Work work, workPerToken(in));
    PLUMB_TRY(const double peak, numberOf(in, Input::Peak));
    PLUMB_TRY(const double mfu, numberOf(in, Input::Mfu));
    return Predicted{work.model() / (static_cast<double>(in.cluster.devices) * peak * mfu), mfu};
}

Scenario withoutOverheads(Scenario s, std::initializer_list<Input> overheads) {
    for (const Input input : overheads) s.given[input] = Range{0, 0, 0};
    return s;
}

/// The activation factor at which the model of memory has these bytes.
Result<double> activationFactorOf(Scenario s, double bytes) {
    const auto at = [&](double factor) {
        s.given[Input::ActivationFactor] = Range{factor, factor, factor};
        return evaluateUnchecked(Output::MemoryPerDevice, s);
    };
    double low = info(Input::ActivationFactor).least, high = info(Input::ActivationFactor).most;
    PLUMB_TRY(const double least, at(low));
    PLUMB_TRY(const double most, at(high));
    if (!(bytes > least && bytes < most))
        return Error{
            ErrorCode::BadInput,
            fmt::format("{} of memory were measured, and {} to {} are possible in this scenario",
                        bytesText(bytes), bytesText(least), bytesText(most)),
            "check that it is the peak of one device, and that recipe and layout are those measured"};
    constexpr int kHalvings = 60;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = (low + high) / 2;
        PLUMB_TRY(const double there, at(middle));
        (there < bytes ? low : high) = middle;
    }
    return (low + high) / 2;
}

/// What counted bytes say of activations and of what lies around tensors.
Result<void> holdMemory(const Scenario& in, Measurement& of) {
    const MeasuredMemory& m = of.memory;
    if (!m.allocated && !m.reserved && !m.device) return {};
    if (in.model.count() != nullptr)
        return Error{
            ErrorCode::BadInput,
            "a mere number of parameters has no activations that measured memory could be held against",
            "choose a model"};
    if (in.model.linear() != nullptr) return {};  // exact as it is
    if (m.allocated && m.reserved && *m.reserved < *m.allocated)
        return Error{ErrorCode::BadInput,
                     fmt::format("{} reserved are less than {} allocated", bytesText(*m.reserved),
                                 bytesText(*m.allocated)),
                     "exchange them, or leave one out"};
    PLUMB_TRY(const double buffers, numberOf(in, Input::BufferBytes));
    if (m.allocated) {
        PLUMB_TRY(of.activationFactor,
                  activationFactorOf(
                      withoutOverheads(in, {Input::Fragmentation, Input::BufferBytes, Input::DeviceOverhead}),
                      *m.allocated));
    } else if (m.reserved) {
        PLUMB_TRY(of.activationFactor,
                  activationFactorOf(withoutOverheads(in, {Input::BufferBytes, Input::DeviceOverhead}),
                                     *m.reserved));
    } else {
        PLUMB_TRY(of.activationFactor, activationFactorOf(in, *m.device));
    }
    if (m.allocated && m.reserved) of.fragmentation = *m.reserved / *m.allocated - 1;
    if (m.reserved && m.device) {
        const double left = *m.device - *m.reserved - (in.cluster.devices > 1 ? buffers : 0);
        if (left < 0)
            return Error{ErrorCode::BadInput,
                         fmt::format("{} in use do not hold {} reserved and the buffers of collectives",
                                     bytesText(*m.device), bytesText(*m.reserved)),
                         "leave one of them out"};
        of.deviceOverhead = left;
    }
    return {};
}

}  // namespace

std::string Measurement::source() const {
    return fmt::format("measured: {}{}{}", what, file.empty() ? "" : ", ", file);
}

namespace {

/// A time that the device cannot have reached, or that is of something else.
Result<void> checkTime(const Measurement& measured, double utilisation) {
    const double share = utilisation / measured.factor();
    if (share > 1) return aboveThePeak(measured.what, share);
    if (measured.factor() > kMostFactor || measured.factor() < 1 / kMostFactor)
        return Error{ErrorCode::BadInput,
                     fmt::format("{} is {:.3g} times what is predicted of it ({})", measured.what,
                                 measured.factor(), formatQuantity(measured.predicted, "s")),
                     "check its unit, and that it was measured in this very scenario"};
    return {};
}

/// `checks` false: ends of assumptions may be as far off as they are.
Result<std::shared_ptr<const Measurement>> hold(const Scenario& in, MeasuredFigures figures, bool checks) {
    Scenario bare = in;
    bare.measured = nullptr;
    bare.given[Input::StepFactor].reset();
    auto found = std::make_shared<Measurement>();
    found->what = std::move(figures.what);
    found->file = std::move(figures.file);
    found->seconds = figures.seconds;
    found->memory = figures.memory;
    if (found->seconds > 0) {
        PLUMB_TRY(const Predicted predicted, predictedOf(bare));
        found->predicted = predicted.seconds;
        if (checks) PLUMB_CHECK(checkTime(*found, predicted.utilisation));
    }
    PLUMB_CHECK(holdMemory(bare, *found));
    found->in = std::make_shared<const Scenario>(std::move(bare));
    return std::shared_ptr<const Measurement>(std::move(found));
}

}  // namespace

Result<std::shared_ptr<const Measurement>> measure(const Scenario& in, MeasuredFigures figures) {
    return hold(in, std::move(figures), true);
}

bool restsOnMeasurement(const Scenario& s) {
    return s.measured != nullptr && s.measured->predicted > 0 && !s.given[Input::StepFactor] &&
           carryOf(*s.measured->in, s) != Carry::Nothing;
}

namespace {

/// Times of the step model are multiplied by this.
Range stepFactor(const Measurement& measured, const CarryRule& rule) {
    const double expected = std::pow(measured.factor(), rule.share);
    return {expected * rule.low, expected, expected * rule.high};
}

/// A utilisation whose time is `factor` times that of `mfu`.
Range utilisation(double mfu, const Range& factor) {
    return {mfu / factor.high, mfu / factor.expected, mfu / factor.low};
}

/// Fragments and contexts are the software's and the device's own.
std::optional<Range> memoryRange(const Scenario& s, Input input, Carry carry) {
    const Measurement& measured = *s.measured;
    const std::optional<double>& found = input == Input::ActivationFactor ? measured.activationFactor
                                         : input == Input::Fragmentation  ? measured.fragmentation
                                                                          : measured.deviceOverhead;
    if (!found || carry == Carry::Device) return std::nullopt;
    if (carry == Carry::Same) return Range{*found, *found, *found};
    // What the table holds possible around its expected value, half as far off.
    const InputInfo& about = info(input);
    const auto end = [&](double of) {
        const double ratio = about.standard.expected > 0 ? of / about.standard.expected : 1;
        return std::clamp(*found * std::sqrt(ratio), about.least, about.most);
    };
    return Range{std::min(end(about.standard.low), *found), *found,
                 std::max(end(about.standard.high), *found)};
}

}  // namespace

std::optional<Range> measuredRange(const Scenario& s, Input input) {
    if (s.measured == nullptr) return std::nullopt;
    switch (input) {
    case Input::StepFactor:
    case Input::Mfu: {
        if (!restsOnMeasurement(s)) return std::nullopt;
        const Range factor = stepFactor(*s.measured, ruleOf(carryOf(*s.measured->in, s)));
        if (input == Input::StepFactor) return factor;
        if (s.model.count() != nullptr) {
            Scenario bare = s;
            bare.measured = nullptr;
            const auto assumed = numberOf(bare, Input::Mfu);
            return assumed.has_value() ? std::optional(utilisation(*assumed, factor)) : std::nullopt;
        }
        const auto time = stepTime(s);
        if (!time.has_value()) return std::nullopt;
        return utilisation(time->mfu * factor.expected, factor);
    }
    case Input::ActivationFactor:
    case Input::Fragmentation:
    case Input::DeviceOverhead: {
        const Carry carry = carryOf(*s.measured->in, s);
        return carry == Carry::Nothing ? std::nullopt : memoryRange(s, input, carry);
    }
    default:
        return std::nullopt;
    }
}

std::string measuredSource(const Scenario& s, Input input) {
    const Measurement& measured = *s.measured;
    const Carry carry = carryOf(*measured.in, s);
    std::string text = measured.source();
    if (input == Input::StepFactor && measured.predicted > 0) {
        text += fmt::format(", {:.4g} times what was predicted", measured.factor());
        const double share = ruleOf(carry).share;
        if (share < 1) text += fmt::format(", of which (in logarithms) {:.0f} % are carried", 100 * share);
    }
    text += fmt::format("; {}", describe(carry));
    const bool isOfTime = input == Input::StepFactor || input == Input::Mfu;
    return isOfTime || carry == Carry::Same ? text : text + "; ends: own judgement";
}

Scenario withValue(const Scenario& scenario, Input input, double value) {
    Scenario changed = scenario;
    const Range fixed{value, value, value};
    if (scenario.measured != nullptr && input != Input::StepFactor && input != Input::Mfu) {
        const auto here = valueOf(scenario, input), there = valueOf(*scenario.measured->in, input);
        if (here.has_value() && there.has_value() && here->range == there->range) {
            const Measurement& old = *scenario.measured;
            Scenario in = *old.in;
            in.given[input] = fixed;
            // Where the moved assumption cannot be, the measurement stays as it is.
            if (auto moved = hold(in, {old.what, old.file, old.seconds, old.memory}, false);
                moved.has_value())
                changed.measured = *std::move(moved);
        }
    }
    changed.given[input] = fixed;
    return changed;
}

}  // namespace plumb::planner
