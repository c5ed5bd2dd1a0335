// SPDX-License-Identifier: Apache-2.0
#include "core/planner/scenario_file.h"

#include "core/io/file.h"
#include "core/io/json_type.h"
#include "core/io/unique_keys.h"
#include "core/machine/machine_json.h"
#include "core/model/config_json.h"
#include "core/planner/config_fields.h"
#include "core/planner/inputs.h"
#include "core/planner/measured_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace plumb::planner {

namespace {

using nlohmann::json;
using enum Presence;

constexpr std::string_view kPlanFormat = "plumbline.plan";
constexpr std::size_t kMostPlanBytes = std::size_t{4}
                                       << 20U;  // calibrated costs of a device are the largest part
constexpr std::int64_t kMostPlanSize = std::int64_t{1} << 26;  // vocabularies and contexts
constexpr std::int64_t kMostPlanLayers = 1 << 14;
/// Parameters that a product of sizes may stand for: far from what 63 bits overflow at.
constexpr double kMostPlanProduct = 1e17;

/// A number within what the input accepts.
template <Input input>
struct Accepted {
    template <class Value>
    static json write(Value value) {
        return value;
    }
    static auto read(const JsonField& field) {
        const InputInfo& about = info(input);
        if (about.whole)
            return static_cast<double>(
                field.count(static_cast<std::int64_t>(about.least), static_cast<std::int64_t>(about.most)));
        const double value = field.number();
        if (field.ok() && (value < about.least || value > about.most))
            field.fail(fmt::format("is {}, and {:g} to {:g} is possible", value, about.least, about.most));
        return value;
    }
    static json schema(json& /*definitions*/) {
        const InputInfo& about = info(input);
        return {
            {"type", about.whole ? "integer" : "number"}, {"minimum", about.least}, {"maximum", about.most}};
    }
};

/// The same; null stands for 0, which says that nothing was given.
template <Input input>
struct AcceptedOrNone : Accepted<input> {
    template <class Value>
    static json write(Value value) {
        return value == Value{} ? json() : json(value);
    }
    static json schema(json& definitions) { return orNull(Accepted<input>::schema(definitions)); }
};

struct ZeroStage {
    static json write(Sharding stage) { return static_cast<int>(stage); }
    static std::int64_t read(const JsonField& field) { return field.count(0, 3); }
    static json schema(json& definitions) { return Whole<0, 3>::schema(definitions); }
};

/// Enumerators by what name() calls them.
template <class Enum>
struct ByName {
    static json write(Enum value) { return name(value); }
    static Enum read(const JsonField& field) {
        const std::string text = field.text();
        std::string names;
        for (const Enum value : kEnumerators<Enum>) {
            if (name(value) == text) return value;
            names += (names.empty() ? "" : ", ") + std::string(name(value));
        }
        field.fail("is '" + text.substr(0, 40) + "', and one of " + names + " is possible");
        return Enum{};
    }
    static json schema(json& /*definitions*/) {
        json names = json::array();
        for (const Enum value : kEnumerators<Enum>) names.push_back(name(value));
        return {{"enum", std::move(names)}};
    }
};

struct ShareOfLayers {
    static json write(double share) { return share; }
    static double read(const JsonField& field) {
        const double share = field.number();
        if (field.ok() && !(share > 0 && share <= 1)) field.fail("is no share above 0 and at most 1");
        return share;
    }
    static json schema(json& /*definitions*/) {
        return {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1}};
    }
};

/// Names of what is chosen of an enumeration.
template <class Enum>
struct ChosenNames {
    using Flags = EnumArray<Enum, bool>;
    static json write(const Flags& flags) {
        json names = json::array();
        for (const Enum each : kEnumerators<Enum>)
            if (flags[each]) names.push_back(name(each));
        return names;
    }
    static Flags read(const JsonField& field) {
        Flags flags{};
        for (std::size_t i = 0; i < field.arraySize() && field.ok(); ++i)
            flags[ByName<Enum>::read(field.at(i))] = true;
        return flags;
    }
    static json schema(json& definitions) {
        return {{"type", "array"}, {"items", ByName<Enum>::schema(definitions)}, {"uniqueItems", true}};
    }
};

using PlanSize = Whole<1, kMostPlanSize>;
using PlanSizeOrNone = Whole<0, kMostPlanSize>;

