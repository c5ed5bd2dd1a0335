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
};

Error bad(std::string message, std::string hint) {
    return Error{ErrorCode::BadInput, std::move(message), std::move(hint)};
}

/// Values of CLI.md that a later version will take.
constexpr std::array kLaterValues{
    std::string_view("tf32"),      std::string_view("fp16"),    std::string_view("fp8"),
    std::string_view("momentum"),  std::string_view("rmsprop"), std::string_view("adam"),
    std::string_view("lion"),      std::string_view("sqrt"),    std::string_view("fit:"),
    std::string_view("truncated"), std::string_view("naive")};

bool isLater(std::string_view value) {
    return std::any_of(kLaterValues.begin(), kLaterValues.end(), [value](std::string_view later) {
        return later.back() == ':' ? value.substr(0, later.size()) == later : value == later;
    });
}

Error refuseValue(std::string_view name, std::string_view value, std::string_view choices) {
    return bad(
        fmt::format("{} is {} ({})", name, isLater(value) ? "not in this version" : "not known", value),
        fmt::format("use {}", choices));
}

/// "a, b or c".
template <class Table>
std::string choicesOf(const Table& table) {
    std::string text;
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (i > 0) text += i + 1 == table.size() ? " or " : ", ";
        text += table[i].second;
    }
    return text;
}

template <class Table, class Value>
Result<void> setChoice(const Table& table, Value& target, std::string_view name, std::string_view value) {
    for (const auto& [entry, text] : table) {
        if (text == value) {
            target = entry;
            return {};
        }
    }
    return refuseValue(name, value, choicesOf(table));
}

Result<void> setSize(std::int64_t& target, std::string_view name, std::string_view value,
                     std::int64_t least) {
    Result<std::int64_t> size = parseSize(value);
    if (!size.has_value() && value.starts_with('-') && parseSize(value.substr(1)).has_value())
        return bad(
            fmt::format("{} {} ({})", name, least > 0 ? "has to be positive" : "cannot be negative", value),
            fmt::format("give a size of at least {}", least));
    if (!size.has_value())
        return bad(fmt::format("{} is not a whole number below 2^63 ({})", name, value), size.error().hint);
    if (*size < least)
        return bad(fmt::format("{} is too small ({})", name, value),
                   fmt::format("give a size of at least {}", least));
    target = *size;
    return {};
}

template <class Number>
Result<void> setNumber(Number& target, std::string_view name, std::string_view value, std::string_view hint) {
    Number number{};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size())
        return bad(fmt::format("{} is not a number that can be used ({})", name, value), std::string(hint));
    target = number;
    return {};
}

Result<void> setReal(std::optional<double>& target, std::string_view name, std::string_view value) {
    double number = 0;
    PLUMB_CHECK(setNumber(number, name, value, "write it like 0.001 or 1e-3"));
    target = number;
    return {};
}

Result<void> setCheckpoint(RunConfig& config, std::string_view name, std::string_view value) {
    using Kind = CheckpointPolicy::Kind;
    if (value == "all" || value == "none") {
        config.checkpoint = {value == "all" ? Kind::All : Kind::None, 1};
        return {};
    }
    constexpr std::string_view kChoices = "all, none or a number of layers";
    if (isLater(value) || value.empty() || value[0] < '0' || value[0] > '9')
        return refuseValue(name, value, kChoices);
    CheckpointPolicy every{Kind::Every, 1};
    PLUMB_CHECK(setSize(every.interval, name, value, 1));
    config.checkpoint = every;
    return {};
}

std::string checkpointText(const RunConfig& config) {
    switch (config.checkpoint.kind) {
    case CheckpointPolicy::Kind::All:
        return "all";
    case CheckpointPolicy::Kind::None:
        return "none";
    case CheckpointPolicy::Kind::Every:
        return fmt::format("{}", config.checkpoint.interval);
    }
    return {};
}

Result<void> setGradientDtype(RunConfig& /*config*/, std::string_view name, std::string_view value) {
    if (value == "same") return {};
    if (value == "fp32")
        return bad("grad-dtype is not in this version (fp32)", "use same: gradients in the compute dtype");
    return refuseValue(name, value, "same");
}

using Config = RunConfig;
using View = std::string_view;

