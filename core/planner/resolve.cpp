// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"
#include "core/planner/inputs.h"
#include "core/planner/layout_conflict.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::planner {

namespace {

constexpr std::int64_t kDefaultSequence = 8192;
/// "--tensor 4 and --context 2", "64 devices", or what to leave out where no numbers are near.
std::string remedyOf(const LayoutFacts& facts) {
    std::string give, leave;
    for (const auto& [input, value] : fixesOf(facts)) {
        const std::string_view key = info(input).key;
        if (input == Input::ShardGroup && value == 0) {
            leave = fmt::format("leave --{} out", key);
            continue;
        }
        give += give.empty() ? "give " : " and ";
        give +=
            input == Input::Devices ? fmt::format("{} devices", value) : fmt::format("--{} {}", key, value);
    }
    if (!give.empty() || !leave.empty())
        return give + (give.empty() || leave.empty() ? "" : ", and ") + leave;
    return "leave --tensor, --pipeline, --chunks, --context, --expert, --shard-group and --batch out";
}

std::string indivisible(std::string_view what, std::int64_t whole, std::string_view by, std::int64_t parts) {
    return fmt::format("{} {} cannot be divided by {} {}", what, whole, by, parts);
}

std::string conflictText(LayoutConflict conflict, const LayoutFacts& facts) {
    const ParallelLayout& p = facts.layout;
    const std::int64_t each = facts.each();
    const std::int64_t data = each > 0 ? facts.devices / each : 0;
    switch (conflict) {
    case LayoutConflict::Devices:
        return indivisible("devices", facts.devices, "tensor times pipeline times context", each);
    case LayoutConflict::Chunks:
        return fmt::format("one stage has nothing to interleave (--chunks {})", p.chunks);
    case LayoutConflict::ShardGroup:
        return indivisible("data-parallel devices", data * p.context, "shard-group", p.shardGroup);
    case LayoutConflict::ShardedExperts:
        return indivisible("shard-group", p.shardGroup, "expert", p.expert);
    case LayoutConflict::Heads:
        return indivisible("heads", facts.model->heads, "tensor", p.tensor);
    case LayoutConflict::Layers:
        return fmt::format("{} layers do not fill {} pipeline chunks", facts.model->layers,
                           mulOrOverflow(p.pipeline, p.chunks));
    case LayoutConflict::NoExperts:
        return fmt::format("this model has no experts to share (--expert {})", p.expert);
    case LayoutConflict::Experts:
        return indivisible("experts", facts.model->experts->count, "expert", p.expert);
    case LayoutConflict::DataExperts:
        return indivisible("data-parallel devices", data * p.context, "expert", p.expert);
    case LayoutConflict::Sequence:
        return indivisible("sequence", facts.sequence, "context", p.context);
    case LayoutConflict::LinearLayout:
        return "the deep linear model is planned with data parallelism alone";
    case LayoutConflict::LinearBatch:
        return indivisible("batch", facts.batchOfStep(), "devices", data);
    case LayoutConflict::Batch:
        return indivisible("batch", facts.batchOfStep(), "data-parallel devices times micro-batch",
                           mulOrOverflow(data, p.microBatch));
    }
    return {};
}

Error conflictError(LayoutConflict conflict, const LayoutFacts& facts) {
    std::string remedy;
    switch (conflict) {
    case LayoutConflict::Chunks:
        remedy = "leave --chunks out, or give --pipeline";
        break;
    case LayoutConflict::NoExperts:
        remedy = "leave --expert out";
        break;
    case LayoutConflict::LinearLayout:
        remedy = "leave tensor, pipeline, context and expert parallelism out";
        break;
    default:
        remedy = remedyOf(facts);
    }
    return {ErrorCode::BadInput, conflictText(conflict, facts), std::move(remedy)};
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
                fmt::format("choose one of {:s}", usable)};
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
    const Transformer* const model = scenario.model.transformer();
    const RunConfig* const config = scenario.model.linear();
    if (model != nullptr) {
        PLUMB_CHECK(checkSequence(scenario));
        PLUMB_CHECK(checkRecompute(scenario.recipe));
        PLUMB_CHECK(checkTwoStacks(*model, layout, scenario.recipe));
    }
    const LayoutFacts facts{devices,
                            scenario.workload.batch,
                            sequenceOf(scenario),
                            layout,
                            model,
                            config != nullptr ? config->batch : 0};
    if (const auto conflict = conflictOf(facts)) return conflictError(*conflict, facts);
    ResolvedLayout resolved;
    resolved.data = devices / facts.each();
    resolved.shardGroup = layout.shardGroup > 0 ? layout.shardGroup : resolved.data * layout.context;
    resolved.batch = facts.batchOfStep();
    if (config != nullptr) return resolved;
    if (model != nullptr) {
        resolved.sequence = facts.sequence;
        resolved.layersPerStage = (model->layers + layout.pipeline - 1) / layout.pipeline;
    }
    resolved.microBatches = resolved.batch / (resolved.data * layout.microBatch);
    return resolved;
}

Scenario withBatchHeld(Scenario scenario) {
    if (scenario.workload.batch != 0) return scenario;
    if (const auto layout = resolve(scenario); layout.has_value()) scenario.workload.batch = layout->batch;
    return scenario;
}

}  // namespace plumb::planner
