// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace plumb::planner {

/// Multi-head latent attention (DeepSeek): queries, keys and values pass through narrow products.
struct LatentAttention {
    std::int64_t queryRank = 0;     ///< 0: queries come from one product, at full width
    std::int64_t keyValueRank = 0;  ///< shared by keys and values
    std::int64_t plainWidth = 0;    ///< width of a query or key head, the part without rotation
    std::int64_t rotaryWidth = 0;   ///< the part with rotation; one key of it for all heads
    std::int64_t valueWidth = 0;    ///< width of a head
    bool operator==(const LatentAttention&) const = default;
};

/// Mixture of experts: in some layers each token goes through a few of many feed-forward blocks.
struct Experts {
    std::int64_t count = 0;
    std::int64_t active = 0;        ///< per token
    std::int64_t hidden = 0;        ///< inner width of one expert
    std::int64_t shared = 0;        ///< experts that see every token
    std::int64_t sharedHidden = 0;  ///< inner width of all shared experts together
    bool sharedGate = false;        ///< one more row that weighs the shared experts (Qwen2-MoE)
    bool routerBias = false;        ///< one number an expert, or a correction of it (DeepSeek-V3), which
                                    ///< is a parameter of the checkpoint
    std::int64_t layers = 0;        ///< how many layers have experts; the others have a plain block
    bool operator==(const Experts&) const = default;
};

/// An encoder beside the stack of decoder layers, each of which has a second attention: its queries are of
/// the decoder's tokens, its keys and values of the encoder's last layer (T5, BART, Whisper). What is not
/// here is as in the decoder: width, biases, gates and norms, two a layer; a decoder layer has one more.
struct Encoder {
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t headWidth = 0;
    std::int64_t inner = 0;      ///< inner width of its feed-forward block
    std::int64_t tokens = 0;     ///< of each sequence (Whisper: 1500); 0: as many as the decoder has
    std::int64_t positions = 0;  ///< rows of a table of its own; 0: none
    /// Numbers of a frame of sound, of which two convolutions over three make a token of every second; 0: it
    /// reads words, by the decoder's embedding.
    std::int64_t frame = 0;
    std::int64_t distances = 0;  ///< rows of tables of relative positions, as wide as there are heads (T5)
    bool distancesEverywhere = false;  ///< each layer has one (UMT5), not the first of each stack alone
    bool keyBias = true;               ///< keys have a bias where queries and values do
    bool operator==(const Encoder&) const = default;
};

/// Norms of queries and keys, before they meet.
enum class HeadNorms : std::uint8_t {
    None,
    Shared,  ///< one of a head's width for all heads of a layer (Qwen3, Gemma 3); has a bias where norms do
    Whole,   ///< over all heads together (OLMo 2), or one of each head (Command R+); without bias
};

constexpr HeadNorms lastOf(HeadNorms /*type*/) { return HeadNorms::Whole; }
[[nodiscard]] std::string_view name(HeadNorms norms);  ///< "none", "shared", "whole"