/// Where a model is from; of a file of this computer its name alone.
struct SharedSource : Json<std::string> {
    static json write(const std::string& source) {
        return source.starts_with('/') ? source.substr(source.rfind('/') + 1) : source;
    }
};

/// The device with what only planning needs; a snapshot has no use for it. Which card of a computer it is, is
/// no matter of a plan.
struct PlannedDevice {
    static JsonType<Machine> type() {
        static const std::vector<JsonMember<Machine>> kMembers = [] {
            const auto common = jsonType(Of<Machine>{}).members;
            std::vector<JsonMember<Machine>> all;
            std::copy_if(common.begin(), common.end(), std::back_inserter(all),
                         [](const JsonMember<Machine>& each) {
                             return each.key != "uuid" && each.key != "device_index";
                         });
            all.push_back(member<&Machine::hostBytesPerSecond, Maybe<Positive>>(
                "host_bytes_per_s", IfSet, "The bus to the host, in one direction"));
            all.push_back(member<&Machine::multiprocessors, Maybe<Whole<1, 1 << 20>>>(
                "multiprocessors", IfSet, "Of a GPU of NVIDIA"));
            all.push_back(member<&Machine::linkedDevices, Maybe<Whole<1, 1 << 24>>>(
                "linked_devices", IfSet, "Most that its links join"));
            return all;
        }();
        return {{}, "The device with its figures; null: none was chosen", kMembers, nullptr, true};
    }
    static json write(const Machine& machine) { return writeObject(type(), machine); }
    static Machine read(const JsonField& field) {
        Machine machine;
        if (field.expectObject()) readMembers(type(), field, machine);
        return machine;
    }
    static json schema(json& definitions) { return objectSchema(type(), definitions); }
};

/// A deep linear model's options. Those that follow others are left out, and so is what says where its
/// samples are, and how many ranks it trains on, which is the layout's.
struct PlannedConfig {
    static constexpr std::array<std::string_view, 6> kPrivate{"data",          "data-format", "targets",
                                                              "data-parallel", "zero",        "tensor"};
    static json write(const RunConfig& config) {
        RunConfig shared = config;
        shared.data = RunConfig{}.data;
        shared.dataFormat = DataFormat::Auto;
        shared.targets.clear();
        json document = plumb::toJson(shared);
        for (const std::string_view key : kPrivate) document.erase(std::string(key));
        if (config.microBatch == 0) document.erase("micro-batch");
        if (!config.learningRate) document.erase("lr");
        if (!config.weightDecay) document.erase("weight-decay");
        return document;
    }
    static RunConfig read(const JsonField& field) {
        std::vector<std::string> known;
        for (const OptionInfo& option : runOptions())
            if (std::find(kPrivate.begin(), kPrivate.end(), option.name) == kPrivate.end())
                known.emplace_back(option.name);
        if (field.expectObject()) refuseOthers(field, known);
        return field.ok() ? ValidConfig::read(field) : RunConfig{};
    }
    static json schema(json& definitions) { return ValidConfig::schema(definitions); }
};

/// One of the kinds of model; the field is there when the model is of that kind.
template <class Kind, class Codec>
[[nodiscard]] JsonMember<ModelSpec> kindOf(std::string_view key, std::string_view about) {
    return {key,
            IfSet,
            about,
            [](const ModelSpec& model) { return Codec::write(std::get<Kind>(model.kind)); },
            [](const JsonField& field, ModelSpec& model) { model.kind = Codec::read(field); },
            Codec::schema,
            [](const ModelSpec& model) { return std::holds_alternative<Kind>(model.kind); }};
}

struct CountOfParameters {
    static json write(const ParameterCount& count) { return count.parameters; }
    static ParameterCount read(const JsonField& field) {
        // A plan of which no model was chosen yet has none.
        const double value = field.number();
        if (field.ok() && value > info(Input::Parameters).most)
            field.fail(fmt::format("is {}, and {:g} is the most", value, info(Input::Parameters).most));
        return {value};
    }
    static json schema(json& /*definitions*/) {
        return {{"type", "number"}, {"minimum", 0}, {"maximum", info(Input::Parameters).most}};
    }
};

