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

Result<void> checkModel(const Transformer& m, const ParallelPlan& plan, std::int64_t data,
                        std::int64_t sequence) {
    if (m.heads % plan.tensor != 0)
        return indivisible("heads", m.heads, "tensor", plan.tensor,
                           fmt::format("give --tensor {}", divisorBelow(m.heads, plan.tensor)));
    const std::int64_t chunks = plan.pipeline * plan.chunks;
    if (chunks > m.layers)
        return Error{ErrorCode::BadInput,
                     fmt::format("{} layers do not fill {} pipeline chunks", m.layers, chunks),
                     fmt::format("give at most {} stages times chunks", m.layers)};
    if (plan.chunks > 1 && m.layers % chunks != 0)
        return indivisible("layers", m.layers, "pipeline times chunks", chunks,
                           "an interleaved pipeline needs equal chunks");
    if (plan.expert > 1 && !m.experts)
        return Error{ErrorCode::BadInput,
                     fmt::format("this model has no experts to share (--expert {})", plan.expert),
                     "leave --expert out"};
    if (m.experts && m.experts->count % plan.expert != 0)
        return indivisible("experts", m.experts->count, "expert", plan.expert,
                           fmt::format("give --expert {}", divisorBelow(m.experts->count, plan.expert)));
    if (data * plan.context % plan.expert != 0)
        return indivisible("data-parallel devices", data * plan.context, "expert", plan.expert,
                           fmt::format("give --expert {}", divisorBelow(data * plan.context, plan.expert)));
    if (sequence % plan.context != 0)
        return indivisible("sequence", sequence, "context", plan.context,
                           fmt::format("give --context {}", divisorBelow(sequence, plan.context)));
    return {};
}

}  // namespace

Recipe effectiveRecipe(const Scenario& scenario) {
    if (const RunConfig* config = scenario.model.linear()) return recipeOf(*config);
    Recipe recipe = scenario.recipe;
    const auto& given = scenario.given[static_cast<std::size_t>(Input::BytesPerParameter)];
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
    scenario.parallel = ParallelPlan{};
    scenario.parallel.sharding = Sharding::None;
    scenario.workload.sequence = 0;
    scenario.given[static_cast<std::size_t>(Input::BytesPerParameter)].reset();
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
    named.recipe.recompute = scenario.recipe.recompute;
    named.recipe.recomputeInterval = scenario.recipe.recomputeInterval;
    scenario.recipe = std::move(named.recipe);
    resetInput(scenario, Input::BytesPerParameter);
    return {};
}

std::int64_t sequenceOf(const Scenario& scenario) {
    const Transformer* model = scenario.model.transformer();
    if (model == nullptr) return 1;
    if (scenario.workload.sequence > 0) return scenario.workload.sequence;
    return std::min(model->positions, kDefaultSequence);
}

Result<void> checkSequence(const Scenario& scenario) {
    const Transformer* model = scenario.model.transformer();
    const std::int64_t sequence = sequenceOf(scenario);
    if (model == nullptr || !model->learnedPositions || sequence <= model->positions) return {};
    return Error{
        ErrorCode::BadInput,
        fmt::format("the model has {} positions and no more (--sequence {})", model->positions, sequence),
        fmt::format("give at most {}", model->positions)};
}

Result<ResolvedPlan> resolve(const Scenario& scenario) {
    const ParallelPlan& plan = scenario.parallel;
    const std::int64_t devices = scenario.cluster.devices;
    for (const auto& [value, what] :
         {std::pair{devices, "devices"}, std::pair{plan.tensor, "tensor"},
          std::pair{plan.pipeline, "pipeline"}, std::pair{plan.context, "context"},
          std::pair{plan.expert, "expert"}, std::pair{plan.chunks, "chunks"},
          std::pair{plan.microBatch, "micro-batch"}})
        if (value < 1)
            return Error{ErrorCode::BadInput, fmt::format("--{} cannot be used ({})", what, value),
                         "give a whole number of at least 1"};
    const std::int64_t each = mulOrOverflow(mulOrOverflow(plan.tensor, plan.pipeline), plan.context);
    if (each < 1 || devices % each != 0)
        return indivisible("devices", devices, "tensor times pipeline times context", each,
                           fmt::format("give {} devices",
                                       std::max<std::int64_t>(1, devices / std::max<std::int64_t>(1, each)) *
                                           std::max<std::int64_t>(1, each)));
    if (plan.chunks > 1 && plan.pipeline == 1)
        return Error{ErrorCode::BadInput,
                     fmt::format("one stage has nothing to interleave (--chunks {})", plan.chunks),
                     "leave --chunks out, or give --pipeline"};
    ResolvedPlan resolved;
    resolved.data = devices / each;
    if (const Transformer* model = scenario.model.transformer()) {
        PLUMB_CHECK(checkSequence(scenario));
        resolved.sequence = sequenceOf(scenario);
        PLUMB_CHECK(checkModel(*model, plan, resolved.data, resolved.sequence));
        resolved.layersPerStage = (model->layers + plan.pipeline - 1) / plan.pipeline;
    } else if (scenario.model.linear() != nullptr && (each != 1 || plan.expert != 1)) {
        return Error{ErrorCode::BadInput, "the deep linear model is planned with data parallelism alone",
                     "leave tensor, pipeline, context and expert parallelism out"};
    }
    const std::int64_t once = mulOrOverflow(resolved.data, plan.microBatch);
    resolved.batch = scenario.workload.batch;
    if (resolved.batch == 0)
        resolved.batch = mulOrOverflow(once, plan.pipeline > 1 ? kMicroBatchesPerStage * plan.pipeline : 1);
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
    if (const auto plan = resolve(scenario); plan.has_value()) scenario.workload.batch = plan->batch;
    return scenario;
}

}  // namespace plumb::planner