/// A stack of equal transformer layers: decoders, encoders that predict masked tokens, and those of images.
/// Sizes are elements; every parameter of the published model follows from them.
struct Transformer {
    std::string family;  ///< config.json's model_type: "llama"
    std::int64_t layers = 0;
    std::int64_t hidden = 0;
    std::int64_t heads = 0;
    std::int64_t keyValueHeads = 0;  ///< below `heads`: grouped queries; 1: multi-query
    std::int64_t headWidth = 0;
    std::int64_t inner = 0;       ///< inner width of the feed-forward block
    std::int64_t vocabulary = 0;  ///< words, or classes where a sequence is an image
    std::int64_t patch = 0;       ///< numbers of a patch that a product embeds (ViT): a sequence is an image
                                  ///< of `positions` tokens, one of them its class, and has one answer
    std::int64_t positions = 0;   ///< longest sequence
    std::int64_t slidingWindow = 0;   ///< tokens that a token looks back on; 0: all
    std::int64_t windowedLayers = 0;  ///< how many layers look back on the window only
    bool chunkedWindow = false;       ///< they look back to the last multiple of the window (Llama 4)
    bool causal = true;               ///< tokens see those before them; without: all (BERT)
    bool gated = true;                ///< three matrices in the feed-forward block instead of two
    bool learnedPositions = false;    ///< a table of positions x hidden
    std::int64_t spareRows = 0;       ///< rows of that table that no position uses (OPT: 2)
    std::int64_t segments = 0;        ///< rows of a table of token types (BERT: 2)
    bool tiedEmbeddings = false;      ///< the head is the embedding
    bool headBias = false;            ///< one number a word
    bool headLayer = false;           ///< a product of hidden x hidden and a norm before the head (BERT)
    bool queryBias = false;           ///< bias of queries, keys and values
    bool outputBias = false;          ///< bias of the attention's output product
    bool innerBias = false;           ///< bias of the feed-forward block
    bool normScale = true;            ///< norms have a scale (OLMo's have none)
    bool normBias = false;            ///< norms have a bias: layer norm
    HeadNorms headNorms = HeadNorms::None;
    bool sinks = false;              ///< one number of each head that takes attention (GPT-OSS)
    bool parallel = false;           ///< attention and feed-forward side by side (PaLM, GPT-J)
    std::int64_t normsPerLayer = 2;  ///< parallel blocks can share one; 4: before and after both blocks
    bool embeddingNorm = false;      ///< one more of the embedding (BLOOM)
    bool finalNorm = true;           ///< one more before the head
    std::optional<LatentAttention> latent;
    std::optional<Experts> experts;
    std::optional<Encoder> encoder;     ///< then the stack is the decoder's
    std::int64_t predictionLayers = 0;  ///< extra layers that predict further tokens; not counted

    bool operator==(const Transformer&) const = default;
    [[nodiscard]] std::int64_t queryWidth() const;  ///< width of all heads
    [[nodiscard]] std::int64_t keyWidth() const;    ///< width of all key heads, without sharing by rank
    [[nodiscard]] std::int64_t valueWidth() const;  ///< width of what goes into the output product
    [[nodiscard]] std::int64_t expertLayers() const { return experts ? experts->layers : 0; }
    [[nodiscard]] std::int64_t normSize() const;    ///< parameters of one norm of hidden width
    [[nodiscard]] std::int64_t headExtras() const;  ///< parameters of the head beside vocabulary x hidden
};

/// Parameters by what they are for; the sum of the parts is the total, exactly.
struct ParameterCounts {
    std::int64_t embedding = 0;
    std::int64_t positions = 0;  ///< with token types
    std::int64_t attention = 0;
    std::int64_t feedForward = 0;  ///< parameters of the feed-forward block in layers without experts
    std::int64_t experts = 0;      ///< all of them
    std::int64_t shared = 0;
    std::int64_t router = 0;
    std::int64_t norms = 0;
    std::int64_t head = 0;  ///< without the matrix when that is tied to the embedding
    std::int64_t total = 0;
    std::int64_t active = 0;  ///< that one token meets: of the experts only the active ones
    /// Weights that one token is multiplied with: active, with the head (tied or not), without embedding,
    /// positions, norms and biases. 2 FLOPs forward and 4 backward for each. Of images the embedding of
    /// patches instead of the head, which an image meets once. With an encoder those that a token of either
    /// stack meets, without its convolutions.
    std::int64_t multiplied = 0;
};
[[nodiscard]] ParameterCounts countParameters(const Transformer& model);

/// The stack of layers without its encoder, which is the model itself where that has none.
[[nodiscard]] Transformer decoderStack(const Transformer& model);
/// The encoder's layers as a stack that sees all of its tokens and has neither embedding nor head. Pre: there
/// is one.
[[nodiscard]] Transformer encoderStack(const Transformer& model);
/// Tokens of the encoder beside a sequence of the decoder; 0 without one.
[[nodiscard]] std::int64_t encoderTokens(const Transformer& model, std::int64_t sequence);
/// Multiply-adds of the convolutions for a token of the encoder.
[[nodiscard]] double convolutionsPerToken(const Transformer& model);

