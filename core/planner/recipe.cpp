// SPDX-License-Identifier: Apache-2.0
#include "core/planner/recipe.h"

#include "core/base/nearest.h"
#include "core/plan/optimizer_rule.h"
#include "core/planner/choice_help.h"

#include <fmt/format.h>

namespace plumb::planner {

namespace {

constexpr double kFp32StateBytes = 4;  // optimizer_rule.h: states are fp32
/// 8-bit states: one byte each and an fp32 scale per block of 2048.
constexpr double kEightBitStateBytes = 1 + 4.0 / 2048;

/// A recipe of this program's own rules, without the recipe's sizes typed in twice.
NamedRecipe ours(std::string_view key, std::string_view label, Precision precision, bool master,
                 GradientPrecision gradients, Optimizer optimizer) {
    const StorageRule rule{precision, master, gradients, optimizer};
    Recipe recipe = recipeOf(withRule(RunConfig{}, rule));
    recipe.name = std::string(label);
    return {key, label, recipe, rule};
}

NamedRecipe eightBit(std::string_view key, std::string_view label, bool master) {
    NamedRecipe named = ours(key, label, Precision::Bf16, master, GradientPrecision::Same, Optimizer::AdamW);
    named.recipe.stateBytes = 2 * kEightBitStateBytes;
    named.rule.reset();
    return named;
}

NamedRecipe allBf16() {
    NamedRecipe named = ours("bf16-adamw-all", "all bf16, moments too, AdamW", Precision::Bf16, false,
                             GradientPrecision::Same, Optimizer::AdamW);
    named.recipe.stateBytes /= 2;
    named.rule.reset();
    return named;
}

/// Half gradients, and an fp32 buffer that micro-batches add up in.
NamedRecipe accumulating() {
    NamedRecipe named = ours("mixed-adamw-accumulate", "mixed bf16, fp32 master and accumulation, AdamW",
                             Precision::Bf16, true, GradientPrecision::Same, Optimizer::AdamW);
    named.recipe.gradientBytes += 4;
    named.rule.reset();
    return named;
}

/// Weights of linear layers in fp8, gathered as such (fp8 parameters of Transformer Engine).
NamedRecipe eightBitWeights() {
    NamedRecipe named = ours("fp8-weights-adamw", "fp8 products and weights, fp32 master, AdamW",
                             Precision::Fp8, true, GradientPrecision::Same, Optimizer::AdamW);
    named.recipe.weightBytes = 1;
    named.rule.reset();
    return named;
}

}  // namespace

std::string_view name(AttentionKernel kernel) {
    constexpr EnumArray<AttentionKernel, std::string_view> kNames{
        {"usual", "flash-1", "flash-1-triton", "flash-2", "flash-3"}};
    return kNames[kernel];
}

std::string_view name(Recompute recompute) {
    switch (recompute) {
    case Recompute::None:
        return "none";
    case Recompute::Selective:
        return "selective";
    case Recompute::PerOp:
        return "per-op";
    case Recompute::Alternate:
        return "alternate";
    case Recompute::Full:
        break;
    }
    return "full";
}

bool setOffload(Offload& offload, std::string_view part) {
    for (const OffloadPart& each : kOffloadParts)
        if (part == each.name) {
            offload.*each.chosen = true;
            return true;
        }
    return false;
}

std::string offloadText(const Offload& offload) {
    std::string text;
    for (const OffloadPart& each : kOffloadParts)
        if (offload.*each.chosen) text += fmt::format("{}{}", text.empty() ? "" : ", ", each.name);
    return text.empty() ? "none" : text;
}

LayerParts againOf(const Recipe& recipe, bool gated) {
    using enum LayerPart;
    if (recipe.recompute == Recompute::PerOp) return recipe.again;
    if (recipe.recompute != Recompute::Alternate) return {};
    // Of queries, keys, values, output, gate, up and down; a block without a gate has one product less.
    return gated ? partsOf({Keys, Output, Up}) : partsOf({Keys, Output, Down});
}

RunConfig withRule(RunConfig config, const StorageRule& rule) {
    config.precision = rule.precision;
    config.masterWeights = rule.masterWeights;
    config.gradientPrecision = rule.gradients;
    config.optimizer = rule.optimizer;
    config.settings = {};
    return config;
}

Recipe recipeOf(const RunConfig& config) {
    Recipe recipe{.compute = config.computeDtype(),
                  .weightBytes = static_cast<double>(dtypeSize(config.weightDtype())),
                  .gradientBytes = static_cast<double>(dtypeSize(config.parameterGradientDtype())),
                  .masterBytes = config.hasMasterCopy() ? kFp32StateBytes : 0};
    const OptimizerStates states = optimizerStates(config);
    recipe.stateBytes = 0;
    for (std::size_t i = 0; i < states.count; ++i) {
        const bool line = states.kind[i] == OptimizerState::RowMeanSquare ||
                          states.kind[i] == OptimizerState::ColumnMeanSquare;
        recipe.stateBytes += line ? kFp32StateBytes / static_cast<double>(config.dim) : kFp32StateBytes;
    }
    recipe.activationBytes = static_cast<double>(dtypeSize(config.activationDtype()));
    recipe.updateFlops = static_cast<double>(optimizerFlopsPerParameter(config));
    recipe.name = fmt::format("{}, {}", plumb::name(config.precision), optimizerLabel(config.optimizer));
    return recipe;
}

const std::vector<NamedRecipe>& namedRecipes() {
    using enum Optimizer;
    using enum Precision;
    constexpr auto kSame = GradientPrecision::Same;
    constexpr auto kFp32 = GradientPrecision::Fp32;
    static const std::vector<NamedRecipe> recipes{
        ours("mixed-adamw", "mixed bf16, fp32 master, AdamW", Bf16, true, kSame, AdamW),
        ours("mixed-adamw-fp32-gradients", "mixed bf16, fp32 gradients and master, AdamW", Bf16, true, kFp32,
             AdamW),
        accumulating(),
        ours("bf16-adamw", "bf16 weights and gradients, fp32 moments, no master, AdamW", Bf16, false, kSame,
             AdamW),
        allBf16(),
        eightBit("mixed-adamw8bit", "mixed bf16, fp32 master, 8-bit AdamW", true),
        eightBit("bf16-adamw8bit", "bf16 without master, 8-bit AdamW", false),
        ours("bf16-adagrad", "bf16 weights and gradients, fp32 state, AdaGrad", Bf16, false, kSame, Adagrad),
        ours("mixed-lion", "mixed bf16, fp32 master, Lion", Bf16, true, kSame, Lion),
        ours("mixed-adafactor", "mixed bf16, fp32 master, Adafactor", Bf16, true, kSame, Adafactor),
        ours("fp16-adamw", "mixed fp16, fp32 master, AdamW", Fp16, true, kSame, AdamW),
        ours("fp8-adamw", "fp8 products, fp32 master, AdamW", Fp8, true, kSame, AdamW),
        eightBitWeights(),
        ours("fp32-adamw", "fp32, AdamW", Fp32, false, kSame, AdamW),
        ours("tf32-adamw", "fp32 with tf32 products, AdamW", Tf32, false, kSame, AdamW),
        ours("fp32-sgd", "fp32, SGD", Fp32, false, kSame, Sgd),
        ours("fp32-momentum", "fp32, SGD with momentum", Fp32, false, kSame, Momentum),
        ours("fp32-adagrad", "fp32, AdaGrad", Fp32, false, kSame, Adagrad),
        ours("fp32-rmsprop", "fp32, RMSProp", Fp32, false, kSame, RmsProp),
        ours("fp32-lion", "fp32, Lion", Fp32, false, kSame, Lion),
        ours("fp32-adafactor", "fp32, Adafactor", Fp32, false, kSame, Adafactor),
    };
    return recipes;
}

Result<NamedRecipe> findRecipe(std::string_view key) {
    std::vector<std::string> keys;
    for (const NamedRecipe& named : namedRecipes()) {
        if (named.key == key) return named;
        keys.emplace_back(named.key);
    }
    return Error{ErrorCode::BadInput, fmt::format("no recipe is called '{}'", key),
                 didYouMean(key, keys, fmt::format("choose one of {:s}", fmt::join(keys, ", ")))};
}

}  // namespace plumb::planner
