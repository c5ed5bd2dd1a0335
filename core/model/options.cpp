// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"
#include "core/model/names.h"
#include "core/model/run_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace plumb {
namespace {

/// How one option is read and written; one row per name, so that reading, writing and help cannot drift
/// apart.
struct Option {
    OptionInfo info;
    Result<void> (*set)(RunConfig& config, std::string_view name, std::string_view value);
    std::string (*get)(const RunConfig& config);
    bool (*applies)(const RunConfig& config) = nullptr;  ///< null: always
};

Error refuseValue(std::string_view name, std::string_view value, std::string_view choices) {
    constexpr std::string_view kOr = " or ";
    const std::size_t last = choices.rfind(kOr);
    return badInput(fmt::format("{} is not known ({:s})", name, value),
                    last == choices.npos ? fmt::format("use {:s}", choices)
                                         : fmt::format("use {:s} or {:s}", choices.substr(0, last),
                                                       choices.substr(last + kOr.size())));
}

/// "a, b or c".
template <class Table>
std::string choicesOf(const Table& table) {
    std::string text;
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (i > 0) text += i + 1 == table.size() ? " or " : ", ";
        text += table.at(i).second;
    }
    return text;
}

template <class Table, class Value>
Result<void> setChoice(const Table& table, Value& target, std::string_view name, std::string_view value) {
    const auto found = table.find(value);
    if (!found) return refuseValue(name, value, choicesOf(table));
    target = *found;
    return {};
}

Result<void> setSize(std::int64_t& target, std::string_view name, std::string_view value,
                     std::int64_t least) {
    Result<std::int64_t> size = parseSize(value);
    if (!size.has_value() && value.starts_with('-') && parseSize(value.substr(1)).has_value())
        return badInput(least > 0 ? fmt::format("{} has to be positive ({:s})", name, value)
                                  : fmt::format("{} cannot be negative ({:s})", name, value),
                        fmt::format("give a size of at least {}", least));
    if (!size.has_value())
        return badInput(fmt::format("{} is not a whole number below 2^63 ({})", name, value),
                        size.error().hint);
    if (*size < least)
        return badInput(fmt::format("{} is too small ({})", name, value),
                        fmt::format("give a size of at least {}", least));
    target = *size;
    return {};
}

template <class Number>
Result<void> setNumber(Number& target, std::string_view name, std::string_view value, std::string_view hint) {
    Number number{};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size())
        return badInput(fmt::format("{} is not a number that can be used ({})", name, value),
                        std::string(hint));
    target = number;
    return {};
}

Result<void> setReal(std::optional<double>& target, std::string_view name, std::string_view value) {
    double number = 0;
    PLUMB_CHECK(setNumber(number, name, value, "write it like 0.001 or 1e-3"));
    target = number;
    return {};
}

Result<void> setRecompute(RunConfig& config, std::string_view name, std::string_view value) {
    using Kind = RecomputePolicy::Kind;
    constexpr std::array kPlain{std::pair{Kind::All, std::string_view("all")},
                                std::pair{Kind::None, std::string_view("none")},
                                std::pair{Kind::Sqrt, std::string_view("sqrt")}};
    for (const auto& [kind, text] : kPlain) {
        if (text != value) continue;
        config.recompute = {kind, 1, 0};
        return {};
    }
    constexpr std::string_view kFit = "fit:";
    if (value.starts_with(kFit)) {
        RecomputePolicy fit{Kind::Fit, 1, 0};
        PLUMB_CHECK(setSize(fit.budgetBytes, "checkpoint fit", value.substr(kFit.size()), 1));
        config.recompute = fit;
        return {};
    }
    if (value.empty() || value[0] < '0' || value[0] > '9')
        return badInput(fmt::format("{} is not known ({:s})", name, value),
                        "use all, none, sqrt, fit:BYTES or a number of layers");
    RecomputePolicy every{Kind::Every, 1, 0};
    PLUMB_CHECK(setSize(every.interval, name, value, 1));
    config.recompute = every;
    return {};
}

std::string recomputeText(const RunConfig& config) {
    switch (config.recompute.kind) {
    case RecomputePolicy::Kind::All:
        return "all";
    case RecomputePolicy::Kind::None:
        return "none";
    case RecomputePolicy::Kind::Every:
        return fmt::format("{}", config.recompute.interval);
    case RecomputePolicy::Kind::Sqrt:
        return "sqrt";
    case RecomputePolicy::Kind::Fit:
        return fmt::format("fit:{}", config.recompute.budgetBytes);
    }
    return {};
}