void checkTransformer(const JsonField& field, Transformer& m) {
    if (!field.ok()) return;
    if (m.encoder && (m.experts || m.latent || m.patch > 0 || !m.causal))
        return field["encoder"].fail("stands beside a plain decoder alone: leave it, or the other, out");
    if (const auto contradiction = contradictionOf(m))
        return ConfigFields(field).failAt(contradiction->key, contradiction->what);
    double widest =
        static_cast<double>(m.heads) * static_cast<double>(m.headWidth) + static_cast<double>(m.inner);
    if (m.experts) {
        widest += static_cast<double>(m.experts->count) * static_cast<double>(m.experts->hidden) +
                  static_cast<double>(m.experts->sharedHidden);
    }
    if (m.encoder)
        widest +=
            static_cast<double>(m.encoder->layers) *
            (static_cast<double>(m.encoder->heads) *
                 static_cast<double>(m.encoder->headWidth + m.encoder->distances) +
             static_cast<double>(m.encoder->inner + m.encoder->positions + m.encoder->frame + m.hidden));
    if (m.latent)
        widest += static_cast<double>(m.heads) *
                  static_cast<double>(m.latent->plainWidth + m.latent->rotaryWidth + m.latent->valueWidth +
                                      m.latent->queryRank + m.latent->keyValueRank);
    const double product = static_cast<double>(m.hidden) * (static_cast<double>(m.layers) * widest +
                                                            static_cast<double>(m.vocabulary + m.positions));
    if (product > kMostPlanProduct) field.fail("is larger than the planner takes; check its sizes");
}

/// What was changed of facts and assumptions, by the keys of the inputs.
struct GivenRanges {
    using Values = EnumArray<Input, std::optional<Range>>;
    static json write(const Scenario& scenario) {
        json object = json::object();
        for (const InputInfo& about : allInputs())
            if (const auto& range = scenario.given[about.input])
                object[std::string(about.key)] = {
                    {"low", range->low}, {"expected", range->expected}, {"high", range->high}};
        return object;
    }
    static void read(const JsonField& field, Scenario& scenario) {
        static const std::vector<std::string> kEnds{"low", "expected", "high"};
        std::vector<std::string> known;
        for (const InputInfo& about : allInputs()) known.emplace_back(about.key);
        if (!field.expectObject()) return;
        refuseOthers(field, known);
        for (const InputInfo& about : allInputs()) {
            const JsonField entry = field[about.key];
            if (!field.ok() || entry.isNull()) continue;
            if (!entry.expectObject()) return;
            refuseOthers(entry, kEnds);
            const JsonField low = entry["low"], expected = entry["expected"], high = entry["high"];
            const Range range{low.number(), expected.number(), high.number()};
            if (!field.ok()) return;
            const bool choice = about.kind == InputKind::Choice;
            if (choice && !(range.low == range.expected && range.expected == range.high))
                return entry.fail("is a choice, and low, expected and high are not equal");
            Scenario tried = scenario;
            const Result<void> set =
                choice ? setInput(tried, about.input, range.expected) : setInput(tried, about.input, range);
            if (!set.has_value()) return entry.fail("cannot be used: " + set.error().text());
            if (!tried.given[about.input]) return entry.fail("has a field of its own elsewhere in a plan");
            scenario.given[about.input] = tried.given[about.input];
        }
    }
    static json schema(json& definitions) {
        json properties = json::object();
        for (const InputInfo& about : allInputs())
            if (about.kind != InputKind::Choice || isKeptAsGiven(about.input))
                properties[std::string(about.key)] = namedSchema("range", definitions, [] {
                    json schema{
                        {"type", "object"},
                        {"description",
                         "Low, expected and high value in the unit of the input; a share is from 0 to 1"},
                        {"required", {"low", "expected", "high"}},
                        {"additionalProperties", false}};
                    for (const char* end : {"low", "expected", "high"})
                        schema["properties"][end] = {{"type", "number"}, {"minimum", 0}};
                    return schema;
                });
        return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
    }
};

/// Looked at before anything else is read.
struct PlanFormat {
    static json write(const Scenario& /*scenario*/) { return kPlanFormat; }
    static void read(const JsonField& /*field*/, Scenario& /*scenario*/) {}
    static json schema(json& /*definitions*/) { return {{"const", kPlanFormat}}; }
};
struct PlanVersion {
    static json write(const Scenario& /*scenario*/) { return kPlanVersion; }
    static void read(const JsonField& /*field*/, Scenario& /*scenario*/) {}
    static json schema(json& /*definitions*/) { return {{"const", kPlanVersion}}; }
};

}  // namespace

