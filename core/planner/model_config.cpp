// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"
#include "core/base/quantity.h"
#include "core/planner/config_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace plumb::planner {

namespace {

constexpr double kMostParameters = 1e17;  // far from what 63 bits overflow at, and from any model
constexpr std::string_view kGeneric = "plumbline-generic";

/// Null for a type that nothing reads.
const ModelFamily* familyOf(std::string_view type) {
    static const ModelFamily generic{kGeneric, readGeneric};
    if (type == kGeneric) return &generic;
    for (const auto* list : {&decoderFamilies(), &expertFamilies(), &encoderFamilies(), &twoStackFamilies()})
        for (const ModelFamily& family : *list)
            if (family.type == type) return &family;
    return nullptr;
}

Error unknownType(const std::string& type, const std::string& source) {
    constexpr std::string_view kOtherwise =
        "describe it yourself as plumbline-generic (docs/planner.md), or give its --parameters";
    if (const std::string_view reason = whyRefused(type); !reason.empty())
        return {ErrorCode::BadInput,
                fmt::format("{} is of the family {}, which cannot be planned: {}", source, type, reason),
                "give the number of its --parameters for a rough answer"};
    const std::vector<std::string> known = knownFamilies();
    const std::string nearest = nearestWord(type, known);
    std::string hint = nearest.empty() ? std::string() : fmt::format("did you mean {}? ", nearest);
    hint += fmt::format("known are {}; or {}", fmt::join(known, ", "), kOtherwise);
    return {ErrorCode::BadInput, fmt::format("{} has a model_type that is not known ({})", source, type),
            hint};
}

/// The count in floating point, which does not overflow: sizes may be anything up to their limits.
double roughParameters(const Transformer& m) {
    const auto h = static_cast<double>(m.hidden), layers = static_cast<double>(m.layers);
    double perLayer = 4 * h * static_cast<double>(m.heads) * static_cast<double>(m.headWidth) +
                      3 * h * static_cast<double>(m.inner);
    if (m.experts)
        perLayer += 3 * h *
                    (static_cast<double>(m.experts->count) * static_cast<double>(m.experts->hidden) +
                     static_cast<double>(m.experts->sharedHidden));
    if (m.encoder) {
        const Encoder& x = *m.encoder;
        perLayer += 4 * h * static_cast<double>(m.heads) * static_cast<double>(m.headWidth);
        perLayer += static_cast<double>(x.layers) / layers * h *
                    (4 * static_cast<double>(x.heads) * static_cast<double>(x.headWidth) +
                     3 * static_cast<double>(x.inner));
        perLayer += 3 * h * static_cast<double>(x.frame + m.hidden) / layers;
        perLayer += static_cast<double>(x.distances) * static_cast<double>(x.heads + m.heads);
    }
    if (m.latent) {
        const LatentAttention& l = *m.latent;
        const auto ranks = static_cast<double>(l.queryRank + l.keyValueRank + l.rotaryWidth);
        perLayer += ranks * (h + static_cast<double>(m.heads) *
                                     static_cast<double>(2 * m.headWidth + l.plainWidth + l.valueWidth));
        perLayer += h * static_cast<double>(m.heads) * static_cast<double>(l.valueWidth);
    }
    const double rows = static_cast<double>(m.learnedPositions ? m.positions : 0) +
                        static_cast<double>(m.segments) + static_cast<double>(m.patch);
    return layers * perLayer + h * (2 * static_cast<double>(m.vocabulary) + rows + h);
}

/// Of a model of several parts the one that reads text, when only that is known.
bool hasTextPart(const JsonField& root, std::string_view type) {
    if (familyOf(type) != nullptr) return false;
    const JsonField part = root["text_config"];
    return !part.isNull() && part.json()->is_object() &&
           (part.json()->contains("model_type") || !textFamilyOf(type).empty());
}

/// What is read of a file: its top, or a part of it.
struct Part {
    std::string type;
    std::string of;                    ///< type of the whole model; empty: this is all of it
    const JsonField* whole = nullptr;  ///< of the model that this is a part of
};

std::string defaultsRemark(const ConfigFields& config, std::string_view className) {
    return fmt::format("{}: what the file leaves out, as {} has it ({})", fmt::join(config.taken(), ", "),
                       className, classDefaultsFrom());
}

/// Classes that a file names as its model's: "BertModel".
std::vector<std::string> architecturesOf(const JsonField& root) {
    std::vector<std::string> names;
    const JsonField list = root["architectures"];
    if (list.isNull()) return names;
    const std::size_t size = list.arraySize();
    for (std::size_t i = 0; i < size && list.ok(); ++i) {
        const JsonField entry = list.at(i);
        names.push_back(entry.text().substr(0, 60));
    }
    return names;
}

/// What a model is counted with and the class that its file names has not; empty where that has it.
std::string headRemark(const Transformer& m, const std::vector<std::string>& architectures) {
    using Endings = std::vector<std::string_view>;
    static const Endings kLanguage{"ForCausalLM", "LMHeadModel", "ForConditionalGeneration",
                                   "DoubleHeadsModel"};
    static const Endings kMasked{"ForMaskedLM", "ForPreTraining"};
    static const Endings kImages{"ForImageClassification"};
    const Endings& endings = m.patch > 0 ? kImages : m.causal ? kLanguage : kMasked;
    const auto hasHead = [&](const std::string& name) {
        // That of ELECTRA tells replaced words from others, with a head of its own.
        if (name == "ElectraForPreTraining") return false;
        return std::any_of(endings.begin(), endings.end(),
                           [&](std::string_view ending) { return name.ends_with(ending); });
    };
    if (architectures.empty()) return {};
    const std::string& named = architectures.front();
    if (std::any_of(architectures.begin(), architectures.end(), hasHead))
        return named == "BertForPreTraining"
                   ? "counted without the pooler and the head for pairs of sentences of BertForPreTraining"
                   : std::string();
    const std::string_view head = m.patch > 0 ? "the classifier of an image model"
                                  : m.causal  ? "the head of a language model"
                                              : "the head for masked tokens";
    const std::int64_t parameters = countParameters(m).head;
    return fmt::format("counted with {} ({}), which {} has not", head,
                       parameters > 0 ? formatExact(parameters, "") + " parameters" : "the embedding itself",
                       named);
}

Result<ModelSpec> modelOfFields(const JsonField& root, JsonField::Problem& problem, const std::string& source,
                                const Part& part) {
    const std::string& type = part.type;
    const ModelFamily* const family = familyOf(type);
    if (!problem && family == nullptr) return unknownType(type, source);

    Transformer model;
    model.family = type;
    const ClassDefaults byClass = classDefaultsOf(type);
    const nlohmann::json none = nlohmann::json::object();
    const JsonField defaults(byClass.sizes != nullptr ? *byClass.sizes : none, byClass.name, problem);
    // A file has its own fields in full, also where they are those of its part for text.
    const ConfigFields config(root, part.whole != nullptr ? &defaults : nullptr);
    if (!problem) family->read(config, model);
    // The whole model ties its head to its embedding, or not.
    if (part.whole != nullptr) {
        const JsonField tied = (*part.whole)["tie_word_embeddings"];
        if (!problem && !tied.isNull()) model.tiedEmbeddings = tied.boolean();
    }
    if (!problem)
        if (const auto found =
                contradictionOf(model, type == kGeneric ? kGenericSizeKeys : config.sizeKeys()))
            config.failAt(found->key, found->what);
    const std::vector<std::string> architectures =
        problem ? std::vector<std::string>() : architecturesOf(part.whole != nullptr ? *part.whole : root);
    if (problem) {
        Error error = *problem;
        error.message = fmt::format("in the file {:s}, {}", source, error.message);
        error.hint = "correct this field; nothing is computed from guesses";
        return error;
    }
    if (roughParameters(model) > kMostParameters)
        return Error{ErrorCode::BadInput,
                     fmt::format("{} has {:.1e} parameters, more than the planner takes ({:.0e})", source,
                                 roughParameters(model), kMostParameters),
                     "check its sizes"};
    std::string name = fmt::format("{} of {} layers, width {}", type, model.layers, model.hidden);
    if (!part.of.empty()) name += fmt::format(" (the text part of {} alone)", part.of);
    if (const JsonField own = root["name"]; type == kGeneric && !own.isNull()) {
        name = own.text();
        if (problem) return *problem;
    }
    ModelSpec spec{.name = std::move(name), .source = source, .kind = model};
    if (!config.taken().empty()) spec.remarks.push_back(defaultsRemark(config, byClass.name));
    if (std::string remark = headRemark(model, architectures); !remark.empty())
        spec.remarks.push_back(std::move(remark));
    return spec;
}

}  // namespace