constexpr bool isSwitch(Setting setting) {
    return setting == Setting::Nesterov || setting == Setting::Centered || setting == Setting::Amsgrad;
}

/// Empty text stands for the optimizer's default.
template <Setting kSetting>
Result<void> setSetting(RunConfig& config, std::string_view name, std::string_view value) {
    std::optional<double>& target = config.settings[kSetting];
    if (value.empty()) {
        target.reset();
        return {};
    }
    if constexpr (isSwitch(kSetting)) {
        bool on = false;
        PLUMB_CHECK(setChoice(kSwitchNames, on, name, value));
        target = on ? 1.0 : 0.0;
        return {};
    }
    return setReal(target, name, value);
}

template <Setting kSetting>
std::string settingText(const RunConfig& config) {
    const double value = config.setting(kSetting);
    if constexpr (isSwitch(kSetting)) return std::string(kSwitchNames.name(value != 0));
    return fmt::format("{}", value);
}

template <Setting kSetting>
bool settingApplies(const RunConfig& config) {
    return settingDefault(config.optimizer, kSetting).has_value();
}

using Config = RunConfig;
using View = std::string_view;

constexpr std::string_view kNumberHint = "write it like 0.1 or 1e-3";

bool scalesLoss(const RunConfig& config) { return config.scalesLoss(); }

// One row of the table below, for a setting of the optimizer.
#define PLUMB_SETTING(NAME, VALUES, HELP, SETTING)                                                           \
    {                                                                                                        \
        {NAME, VALUES, HELP}, &setSetting<Setting::SETTING>, &settingText<Setting::SETTING>,                 \
            &settingApplies<Setting::SETTING>                                                                \
    }