JsonType<LatentAttention> jsonType(Of<LatentAttention> /*type*/) {
    using T = LatentAttention;
    static constexpr JsonMember<T> kMembers[]{
        member<&T::queryRank, PlanSizeOrNone>("query_rank", IfSet, "Absent: queries come from one product"),
        member<&T::keyValueRank, PlanSizeOrNone>("key_value_rank", Required, "Shared by keys and values"),
        member<&T::plainWidth, PlanSizeOrNone>("plain_width", Required,
                                               "Of a head, the part without rotation"),
        member<&T::rotaryWidth, PlanSizeOrNone>("rotary_width", Required,
                                                "Of a head, the part with rotation"),
        member<&T::valueWidth, PlanSize>("value_width", Required, "Of a head")};
    return {{}, "Multi-head latent attention", kMembers, nullptr, true};
}

JsonType<Experts> jsonType(Of<Experts> /*type*/) {
    using T = Experts;
    static constexpr JsonMember<T> kMembers[]{
        member<&T::count, PlanSize>("count", Required),
        member<&T::active, PlanSize>("active", Required, "Experts that each token goes through"),
        member<&T::hidden, PlanSize>("hidden", Required, "Inner width of an expert"),
        member<&T::shared, PlanSizeOrNone>("shared", IfSet, "Experts that see every token"),
        member<&T::sharedHidden, PlanSizeOrNone>("shared_hidden", IfSet,
                                                 "Inner width of all shared ones together"),
        member<&T::sharedGate>("shared_gate", Added, "One more row weighs the shared experts"),
        member<&T::routerBias>("router_bias", Added, "A correction for each expert"),
        member<&T::layers, Whole<0, kMostPlanLayers>>("layers", Required, "Layers that have experts")};
    return {{}, "Mixture of experts", kMembers, nullptr, true};
}

JsonType<Encoder> jsonType(Of<Encoder> /*type*/) {
    using T = Encoder;
    static constexpr JsonMember<T> kMembers[]{
        member<&T::layers, Whole<1, kMostPlanLayers>>("layers", Required),
        member<&T::heads, PlanSize>("heads", Required),
        member<&T::headWidth, PlanSize>("head_width", Required),
        member<&T::inner, PlanSize>("inner", Required, "Inner width of its feed-forward block"),
        member<&T::tokens, PlanSizeOrNone>("tokens", IfSet, "Absent: as many as the decoder has"),
        member<&T::positions, PlanSizeOrNone>("positions", IfSet, "Rows of a table of its own"),
        member<&T::frame, PlanSizeOrNone>("frame", IfSet, "Numbers of a frame of sound; absent: words"),
        member<&T::distances, PlanSizeOrNone>("distances", IfSet, "Rows of tables of relative positions"),
        member<&T::distancesEverywhere>("distances_everywhere", Added, "Each layer has such a table"),
        member<&T::keyBias>("key_bias", Added, "Where queries and values have one")};
    return {{}, "An encoder that every layer of the stack attends to", kMembers, nullptr, true};
}

