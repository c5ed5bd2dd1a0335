// SPDX-License-Identifier: Apache-2.0
#include "core/planner/adaptation.h"

#include "core/base/enum_words.h"
#include "core/base/nearest.h"
#include "core/planner/trained.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace plumb::planner {

namespace {

constexpr std::string_view kAllLinear = "all-linear";
constexpr std::string_view kLayers = "layers:";
constexpr double kBlock = 64;            ///< entries that share a constant
constexpr double kConstantsBlock = 256;  ///< constants that share one of their own

/// The pieces of "q, v", without blanks.
std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words(1);
    for (const char c : text) {
        if (c == ',')
            words.emplace_back();
        else if (c != ' ')
            words.back() += c;
    }
    return words;
}

template <class Enum>
std::vector<std::string> namesOf() {
    std::vector<std::string> names;
    names.reserve(kEnumerators<Enum>.size());
    for (const Enum each : kEnumerators<Enum>) names.emplace_back(name(each));
    return names;
}

template <class Enum>
std::string chosen(const EnumArray<Enum, bool>& flags) {
    std::string text;
    for (const Enum each : kEnumerators<Enum>)
        if (flags[each]) text += (text.empty() ? "" : ",") + std::string(name(each));
    return text;
}

Error refused(std::string message, std::string remedy) {
    return {ErrorCode::BadInput, std::move(message), std::move(remedy)};
}

Error unknownWord(std::string_view option, const std::string& word, const std::vector<std::string>& names) {
    return refused(fmt::format("--{} cannot be used ({})", option, word),
                   didYouMean(word, names, fmt::format("give some of {:s}", fmt::join(names, ", "))));
}