const std::vector<Option>& options() {
    static const std::vector<Option> kOptions{
        {{"dim", "N", "width D of every layer"},
         [](Config& c, View n, View v) { return setSize(c.dim, n, v, 1); },
         [](const Config& c) { return fmt::format("{}", c.dim); }},
        {{"layers", "N", "depth L, without the head; 0 leaves the head alone"},
         [](Config& c, View n, View v) { return setSize(c.layers, n, v, 0); },
         [](const Config& c) { return fmt::format("{}", c.layers); }},
        {{"head", "on|off",
          "a last matrix [D, K]; off: the chain of layers alone, whose targets have width D"},
         [](Config& c, View n, View v) { return setChoice(kSwitchNames, c.head, n, v); },
         [](const Config& c) { return std::string(kSwitchNames.name(c.head)); }},
        {{"outputs", "N", "outputs K of the head"},
         [](Config& c, View n, View v) { return setSize(c.outputs, n, v, 1); },
         [](const Config& c) { return fmt::format("{}", c.outputWidth()); },
         [](const Config& c) { return c.head; }},
        {{"activation", "none|relu", "what follows each layer's product"},
         [](Config& c, View n, View v) { return setChoice(kActivationNames, c.activation, n, v); },
         [](const Config& c) { return std::string(name(c.activation)); }},
        {{"batch", "N", "samples B per optimizer step"},
         [](Config& c, View n, View v) { return setSize(c.batch, n, v, 1); },
         [](const Config& c) { return fmt::format("{}", c.batch); }},
        {{"micro-batch", "N", "samples at once, divides the batch of a rank; 0 is all of it"},
         [](Config& c, View n, View v) { return setSize(c.microBatch, n, v, 0); },
         [](const Config& c) { return fmt::format("{}", c.microBatchSize()); }},
        {{"data-parallel", "N", "ranks that share the batch; each has all weights but for what zero divides"},
         [](Config& c, View n, View v) { return setSize(c.parallel.data, n, v, 1); },
         [](const Config& c) { return fmt::format("{}", c.parallel.data); }},
        {{"zero", "0|1|2|3",
          "what these ranks divide among them: 1 master copy and states, 2 gradients too, 3 weights too"},
         [](Config& c, View n, View v) { return setChoice(kZeroNames, c.parallel.zero, n, v); },
         [](const Config& c) { return std::string(kZeroNames.name(c.parallel.zero)); },
         [](const Config& c) { return c.parallel.data > 1; }},
        {{"tensor", "N",
          "ranks that divide each matrix and take the same samples, beside those of data-parallel"},
         [](Config& c, View n, View v) { return setSize(c.parallel.tensor, n, v, 1); },
         [](const Config& c) { return fmt::format("{}", c.parallel.tensor); }},
        {{"precision", "fp32|tf32|bf16|fp16|fp8", "number format of weights and activations in products"},
         [](Config& c, View n, View v) { return setChoice(kPrecisionNames, c.precision, n, v); },
         [](const Config& c) { return std::string(name(c.precision)); }},
        {{"master-weights", "on|off", "fp32 copy of narrower weights that the optimizer updates"},
         [](Config& c, View n, View v) { return setChoice(kSwitchNames, c.masterWeights, n, v); },
         [](const Config& c) { return std::string(kSwitchNames.name(c.masterWeights)); }},
        {{"grad-dtype", "same|fp32", "number format of the parameters' gradients: the recipe's own, or fp32"},
         [](Config& c, View n, View v) {
             return setChoice(kGradientPrecisionNames, c.gradientPrecision, n, v);
         },
         [](const Config& c) { return std::string(name(c.gradientPrecision)); }},
        {{"optimizer", "sgd|momentum|adagrad|rmsprop|adam|adamw|lion|adafactor",
          "update rule, with the semantics of torch.optim"},
         [](Config& c, View n, View v) { return setChoice(kOptimizerNames, c.optimizer, n, v); },
         [](const Config& c) { return std::string(name(c.optimizer)); }},
        {{"lr", "number > 0", "learning rate; by default that of torch.optim"},
         [](Config& c, View n, View v) { return setReal(c.learningRate, n, v); },
         [](const Config& c) { return fmt::format("{}", c.effectiveLearningRate()); }},
        {{"weight-decay", "number >= 0", "weight decay; by default that of torch.optim"},
         [](Config& c, View n, View v) { return setReal(c.weightDecay, n, v); },
         [](const Config& c) { return fmt::format("{}", c.effectiveWeightDecay()); }},
        PLUMB_SETTING("momentum", "number >= 0", "factor of the momentum buffer", Momentum),
        PLUMB_SETTING("dampening", "0..1", "1 - dampening is the gradient's share of the buffer", Dampening),
        PLUMB_SETTING("nesterov", "on|off", "look ahead along the momentum", Nesterov),
        PLUMB_SETTING("beta1", "0..1", "decay of the first moment", Beta1),
        PLUMB_SETTING("beta2", "0..1", "decay of the second moment; lion: of its momentum", Beta2),
        PLUMB_SETTING("epsilon", "number >= 0", "added to the denominator of the update", Epsilon),
        PLUMB_SETTING("alpha", "0..1", "decay of the mean square of the gradients", Alpha),
        PLUMB_SETTING("centered", "on|off", "divide by the variance instead of the mean square", Centered),
        PLUMB_SETTING("amsgrad", "on|off", "divide by the largest second moment so far", Amsgrad),
        PLUMB_SETTING("lr-decay", "number >= 0", "learning rate / (1 + steps * decay)", LrDecay),
        PLUMB_SETTING("initial-accumulator", "number >= 0", "where the sum of squares starts",
                      InitialAccumulator),
        PLUMB_SETTING("beta2-decay", "number <= 0", "exponent of the decay of the mean squares", Beta2Decay),
        PLUMB_SETTING("epsilon2", "number >= 0", "least root mean square of the parameters", Epsilon2),
        PLUMB_SETTING("clip-threshold", "number >= 1", "largest root mean square of the update",
                      ClipThreshold),
        {{"clip-norm", "number >= 0", "largest norm of all gradients together; 0 does not clip"},
         [](Config& c, View n, View v) { return setNumber(c.clipNorm, n, v, kNumberHint); },
         [](const Config& c) { return fmt::format("{}", c.clipNorm); }},
        {{"lr-schedule", "constant|cosine|step", "how the learning rate goes over the steps"},
         [](Config& c, View n, View v) { return setChoice(kScheduleNames, c.schedule, n, v); },
         [](const Config& c) { return std::string(name(c.schedule)); }},
        {{"warmup-steps", "N", "steps over which the learning rate rises linearly; 0 is none"},
         [](Config& c, View n, View v) { return setSize(c.warmUpSteps, n, v, 0); },
         [](const Config& c) { return fmt::format("{}", c.warmUpSteps); }},
        {{"schedule-steps", "N", "cosine: step at which it ends; step: length of a stair"},
         [](Config& c, View n, View v) { return setSize(c.scheduleSteps, n, v, 1); },
         [](const Config& c) { return fmt::format("{}", c.scheduleSteps); },
         [](const Config& c) { return c.schedule != Schedule::Constant; }},
        {{"min-lr", "number >= 0", "learning rate at which the cosine ends"},
         [](Config& c, View n, View v) { return setNumber(c.minimumLearningRate, n, v, kNumberHint); },
         [](const Config& c) { return fmt::format("{}", c.minimumLearningRate); },
         [](const Config& c) { return c.schedule == Schedule::Cosine; }},
        {{"gamma", "number > 0", "factor on the learning rate at each stair"},
         [](Config& c, View n, View v) { return setNumber(c.gamma, n, v, kNumberHint); },
         [](const Config& c) { return fmt::format("{}", c.gamma); },
         [](const Config& c) { return c.schedule == Schedule::Step; }},
        {{"loss-scale", "number > 0", "factor on the loss at the first step"},
         [](Config& c, View n, View v) { return setNumber(c.lossScaling.initial, n, v, kNumberHint); },
         [](const Config& c) { return fmt::format("{}", c.lossScaling.initial); },
         &scalesLoss},
        {{"loss-scale-growth", "number > 1", "factor on the loss scale after an interval without overflow"},
         [](Config& c, View n, View v) { return setNumber(c.lossScaling.growth, n, v, kNumberHint); },
         [](const Config& c) { return fmt::format("{}", c.lossScaling.growth); },
         &scalesLoss},
        {{"loss-scale-backoff", "0..1", "factor on the loss scale after an overflow"},
         [](Config& c, View n, View v) { return setNumber(c.lossScaling.backoff, n, v, kNumberHint); },
         [](const Config& c) { return fmt::format("{}", c.lossScaling.backoff); },
         &scalesLoss},
        {{"loss-scale-interval", "N", "steps in a row without overflow before the loss scale grows"},
         [](Config& c, View n, View v) { return setSize(c.lossScaling.interval, n, v, 1); },
         [](const Config& c) { return fmt::format("{}", c.lossScaling.interval); },
         &scalesLoss},
        {{"checkpoint", "all|none|sqrt|K|fit:BYTES",
          "activations to keep: all, none, those of every K-th layer, or what fits a peak of BYTES"},
         &setRecompute,
         &recomputeText},
        {{"init", "scaled|truncated|naive|xavier-uniform|xavier-normal|he-uniform|he-normal|fixed",
          "initial weights: normal / sqrt(fan-in), that within 3 sigma, normal, torch.nn.init's, or normal "
          "with a deviation of your own"},
         [](Config& c, View n, View v) { return setChoice(kInitialisationNames, c.initialisation, n, v); },
         [](const Config& c) { return std::string(name(c.initialisation)); }},
        {{"init-std", "number > 0", "standard deviation of the initial weights"},
         [](Config& c, View n, View v) { return setNumber(c.initialDeviation, n, v, kNumberHint); },
         [](const Config& c) { return fmt::format("{}", c.initialDeviation); },
         [](const Config& c) { return c.initialisation == Initialisation::Fixed; }},
        {{"seed", "0..2^64-1", "seed of weights and synthetic data"},
         [](Config& c, View n, View v) {
             return setNumber(c.seed, n, v, "use a whole number from 0 to 2^64-1");
         },
         [](const Config& c) { return fmt::format("{}", c.seed); }},
        {{"noise", "number >= 0", "standard deviation of the noise on synthetic targets"},
         [](Config& c, View n, View v) { return setNumber(c.noise, n, v, kNumberHint); },
         [](const Config& c) { return fmt::format("{}", c.noise); }},
        {{"resident-batch", "on|off",
          "one synthetic batch that stays on the device for all steps, as benchmarks have it; off: a new one "
          "in "
          "each step"},
         [](Config& c, View n, View v) { return setChoice(kSwitchNames, c.residentBatch, n, v); },
         [](const Config& c) { return std::string(kSwitchNames.name(c.residentBatch)); },
         [](const Config& c) { return !c.readsFiles(); }},
        {{"data", "synthetic|FILE",
          "synthetic, features [rows, D] (.npy, .npz:MEMBER, .csv:COLUMNS), or token ids (.u16, .i32, .npy)"},
         [](Config& c, View, View v) {
             c.data = v;
             return Result<void>{};
         },
         [](const Config& c) { return c.data; }},
        {{"data-format", "auto|npy|npz|csv|tokens-u16|tokens-i32|tokens-npy",
          "how the data file is stored; by default what its extension and its header say"},
         [](Config& c, View n, View v) { return setChoice(kDataFormatNames, c.dataFormat, n, v); },
         [](const Config& c) { return std::string(name(c.effectiveDataFormat())); },
         [](const Config& c) { return c.readsFiles(); }},
        {{"targets", "FILE",
          "targets [rows] or [rows, K]: .npy, .npz:MEMBER or .csv:COLUMNS; not with tokens"},
         [](Config& c, View, View v) {
             c.targets = v;
             return Result<void>{};
         },
         [](const Config& c) { return c.targets; }},
        {{"standardize", "on|off", "each column of the features to mean 0 and variance 1"},
         [](Config& c, View n, View v) { return setChoice(kSwitchNames, c.standardize, n, v); },
         [](const Config& c) { return std::string(kSwitchNames.name(c.standardize)); },
         [](const Config& c) { return c.readsFiles() && !c.readsTokens(); }},
        {{"standardize-targets", "on|off",
          "each column of the targets to mean 0 and variance 1; the loss is then in units of their variance"},
         [](Config& c, View n, View v) { return setChoice(kSwitchNames, c.standardizeTargets, n, v); },
         [](const Config& c) { return std::string(kSwitchNames.name(c.standardizeTargets)); },
         [](const Config& c) { return c.readsFiles() && !c.readsTokens(); }},
        {{"holdout", "0..1",
          "share of the samples that is not trained on; its loss is shown beside the other"},
         [](Config& c, View n, View v) { return setNumber(c.holdOut, n, v, kNumberHint); },
         [](const Config& c) { return fmt::format("{}", c.holdOut); },
         [](const Config& c) { return c.readsFiles(); }},
        {{"vocabulary", "N", "token ids are below it; id / vocabulary becomes a number of variance 1"},
         [](Config& c, View n, View v) { return setSize(c.vocabulary, n, v, 1); },
         [](const Config& c) { return fmt::format("{}", c.vocabulary); },
         [](const Config& c) { return c.readsTokens(); }},
        {{"token-windows", "consecutive|random",
          "samples are windows one after the other, or from random places, overlapping"},
         [](Config& c, View n, View v) { return setChoice(kTokenWindowNames, c.tokenWindows, n, v); },
         [](const Config& c) { return std::string(name(c.tokenWindows)); },
         [](const Config& c) { return c.readsTokens(); }},
        {{"backend", "auto|cpu|cuda", "what runs the step"},
         [](Config& c, View n, View v) { return setChoice(kBackendNames, c.backend, n, v); },
         [](const Config& c) { return std::string(name(c.backend)); }},
    };
    return kOptions;
}

