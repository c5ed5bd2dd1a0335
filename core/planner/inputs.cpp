// SPDX-License-Identifier: Apache-2.0
#include "core/machine/attainable.h"
#include "core/planner/answer.h"
#include "core/planner/default_mfu.h"
#include "core/planner/holding.h"
#include "core/planner/layout_fields.h"
#include "core/planner/measured.h"
#include "core/planner/priors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

InputValue fixed(double value, std::string source, bool given = true) {
    return {{value, value, value}, std::move(source), given};
}

Error unknown(Input input, const ModelSpec& model, std::string_view advice) {
    return {ErrorCode::BadInput,
            fmt::format("{} is not known (--{})", labelOf(input, model), info(input).key),
            std::string(advice)};
}

Error outside(const InputInfo& about, double value) {
    if (about.input == Input::Mfu && value > 1)
        return {ErrorCode::BadInput,
                fmt::format("a utilisation of {:.4g} % is above 100 % ({})", 100 * value, about.key),
                std::string(kUtilisationCauses)};
    // With the unit, since a bare number was taken in it and not in the one that a field shows.
    const std::string_view unit = isShare(about) ? "%" : about.unit;
    const auto said = [&](double number, int digits) {
        return unit.empty() ? fmt::format("{:.{}g}", number, digits) : formatEditable(number, unit);
    };
    constexpr int kTyped = 15, kShort = 6;
    return {ErrorCode::BadInput,
            fmt::format("{} cannot be {} (--{})", about.label, said(value, kTyped), about.key),
            fmt::format("give {} from {} to {}", about.whole ? "a whole number" : "a number",
                        said(about.least, kShort), said(about.most, kShort))};
}

Result<void> check(const InputInfo& about, double value) {
    if (!std::isfinite(value) || value < about.least || value > about.most ||
        (about.whole && value != std::floor(value)))
        return outside(about, value);
    return {};
}

/// The deep linear model is spread by data parallelism alone, recomputes by its own policy and stores what
/// its configuration says.
Result<void> checkLinear(const InputInfo& about, double value) {
    const auto refuse = [&](std::string_view why, std::string_view remedy) {
        return Error{ErrorCode::BadInput,
                     fmt::format("the deep linear model {} (--{} {:g})", why, about.key, value),
                     std::string(remedy)};
    };
    switch (about.input) {
    case Input::Sequence:
        return refuse("has no sequences", "leave it out");
    case Input::RecomputeInterval:
        return refuse("recomputes by its checkpoint policy", "give --checkpoint");
    case Input::Rank:
        return refuse("is trained in full", "leave it out");
    case Input::LossChunks:
        if (value > 1) return refuse("has no logits", "leave it out");
        break;
    case Input::BytesPerParameter:
        return refuse("stores what its precision and optimizer say",
                      "give --recipe, or --precision and --optimizer");
    case Input::Zero:
        if (value > 0) return refuse("has a whole copy on each device", "leave it out");
        break;
    case Input::Tensor:
    case Input::Pipeline:
    case Input::Context:
    case Input::Expert:
    case Input::Chunks:
    case Input::ShardGroup:
        if (value > 1) return refuse("is spread by data parallelism alone", "leave it out");
        break;
    default:
        break;
    }
    return {};
}

/// The deep linear model's micro-batch is one of its configuration; null for the other models.
template <class AnyScenario>
auto linearMicroBatch(AnyScenario& s) -> decltype(&s.cluster.devices) {
    auto* config = std::get_if<RunConfig>(&s.model.kind);
    return config != nullptr ? &config->microBatch : nullptr;
}

/// The typed field of a whole choice; null for the others.
template <class AnyScenario>
auto wholeField(AnyScenario& s, Input input) -> decltype(&s.cluster.devices) {
    switch (input) {
    case Input::Devices:
        return &s.cluster.devices;
    case Input::DevicesPerNode:
        return &s.cluster.devicesPerNode;
    case Input::Sequence:
        return &s.workload.sequence;
    case Input::Batch:
        return &s.workload.batch;
    case Input::MicroBatch:
        if (auto* own = linearMicroBatch(s)) return own;
        return &s.parallel.microBatch;
    case Input::RecomputeInterval:
        return &s.recipe.recomputeInterval;
    case Input::Rank:
        return &s.adaptation.rank;
    case Input::LossChunks:
        return &s.recipe.lossChunks;
    default:
        return degreeField(s.parallel, input);
    }
}