/// "0-11", "3"; nothing for what is no range.
std::optional<std::pair<std::int64_t, std::int64_t>> rangeOf(std::string_view text) {
    const auto number = [](std::string_view digits) -> std::optional<std::int64_t> {
        std::int64_t value = -1;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        const bool whole = problem == std::errc{} && end == digits.data() + digits.size();
        return whole && value >= 0 ? std::optional(value) : std::nullopt;
    };
    const std::size_t dash = text.find('-');
    const auto first = number(text.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number(text.substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    return std::pair(*first, *last);
}

Result<void> checkAdapters(const Transformer& m, const Adaptation& a) {
    if (std::ranges::find(a.frozen, true) != a.frozen.end())
        return refused(
            fmt::format("the model's own parameters are frozen beside adapters (--freeze {})", frozenText(a)),
            "freeze layers alone, which then have no adapters, or choose other targets");
    if (m.latent && a.targets[AdapterTarget::Key] != a.targets[AdapterTarget::Value])
        return refused(fmt::format("latent attention has one product for keys and values (--targets {})",
                                   targetsText(a)),
                       "give both k and v, or neither");
    if (!m.gated && a.targets[AdapterTarget::Gate] && !a.adaptsAllLinear())
        return refused(
            fmt::format("this model's feed-forward blocks have no gate (--targets {})", targetsText(a)),
            "leave gate out, or give all-linear");
    const std::vector<Adapter> adapters = adaptersOf(m, a);
    if (adapters.empty())
        return refused(
            fmt::format("there is nothing to put an adapter beside (--targets {})", targetsText(a)),
            "give targets, or all-linear");
    for (const Adapter& adapter : adapters)
        if (const double width = std::min(adapter.in, adapter.out); static_cast<double>(a.rank) > width)
            return refused(
                fmt::format("a rank of {} is above the width of the {} ({:g})", a.rank, adapter.label, width),
                fmt::format("give --rank {:g} or less, or other targets", width));
    return {};
}

}  // namespace

std::string_view name(FineTuning method) {
    constexpr EnumArray<FineTuning, std::string_view> kNames{{"full", "lora", "qlora"}};
    return kNames[method];
}

std::string_view name(AdapterTarget target) {
    constexpr EnumArray<AdapterTarget, std::string_view> kNames{{"q", "k", "v", "o", "gate", "up", "down"}};
    return kNames[target];
}

std::string_view name(ModelPart part) {
    constexpr EnumArray<ModelPart, std::string_view> kNames{
        {"embeddings", "attention", "feed-forward", "experts", "router", "norms", "head"}};
    return kNames[part];
}

EnumArray<AdapterTarget, bool> Adaptation::all(bool on) {
    EnumArray<AdapterTarget, bool> flags{};
    for (bool& flag : flags) flag = on;
    return flags;
}

bool Adaptation::operator==(const Adaptation& other) const {
    return method == other.method && rank == other.rank && doubleQuantised == other.doubleQuantised &&
           std::ranges::equal(targets, other.targets) && std::ranges::equal(frozen, other.frozen) &&
           frozenFrom == other.frozenFrom && frozenLayers == other.frozenLayers;
}

bool Adaptation::trainsAll() const {
    return !hasAdapters() && frozenLayers == 0 && std::ranges::find(frozen, true) == frozen.end();
}

bool Adaptation::adapts(std::initializer_list<AdapterTarget> any) const {
    return hasAdapters() && std::any_of(any.begin(), any.end(), [&](AdapterTarget t) { return targets[t]; });
}

bool Adaptation::adaptsAllLinear() const { return std::ranges::find(targets, false) == targets.end(); }

std::string targetsText(const Adaptation& adaptation) {
    return adaptation.adaptsAllLinear() ? std::string(kAllLinear) : chosen(adaptation.targets);
}

Result<void> setTargets(Adaptation& adaptation, std::string_view text) {
    std::vector<std::string> names = namesOf<AdapterTarget>();
    names.emplace_back(kAllLinear);
    auto targets = Adaptation::all(false);
    for (const std::string& word : wordsOf(text)) {
        if (word == kAllLinear) {
            targets = Adaptation::all(true);
            continue;
        }
        // As transformers calls these matrices.
        const auto target = enumeratorOf<AdapterTarget>(
            word.ends_with("_proj") ? std::string_view(word).substr(0, word.size() - 5) : word);
        if (!target) return unknownWord("targets", word, names);
        targets[*target] = true;
    }
    adaptation.targets = targets;
    return {};
}

std::string frozenText(const Adaptation& adaptation) {
    std::string text = chosen(adaptation.frozen);
    if (adaptation.frozenLayers > 0)
        text += fmt::format("{}{}{}-{}", text.empty() ? "" : ",", kLayers, adaptation.frozenFrom,
                            adaptation.frozenFrom + adaptation.frozenLayers - 1);
    return text;
}

Result<void> setFrozen(Adaptation& adaptation, std::string_view text) {
    Adaptation next = adaptation;
    next.frozen = {};
    next.frozenFrom = next.frozenLayers = 0;
    for (const std::string& word : wordsOf(text)) {
        if (word.empty() && text.empty()) break;
        if (word.starts_with(kLayers)) {
            const auto range = rangeOf(std::string_view(word).substr(kLayers.size()));
            if (!range || next.frozenLayers > 0)
                return refused(fmt::format("--freeze cannot be used ({})", word),
                               "give one range of layers, counted from 0, such as layers:0-11");
            next.frozenFrom = range->first;
            next.frozenLayers = range->second - range->first + 1;
            continue;
        }
        const auto part = enumeratorOf<ModelPart>(word);
        std::vector<std::string> names = namesOf<ModelPart>();
        names.emplace_back("layers:0-11");
        if (!part) return unknownWord("freeze", word, names);
        next.frozen[*part] = true;
    }
    adaptation = next;
    return {};
}

void chooseMethod(Adaptation& adaptation, FineTuning method) {
    adaptation.method = method;
    adaptation.targets = Adaptation::all(method != FineTuning::Lora);
    if (method == FineTuning::Lora)
        adaptation.targets[AdapterTarget::Query] = adaptation.targets[AdapterTarget::Value] = true;
}

std::string adaptationText(const Adaptation& adaptation) {
    std::string text = "full";
    if (adaptation.hasAdapters())
        text = fmt::format("{} of rank {} on {}", adaptation.method == FineTuning::Lora ? "LoRA" : "QLoRA",
                           adaptation.rank, targetsText(adaptation));
    if (const std::string frozen = frozenText(adaptation); !frozen.empty())
        text += fmt::format(", frozen: {}", frozen);
    return text;
}

Result<void> checkAdaptation(const ModelSpec& model, const Adaptation& a) {
    if (a.trainsAll()) return {};
    const Transformer* m = model.transformer();
    if (m == nullptr)
        return refused(model.linear() != nullptr
                           ? "the deep linear model is trained in full"
                           : "a mere number of parameters has no matrices to adapt and no parts to freeze",
                       a.hasAdapters() ? "leave --finetune out, or choose a model"
                                       : "leave --freeze out, or choose a model");
    if (m->encoder)
        return refused("an encoder with a decoder is planned as trained in full",
                       a.hasAdapters() ? "leave --finetune out" : "leave --freeze out");
    if (a.frozenFrom + a.frozenLayers > m->layers)
        return refused(
            fmt::format("the model has layers 0 to {} (--freeze {})", m->layers - 1, frozenText(a)),
            fmt::format("give layers:{}-{} at most", std::min(a.frozenFrom, m->layers - 1), m->layers - 1));
    if (a.hasAdapters()) PLUMB_CHECK(checkAdapters(*m, a));
    if (!a.hasAdapters() && !m->experts && (a.frozen[ModelPart::Experts] || a.frozen[ModelPart::Router]))
        return refused(fmt::format("this model has no experts (--freeze {})", frozenText(a)),
                       "leave experts and router out");
    if (m->tiedEmbeddings && a.frozen[ModelPart::Embeddings] != a.frozen[ModelPart::Head])
        return refused(fmt::format("the head of this model is its embedding (--freeze {})", frozenText(a)),
                       "freeze both embeddings and head, or neither");
    if (countTrained(*m, a).total() == 0)
        return refused(fmt::format("nothing is left to train ({})", adaptationText(a)), "freeze less");
    return {};
}

double quantisedBytes(const Adaptation& adaptation) {
    constexpr double kHalf = 0.5, kFp32 = 4;
    if (adaptation.doubleQuantised) return kHalf + 1 / kBlock + kFp32 / (kBlock * kConstantsBlock);
    return kHalf + kFp32 / kBlock;
}

}  // namespace plumb::planner
