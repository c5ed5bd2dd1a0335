// SPDX-License-Identifier: Apache-2.0
#include "core/planner/config_fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::planner {

namespace {

/// Biases of everything but norms.
void setBiases(Transformer& m, bool biases) { m.queryBias = m.outputBias = m.innerBias = biases; }

// As GPT-2: two matrices in the block, norms with a bias.

void readGptSizes(const ConfigFields& config, Transformer& m, bool tied) {
    readSizes(config, m, tied,
              {.layers = "n_layer",
               .hidden = "n_embd",
               .heads = "n_head",
               .inner = "n_inner",
               .positions = "n_positions",
               .innerOfHidden = 4});
    readEvenHeads(config, m, "n_head", "n_embd");
    m.gated = false;
    m.normBias = true;
}

void readGpt2(const ConfigFields& config, Transformer& m) {
    readGptSizes(config, m, true);
    m.learnedPositions = true;
    setBiases(m, true);
}

/// StarCoder: GPT-2 with one head of keys and values.
void readBigCode(const ConfigFields& config, Transformer& m) {
    readGpt2(config, m);
    if (config.flagOr("multi_query", true)) m.keyValueHeads = 1;
}

/// GPT-J and CodeGen: attention without biases beside a block with them.
void readGptJ(const ConfigFields& config, Transformer& m) {
    readGptSizes(config, m, false);
    m.innerBias = m.headBias = m.parallel = true;
    m.normsPerLayer = 1;
}

/// Layers that look back on window_size tokens: the words "local" of [[["global", "local"], 12]].
std::int64_t localLayers(const ConfigFields& config, const Transformer& m) {
    const JsonField& root = config.root();
    const JsonField groups = root["attention_types"];
    std::int64_t layers = 0, local = 0;
    const std::size_t count = groups.arraySize();
    for (std::size_t i = 0; i < count && groups.ok(); ++i) {
        const JsonField group = groups.at(i);
        if (group.arraySize() != 2) {
            group.fail("is not a list of kinds and how often they repeat");
            break;
        }
        const JsonField kinds = group.at(0), repeats = group.at(1);
        const std::int64_t times = repeats.count(1, kMostLayers);
        const std::size_t size = kinds.arraySize();
        for (std::size_t k = 0; k < size && groups.ok(); ++k) {
            const JsonField kind = kinds.at(k);
            const std::string word = kind.text();
            if (word == "local")
                local += times;
            else if (groups.ok() && word != "global")
                kind.fail(fmt::format("is '{}', and neither global nor local", word));
            layers += times;
        }
    }
    if (groups.ok() && layers != m.layers)
        groups.fail(fmt::format("names {} layers, and there are {}", layers, m.layers));
    return local;
}

void readGptNeo(const ConfigFields& config, Transformer& m) {
    const std::string_view heads = config.named({"num_heads", "num_attention_heads"});
    readSizes(
        config, m, true,
        {.layers = config.named({"num_layers", "num_hidden_layers"}), .heads = heads, .innerOfHidden = 4});
    readEvenHeads(config, m, heads, "hidden_size");
    m.gated = false;
    m.learnedPositions = m.normBias = m.outputBias = m.innerBias = true;
    m.windowedLayers = localLayers(config, m);
    m.slidingWindow = m.windowedLayers > 0 ? config.sizeOr("window_size", kMostPositions, 256) : 0;
}

void readGptNeoX(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readEvenHeads(config, m, "num_attention_heads", "hidden_size");
    m.gated = false;
    m.normBias = m.innerBias = true;
    m.queryBias = m.outputBias = config.flagOr("attention_bias", true);
    m.parallel = config.flagOr("use_parallel_residual", true);
}

void readOpt(const ConfigFields& config, Transformer& m) {
    readSizes(config, m, true, {.inner = "ffn_dim"});
    readEvenHeads(config, m, "num_attention_heads", "hidden_size");
    if (const std::int64_t width = config.sizeOr("word_embed_proj_dim", kMostWidth, m.hidden);
        width != m.hidden)
        config.fail(
            "word_embed_proj_dim",
            fmt::format("is {}: an embedding narrower than hidden_size {} is not known to the planner", width,
                        m.hidden));
    m.gated = false;
    m.learnedPositions = true;
    m.spareRows = 2;
    setBiases(m, config.flagOr("enable_bias", true));
    m.normScale = m.normBias = config.flagOr("layer_norm_elementwise_affine", true);
    m.finalNorm =
        config.flagOr("do_layer_norm_before", true) && !config.flagOr("_remove_final_layer_norm", false);
}

void readBloom(const ConfigFields& config, Transformer& m) {
    const std::string_view hidden = config.named({"hidden_size", "n_embed"});
    const std::string_view heads = config.named({"n_head", "num_attention_heads"});
    readSizes(config, m, true,
              {.layers = config.named({"n_layer", "num_hidden_layers"}),
               .hidden = hidden,
               .heads = heads,
               .inner = "",
               .positions = "seq_length",
               .innerOfHidden = 4,
               .defaultPositions = 2048});
    readEvenHeads(config, m, heads, hidden);
    m.gated = false;
    m.normBias = m.embeddingNorm = true;
    setBiases(m, true);
}

void readFalcon(const ConfigFields& config, Transformer& m) {
    const std::string_view heads = config.named({"num_attention_heads", "n_head"});
    readSizes(config, m, true,
              {.layers = config.named({"num_hidden_layers", "n_layer"}),
               .heads = heads,
               .inner = "ffn_hidden_size",
               .innerOfHidden = 4,
               .defaultPositions = 2048});
    readEvenHeads(config, m, heads, "hidden_size");
    const bool newer = config.flagOr("new_decoder_architecture", false);
    if (newer) {
        m.keyValueHeads = config.sizeOr(config.named({"num_kv_heads", "n_head_kv"}), m.heads, m.heads);
    } else if (config.flagOr("multi_query", true)) {
        m.keyValueHeads = 1;
    }
    m.gated = false;
    m.normBias = true;
    setBiases(m, config.flagOr("bias", false));
    m.parallel = newer || config.flagOr("parallel_attn", true);
    m.normsPerLayer = newer ? config.sizeOr("num_ln_in_parallel_attn", 2, 2) : m.parallel ? 1 : 2;
}

void readMpt(const ConfigFields& config, Transformer& m) {
    m.layers = config.size("n_layers", kMostLayers);
    m.hidden = config.size("d_model", kMostWidth);
    m.heads = config.size("n_heads", kMostWidth);
    m.inner = config.sizeOr("expansion_ratio", 1024, 4) * m.hidden;
    m.vocabulary = config.size("vocab_size", kMostVocabulary);
    m.positions = config.size("max_seq_len", kMostPositions);
    readEvenHeads(config, m, "n_heads", "d_model");
    if (!config.flagOr("no_bias", true)) config.fail("no_bias", "is false: MPT is read without biases only");
    const JsonField attention = config.root()["attn_config"];
    if (!attention.isNull() && attention.expectObject()) {
        if (const JsonField alibi = attention["alibi"]; !alibi.isNull() && !alibi.boolean())
            alibi.fail("is false: MPT is read with ALiBi only, without a table of positions");
        if (const JsonField norms = attention["qk_ln"]; !norms.isNull() && norms.boolean())
            m.headNorms = HeadNorms::Whole;
    }
    m.tiedEmbeddings = config.flagOr("tie_word_embeddings", true);
    m.gated = false;
}

/// Phi-1 and Phi-2.
void readPhi(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.gated = false;
    m.normBias = m.headBias = m.parallel = true;
    m.normsPerLayer = 1;
    setBiases(m, true);
    if (config.flagOr("qk_layernorm", false)) m.headNorms = HeadNorms::Shared;
}

void readPersimmon(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readEvenHeads(config, m, "num_attention_heads", "hidden_size");
    m.gated = false;
    m.normBias = true;
    setBiases(m, true);
    if (config.flagOr("qk_layernorm", true)) m.headNorms = HeadNorms::Shared;
}

void readStarcoder2(const ConfigFields& config, Transformer& m) {
    readSizes(config, m, true);
    readHeads(config, m);
    readWindow(config, m, m.layers);
    m.gated = false;
    m.normBias = true;
    setBiases(m, config.flagOr("use_bias", true));
}

// As Llama: three matrices in the block, norms with a scale alone.

void readLlama(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    m.innerBias = config.flagOr("mlp_bias", false);
}

/// Without biases; the larger one has no field for positions but the usual length.
void readBaichuan(const ConfigFields& config, Transformer& m) {
    readSizes(config, m, false, {.positions = config.named({"max_position_embeddings", "model_max_length"})});
    readEvenHeads(config, m, "num_attention_heads", "hidden_size");
}

/// Nemotron and Arcee: two matrices in the block.
void readUngated(const ConfigFields& config, Transformer& m) {
    readLlama(config, m);
    m.gated = false;
}

void readMistral(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    readWindow(config, m, m.layers, 4096);
}

/// Phi-3 and Ministral 3: a window only where the file has one.
void readWindowedLlama(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    readWindow(config, m, m.layers);
}

void readGemma(const ConfigFields& config, Transformer& m) {
    readSizes(config, m, true);
    readHeads(config, m, 256);
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
}

void readGemma2(const ConfigFields& config, Transformer& m) {
    readGemma(config, m);
    m.normsPerLayer = 4;
    readWindow(config, m, (m.layers + 1) / 2, 4096);  // the first of each two
}

void readGemma3(const ConfigFields& config, Transformer& m) {
    readGemma(config, m);
    m.normsPerLayer = 4;
    m.headNorms = HeadNorms::Shared;
    const std::int64_t pattern = config.sizeOr("sliding_window_pattern", kMostLayers, 6);
    readWindow(config, m, allButEvery(m.layers, std::max<std::int64_t>(pattern, 1)), 4096);
}

void readStableLm(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.normBias = true;
    m.queryBias = config.flagOr("use_qkv_bias", false);
    if (config.flagOr("qk_layernorm", false)) m.headNorms = HeadNorms::Whole;
    m.parallel = config.flagOr("use_parallel_residual", false);
    if (m.parallel) m.normsPerLayer = 1;
}

/// Norms of its own kind: a layer norm without any parameter.
void readOlmo(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    m.normScale = false;
}

void readOlmo2(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    m.headNorms = HeadNorms::Whole;
}

void readOlmo3(const ConfigFields& config, Transformer& m) {
    readOlmo2(config, m);
    readWindow(config, m, allButEvery(m.layers, 4), 4096);
}

void readCohere(const ConfigFields& config, Transformer& m) {
    readSizes(config, m, true);
    readHeads(config, m);
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    m.parallel = true;
    m.normsPerLayer = 1;
    if (config.flagOr("use_qk_norm", false)) m.headNorms = HeadNorms::Whole;
}

void readCohere2(const ConfigFields& config, Transformer& m) {
    readCohere(config, m);
    m.headNorms = HeadNorms::None;
    const std::int64_t pattern = config.sizeOr("sliding_window_pattern", kMostLayers, 4);
    readWindow(config, m, allButEvery(m.layers, std::max<std::int64_t>(pattern, 1)), 4096);
}

void readGlm(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m, 128);
    m.queryBias = config.flagOr("attention_bias", true);
}

