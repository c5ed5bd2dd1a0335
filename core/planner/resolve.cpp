// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"
#include "core/planner/inputs.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::planner {

namespace {

constexpr std::int64_t kDefaultSequence = 8192;
constexpr std::int64_t kMicroBatchesPerStage = 4;  // a bubble of a fifth at most, when nothing is said

Error indivisible(std::string_view what, std::int64_t whole, std::string_view by, std::int64_t parts,
                  std::string remedy) {
    return {ErrorCode::BadInput, fmt::format("{} {} cannot be divided by {} {}", what, whole, by, parts),
            std::move(remedy)};
}

/// The largest divisor of `whole` that is at most `wanted`.
std::int64_t divisorBelow(std::int64_t whole, std::int64_t wanted) {
    std::int64_t best = std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(whole, 1));
    while (best > 1 && whole % best != 0) --best;
    return best;
}

/// Devices that share, of those that could.
Result<std::int64_t> shardGroupOf(const ParallelLayout& layout, std::int64_t all) {
    if (layout.shardGroup == 0) return all;
    if (layout.shardGroup < 1 || all % layout.shardGroup != 0)
        return indivisible("data-parallel devices", all, "shard-group", layout.shardGroup,
                           fmt::format("give --shard-group {}", divisorBelow(all, layout.shardGroup)));
    if (layout.shardGroup % layout.expert != 0)
        return indivisible("shard-group", layout.shardGroup, "expert", layout.expert,
                           "give a shard group that holds all experts");
    return layout.shardGroup;
}

Result<void> checkModel(const Transformer& m, const ParallelLayout& layout, std::int64_t data,
                        std::int64_t sequence) {
    if (m.heads % layout.tensor != 0)
        return indivisible("heads", m.heads, "tensor", layout.tensor,
                           fmt::format("give --tensor {}", divisorBelow(m.heads, layout.tensor)));
    const std::int64_t chunks = layout.pipeline * layout.chunks;
    // Embedding and head can be chunks of their own, and the last chunks can have a layer less than the
    // others.
    if (chunks > m.layers + 2)
        return Error{ErrorCode::BadInput,
                     fmt::format("{} layers do not fill {} pipeline chunks", m.layers, chunks),
                     fmt::format("give at most {} stages times chunks", m.layers + 2)};
    if (layout.expert > 1 && !m.experts)
        return Error{ErrorCode::BadInput,
                     fmt::format("this model has no experts to share (--expert {})", layout.expert),
                     "leave --expert out"};
    if (m.experts && m.experts->count % layout.expert != 0)
        return indivisible("experts", m.experts->count, "expert", layout.expert,
                           fmt::format("give --expert {}", divisorBelow(m.experts->count, layout.expert)));
    if (data * layout.context % layout.expert != 0)
        return indivisible(
            "data-parallel devices", data * layout.context, "expert", layout.expert,
            fmt::format("give --expert {}", divisorBelow(data * layout.context, layout.expert)));
    if (sequence % layout.context != 0)
        return indivisible("sequence", sequence, "context", layout.context,
                           fmt::format("give --context {}", divisorBelow(sequence, layout.context)));
    return {};
}

/// What is not modelled of an encoder with a decoder.
Result<void> checkTwoStacks(const Transformer& m, const ParallelLayout& layout, const Recipe& recipe) {
    if (!m.encoder) return {};
    for (const auto& [degree, what] :
         {std::pair{layout.tensor, "tensor"}, std::pair{layout.pipeline, "pipeline"},
          std::pair{layout.context, "context"}})
        if (degree > 1)
            return Error{
                ErrorCode::BadInput,
                fmt::format("an encoder with a decoder is planned with data parallelism alone, whole "
                            "or sharded (--{} {})",
                            what, degree),
                fmt::format("leave --{} out; --zero 3 spreads its weights", what)};
    if (goesByParts(recipe))
        return Error{ErrorCode::BadInput,
                     fmt::format("an encoder with a decoder is recomputed by whole layers alone (--recompute "
                                 "{})",
                                 name(recipe.recompute)),
                     "give --recompute none, selective or full"};
    if (recipe.offload.any())
        return Error{ErrorCode::BadInput,
                     "what an encoder with a decoder would keep on the host is not known (--offload)",
                     "leave --offload out"};
    return {};
}