template <class AnyScenario>
auto realField(AnyScenario& s, Input input) -> decltype(&s.workload.tokens) {
    switch (input) {
    case Input::Tokens:
        return &s.workload.tokens;
    case Input::Budget:
        return &s.workload.budgetFlops;
    case Input::Days:
        return &s.workload.days;
    case Input::TokensPerSecond:
        return &s.workload.tokensPerSecond;
    default:
        return nullptr;
    }
}

/// Those that are kept as given, where they were not.
Result<InputValue> keptDefault(const Scenario& s, Input input) {
    constexpr double kPlainBits = 16;
    const auto otherwise = [](double value) { return fixed(value, "default", false); };
    switch (input) {
    case Input::BytesPerParameter: {
        const Recipe recipe = meanRecipe(s);
        const std::string mean =
            s.adaptation.trainsAll() ? "" : fmt::format(", {}: mean of all", adaptationText(s.adaptation));
        return fixed(recipe.bytesPerParameter(), "recipe: " + recipe.name + mean, false);
    }
    case Input::ContextLength:
        return otherwise(static_cast<double>(sequenceOf(s)));
    case Input::Requests:
        return otherwise(1);
    case Input::Prompt: {
        PLUMB_TRY(const double context, numberOf(s, Input::ContextLength));
        return otherwise(context);
    }
    case Input::WeightBits:
    case Input::CacheBits:
        return otherwise(kPlainBits);
    default:
        return unknown(input, s.model, fmt::format("give {}", info(input).help));
    }
}

Result<InputValue> choiceValue(const Scenario& s, Input input) {
    if (const std::int64_t* field = wholeField(s, input)) {
        if (*field > 0) return fixed(static_cast<double>(*field), "given");
        PLUMB_TRY(const ResolvedLayout layout, resolve(s));
        // Without a micro-batch of its own the deep linear model takes a device's batch at once.
        const std::int64_t value = input == Input::Sequence     ? layout.sequence
                                   : input == Input::Batch      ? layout.batch
                                   : input == Input::ShardGroup ? layout.shardGroup
                                                                : layout.batch / layout.data;
        return fixed(static_cast<double>(value), "default", false);
    }
    if (const double* field = realField(s, input)) {
        if (*field > 0) return fixed(*field, "given");
        return unknown(input, s.model, fmt::format("give {}", info(input).help));
    }
    if (input == Input::Zero) return fixed(static_cast<double>(s.parallel.sharding), "given");
    if (isKeptAsGiven(input)) {
        const auto& given = s.given[input];
        return given ? fixed(given->expected, "given") : keptDefault(s, input);
    }
    const double parameters = s.model.parameters();  // Input::Parameters
    if (parameters > 0) return fixed(parameters, s.model.source, s.model.count() != nullptr);
    return unknown(input, s.model, "give a number of parameters, a preset or a config.json");
}

Result<InputValue> factValue(const Scenario& s, Input input) {
    if (const auto& given = s.given[input]) return InputValue{*given, "given", true};
    const InputInfo& about = info(input);
    if (!s.cluster.device)
        return unknown(input, s.model, fmt::format("choose a device, or give --{}", about.key));
    const Machine& device = *s.cluster.device;
    std::optional<double> value;
    std::string what(about.label);
    switch (input) {
    case Input::Memory:
        if (device.memoryBytes) value = static_cast<double>(*device.memoryBytes);
        break;
    case Input::Peak:
        value = device.peak(computeDtype(s));
        what = fmt::format("{} peak", dtypeName(computeDtype(s)));
        break;
    case Input::Bandwidth:
        value = device.bandwidthBytesPerSecond;
        break;
    case Input::LinkBandwidth:
        value = device.linkBytesPerSecond;
        break;
    default:
        value = device.powerWatts;
        break;
    }
    if (value) return fixed(*value, fmt::format("{} ({})", device.name, device.source), false);
    std::string others;
    for (const auto& [dtype, peak] : device.peakFlopPerSecond)
        others += fmt::format("{}{}", others.empty() ? "" : ", ", dtypeName(dtype));
    return Error{ErrorCode::BadInput, fmt::format("the record of {} has no {}", device.name, what),
                 input == Input::Peak && !others.empty()
                     ? fmt::format("it has {}; choose one of these, another device, or give --peak", others)
                     : fmt::format("choose another device, or give --{}", about.key)};
}

