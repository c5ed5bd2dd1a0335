// SPDX-License-Identifier: Apache-2.0
#include "core/planner/config_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace plumb::planner {

namespace {

/// What BERT and its kin have in common: they predict masked tokens, with a head of two layers.
void setEncoder(Transformer& m) {
    m.causal = m.gated = m.finalNorm = false;
    m.learnedPositions = m.embeddingNorm = true;
    m.queryBias = m.outputBias = m.innerBias = m.normBias = true;
    m.headLayer = m.headBias = true;
}

void readBert(const ConfigFields& config, Transformer& m) {
    readSizes(config, m, true);
    readEvenHeads(config, m, "num_attention_heads", "hidden_size");
    setEncoder(m);
    m.segments = config.sizeOr("type_vocab_size", kMostWidth, 2);
    if (config.flagOr("is_decoder", false))
        config.fail("is_decoder", "is true: this family is read as an encoder only");
}

/// Two rows of the table of positions are those of padding: 514 are 512 positions.
void readRoberta(const ConfigFields& config, Transformer& m) {
    readBert(config, m);
    if (m.positions <= 2) config.fail("max_position_embeddings", "has to be more than 2");
    m.spareRows = 2;
    m.positions = std::max<std::int64_t>(m.positions - m.spareRows, 1);
}

void readDistilBert(const ConfigFields& config, Transformer& m) {
    readSizes(config, m, true,
              {.layers = "n_layers", .hidden = "dim", .heads = "n_heads", .inner = "hidden_dim"});
    readEvenHeads(config, m, "n_heads", "dim");
    setEncoder(m);
}

void readElectra(const ConfigFields& config, Transformer& m) {
    readBert(config, m);
    if (const std::int64_t width = config.sizeOr("embedding_size", kMostWidth, m.hidden); width != m.hidden)
        config.fail(
            "embedding_size",
            fmt::format("is {}: an embedding narrower than hidden_size {} is not known to the planner", width,
                        m.hidden));
}

/// The norm of the embedding is the first one of the first layer.
void readModernBert(const ConfigFields& config, Transformer& m) {
    readSizes(config, m, true);
    readEvenHeads(config, m, "num_attention_heads", "hidden_size");
    m.causal = false;
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    m.innerBias = config.flagOr("mlp_bias", false);
    m.normBias = config.flagOr("norm_bias", false);
    m.headLayer = true;
    m.headBias = config.flagOr("decoder_bias", true);
    if (config.flagOr("classifier_bias", false) != m.normBias)
        config.fail("classifier_bias", "and norm_bias are read only where they agree");
    m.slidingWindow = config.sizeOr("local_attention", kMostPositions, 128);
    const std::int64_t interval = config.sizeOr("global_attn_every_n_layers", kMostLayers, 3);
    const std::int64_t listed = config.windowedTypes(m.layers);
    m.windowedLayers = listed >= 0 ? listed : m.layers - (m.layers + interval - 1) / interval;
    if (m.windowedLayers == 0) m.slidingWindow = 0;
}

/// Images: a product embeds patches, one more token stands for the class.
void readVit(const ConfigFields& config, Transformer& m) {
    m.layers = config.size("num_hidden_layers", kMostLayers);
    m.hidden = config.size("hidden_size", kMostWidth);
    m.heads = config.size("num_attention_heads", kMostWidth);
    m.inner = config.size("intermediate_size", kMostWidth);
    readEvenHeads(config, m, "num_attention_heads", "hidden_size");
    const std::int64_t image = config.size("image_size", 1 << 14), side = config.size("patch_size", 1 << 10);
    if (image % std::max<std::int64_t>(side, 1) != 0)
        config.fail("patch_size", fmt::format("is {}, which does not divide image_size {}", side, image));
    const std::int64_t across = image / std::max<std::int64_t>(side, 1);
    m.patch = config.sizeOr("num_channels", 1 << 10, 3) * side * side;
    m.positions = across * across + 1;
    const JsonField names = config.root()["id2label"];
    if (config.has("num_labels") || names.isNull())
        m.vocabulary = config.size("num_labels", kMostVocabulary);
    else if (names.expectObject() && !names.json()->empty())
        m.vocabulary = static_cast<std::int64_t>(names.json()->size());
    else
        names.fail("has no labels");
    m.causal = m.gated = false;
    m.learnedPositions = m.normBias = m.headBias = m.outputBias = m.innerBias = true;
    m.queryBias = config.flagOr("qkv_bias", true);
}

struct Refused {
    std::string_view reason;
    std::vector<std::string_view> types;
};

const std::vector<Refused>& refusedFamilies() {
    static const std::vector<Refused> list{
        {"its layers carry a state from token to token, alone or between layers of attention; the planner "
         "has "
         "neither their work nor their memory",
         {"mamba",           "mamba2",      "falcon_mamba",    "rwkv",        "xlstm",
          "jamba",           "bamba",       "zamba",           "zamba2",      "zaya",
          "nemotron_h",      "falcon_h1",   "recurrent_gemma", "qwen3_next",  "kimi_linear",
          "minimax",         "lfm2",        "lfm2_moe",        "olmo_hybrid", "qwen3_5",
          "qwen3_5_text",    "qwen3_5_moe", "bailing_hybrid",  "lfm3",        "qwen3_5_moe_text",
          "granitemoehybrid"}},
        {"its encoder and its decoder, which meet in cross attention, differ from those of T5, BART and "
         "Whisper",
         {"longt5", "switch_transformers", "pegasus", "pegasus_x", "marian", "m2m_100", "nllb-moe",
          "blenderbot", "speech_to_text", "t5gemma", "encoder-decoder", "prophetnet", "bigbird_pegasus",
          "led", "plbart", "fsmt", "moonshine", "blenderbot-small"}},
        {"it sees patches or frames and gives one answer for all of them; the planner counts by token, with "
         "a "
         "head for each",
         {"vitdet",     "deit",    "beit",     "swin",           "swinv2",  "dinov2",
          "dinov3_vit", "vit_mae", "clip",     "siglip",         "siglip2", "wav2vec2",
          "hubert",     "wavlm",   "convnext", "convnextv2",     "resnet",  "segformer",
          "detr",       "sam",     "vit_msn",  "data2vec-vision"}},
        {"its layers share their weights", {"albert"}},
        {"some of its layers see an image by cross attention", {"mllama", "mllama_text_model"}},
        {"its layers differ from each other in width",
         {"openelm", "nemotron-nas", "gemma3n", "gemma3n_text"}},
        {"its attention is of a kind of its own",
         {"deberta", "deberta-v2", "reformer", "longformer", "big_bird", "deepseek_v32", "deepseek_v4",
          "xlnet", "transfo-xl", "funnel"}},
    };
    return list;
}

}  // namespace

const std::vector<ModelFamily>& encoderFamilies() {
    static const std::vector<ModelFamily> families{
        {"bert", readBert},       {"camembert", readRoberta},     {"distilbert", readDistilBert},
        {"electra", readElectra}, {"modernbert", readModernBert}, {"roberta", readRoberta},
        {"vit", readVit},         {"xlm-roberta", readRoberta},
    };
    return families;
}

std::string_view whyRefused(std::string_view type) {
    for (const Refused& refused : refusedFamilies())
        if (std::find(refused.types.begin(), refused.types.end(), type) != refused.types.end())
            return refused.reason;
    return {};
}

}  // namespace plumb::planner