void readGlm4(const ConfigFields& config, Transformer& m) {
    readGlm(config, m);
    m.normsPerLayer = 4;
}

void readErnie(const ConfigFields& config, Transformer& m) {
    readSizes(config, m, true);
    readHeads(config, m, 128);
    setBiases(m, config.flagOr("use_bias", false));
}

void readSmolLm3(const ConfigFields& config, Transformer& m) {
    readSizes(config, m, true);
    readHeads(config, m);
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    m.innerBias = config.flagOr("mlp_bias", false);
    if (config.flagOr("use_sliding_window", false)) readWindow(config, m, m.layers);
}

void readSeedOss(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m, 128);
    m.queryBias = config.flagOr("attention_bias", true);
    m.outputBias = config.flagOr("attention_out_bias", false);
    m.innerBias = config.flagOr("mlp_bias", false);
}

void readExaone4(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.headNorms = HeadNorms::Shared;
    // Published as "LLLG" or as a number: three of four look back on the window.
    readWindow(config, m, allButEvery(m.layers, 4));
}

/// InternLM2: one bias for all products of attention.
void readInternLm2(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.queryBias = m.outputBias = config.flagOr("bias", false);
}

/// In Qwen, layers from max_window_layers on look back on the window, when use_sliding_window says so.
void readQwenWindow(const ConfigFields& config, Transformer& m) {
    if (!config.flagOr("use_sliding_window", false)) return;
    const std::int64_t full = config.size("max_window_layers", kMostLayers, 0);
    readWindow(config, m, std::max<std::int64_t>(m.layers - full, 0));
}

}  // namespace