const std::vector<Option>& options() {
    static const std::vector<Option> kOptions{
        {{"dim", "size", "width D of every layer"},
         [](Config& c, View n, View v) { return setSize(c.dim, n, v, 1); },
         [](const Config& c) { return fmt::format("{}", c.dim); }},
        {{"layers", "size", "depth L, without the head"},
         [](Config& c, View n, View v) { return setSize(c.layers, n, v, 1); },
         [](const Config& c) { return fmt::format("{}", c.layers); }},
        {{"outputs", "size", "outputs K of the head"},
         [](Config& c, View n, View v) { return setSize(c.outputs, n, v, 1); },
         [](const Config& c) { return fmt::format("{}", c.outputs); }},
        {{"activation", "none|relu", "what follows each layer's product"},
         [](Config& c, View n, View v) { return setChoice(kActivationNames, c.activation, n, v); },
         [](const Config& c) { return std::string(name(c.activation)); }},
        {{"batch", "size", "samples B per optimizer step"},
         [](Config& c, View n, View v) { return setSize(c.batch, n, v, 1); },
         [](const Config& c) { return fmt::format("{}", c.batch); }},
        {{"micro-batch", "size", "samples at once, divides the batch; 0 is the whole batch"},
         [](Config& c, View n, View v) { return setSize(c.microBatch, n, v, 0); },
         [](const Config& c) { return fmt::format("{}", c.microBatchSize()); }},
        {{"precision", "fp32|bf16", "number format of weights and activations in products"},
         [](Config& c, View n, View v) { return setChoice(kPrecisionNames, c.precision, n, v); },
         [](const Config& c) { return std::string(name(c.precision)); }},
        {{"master-weights", "on|off", "fp32 copy of 16-bit weights that the optimizer updates"},
         [](Config& c, View n, View v) { return setChoice(kSwitchNames, c.masterWeights, n, v); },
         [](const Config& c) { return std::string(nameIn(kSwitchNames, c.masterWeights)); }},
        {{"grad-dtype", "same", "number format of the gradients: that of the weights"},
         &setGradientDtype,
         [](const Config&) { return std::string("same"); }},
        {{"optimizer", "sgd|adagrad|adamw", "update rule, with the semantics of torch.optim"},
         [](Config& c, View n, View v) { return setChoice(kOptimizerNames, c.optimizer, n, v); },
         [](const Config& c) { return std::string(name(c.optimizer)); }},
        {{"lr", "number > 0", "learning rate; by default that of torch.optim"},
         [](Config& c, View n, View v) { return setReal(c.learningRate, n, v); },
         [](const Config& c) { return fmt::format("{}", c.effectiveLearningRate()); }},
        {{"weight-decay", "number >= 0", "weight decay; by default that of torch.optim"},
         [](Config& c, View n, View v) { return setReal(c.weightDecay, n, v); },
         [](const Config& c) { return fmt::format("{}", c.effectiveWeightDecay()); }},
        {{"checkpoint", "all|none|K", "activations to keep: all, none, or those of every K-th layer"},
         &setCheckpoint,
         &checkpointText},
        {{"init", "scaled", "initial weights: normal / sqrt(fan-in)"},
         [](Config& c, View n, View v) { return setChoice(kInitialisationNames, c.initialisation, n, v); },
         [](const Config& c) { return std::string(name(c.initialisation)); }},
        {{"seed", "0..2^64-1", "seed of weights and synthetic data"},
         [](Config& c, View n, View v) {
             return setNumber(c.seed, n, v, "use a whole number from 0 to 2^64-1");
         },
         [](const Config& c) { return fmt::format("{}", c.seed); }},
        {{"noise", "number >= 0", "standard deviation of the noise on synthetic targets"},
         [](Config& c, View n, View v) { return setNumber(c.noise, n, v, "write it like 0.1 or 1e-3"); },
         [](const Config& c) { return fmt::format("{}", c.noise); }},
        {{"data", "synthetic|X.npy", "features: synthetic, or a file of [rows, D]"},
         [](Config& c, View, View v) {
             c.data = v;
             return Result<void>{};
         },
         [](const Config& c) { return c.data; }},
        {{"targets", "Y.npy", "targets: a file of [rows] or [rows, K]; only with a data file"},
         [](Config& c, View, View v) {
             c.targets = v;
             return Result<void>{};
         },
         [](const Config& c) { return c.targets; }},
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
    return bad(fmt::format("unknown option ({})", shown),
               nearest.empty() ? std::string("see plumbline-cli predict --help")
                               : fmt::format("the nearest one is {}", nearest));
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