/// Large products reach what a public shape search measured on this very device, where there is one.
std::optional<InputValue> measuredEfficiency(const Scenario& s) {
    if (!s.cluster.device) return std::nullopt;
    const Machine& device = *s.cluster.device;
    const Dtype compute = computeDtype(s);
    const std::optional<Range> share = publishedProductShare(device, compute);
    if (!share) return std::nullopt;
    const double peak = device.peak(compute).value_or(0);
    return InputValue{*share,
                      fmt::format("{}: best of a public shape search {} of {}", device.name,
                                  formatQuantity(share->high * peak, "FLOP/s"),
                                  formatQuantity(peak, "FLOP/s")),
                      false};
}

/// Facts of the device take the place of what is assumed of any: what public measurements show that it
/// reaches, and what it costs by its data sheet.
std::optional<InputValue> knownOfDevice(const Scenario& s, Input input) {
    auto known = input == Input::MatmulEfficiency ? measuredEfficiency(s) : std::nullopt;
    if (!known)
        if (const auto prior = priorOf(s, input)) known = InputValue{*prior, priorSource(s, input), false};
    if (s.model.linear() != nullptr &&
        (input == Input::MatmulEfficiency || input == Input::MemoryEfficiency)) {
        // The best case of the deep linear model is the ceiling itself, as predict() has it.
        if (!known) known = InputValue{info(input).standard, std::string(info(input).source), false};
        known->range.high = 1;
        known->source += "; at best all of it, as predictions of the deep linear model count";
    }
    if (!known && input == Input::Mfu) known = defaultMfuValue(s);
    if (known) return known;
    if (input != Input::DevicePrice || !s.cluster.device || !s.cluster.device->dollarsPerHour)
        return std::nullopt;
    const Machine& device = *s.cluster.device;
    return fixed(*device.dollarsPerHour, fmt::format("{} ({})", device.name, device.source), false);
}

}  // namespace

std::string_view labelOf(Input input, const ModelSpec& model) {
    return input == Input::Tokens && model.linear() != nullptr ? "training samples" : info(input).label;
}

bool isShare(const InputInfo& about) {
    return about.kind == InputKind::Assumption && about.unit.empty() && about.standard.high <= 1;
}

namespace {

/// In the input's own unit; shares also in percent.
Result<double> readNumber(const InputInfo& about, std::string_view text) {
    // "4Ki" is a count of binary thousands, which quantities without a unit do not know.
    if (about.whole)
        if (const auto count = parseSize(text); count.has_value()) return static_cast<double>(*count);
    return parseValue(text, isShare(about) ? "1" : about.unit);
}

}  // namespace

Result<InputValue> valueOf(const Scenario& scenario, Input input) {
    const InputInfo& about = info(input);
    if (about.kind == InputKind::Choice) return choiceValue(scenario, input);
    if (about.kind == InputKind::Fact) return factValue(scenario, input);
    if (const auto& given = scenario.given[input]) return InputValue{*given, "given", true};
    if (const auto range = measuredRange(scenario, input))
        return InputValue{*range, measuredSource(scenario, input), false};
    if (auto known = knownOfDevice(scenario, input)) return *known;
    return InputValue{about.standard, std::string(about.source), false};
}

Result<double> numberOf(const Scenario& scenario, Input input) {
    if (info(input).kind == InputKind::Assumption && input != Input::MatmulEfficiency &&
        input != Input::DevicePrice) {
        // No text: maps ask a million times.
        if (const auto& given = scenario.given[input]) return given->expected;
        if (const auto range = measuredRange(scenario, input)) return range->expected;
        if (const auto prior = priorOf(scenario, input)) return prior->expected;
        if (input == Input::Mfu)
            if (const auto mfu = defaultMfu(scenario)) return *mfu;
        return info(input).standard.expected;
    }
    PLUMB_TRY(const InputValue value, valueOf(scenario, input));
    return value.range.expected;
}