Result<void> checkRecompute(const Recipe& recipe) {
    if (recipe.recompute != Recompute::Selective || !recipe.fusedAttention) return {};
    return Error{
        ErrorCode::BadInput,
        "selective recomputation drops attention scores, which a fused attention kernel never stores "
        "(--recompute selective)",
        "give --recompute none for the same memory, alternate, per-op or full for less, or "
        "--fused-attention off"};
}

}  // namespace

std::string_view name(Software software) {
    constexpr EnumArray<Software, std::string_view> kNames{{"eager", "compiled", "fused", "xla"}};
    return kNames[software];
}

Recipe effectiveRecipe(const Scenario& scenario) {
    if (const RunConfig* config = scenario.model.linear()) return recipeOf(*config);
    Recipe recipe = scenario.recipe;
    const auto& given = scenario.given[Input::BytesPerParameter];
    const double own = recipe.bytesPerParameter();
    if (!given || own <= 0) return recipe;
    const double factor = given->expected / own;
    recipe.weightBytes *= factor;
    recipe.gradientBytes *= factor;
    recipe.masterBytes *= factor;
    recipe.stateBytes *= factor;
    return recipe;
}

Dtype computeDtype(const Scenario& scenario) {
    const RunConfig* config = scenario.model.linear();
    return config != nullptr ? config->computeDtype() : scenario.recipe.compute;
}

void chooseLinear(Scenario& scenario, const RunConfig& config) {
    scenario.model = modelOf(config);
    scenario.recipe = recipeOf(config);
    scenario.parallel = ParallelLayout{};
    scenario.parallel.sharding = Sharding::None;
    scenario.workload.sequence = 0;
    scenario.given[Input::BytesPerParameter].reset();
}

Result<void> chooseRecipe(Scenario& scenario, std::string_view key) {
    PLUMB_TRY(NamedRecipe named, findRecipe(key));
    if (const RunConfig* config = scenario.model.linear()) {
        if (!named.rule) {
            std::string usable;
            for (const NamedRecipe& other : namedRecipes())
                if (other.rule) usable += fmt::format("{}{}", usable.empty() ? "" : ", ", other.key);
            return Error{
                ErrorCode::BadInput,
                fmt::format("the deep linear model has no training by {} (--recipe {})", named.label, key),
                fmt::format("choose one of {}", usable)};
        }
        const RunConfig trained = withRule(*config, *named.rule);
        PLUMB_CHECK(validate(trained));
        scenario.model.kind = trained;
        named.recipe = recipeOf(trained);
        named.recipe.name = std::string(named.label);
    }
    computationOf(named.recipe) = computationOf(scenario.recipe);
    scenario.recipe = std::move(named.recipe);
    resetInput(scenario, Input::BytesPerParameter);
    return {};
}

std::int64_t sequenceOf(const Scenario& scenario) {
    const Transformer* model = scenario.model.transformer();
    if (model == nullptr) return 1;
    if (scenario.workload.sequence > 0) return scenario.workload.sequence;
    if (model->patch > 0) return model->positions;
    return std::min(model->positions, kDefaultSequence);
}

Result<void> checkTraining(const Scenario& scenario) {
    PLUMB_CHECK(checkAdaptation(scenario.model, scenario.adaptation));
    if (scenario.adaptation.trainsAll() || !scenario.given[Input::BytesPerParameter]) return {};
    return Error{ErrorCode::BadInput,
                 fmt::format("one number of bytes for each parameter cannot be where some are frozen "
                             "(--bytes-per-parameter {:g})",
                             scenario.given[Input::BytesPerParameter]->expected),
                 "leave it out, and give --recipe for what is trained"};
}

Result<void> checkSequence(const Scenario& scenario) {
    const Transformer* model = scenario.model.transformer();
    const std::int64_t sequence = sequenceOf(scenario);
    if (model != nullptr && model->patch > 0 && sequence != model->positions)
        return Error{ErrorCode::BadInput,
                     fmt::format("an image is {} tokens of this model, no more and no less (--sequence {})",
                                 model->positions, sequence),
                     "leave --sequence out"};
    if (model == nullptr || !model->learnedPositions || sequence <= model->positions) return {};
    return Error{
        ErrorCode::BadInput,
        fmt::format("the model has {} positions and no more (--sequence {})", model->positions, sequence),
        fmt::format("give at most {}", model->positions)};
}