JsonType<Transformer> jsonType(Of<Transformer> /*type*/) {
    using T = Transformer;
    static constexpr JsonMember<T> kMembers[]{
        member<&T::family>("family", Always, "model_type of a config.json"),
        member<&T::layers, Whole<1, kMostPlanLayers>>("layers", Required),
        member<&T::hidden, PlanSize>("hidden", Required, "Width"),
        member<&T::heads, PlanSize>("heads", Required),
        member<&T::keyValueHeads, PlanSize>("key_value_heads", Required),
        member<&T::headWidth, PlanSize>("head_width", Required),
        member<&T::inner, PlanSizeOrNone>("inner", Required, "Inner width of the feed-forward block"),
        member<&T::vocabulary, PlanSize>("vocabulary", Required),
        member<&T::positions, PlanSize>("positions", Required, "Longest sequence"),
        member<&T::slidingWindow, PlanSizeOrNone>("sliding_window", IfSet,
                                                  "Tokens looked back on; absent: all"),
        member<&T::windowedLayers, PlanSizeOrNone>("windowed_layers", IfSet, "Layers that have the window"),
        member<&T::gated>("gated", Required, "Three matrices in the feed-forward block instead of two"),
        member<&T::learnedPositions>("learned_positions", Added, "A table of positions"),
        member<&T::tiedEmbeddings>("tied_embeddings", Added, "The head is the embedding"),
        member<&T::queryBias>("query_bias", Added),
        member<&T::outputBias>("output_bias", Added),
        member<&T::innerBias>("inner_bias", Added),
        member<&T::normBias>("norm_bias", Added),
        member<&T::headNorms, ByName<HeadNorms>>("head_norms", Added, "Norms of queries and keys"),
        member<&T::normsPerLayer, PlanSizeOrNone>("norms_per_layer", Added),
        member<&T::normScale>("norm_scale", Added),
        member<&T::embeddingNorm>("embedding_norm", Added),
        member<&T::finalNorm>("final_norm", Added),
        member<&T::parallel>("parallel_blocks", Added, "Attention and feed-forward side by side"),
        member<&T::causal>("causal", Added, "Tokens see those before them"),
        member<&T::chunkedWindow>("chunked_window", Added, "Windows begin at multiples of their length"),
        member<&T::sinks>("attention_sinks", Added),
        member<&T::headBias>("head_bias", Added),
        member<&T::headLayer>("head_layer", Added, "A product and a norm before the head"),
        member<&T::spareRows, PlanSizeOrNone>("spare_positions", IfSet),
        member<&T::segments, PlanSizeOrNone>("token_types", IfSet),
        member<&T::patch, PlanSizeOrNone>("patch", IfSet, "Numbers of a patch of an image"),
        member<&T::latent>("latent_attention", IfSet),
        member<&T::experts>("experts", IfSet),
        member<&T::encoder>("encoder", IfSet),
        member<&T::predictionLayers, PlanSizeOrNone>("prediction_layers", IfSet)};
    return {{}, "A stack of equal transformer layers; sizes are elements", kMembers, checkTransformer, true};
}

JsonType<ModelSpec> jsonType(Of<ModelSpec> /*type*/) {
    static const JsonMember<ModelSpec> kMembers[]{
        member<&ModelSpec::name>("name", Always, "For people"),
        member<&ModelSpec::source, SharedSource>("source", Always, "Where its sizes are from"),
        member<&ModelSpec::remarks>("remarks", IfSet, "What its file does not say and was taken for granted"),
        kindOf<ParameterCount, CountOfParameters>("parameters", "Of a model that is a mere count"),
        kindOf<Transformer, Json<Transformer>>("transformer", ""),
        kindOf<RunConfig, PlannedConfig>("deep_linear", "Options of the deep linear model")};
    static constexpr auto kCheck = [](const JsonField& field, ModelSpec& /*model*/) {
        int kinds = 0;
        for (const char* key : {"parameters", "transformer", "deep_linear"})
            if (!field[key].isNull()) ++kinds;
        if (kinds != 1)
            field.fail(
                fmt::format("has {} of parameters, transformer and deep_linear, and one is possible", kinds));
    };
    return {{}, "What is trained: one of parameters, transformer and deep_linear", kMembers, kCheck, true};
}

JsonType<Workload> jsonType(Of<Workload> /*type*/) {
    using W = Workload;
    static constexpr JsonMember<W> kMembers[]{
        member<&W::tokens, AcceptedOrNone<Input::Tokens>>("tokens", Always,
                                                          "Of the whole training; null: not said"),
        member<&W::sequence, AcceptedOrNone<Input::Sequence>>(
            "sequence", Always, "Tokens; null: the model's longest, at most 8192"),
        member<&W::batch, AcceptedOrNone<Input::Batch>>(
            "batch", Always, "Sequences of an optimizer step; null: follows the layout"),
        member<&W::budgetFlops, AcceptedOrNone<Input::Budget>>("budget_flops", Always),
        member<&W::days, AcceptedOrNone<Input::Days>>("days", Always, "Wall time to spend"),
        member<&W::tokensPerSecond, AcceptedOrNone<Input::TokensPerSecond>>("tokens_per_second", Always,
                                                                            "Measured, of all devices")};
    return {{}, {}, kMembers, nullptr, true};
}

