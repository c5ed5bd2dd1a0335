// SPDX-License-Identifier: Apache-2.0
#include "core/planner/answer.h"

#include "core/planner/answer_parts.h"
#include "core/planner/formula.h"
#include "core/planner/holding.h"
#include "core/planner/memory.h"
#include "core/planner/reliability.h"
#include "core/planner/scaling.h"
#include "core/planner/serving.h"
#include "core/planner/step_parts.h"
#include "core/planner/work.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace plumb::planner {

namespace {

constexpr double kSecondsPerDay = 86400;
constexpr double kJoulesPerKwh = 3.6e6;

/// FLOPs of one token, as a factor.
Result<void> timesWork(Formula& formula, const Scenario& s, bool hardware, bool top = true) {
    PLUMB_TRY(const Work work, workPerToken(s));
    const double value = hardware ? work.hardware() : work.model();
    const double attention = hardware ? work.executedForward : work.attentionForward;
    std::string how;
    if (formula.explains()) {
        how = s.model.count() != nullptr ? fmt::format("6 per parameter and token; {}", s.model.source)
              : !s.adaptation.trainsAll()
                  ? fmt::format("{} of weights forward and {} backward + {:.3g} · {} of attention{}; {}, {}",
                                formatQuantity(work.weightForward, "FLOP"),
                                formatQuantity(work.weightBackward, "FLOP"), 1 + 2 * work.backwardShare,
                                formatQuantity(attention, "FLOP"),
                                hardware && work.recomputed > 0
                                    ? fmt::format(" + {} again", formatQuantity(work.recomputed, "FLOP"))
                                    : "",
                                adaptationText(s.adaptation), s.model.source)
                  : fmt::format("3 · ({} of weights + {} of attention{}){}; {}",
                                formatQuantity(work.weightForward, "FLOP"), formatQuantity(attention, "FLOP"),
                                hardware && attention < work.attentionForward ? " without masked pairs" : "",
                                hardware && work.recomputed > 0
                                    ? fmt::format(" + {} again", formatQuantity(work.recomputed, "FLOP"))
                                    : "",
                                s.model.source);
    }
    const bool rule = s.model.count() != nullptr && !hardware;
    if (rule && top) {
        formula.times("6", 6);
        return formula.times(Input::Parameters);
    }
    if (top)
        formula.times("F", value, "FLOP", "FLOPs per token", how);
    else
        formula.over("F", value, "FLOP", "FLOPs per token", how);
    return {};
}

Result<double> largestModel(const Scenario& s, Explanation* out) {
    // With adapters a model of the same shape: as large a share of it is trained.
    PLUMB_TRY(const ResolvedLayout layout, [&] {
        Scenario bare = s;  // what divides heads and layers is no matter here
        bare.model = modelOfCount(1);
        bare.adaptation = {};
        bare.workload.batch = 0;
        return resolve(bare);
    }());
    const Recipe recipe = meanRecipe(s);
    const auto group = static_cast<double>(layout.shardGroup);
    const bool isSharedByAll = layout.shardGroup == layout.data * s.parallel.context;
    const auto each = [&](double bytes, Sharding from) {
        return bytes / (s.parallel.sharding >= from ? group : 1);
    };
    const double perDevice =
        (each(recipe.weightBytes, Sharding::Weights) + each(recipe.gradientBytes, Sharding::Gradients) +
         each(recipe.masterBytes + recipe.stateBytes, Sharding::State)) /
        static_cast<double>(s.parallel.tensor * s.parallel.pipeline);
    Formula formula(s, out);
    if (isSharedByAll && (s.parallel.sharding == Sharding::Weights || group == 1)) {
        // Everything is there once over all devices but for what context parallelism repeats, which ZeRO
        // spreads.
        PLUMB_CHECK(formula.times(Input::Devices));
        PLUMB_CHECK(formula.times(Input::Memory));
        PLUMB_CHECK(formula.times(Input::UsableMemory));
        PLUMB_CHECK(formula.over(Input::BytesPerParameter));
        return formula.finish(Output::LargestModel);
    }
    PLUMB_CHECK(formula.times(Input::Memory));
    PLUMB_CHECK(formula.times(Input::UsableMemory));
    formula.over(
        "w_dev", perDevice, "B", "bytes per parameter on one device",
        fmt::format("ZeRO {} over {:g} devices: {:g} B of weights, {:g} B of gradients, {:g} B of states",
                    static_cast<int>(s.parallel.sharding), group, recipe.weightBytes, recipe.gradientBytes,
                    recipe.masterBytes + recipe.stateBytes));
    return formula.finish(Output::LargestModel);
}

Result<double> memory(const Scenario& s, Explanation* out) {
    PLUMB_TRY(const DeviceMemory memory, memoryPerDevice(s));
    const double total = memory.worst().total();
    if (out == nullptr) return total;
    std::string numbers;
    for (const MemoryPart& part : memory.worst().parts) {
        out->formula += (out->formula.empty() ? "" : " + ") + part.label;
        numbers += (numbers.empty() ? "" : " + ") + formatQuantity(part.bytes, "B");
        out->terms.push_back({part.label, part.label, part.bytes, "B", part.formula, std::nullopt});
    }
    out->withNumbers = numbers + " = " + formatQuantity(total, "B");
    return total;
}

Result<double> step(const Scenario& s, Explanation* out) {
    PLUMB_TRY(const StepTime time, stepTime(s));
    if (out == nullptr) return time.total();
    std::string numbers;
    for (const StepPart& part : kStepParts) {
        const double seconds = time.*(part.seconds);
        if (seconds <= 0) continue;
        const std::string label(part.label);
        out->formula += (out->formula.empty() ? "" : " + ") + label;
        numbers += (numbers.empty() ? "" : " + ") + formatQuantity(seconds, "s");
        out->terms.push_back({label, label, seconds, "s", std::string(part.how), std::nullopt});
    }
    out->withNumbers = numbers + " = " + formatQuantity(time.total(), "s");
    return time.total();
}

/// A rate of one device that somebody worked out is by the model's own FLOPs already.
Result<double> utilisationOfRate(const Scenario& s, Explanation* out, bool hardware) {
    PLUMB_TRY(const Work work, workPerToken(s));
    Formula formula(s, out);
    PLUMB_CHECK(formula.times(Input::FlopsPerDevice));
    if (hardware)
        formula.times("F_hw/F", work.hardware() / work.model(), "", "executed FLOPs against the model's own",
                      "skipped pairs left out, what runs again counted");
    PLUMB_CHECK(formula.over(Input::Peak));
    return formula.finish(hardware ? Output::MeasuredHfu : Output::MeasuredMfu);
}

Result<double> utilisation(const Scenario& s, Explanation* out, bool hardware) {
    const auto& rate = s.given[Input::FlopsPerDevice];
    if (rate && s.workload.tokensPerSecond > 0)
        return Error{ErrorCode::BadInput,
                     fmt::format("the measured rate is given twice ({} and {})",
                                 formatInput(Input::FlopsPerDevice, rate->expected),
                                 formatQuantity(s.workload.tokensPerSecond, "/s")),
                     "leave --tokens-per-second or --tflops-per-device out"};
    if (rate) return utilisationOfRate(s, out, hardware);
    if (!(s.workload.tokensPerSecond > 0))
        return Error{ErrorCode::BadInput, "measured throughput is not known (--tokens-per-second)",
                     "give tokens per second of all devices together, or --tflops-per-device"};
    Formula formula(s, out);
    PLUMB_CHECK(formula.times(Input::TokensPerSecond));
    PLUMB_CHECK(timesWork(formula, s, hardware));
    PLUMB_CHECK(formula.over(Input::Devices));
    PLUMB_CHECK(formula.over(Input::Peak));
    return formula.finish(hardware ? Output::MeasuredHfu : Output::MeasuredMfu);
}

Result<double> stepUtilisation(const Scenario& s, Explanation* out, bool hardware) {
    PLUMB_TRY(const StepTime time, stepTime(s));
    Formula formula(s, out);
    formula.times("F_step", hardware ? time.hardwareFlops : time.modelFlops, "FLOP", "FLOPs of one step",
                  hardware ? "executed, with what runs again" : "the model's own");
    formula.over("t_step", time.total(), "s", "step time", "the step model");
    PLUMB_CHECK(formula.over(Input::Devices));
    PLUMB_CHECK(formula.over(Input::Peak));
    return formula.finish(hardware ? Output::StepHfu : Output::StepMfu);
}

Result<double> stepDays(const Scenario& s, Explanation* out) {
    PLUMB_TRY(const StepTime time, stepTime(s));
    Formula formula(s, out);
    formula.times("t_step", time.total(), "s", "step time", "the step model");
    PLUMB_CHECK(formula.times(Input::Tokens));
    formula.over("D_step", time.tokens, "", "tokens per step", "batch · sequence");
    PLUMB_CHECK(formula.over(Input::Goodput));
    formula.over("86400", kSecondsPerDay);
    return formula.finish(Output::StepDays);
}

Result<void> timesRate(Formula& formula, bool top) {
    for (const Input input : {Input::Devices, Input::Peak, Input::Mfu})
        PLUMB_CHECK(top ? formula.times(input) : formula.over(input));
    return {};
}

Result<double> budget(const Scenario& s, Explanation* out) {
    Formula formula(s, out);
    if (s.workload.budgetFlops > 0) {
        PLUMB_CHECK(formula.times(Input::Budget));
        return formula.finish(Output::Budget);
    }
    if (!(s.workload.days > 0))
        return Error{ErrorCode::BadInput, "no budget is known (--budget)",
                     "give --budget, or --devices and --days"};
    PLUMB_CHECK(timesRate(formula, true));
    PLUMB_CHECK(formula.times(Input::Goodput));
    PLUMB_CHECK(formula.times(Input::Days));
    formula.times("86400", kSecondsPerDay);
    return formula.finish(Output::Budget);
}

/// A utilisation by the pairs that a kernel executes, of those that MFU counts: at most 100 %.
/// Nothing for the other outputs.
Result<std::optional<double>> executedShare(Output output, const Scenario& s, double value) {
    switch (output) {
    case Output::MeasuredMfu:
    case Output::StepMfu: {
        PLUMB_TRY(const Work work, workPerToken(s));
        return std::optional(value * (1 - work.skippedShare()));
    }
    case Output::MeasuredHfu:
    case Output::StepHfu:
        return std::optional(value);
    default:
        return std::optional<double>();
    }
}

bool isMeasured(Output output) { return output == Output::MeasuredMfu || output == Output::MeasuredHfu; }

std::string_view causesOf(Output output) { return isMeasured(output) ? kUtilisationCauses : kPeakTooLow; }

/// What there is to know about a utilisation whose expected value can be.
Result<void> addUtilisationNotes(const Scenario& s, Answer& result) {
    PLUMB_TRY(const auto high, executedShare(result.output, s, result.value.high));
    if (!high) return {};
    if (result.output == Output::MeasuredMfu || result.output == Output::StepMfu) {
        PLUMB_TRY(const Work work, workPerToken(s));
        if (std::string note = skippedPairsNote(work, result.value.expected); !note.empty())
            result.notes.push_back(std::move(note));
    }
    if (*high > 1)
        result.notes.push_back(fmt::format("the high end of {} cannot be, it is {:.4g} % of the peak: {}",
                                           info(result.output).label, 100 * *high, causesOf(result.output)));
    return {};
}

}  // namespace