Result<ResolvedLayout> resolve(const Scenario& scenario) {
    PLUMB_CHECK(checkTraining(scenario));
    const ParallelLayout& layout = scenario.parallel;
    const std::int64_t devices = scenario.cluster.devices;
    for (const auto& [value, what] :
         {std::pair{devices, "devices"}, std::pair{layout.tensor, "tensor"},
          std::pair{layout.pipeline, "pipeline"}, std::pair{layout.context, "context"},
          std::pair{layout.expert, "expert"}, std::pair{layout.chunks, "chunks"},
          std::pair{layout.microBatch, "micro-batch"}})
        if (value < 1)
            return Error{ErrorCode::BadInput, fmt::format("--{} cannot be used ({})", what, value),
                         "give a whole number of at least 1"};
    const std::int64_t each = mulOrOverflow(mulOrOverflow(layout.tensor, layout.pipeline), layout.context);
    if (each < 1 || devices % each != 0)
        return indivisible("devices", devices, "tensor times pipeline times context", each,
                           fmt::format("give {} devices",
                                       std::max<std::int64_t>(1, devices / std::max<std::int64_t>(1, each)) *
                                           std::max<std::int64_t>(1, each)));
    if (layout.chunks > 1 && layout.pipeline == 1)
        return Error{ErrorCode::BadInput,
                     fmt::format("one stage has nothing to interleave (--chunks {})", layout.chunks),
                     "leave --chunks out, or give --pipeline"};
    ResolvedLayout resolved;
    resolved.data = devices / each;
    PLUMB_TRY(resolved.shardGroup, shardGroupOf(layout, resolved.data * layout.context));
    if (const Transformer* model = scenario.model.transformer()) {
        PLUMB_CHECK(checkSequence(scenario));
        resolved.sequence = sequenceOf(scenario);
        PLUMB_CHECK(checkRecompute(scenario.recipe));
        PLUMB_CHECK(checkTwoStacks(*model, layout, scenario.recipe));
        PLUMB_CHECK(checkModel(*model, layout, resolved.data, resolved.sequence));
        resolved.layersPerStage = (model->layers + layout.pipeline - 1) / layout.pipeline;
    } else if (scenario.model.linear() != nullptr && (each != 1 || layout.expert != 1)) {
        return Error{ErrorCode::BadInput, "the deep linear model is planned with data parallelism alone",
                     "leave tensor, pipeline, context and expert parallelism out"};
    }
    const std::int64_t once = mulOrOverflow(resolved.data, layout.microBatch);
    resolved.batch = scenario.workload.batch;
    if (resolved.batch == 0)
        resolved.batch =
            mulOrOverflow(once, layout.pipeline > 1 ? kMicroBatchesPerStage * layout.pipeline : 1);
    if (const RunConfig* config = scenario.model.linear(); config != nullptr && scenario.workload.batch == 0)
        resolved.batch = config->batch;
    if (scenario.model.linear() != nullptr) {
        if (resolved.batch % resolved.data != 0)
            return indivisible("batch", resolved.batch, "devices", resolved.data,
                               fmt::format("give {} devices", divisorBelow(resolved.batch, resolved.data)));
        return resolved;
    }
    if (once < 1 || resolved.batch < 1 || resolved.batch % once != 0)
        return indivisible(
            "batch", resolved.batch, "data-parallel devices times micro-batch", once,
            fmt::format("give --batch {}",
                        once < 1 ? 1 : std::max<std::int64_t>(1, (resolved.batch + once / 2) / once) * once));
    resolved.microBatches = resolved.batch / once;
    return resolved;
}

Scenario withBatchHeld(Scenario scenario) {
    if (scenario.workload.batch != 0) return scenario;
    if (const auto layout = resolve(scenario); layout.has_value()) scenario.workload.batch = layout->batch;
    return scenario;
}

}  // namespace plumb::planner