JsonType<Cluster> jsonType(Of<Cluster> /*type*/) {
    static constexpr JsonMember<Cluster> kMembers[]{
        member<&Cluster::device, Maybe<PlannedDevice>>("device", Always),
        member<&Cluster::devices, Accepted<Input::Devices>>("devices", Required),
        member<&Cluster::devicesPerNode, Accepted<Input::DevicesPerNode>>("devices_per_node", Required)};
    return {{}, {}, kMembers, nullptr, true};
}

JsonType<Offload> jsonType(Of<Offload> /*type*/) {
    using O = Offload;
    static constexpr JsonMember<O> kMembers[]{
        member<&O::optimizer>("optimizer", Required, "States and master copy; the host updates them"),
        member<&O::parameters>("parameters", Required, "The device's own weights"),
        member<&O::activations>("activations", Required, "What layers keep for the backward pass")};
    return {{}, {}, kMembers, nullptr, true};
}

JsonType<Recipe> jsonType(Of<Recipe> /*type*/) {
    using R = Recipe;
    static constexpr JsonMember<R> kMembers[]{
        member<&R::name>("name", Always, "For people"),
        member<&R::compute, Named<kDtypeNames>>("compute", Required, "Number format of the matrix products"),
        member<&R::weightBytes>("weight_bytes", Required, "Bytes per parameter, like the next three"),
        member<&R::gradientBytes>("gradient_bytes", Required),
        member<&R::masterBytes>("master_bytes", Required),
        member<&R::stateBytes>("state_bytes", Required),
        member<&R::activationBytes>("activation_bytes", Required, "Bytes per element"),
        member<&R::recompute, ByName<Recompute>>("recompute", Required),
        member<&R::recomputeShare, ShareOfLayers>("recompute_share", Added,
                                                  "Part of the layers that is recomputed in full"),
        member<&R::again, ChosenNames<LayerPart>>("recompute_again", Added,
                                                  "By parts: products whose results are worked out again"),
        member<&R::recomputeInterval, Accepted<Input::RecomputeInterval>>("recompute_interval", Required),
        member<&R::fusedAttention>("fused_attention", Required),
        member<&R::attentionKernel, ByName<AttentionKernel>>("attention_kernel", Added,
                                                             "Generation of a fused kernel"),
        member<&R::dropout>("dropout", Required),
        member<&R::updateFlops>("update_flops", Required, "FLOPs of the optimizer per parameter"),
        member<&R::lossChunks, Accepted<Input::LossChunks>>(
            "loss_chunks", Added, "Parts of the tokens whose logits exist at a time"),
        member<&R::offload>("offload", Added, "What lies in the host's memory")};
    return {{}, {}, kMembers, nullptr, true};
}

JsonType<Adaptation> jsonType(Of<Adaptation> /*type*/) {
    using A = Adaptation;
    static constexpr JsonMember<A> kMembers[]{
        member<&A::method, ByName<FineTuning>>("method", Required, "What is trained"),
        member<&A::rank, Accepted<Input::Rank>>("rank", Required, "Inner width of adapters"),
        member<&A::targets, ChosenNames<AdapterTarget>>("targets", Required,
                                                        "Matrices that have an adapter; all: every matrix"),
        member<&A::doubleQuantised>("double_quantised", Required,
                                    "Constants of 4-bit blocks are kept in 8 bits"),
        member<&A::frozen, ChosenNames<ModelPart>>("frozen", Required, "Parts that are not trained"),
        member<&A::frozenFrom, Whole<0, kMostPlanLayers>>("first_frozen_layer", Required, "Counted from 0"),
        member<&A::frozenLayers, Whole<0, kMostPlanLayers>>("frozen_layers", Required, "How many")};
    return {{}, {}, kMembers, nullptr, true};
}

