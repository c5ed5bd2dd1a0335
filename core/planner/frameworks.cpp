// SPDX-License-Identifier: Apache-2.0
#include "core/planner/frameworks.h"

#include "core/base/nearest.h"
#include "core/planner/inputs.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::planner {

const std::vector<Framework>& frameworks() {
    static const std::vector<Framework> all{
        {"torchtitan", "torchtitan", Software::Compiled, "mixed-adamw", Sharding::Weights,
         Recompute::Alternate, LossKernel::Compiled, false,
         "configurations of Llama 3 8B at revision e7c0cae: FSDP, selective op, loss compiled with the "
         "model"},
        {"megatron-lm", "Megatron-LM", Software::Fused, "mixed-adamw-fp32-gradients", Sharding::State,
         Recompute::None, LossKernel::InPlace, false,
         "its memory estimate at revision d98e8a6: 6 + 12/d bytes a parameter with the distributed "
         "optimizer"},
        {"deepspeed", "DeepSpeed ZeRO-3 with Transformers", Software::Eager, "mixed-adamw", Sharding::Weights,
         Recompute::Full, LossKernel::Plain, false,
         "its engine at revision 38327e0: gradients are summed in the type of the model"},
        {"llm-foundry", "MosaicML LLM Foundry", Software::Eager, "mixed-adamw", Sharding::Weights,
         Recompute::Full, LossKernel::Plain, false,
         "configurations of the MPT benchmarks: FSDP with full sharding and activation checkpointing"},
        {"litgpt", "Lightning (LitGPT)", Software::Compiled, "mixed-adamw", Sharding::Weights,
         Recompute::None, LossKernel::Plain, true,
         "its pre-training: bf16-mixed, sharded within a node, the model compiled and the loss not"}};
    return all;
}

Result<void> chooseFramework(Scenario& s, std::string_view key) {
    const auto found = std::ranges::find(frameworks(), key, &Framework::key);
    if (found == frameworks().end()) {
        std::vector<std::string> keys;
        for (const Framework& each : frameworks()) keys.emplace_back(each.key);
        return Error{ErrorCode::BadInput, fmt::format("no framework is called '{}' (--framework)", key),
                     didYouMean(key, keys, fmt::format("choose one of {:s}", fmt::join(keys, ", ")))};
    }
    if (s.model.linear() != nullptr)
        return Error{ErrorCode::BadInput,
                     fmt::format("the deep linear model is trained by this program (--framework {})", key),
                     "leave it out"};
    PLUMB_CHECK(chooseRecipe(s, found->recipe));
    s.software = found->software;
    s.parallel.sharding = found->sharding;
    s.parallel.shardGroup =
        found->shardsInNode && s.cluster.devices > s.cluster.devicesPerNode ? s.cluster.devicesPerNode : 0;
    s.recipe.recompute = found->recompute;
    resetInput(s, Input::LogitBytes);
    if (found->loss != usualLoss(s.software))
        s.given[Input::LogitBytes] = bytesOfLogits(found->loss, s.parallel.tensor);
    return {};
}

}  // namespace plumb::planner