Result<void> timesAnswer(Formula& formula, Output output, std::string_view symbol, const Scenario& s,
                         bool top) {
    Explanation inner;
    PLUMB_TRY(const double value, explained(output, s, formula.explains() ? &inner : nullptr));
    // An answer that is but an input is that input.
    if (inner.terms.size() == 1 && inner.terms.front().input && inner.formula == inner.terms.front().symbol)
        return top ? formula.times(*inner.terms.front().input) : formula.over(*inner.terms.front().input);
    const OutputInfo& about = info(output);
    if (top)
        formula.times(symbol, value, about.unit, about.label, inner.formula);
    else
        formula.over(symbol, value, about.unit, about.label, inner.formula);
    if (formula.explains())
        for (Term& term : inner.terms) addTerm(*formula.explanation(), std::move(term));
    return {};
}

Result<double> explained(Output output, const Scenario& s, Explanation* out) {
    PLUMB_CHECK(checkTraining(s));
    if (isOfScaling(output)) return evaluateScaling(output, s, out);
    Formula formula(s, out);
    switch (output) {
    case Output::TrainingFlops:
        PLUMB_CHECK(timesWork(formula, s, false));
        PLUMB_CHECK(formula.times(Input::Tokens));
        break;
    case Output::Days:
        PLUMB_CHECK(timesWork(formula, s, false));
        PLUMB_CHECK(formula.times(Input::Tokens));
        PLUMB_CHECK(timesRate(formula, false));
        PLUMB_CHECK(formula.over(Input::Goodput));
        formula.over("86400", kSecondsPerDay);
        break;
    case Output::DeviceHours:
        PLUMB_CHECK(timesAnswer(formula, Output::Days, "days", s));
        formula.times("24", 24);
        PLUMB_CHECK(formula.times(Input::Devices));
        break;
    case Output::TokensPerSecond:
        PLUMB_CHECK(timesRate(formula, true));
        PLUMB_CHECK(timesWork(formula, s, false, false));
        break;
    case Output::LargestModel:
        return largestModel(s, out);
    case Output::TrainedParameters:
        if (!(s.model.parameters() > 0)) return numberOf(s, Input::Parameters);
        formula.times("N_t", holdingOf(s).trained, "", "trained parameters",
                      fmt::format("{}; {}", adaptationText(s.adaptation), s.model.source));
        break;
    case Output::ModelParameters:
        PLUMB_CHECK(formula.times(Input::Parameters));
        break;
    case Output::DevicesToHold: {
        PLUMB_CHECK(formula.times(Input::Parameters));
        PLUMB_CHECK(formula.times(Input::BytesPerParameter));
        PLUMB_CHECK(formula.over(Input::Memory));
        PLUMB_CHECK(formula.over(Input::UsableMemory));
        const double whole = std::ceil(formula.finish(output) * (1 - 1e-12));
        if (out != nullptr) {
            out->formula = "⌈" + out->formula + "⌉";
            out->withNumbers = "⌈" + out->withNumbers.substr(0, out->withNumbers.rfind(" = ")) +
                               "⌉ = " + formatOutput(output, whole);
        }
        return whole;
    }
    case Output::MemoryPerDevice:
        return memory(s, out);
    case Output::StepSeconds:
        return step(s, out);
    case Output::StepDays:
        return stepDays(s, out);
    case Output::StepMfu:
    case Output::StepHfu:
        return stepUtilisation(s, out, output == Output::StepHfu);
    case Output::MeasuredMfu:
    case Output::MeasuredHfu:
        return utilisation(s, out, output == Output::MeasuredHfu);
    case Output::Energy:
        PLUMB_CHECK(timesAnswer(formula, Output::DeviceHours, "h", s));
        formula.times("3600", 3600);
        PLUMB_CHECK(formula.times(Input::DevicePower));
        PLUMB_CHECK(formula.times(Input::PowerShare));
        PLUMB_CHECK(formula.timesOnePlus(Input::HostPower));
        PLUMB_CHECK(formula.times(Input::Pue));
        break;
    case Output::Cost:
        PLUMB_CHECK(timesAnswer(formula, Output::DeviceHours, "h", s));
        PLUMB_CHECK(formula.times(Input::DevicePrice));
        break;
    case Output::EnergyCost:
    case Output::Co2:
        PLUMB_CHECK(timesAnswer(formula, Output::Energy, "E", s));
        formula.over("3.6e6 J/kWh", kJoulesPerKwh);
        PLUMB_CHECK(formula.times(output == Output::Co2 ? Input::GridIntensity : Input::EnergyPrice));
        break;
    case Output::OptimalParameters:
        PLUMB_CHECK(timesAnswer(formula, Output::Budget, "C", s));
        formula.over("6", 6);
        PLUMB_CHECK(formula.over(Input::TokensPerParameter));
        formula.squareRoot();
        break;
    case Output::OptimalTokens:
        PLUMB_CHECK(timesAnswer(formula, Output::OptimalParameters, "N", s));
        PLUMB_CHECK(formula.times(Input::TokensPerParameter));
        break;
    case Output::Budget:
        return budget(s, out);
    case Output::CheckpointBytes: {
        const Recipe recipe = effectiveRecipe(s);
        if (s.adaptation.hasAdapters()) {  // the base is there already
            formula.times("N_t", holdingOf(s).trained, "", "trained parameters",
                          adaptationText(s.adaptation));
            formula.times("w_disk", recipe.bytesPerParameter() - recipe.gradientBytes, "B",
                          "bytes per trained parameter on disk",
                          "weights, master copy and states of the recipe");
            break;
        }
        if (!s.adaptation.trainsAll()) {
            const Recipe mean = meanRecipe(s);
            PLUMB_CHECK(formula.times(Input::Parameters));
            formula.times("w_disk", mean.bytesPerParameter() - mean.gradientBytes, "B",
                          "bytes per parameter on disk",
                          "weights of all, master copy and states of those that are trained");
            break;
        }
        PLUMB_CHECK(formula.times(Input::Parameters));
        formula.times("w_disk", recipe.bytesPerParameter() - recipe.gradientBytes, "B",
                      "bytes per parameter on disk", "weights, master copy and states of the recipe");
        break;
    }
    case Output::CheckpointInterval:
        formula.times("2", 2);
        PLUMB_CHECK(timesAnswer(formula, Output::CheckpointSeconds, "δ", s));
        PLUMB_CHECK(formula.times(Input::DeviceMtbf));
        PLUMB_CHECK(formula.over(Input::Devices));
        formula.squareRoot();
        break;
    case Output::CheckpointSeconds:
        return checkpointSeconds(s, out);
    case Output::FailuresPerDay:
        PLUMB_CHECK(formula.times(Input::Devices));
        formula.times("86400", kSecondsPerDay);
        PLUMB_CHECK(formula.over(Input::DeviceMtbf));
        break;
    case Output::ExpectedGoodput:
        return expectedGoodput(s, out);
    default:
        return serverAnswer(output, s, out);
    }
    return formula.finish(output);
}

