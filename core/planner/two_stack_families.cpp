// SPDX-License-Identifier: Apache-2.0
#include "core/planner/config_fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::planner {

namespace {

/// Heads of a width of their own, biases nowhere, and tables of relative positions. `gated`: what the block
/// is without feed_forward_proj.
void readT5(const ConfigFields& config, Transformer& m, bool gated, bool everywhere) {
    m.hidden = config.size("d_model", kMostWidth);
    m.heads = m.keyValueHeads = config.size("num_heads", kMostWidth);
    m.headWidth = config.size("d_kv", kMostWidth);
    m.inner = config.size("d_ff", kMostWidth);
    m.vocabulary = config.size("vocab_size", kMostVocabulary);
    m.positions = config.sizeOr("n_positions", kMostPositions, 512);
    Encoder encoder{.layers = config.size("num_layers", kMostLayers),
                    .heads = m.heads,
                    .headWidth = m.headWidth,
                    .inner = m.inner,
                    .distances = config.sizeOr("relative_attention_num_buckets", kMostWidth, 32),
                    .distancesEverywhere = everywhere};
    m.layers = config.sizeOr("num_decoder_layers", kMostLayers, encoder.layers);
    m.encoder = encoder;
    m.tiedEmbeddings = config.flagOr("tie_word_embeddings", true);
    const JsonField block = config.root()["feed_forward_proj"];
    m.gated = block.isNull() ? gated : block.text().starts_with("gated-");
}

/// BART and Whisper: sizes of both stacks by name, biases everywhere, norms with a bias.
void readNamedStacks(const ConfigFields& config, Transformer& m) {
    m.hidden = config.size("d_model", kMostWidth);
    m.vocabulary = config.size("vocab_size", kMostVocabulary);
    m.layers = config.size("decoder_layers", kMostLayers);
    m.heads = m.keyValueHeads = config.size("decoder_attention_heads", kMostWidth);
    m.inner = config.size("decoder_ffn_dim", kMostWidth);
    Encoder encoder{.layers = config.size("encoder_layers", kMostLayers),
                    .heads = config.size("encoder_attention_heads", kMostWidth),
                    .inner = config.size("encoder_ffn_dim", kMostWidth)};
    for (const auto& [key, heads] :
         {std::pair{"encoder_attention_heads", encoder.heads}, std::pair{"decoder_attention_heads", m.heads}})
        if (m.hidden % std::max<std::int64_t>(heads, 1) != 0)
            config.fail(key, fmt::format("is {}, which does not divide d_model {}", heads, m.hidden));
    m.headWidth = m.hidden / std::max<std::int64_t>(m.heads, 1);
    encoder.headWidth = m.hidden / std::max<std::int64_t>(encoder.heads, 1);
    m.encoder = encoder;
    m.tiedEmbeddings = config.flagOr("tie_word_embeddings", true);
    m.gated = false;
    m.learnedPositions = m.normBias = m.queryBias = m.outputBias = m.innerBias = true;
}

/// Two rows of either table of positions are spare. `finalNorm`: norms before the blocks, and one behind each
/// stack (mBART).
void readBart(const ConfigFields& config, Transformer& m, bool finalNorm) {
    readNamedStacks(config, m);
    m.positions = config.size("max_position_embeddings", kMostPositions);
    m.spareRows = 2;
    m.encoder->positions = m.positions + m.spareRows;
    m.embeddingNorm = true;
    m.finalNorm = finalNorm;
}

/// Half a minute of sound is 1500 tokens, whatever is said in it.
void readWhisper(const ConfigFields& config, Transformer& m) {
    readNamedStacks(config, m);
    m.positions = config.size("max_target_positions", kMostPositions);
    m.encoder->tokens = m.encoder->positions = config.size("max_source_positions", kMostPositions);
    m.encoder->frame = config.size("num_mel_bins", kMostWidth);
    m.encoder->keyBias = false;
}

}  // namespace

const std::vector<ModelFamily>& twoStackFamilies() {
    static const std::vector<ModelFamily> families{
        {"bart", [](const ConfigFields& c, Transformer& m) { readBart(c, m, false); }},
        {"mbart", [](const ConfigFields& c, Transformer& m) { readBart(c, m, true); }},
        {"mt5", [](const ConfigFields& c, Transformer& m) { readT5(c, m, true, false); }},
        {"t5", [](const ConfigFields& c, Transformer& m) { readT5(c, m, false, false); }},
        {"umt5", [](const ConfigFields& c, Transformer& m) { readT5(c, m, true, true); }},
        {"whisper", readWhisper},
    };
    return families;
}

}  // namespace plumb::planner