Result<void> setInput(Scenario& scenario, Input input, double value) {
    const InputInfo& about = info(input);
    PLUMB_CHECK(check(about, value));
    if (scenario.model.linear() != nullptr) PLUMB_CHECK(checkLinear(about, value));
    if (std::int64_t* field = wholeField(scenario, input)) {
        *field = static_cast<std::int64_t>(value);
    } else if (double* real = realField(scenario, input)) {
        *real = value;
    } else if (input == Input::Zero) {
        scenario.parallel.sharding = static_cast<Sharding>(static_cast<int>(value));
    } else if (input == Input::Parameters) {
        if (scenario.model.count() == nullptr)
            return Error{ErrorCode::BadInput,
                         fmt::format("the parameters of {} follow from its sizes", scenario.model.name),
                         "give either a model or a number of parameters"};
        scenario.model = modelOfCount(value);
    } else if (about.kind == InputKind::Assumption) {
        resetInput(scenario, input);  // the ends are those of the default, scaled
        PLUMB_TRY(const InputValue standard, valueOf(scenario, input));
        const Range& r = standard.range;
        const auto scaled = [&](double end) { return r.expected > 0 ? end / r.expected * value : end; };
        scenario.given[input] = Range{std::clamp(std::min(scaled(r.low), value), about.least, value), value,
                                      std::clamp(std::max(scaled(r.high), value), value, about.most)};
    } else {
        scenario.given[input] = Range{value, value, value};
    }
    return {};
}

Result<void> setInput(Scenario& scenario, Input input, const Range& range) {
    const InputInfo& about = info(input);
    if (about.kind == InputKind::Choice)
        return Error{ErrorCode::BadInput,
                     fmt::format("{} is a choice and has no range (--{})", about.label, about.key),
                     "give one number"};
    PLUMB_CHECK(check(about, range.expected));
    if (!(range.low <= range.expected && range.expected <= range.high))
        return Error{ErrorCode::BadInput,
                     fmt::format("the ends of {} are out of order ({}:{}:{})", about.label, range.low,
                                 range.expected, range.high),
                     "give low:expected:high"};
    PLUMB_CHECK(check(about, range.low));
    PLUMB_CHECK(check(about, range.high));
    scenario.given[input] = range;
    return {};
}

Result<void> setInput(Scenario& scenario, Input input, std::string_view text) {
    const InputInfo& about = info(input);
    std::vector<double> numbers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t colon = std::min(text.find(':', begin), text.size());
        auto number = readNumber(about, text.substr(begin, colon - begin));
        if (!number.has_value())
            return Error{ErrorCode::BadInput, fmt::format("{} (--{})", number.error().message, about.key),
                         number.error().hint};
        numbers.push_back(*number);
        begin = colon + 1;
    }
    if (numbers.size() == 1) return setInput(scenario, input, numbers.front());
    if (numbers.size() == 3) return setInput(scenario, input, Range{numbers[0], numbers[1], numbers[2]});
    return Error{ErrorCode::BadInput, fmt::format("--{} cannot be read ({})", about.key, text),
                 "give one number, or low:expected:high"};
}

void resetInput(Scenario& scenario, Input input) {
    scenario.given[input].reset();
    if (input == Input::Sequence) scenario.workload.sequence = 0;
    if (input == Input::Batch) scenario.workload.batch = 0;
    if (input == Input::ShardGroup) scenario.parallel.shardGroup = 0;
    if (double* real = realField(scenario, input)) *real = 0;
}

bool isKeptAsGiven(Input input) {
    switch (input) {
    case Input::BytesPerParameter:
    case Input::ContextLength:
    case Input::Requests:
    case Input::Prompt:
    case Input::WeightBits:
    case Input::CacheBits:
    case Input::FlopsPerDevice:
    case Input::CheckpointEvery:
        return true;
    default:
        return false;
    }
}

bool isOfGivenAlone(Input input) { return info(input).kind != InputKind::Choice || isKeptAsGiven(input); }

bool isLayout(Input input) {
    switch (input) {
    case Input::Tensor:
    case Input::Pipeline:
    case Input::Context:
    case Input::Expert:
    case Input::Chunks:
    case Input::ShardGroup:
    case Input::Zero:
        return true;
    default:
        return false;
    }
}

}  // namespace plumb::planner