const Option* findOption(std::string_view name) {
    const auto found = std::find_if(options().begin(), options().end(),
                                    [name](const Option& option) { return option.info.name == name; });
    return found == options().end() ? nullptr : &*found;
}

}  // namespace

Result<void> setOption(RunConfig& config, std::string_view name, std::string_view value) {
    if (const Option* option = findOption(name)) return option->set(config, option->info.name, value);
    // A name of any length can arrive in a file; the distance is quadratic.
    constexpr std::size_t kLongestName = 64;
    const std::string_view shown = name.substr(0, kLongestName);
    std::vector<std::string> names;
    for (const Option& option : options()) names.emplace_back(option.info.name);
    const std::string nearest = nearestWord(shown, names);
    return badInput(fmt::format("unknown option ({:s})", shown),
                    nearest.empty() ? std::string("see plumbline-cli predict --help")
                                    : fmt::format("the nearest one is {}", nearest));
}

bool optionApplies(const RunConfig& config, std::string_view name) {
    const Option* option = findOption(name);
    return option != nullptr && (option->applies == nullptr || option->applies(config));
}

std::string optionValue(const RunConfig& config, std::string_view name) {
    const Option* option = findOption(name);
    return option == nullptr ? std::string() : option->get(config);
}

const std::vector<OptionInfo>& runOptions() {
    static const std::vector<OptionInfo> kInfos = [] {
        std::vector<OptionInfo> infos;
        for (const Option& option : options()) infos.push_back(option.info);
        return infos;
    }();
    return kInfos;
}

}  // namespace plumb