JsonType<ParallelLayout> jsonType(Of<ParallelLayout> /*type*/) {
    using P = ParallelLayout;
    static constexpr JsonMember<P> kMembers[]{
        member<&P::tensor, Accepted<Input::Tensor>>("tensor", Required),
        member<&P::sequence>("sequence_parallel", Required),
        member<&P::pipeline, Accepted<Input::Pipeline>>("pipeline", Required),
        member<&P::chunks, Accepted<Input::Chunks>>("chunks", Required),
        member<&P::context, Accepted<Input::Context>>("context", Required),
        member<&P::expert, Accepted<Input::Expert>>("expert", Required),
        member<&P::sharding, ZeroStage>("zero", Required, "Stage of ZeRO; 3 is FSDP"),
        member<&P::shardGroup, AcceptedOrNone<Input::ShardGroup>>(
            "shard_group", Added, "Devices that share, groups of them being replicas; null: all"),
        member<&P::microBatch, Accepted<Input::MicroBatch>>("micro_batch", Required)};
    return {{}, {}, kMembers, nullptr, true};
}

JsonType<Scenario> jsonType(Of<Scenario> /*type*/) {
    static constexpr JsonMember<Scenario> kMembers[]{
        custom<Scenario, PlanFormat>("format", Required),
        custom<Scenario, PlanVersion>("version", Required,
                                      "Grows when a reader of the version before would misread the file"),
        member<&Scenario::model>("model", Required),
        member<&Scenario::workload>("workload", Required),
        member<&Scenario::cluster>("cluster", Required),
        member<&Scenario::recipe>("recipe", Required),
        member<&Scenario::parallel>("layout", Required),
        member<&Scenario::software, ByName<Software>>("software", Added, "What runs the training"),
        member<&Scenario::adaptation>("training", Added, "What of the model is trained"),
        custom<Scenario, GivenRanges>("given", Always, "Facts and assumptions that were changed"),
        JsonMember<Scenario>{"measured", IfSet, "A step that was measured, which answers rest on",
                             MeasurementField::write, MeasurementField::read, MeasurementField::schema,
                             MeasurementField::isSet}};
    return {"plan", "A plan of Plumbline: everything that its answers go by", kMembers, nullptr, true};
}

std::string scenarioToText(const Scenario& scenario) {
    return dumpJson(plumb::toJson<Scenario>(scenario), 1) + "\n";
}

Result<Scenario> scenarioFromText(std::string_view text, const std::string& what) {
    PLUMB_TRY(const json document, parseJson(text, what));
    PLUMB_CHECK(checkUniqueKeys(text, what));
    JsonField::Problem problem;
    const JsonField root(document, "", problem);
    const JsonField format = root["format"], version = root["version"];
    if (format.isNull() || !format.json()->is_string() ||
        format.json()->get_ref<const std::string&>() != kPlanFormat)
        return badFile(
            what, fmt::format("is not a plan of Plumbline (its \"format\" is not \"{:s}\")", kPlanFormat),
            "give a file that plan save wrote");
    const std::int64_t number = version.count(1);
    if (!problem && number > kPlanVersion)
        return badFile(what, fmt::format("was written by a newer version ({})", number), "update Plumbline");
    Scenario scenario;
    if (!problem) readMembers(root, scenario);
    if (problem)
        return Error{ErrorCode::BadInput, fmt::format("{}: {}", what, problem->message), problem->hint};
    return scenario;
}

Result<void> writeScenario(const std::string& path, const Scenario& scenario) {
    if (!path.ends_with(kPlanSuffix))
        return Error{ErrorCode::BadInput, fmt::format("this is no name of a plan ({})", path),
                     fmt::format("give one that ends in {}", kPlanSuffix)};
    return writeFileAtomically(path, scenarioToText(scenario));
}

Result<Scenario> readScenario(const std::string& path) {
    PLUMB_TRY(const std::string text, readFile(path, kMostPlanBytes));
    return scenarioFromText(text, path);
}

bool looksLikeScenario(std::string_view start) {
    const std::size_t key = start.find(R"("format")");
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    if (key == std::string_view::npos || first == std::string_view::npos || start[first] != '{') return false;
    const std::string value = fmt::format("\"{}\"", kPlanFormat);
    const std::size_t colon =
        start.find_first_not_of(" \t\r\n:", key + std::string_view(R"("format")").size());
    return colon != std::string_view::npos && start.substr(colon).starts_with(value);
}

json scenarioSchema() {
    json definitions = json::object();
    json schema = objectSchema<Scenario>(definitions);
    schema["$defs"] = std::move(definitions);
    return schema;
}

}  // namespace plumb::planner
