// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"
#include "app/cli/planner_questions.h"
#include "app/cli/planner_scenario.h"
#include "core/base/quantity.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/planner/trained.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace plumb::cli {

namespace {

using namespace planner;

struct ParameterPart {
    const char* key;
    const char* label;
    std::int64_t ParameterCounts::*count;
};
constexpr std::array kParameterParts{
    ParameterPart{"embedding", "embedding", &ParameterCounts::embedding},
    ParameterPart{"positions", "positions and token types", &ParameterCounts::positions},
    ParameterPart{"attention", "attention", &ParameterCounts::attention},
    ParameterPart{"feed_forward", "feed-forward of layers without experts", &ParameterCounts::feedForward},
    ParameterPart{"experts", "experts", &ParameterCounts::experts},
    ParameterPart{"shared", "shared experts", &ParameterCounts::shared},
    ParameterPart{"router", "router", &ParameterCounts::router},
    ParameterPart{"norms", "norms", &ParameterCounts::norms},
    ParameterPart{"head", "head", &ParameterCounts::head},
};

std::string attentionText(const Transformer& m) {
    if (m.latent)
        return fmt::format("{} heads of latent attention (rank {})", m.heads, m.latent->keyValueRank);
    const std::string shared =
        m.keyValueHeads == m.heads ? "" : fmt::format(", {} of keys and values", m.keyValueHeads);
    return fmt::format("{} heads of {}{}", m.heads, m.headWidth, shared);
}

std::string modelShapeText(const Transformer& m) {
    std::string text = fmt::format("{} layers of width {}, {}", m.layers, m.hidden, attentionText(m));
    if (m.expertLayers() < m.layers)
        text += fmt::format(", inner width {}{}", m.inner, m.gated ? " (gated)" : "");
    if (m.experts)
        text += fmt::format("; {} experts of {} in {} layers, {} active", m.experts->count, m.experts->hidden,
                            m.experts->layers, m.experts->active);
    if (m.windowedLayers > 0)
        text += fmt::format("; {} layers look back on {} tokens", m.windowedLayers, m.slidingWindow);
    if (m.parallel) text += "; attention and feed-forward side by side";
    if (m.encoder)
        text += fmt::format("; an encoder of {} layers with {} heads of {}, inner width {}, {}",
                            m.encoder->layers, m.encoder->heads, m.encoder->headWidth, m.encoder->inner,
                            m.encoder->tokens > 0 ? fmt::format("{} tokens", m.encoder->tokens)
                                                  : "as many tokens as the decoder");
    if (!m.causal) text += "; an encoder: every token sees all";
    if (m.patch > 0)
        text += fmt::format("; an image is {} patches of {} numbers and a token for its class",
                            m.positions - 1, m.patch);
    return text;
}

std::vector<std::string> parameterNotes(const ModelSpec& model, const Transformer& m) {
    std::vector<std::string> notes = model.remarks;
    if (m.tiedEmbeddings)
        notes.emplace_back("the head is the embedding: its matrix is counted once, and multiplied with");
    if (m.experts)
        notes.push_back(fmt::format("active: of {} experts the {} that a token goes through",
                                    m.experts->count, m.experts->active));
    if (m.encoder)
        notes.emplace_back("weights of both stacks, each of which its own tokens are multiplied with");
    if (m.predictionLayers > 0)
        notes.push_back(
            fmt::format("{} layers that predict further tokens are left out", m.predictionLayers));
    return notes;
}

Result<void> runParams(const Arguments& arguments) {
    Arguments model = arguments;
    model.set("model", arguments.text("MODEL"));
    PLUMB_TRY(const Scenario s, plannerScenario(model));
    const Transformer* const transformer = s.model.transformer();
    if (transformer == nullptr)
        return Error{ErrorCode::BadInput, fmt::format("{:s} has no parts", s.model.name),
                     "give a preset or a config.json"};
    const Transformer& m = *transformer;
    const ParameterCounts n = countParameters(m);
    const TrainedCounts trained = countTrained(m, s.adaptation);
    const std::vector<std::string> notes = parameterNotes(s.model, m);
    if (arguments.json()) {
        nlohmann::json parts = nlohmann::json::object(), trainedParts = nlohmann::json::object();
        for (const ParameterPart& part : kParameterParts) {
            parts[part.key] = n.*part.count;
            trainedParts[part.key] = trained.own.*part.count;
        }
        trainedParts["adapters"] = trained.adapters;
        return print(dumpJson({{"question", "params"},
                               {"model", s.model.name},
                               {"family", m.family},
                               {"source", s.model.source},
                               {"shape", modelShapeText(m)},
                               {"parts", parts},
                               {"parameters", n.total},
                               {"active", n.active},
                               {"multiplied", n.multiplied},
                               {"training", adaptationText(s.adaptation)},
                               {"trained", trained.total()},
                               {"trained_parts", trainedParts},
                               {"notes", notes}},
                              1) +
                     "\n");
    }
    Table table;
    table.add({s.model.name, "parameters", "share"});
    const auto add = [&](const std::string& label, std::int64_t count) {
        table.add({label, formatExact(count, ""),
                   fmt::format("{:.2f} %", 100 * static_cast<double>(count) / static_cast<double>(n.total))});
    };
    for (const ParameterPart& part : kParameterParts)
        if (n.*part.count > 0) add(part.label, n.*part.count);
    add("all", n.total);
    if (n.active != n.total) add("active for a token", n.active);
    add("weights that a token is multiplied with", n.multiplied);
    if (!s.adaptation.trainsAll()) {
        for (const ParameterPart& part : kParameterParts)
            if (trained.own.*part.count > 0)
                add(fmt::format("trained: {}", part.label), trained.own.*part.count);
        if (trained.adapters > 0) add("trained: adapters, on top", trained.adapters);
        add(fmt::format("trained ({})", adaptationText(s.adaptation)), trained.total());
    }
    std::string text = fmt::format("{}\n{}\n\n{}", modelShapeText(m), s.model.source, table.text());
    for (const std::string& note : notes) text += note + "\n";
    return print(text);
}

std::vector<OptionSpec> paramsOptions() {
    std::vector<OptionSpec> options = plannerTrainingOptions();
    const InputInfo& rank = info(Input::Rank);
    options.push_back({std::string(rank.key), "X", fmt::format("{}:\n{}\n(16)", rank.label, rank.help)});
    return options;
}

}  // namespace

CommandSpec plannerParamsQuestion() {
    return CommandSpec{.name = "params",
                       .help = "what a model is made of: parameters by part, and the active ones",
                       .positional = "MODEL",
                       .positionalHelp = "a preset (see plan models), a Hugging Face config.json or a "
                                         "plumbline-generic description",
                       .options = paramsOptions(),
                       .examples = "Examples:\n  plumbline-cli plan params "
                                   "mixtral-8x7b\n  plumbline-cli plan params config.json --json\n  "
                                   "plumbline-cli plan params llama-2-7b --finetune lora --rank 8",
                       .run = runParams};
}

}  // namespace plumb::cli