void readQwen2(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m);
    m.queryBias = true;
    readQwenWindow(config, m);
}

void readQwen3(const ConfigFields& config, Transformer& m) {
    readSizes(config, m);
    readHeads(config, m, 128);
    m.headNorms = HeadNorms::Shared;
    m.queryBias = m.outputBias = config.flagOr("attention_bias", false);
    readQwenWindow(config, m);
}

const std::vector<ModelFamily>& decoderFamilies() {
    static const std::vector<ModelFamily> families{
        {"arcee", readUngated},
        {"baichuan", readBaichuan},
        {"bloom", readBloom},
        {"codegen", readGptJ},
        {"cohere", readCohere},
        {"cohere2", readCohere2},
        {"ernie4_5", readErnie},
        {"exaone4", readExaone4},
        {"falcon", readFalcon},
        {"gemma", readGemma},
        {"gemma2", readGemma2},
        {"gemma3_text", readGemma3},
        {"glm", readGlm},
        {"glm4", readGlm4},
        {"gpt2", readGpt2},
        {"gpt_bigcode", readBigCode},
        {"gpt_neo", readGptNeo},
        {"gpt_neox", readGptNeoX},
        {"gptj", readGptJ},
        {"granite", readLlama},
        {"helium", readLlama},
        {"internlm2", readInternLm2},
        {"llama", readLlama},
        {"ministral3", readWindowedLlama},
        {"mistral", readMistral},
        {"mpt", readMpt},
        {"nemotron",
         [](const ConfigFields& config, Transformer& m) {
             readUngated(config, m);
             m.normBias = true;
         }},
        {"olmo", readOlmo},
        {"olmo2", readOlmo2},
        {"olmo3", readOlmo3},
        {"opt", readOpt},
        {"persimmon", readPersimmon},
        {"phi", readPhi},
        {"phi3", readWindowedLlama},
        {"qwen2", readQwen2},
        {"qwen2_5_vl_text", readQwen2},
        {"qwen2_vl_text", readQwen2},
        {"qwen3", readQwen3},
        {"qwen3_vl_text", readQwen3},
        {"seed_oss", readSeedOss},
        {"smollm3", readSmolLm3},
        {"stablelm", readStableLm},
        {"starcoder2", readStarcoder2},
    };
    return families;
}

}  // namespace plumb::planner