Result<double> evaluateUnchecked(Output output, const Scenario& scenario) {
    return explained(output, scenario, nullptr);
}

Result<double> evaluate(Output output, const Scenario& scenario) {
    PLUMB_TRY(const double value, explained(output, scenario, nullptr));
    if (!std::isfinite(value))
        return Error{ErrorCode::BadInput, fmt::format("{} is beyond all measure", info(output).label),
                     "check the magnitudes of what was given"};
    PLUMB_TRY(const auto share, executedShare(output, scenario, value));
    if (share && *share > 1)
        return Error{ErrorCode::BadInput,
                     fmt::format("a utilisation of {:.4g} % is above 100 %", 100 * *share),
                     std::string(causesOf(output))};
    return value;
}

Result<Answer> answer(Output output, const Scenario& scenario) {
    Answer result;
    result.output = output;
    PLUMB_TRY(const double expected, evaluate(output, scenario));
    PLUMB_TRY(const double explained, explained(output, scenario, &result.explanation));
    static_cast<void>(explained);  // the same: the same factors
    PLUMB_TRY(result.value, rangeOf(output, scenario, expected));
    if (output == Output::MemoryPerDevice) {
        PLUMB_TRY(const DeviceMemory memory, memoryPerDevice(scenario));
        PLUMB_TRY(result.notes, plainSumNotes(scenario, memory));
        result.notes.insert(result.notes.end(), memory.notes.begin(), memory.notes.end());
    } else if (output == Output::StepSeconds) {
        PLUMB_TRY(StepTime time, stepTime(scenario));
        result.notes = std::move(time.notes);
    }
    PLUMB_CHECK(addUtilisationNotes(scenario, result));
    if (isOfScaling(output)) result.notes = scalingNotes(output, scenario);
    return result;
}

}  // namespace plumb::planner