/// Entries of the matrices alone, by what they are for, without biases and norms: what adapters stand beside
/// and what a frozen base keeps in few bits. The embedding is that of patches, since words are looked up.
struct MatrixCounts {
    std::int64_t patches = 0;
    std::int64_t attention = 0;
    std::int64_t feedForward = 0;
    std::int64_t experts = 0;        ///< all of them
    std::int64_t activeExperts = 0;  ///< those that one token meets
    std::int64_t shared = 0;         ///< with the row that weighs them
    std::int64_t router = 0;
    std::int64_t head = 0;  ///< tied or not; of images, whose head runs once, too
    /// What a token is multiplied with in the layers.
    [[nodiscard]] std::int64_t inLayers() const {
        return attention + feedForward + activeExperts + shared + router;
    }
};
[[nodiscard]] MatrixCounts countMatrices(const Transformer& model);

/// What a description calls the sizes that can contradict each other; by default as a plan's file does.
struct SizeKeys {
    std::string_view heads = "heads";
    std::string_view keyValueHeads = "key_value_heads";
    std::string_view inner = "inner";
    std::string_view window = "sliding_window";
    std::string_view windowedLayers = "windowed_layers";
    std::string_view activeExperts = "experts.active";
    std::string_view expertLayers = "experts.layers";
};
/// Sizes that no model can have together.
struct Contradiction {
    std::string_view key;  ///< of SizeKeys
    std::string what;      ///< with the remedy: "is 7, which does not divide heads 32: give a divisor of it"
};
/// The first one found; nothing of a model that can be.
[[nodiscard]] std::optional<Contradiction> contradictionOf(const Transformer& model,
                                                           const SizeKeys& keys = {});

/// A model known by its number of parameters alone.
struct ParameterCount {
    double parameters = 0;
    bool operator==(const ParameterCount&) const = default;
};

/// What is to be trained.
struct ModelSpec {
    std::string name;    ///< "Llama 3 70B", "deep linear, 16 layers of 1024", "70e9 parameters"
    std::string source;  ///< "given", "preset llama-3-70b: ...", "config.json: PATH"
    std::variant<ParameterCount, Transformer, RunConfig> kind;  ///< RunConfig: the deep linear model
    /// What was taken for granted where its file does not say it, as sentences; answers say them.
    std::vector<std::string> remarks;

    [[nodiscard]] const Transformer* transformer() const { return std::get_if<Transformer>(&kind); }
    [[nodiscard]] const RunConfig* linear() const { return std::get_if<RunConfig>(&kind); }
    [[nodiscard]] const ParameterCount* count() const { return std::get_if<ParameterCount>(&kind); }
    [[nodiscard]] double parameters() const;  ///< 0 when nothing was chosen
};
[[nodiscard]] ModelSpec modelOfCount(double parameters);
[[nodiscard]] ModelSpec modelOf(const RunConfig& config);

/// A Hugging Face config.json of a known family, or our own description of a stack that no family covers
/// (model_type "plumbline-generic", docs/planner.md). Of a model of several parts the text part is read
/// (text_config, or the top of the file where those models have it there). Errors: BadInput for JSON that is
/// none, an unknown model_type (with the known ones), a family that the planner's arithmetic does not fit
/// (with the reason), and a missing or unusable field, by name; nothing is guessed, and a default is taken
/// only where the family's own configuration class has one that the model files leave out. Files of several
/// parts leave out whatever their class has; what was taken of it is a remark.
[[nodiscard]] Result<ModelSpec> modelFromConfig(std::string_view json, const std::string& source);

/// Every model_type that modelFromConfig() reads, in alphabetical order.
[[nodiscard]] std::vector<std::string> knownFamilies();

/// A model by a short name; the same reader of config.json stands behind it.
struct ModelPreset {
    std::string key;    ///< "llama-3-70b"
    std::string label;  ///< "Llama 3 70B"
    std::string group;  ///< "Llama 3", for menus
    std::string source;
    ModelSpec model;
};
/// Those of resources/models.json, in its order.
[[nodiscard]] const std::vector<ModelPreset>& modelPresets();
/// Any unambiguous part of key or label, case-insensitively. Errors: BadInput with the candidates.
[[nodiscard]] Result<ModelSpec> findModel(std::string_view part);

}  // namespace plumb::planner
