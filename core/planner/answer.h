// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_array.h"
#include "core/planner/inputs.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::planner {

/// One number of a formula: what it is called there, what it is, and where it is from.
struct Term {
    std::string symbol;          ///< in the formula: "G"
    std::string label;           ///< "devices"
    double value = 0;            ///< at the expected value of every assumption
    std::string unit;            ///< SI base unit, as formatQuantity() takes it; empty: a plain number
    std::string source;          ///< "given", "data sheet: ...", "preset: ...", "assumption: ..."
    std::optional<Input> input;  ///< what to edit to change it; empty: worked out from others
};

/// How an answer came about: the formula, the same with the numbers put in, and each of the numbers.
struct Explanation {
    std::string formula;      ///< "C / (G · P · MFU · goodput)"
    std::string withNumbers;  ///< "6.30e+24 FLOP / (1024 · 990 TFLOP/s · 0.5 · 1) = 12 435 000 s"
    std::vector<Term> terms;
};

/// What the planner can be asked for: each one number of a scenario. The names of the answers in JSON are
/// OutputInfo::key.
enum class Output : std::uint8_t {
    Days,               ///< wall time of the whole training
    TrainingFlops,      ///< model FLOPs of the whole training
    DeviceHours,        ///< devices times wall time
    TokensPerSecond,    ///< rate of all devices together, at the assumed MFU
    LargestModel,       ///< parameters that fit by bytes per parameter, activations left out
    ModelParameters,    ///< number in the model asked about
    TrainedParameters,  ///< number that has gradients and states: adapters, or what is not frozen
    DevicesToHold,      ///< devices that hold weights, gradients and states, activations left out
    MemoryPerDevice,    ///< with activations and overheads, on the fullest pipeline stage
    StepSeconds,        ///< one optimizer step by the step model (see step_time.h)
    StepDays,           ///< the whole training at that step time
    StepMfu,            ///< model FLOPs of the step / (its time x devices x peak)
    StepHfu,            ///< the same with what recomputation repeats
    MeasuredMfu,        ///< from a measured throughput (Input::TokensPerSecond)
    MeasuredHfu,        ///< the same with what recomputation repeats
    Energy,             ///< energy of devices, hosts and cooling, in joules
    Cost,               ///< device hours times price, in dollars
    EnergyCost,         ///< electricity alone, in dollars
    Co2,                ///< kilograms
    OptimalParameters,  ///< compute-optimal for the budget
    OptimalTokens,      ///< compute-optimal for the budget
    // by published laws of the loss (see scaling.h)
    LossHoffmann,         ///< nats per token
    LossBesiroglu,        ///< the same by the corrected fit
    LossKaplan,           ///< the same by an earlier law, on other text
    HoffmannParameters,   ///< that give the least loss for the budget, by the law
    HoffmannTokens,       ///< on so many tokens
    BesirogluParameters,  ///< the same by the corrected fit
    BesirogluTokens,
    CriticalBatch,       ///< tokens of a step at which twice the batch no longer saves half of the steps
    TrainingSteps,       ///< optimizer steps of the training
    LeastSteps,          ///< that a batch far above the critical one would take to the same loss
    LeastTokens,         ///< that a batch far below it would take
    Budget,              ///< FLOPs that the devices do in the given days
    CheckpointBytes,     ///< size of one training checkpoint on disk: weights, master copy and states
    CheckpointInterval,  ///< seconds between training checkpoints that lose the least time (Young, Daly)
    CheckpointSeconds,   ///< writing one, by all devices at once, at most as fast as the storage takes it
    FailuresPerDay,      ///< of any device
    ExpectedGoodput,     ///< what failures, restarts and checkpoints leave of wall time
    // of a server, which is as many devices as share each layer
    CacheBytesPerToken,           ///< keys and values of one token in all layers
    CacheBytesPerRequest,         ///< those of a request at its context length, bounded by windows
    ServerMemory,                 ///< of one device: weights, cache, activations, overheads
    LargestRequests,              ///< at the context length
    LongestContext,               ///< at this many requests
    FirstTokenSeconds,            ///< a prompt read by a server that does nothing else
    OutputTokenSeconds,           ///< the next token of every request at its context length
    RequestTokensPerSecond,       ///< that one request gets
    DeviceOutputTokensPerSecond,  ///< of all requests, over the server's devices
    DevicePromptTokensPerSecond,  ///< read, over the server's devices
    ComputeBoundRequests,         ///< from which on products take longer to compute than weights to read
};
constexpr Output lastOf(Output /*type*/) { return Output::ComputeBoundRequests; }

struct OutputInfo {
    std::string_view key;    ///< in JSON and on the command line: "days", "step_seconds"
    std::string_view label;  ///< for people: "training time"
    std::string_view unit;   ///< as formatQuantity() takes it; "d" days, "$" dollars, "kg"
    std::string_view help;   ///< one sentence
};
[[nodiscard]] const OutputInfo& info(Output output);
[[nodiscard]] std::optional<Output> outputFromKey(std::string_view key);

/// An answer is a range: `low` and `high` have every assumption that matters at its favourable or
/// unfavourable end at once, so the truth should lie between them.
struct Answer {
    Output output{};
    Range value;
    Explanation explanation;
    std::vector<std::string> notes;  ///< what to know about it: sentences without a full stop
};

/// The expected value alone, as fast as it gets (microseconds): for sliders, maps and solving.
/// Errors: BadInput that names the missing or unusable input and what to give, also for a utilisation above
/// 100 % (with likely causes), a device without the asked dtype, and a layout whose parts do not divide.
[[nodiscard]] Result<double> evaluate(Output output, const Scenario& scenario);

/// The same without the refusal of a utilisation above 100 %: the ends of a range are shown as they are.
[[nodiscard]] Result<double> evaluateUnchecked(Output output, const Scenario& scenario);

/// The ends of an answer whose expected value is known; see Answer.
[[nodiscard]] Result<Range> rangeOf(Output output, const Scenario& scenario, double expected);
/// Value, range and explanation. Errors: those of evaluate().
[[nodiscard]] Result<Answer> answer(Output output, const Scenario& scenario);

/// Whether the output can move with each input: the others are never asked for where it is worked out.
[[nodiscard]] EnumArray<Input, bool> inputsAskedFor(Output output, const Scenario& scenario);
/// What can be edited and has an effect on this answer, found by changing each: what the view lists beneath
/// it. In the order of the enum: choices, facts, assumptions.
[[nodiscard]] std::vector<Input> inputsOf(Output output, const Scenario& scenario);

/// The scenario whose utilisation, where the output goes by one that nobody gave, is held where the step
/// model has it: what moves one input at a time does not move that as well.
[[nodiscard]] Scenario withMfuHeld(const Scenario& scenario, Output output);

/// "143.9 d", "40.0e9", "$1.23 M": a value of this output for people.
[[nodiscard]] std::string formatOutput(Output output, double value);
/// A number of any of the planner's units for people: "1" is a share (percent), "d" days, "J" watt hours.
[[nodiscard]] std::string formatValue(double value, std::string_view unit);
/// Reads what formatValue() writes, and what people write instead: "30d", "24.9 h", "12.3 MWh", "40 %", "$5".
/// A bare number is in the unit itself. Errors: BadInput with the text, the unit and an example.
[[nodiscard]] Result<double> parseValue(std::string_view text, std::string_view unit);
/// A value of this input for people: "80.0 GB", "0.5", "1024".
[[nodiscard]] std::string formatInput(Input input, double value);

}  // namespace plumb::planner