std::vector<std::string> knownFamilies() {
    std::vector<std::string> known{std::string(kGeneric)};
    for (const auto* list : {&decoderFamilies(), &expertFamilies(), &encoderFamilies(), &twoStackFamilies()})
        for (const ModelFamily& family : *list) known.emplace_back(family.type);
    std::sort(known.begin(), known.end());
    return known;
}

Result<ModelSpec> modelFromConfig(std::string_view text, const std::string& source) {
    auto parsed = parseJson(text, source);
    if (!parsed.has_value()) {
        Error error = std::move(parsed).error();
        error.hint = "give the config.json of a model";
        return error;
    }
    JsonField::Problem problem;
    const JsonField root(parsed.value(), "", problem);
    if (!parsed->is_object())
        return Error{ErrorCode::BadInput, fmt::format("{:s} is not a JSON object", source),
                     "give the config.json of a model"};
    const JsonField typeField = root["model_type"];
    if (typeField.isNull())
        return Error{ErrorCode::BadInput, source + " has no model_type",
                     "give the config.json of a model as Hugging Face has it"};
    const std::string type = typeField.text();
    if (problem) return modelOfFields(root, problem, source, {.type = type});
    const std::string textFamily(textFamilyOf(type));
    const JsonField part = root["text_config"];
    if (hasTextPart(root, type)) {
        const JsonField named = part["model_type"];
        const std::string own = named.isNull() ? textFamily : named.text();
        return modelOfFields(part, problem, source, {.type = own, .of = type, .whole = &root});
    }
    if (familyOf(type) == nullptr && !textFamily.empty()) {
        if (hasFlatTextPart(type))
            return modelOfFields(root, problem, source, {.type = textFamily, .of = type});
        part.fail("is missing: of this family the part that reads text is read");
    }
    return modelOfFields(root, problem, source, {.type = type});
}

}  // namespace plumb::planner
