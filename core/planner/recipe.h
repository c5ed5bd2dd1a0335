// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/base/result.h"
#include "core/model/run_config.h"
#include "core/planner/layer_parts.h"

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace plumb::planner {

enum class Recompute : std::uint8_t {
    None,       ///< every activation is kept
    Selective,  ///< attention scores are worked out again (with a fused attention kernel they never exist)
    PerOp,      ///< what lies between products is worked out again, and Recipe::again
    Alternate,  ///< per op, and of a layer's products only every second result is kept
    Full,       ///< only layer inputs are kept, those of every Recipe::recomputeInterval-th layer
};
constexpr Recompute lastOf(Recompute /*type*/) { return Recompute::Full; }
[[nodiscard]] std::string_view
name(Recompute recompute);  ///< "none", "selective", "per-op", "alternate", "full"

/// Generation of a fused attention kernel. All make the same of the same bytes, at very different speeds.
enum class AttentionKernel : std::uint8_t {
    Usual,         ///< what software of this kind has
    Flash1,        ///< FlashAttention of 2022
    Flash1Triton,  ///< the same algorithm in Triton
    Flash2,        ///< FlashAttention-2, PyTorch's since 2.2
    Flash3         ///< FlashAttention-3, cuDNN: instructions that Hopper brought
};
constexpr AttentionKernel lastOf(AttentionKernel /*type*/) { return AttentionKernel::Flash3; }
[[nodiscard]] std::string_view name(AttentionKernel kernel);  ///< "usual", "flash-1", "flash-1-triton",
                                                              ///< "flash-2", "flash-3"

/// What lies in the host's memory instead of the device's, and travels over the host bus when it is needed.
struct Offload {
    bool optimizer = false;    ///< states and master copy; the host updates them
    bool parameters = false;   ///< the device's own weights
    bool activations = false;  ///< what the layers keep for the backward pass
    [[nodiscard]] bool any() const { return optimizer || parameters || activations; }
    bool operator==(const Offload&) const = default;
};
/// Switches one on by its name: "optimizer", "parameters", "activations". False for another word.
[[nodiscard]] bool setOffload(Offload& offload, std::string_view part);
/// "optimizer, activations"; "none".
[[nodiscard]] std::string offloadText(const Offload& offload);

/// What is stored per parameter, and how a step is computed.
struct Recipe {
    std::string name = "bf16 mixed, AdamW";
    Dtype compute = Dtype::Bf16;  ///< format of the matrix products: which peak counts
    double weightBytes = 2;
    double gradientBytes = 2;
    double masterBytes = 4;
    double stateBytes =
        8;  ///< bytes of the optimizer; may be a fraction (8-bit states with a scale per block)
    double activationBytes = 2;  ///< per element
    Recompute recompute = Recompute::None;
    std::int64_t recomputeInterval = 1;
    double recomputeShare = 1;  ///< part of the layers that is recomputed in full; the others keep everything
    LayerParts again{};         ///< with PerOp: results of products that are worked out again too
    bool fusedAttention = true;  ///< flash kernels: no scores in memory, masked halves are skipped
    AttentionKernel attentionKernel = AttentionKernel::Usual;  ///< which, where it is fused
    bool dropout = false;                                      ///< masks are kept: one byte per element
    double updateFlops = 14;                                   ///< per parameter, of the optimizer
    std::int64_t lossChunks = 1;  ///< parts of the tokens that head and loss take one after another
    Offload offload;

    [[nodiscard]] double bytesPerParameter() const {
        return weightBytes + gradientBytes + masterBytes + stateBytes;
    }
};

/// How a step is computed, beside what is stored per parameter: what the choice of a recipe leaves alone.
template <class AnyRecipe>
[[nodiscard]] constexpr auto computationOf(AnyRecipe& r) {
    return std::tie(r.recompute, r.recomputeInterval, r.recomputeShare, r.again, r.fusedAttention,
                    r.attentionKernel, r.dropout, r.lossChunks, r.offload);
}

/// Whether recomputation goes by the parts of a layer.
[[nodiscard]] inline bool goesByParts(const Recipe& recipe) {
    return recipe.recompute == Recompute::PerOp || recipe.recompute == Recompute::Alternate;
}
/// The results that are not kept then, and worked out again where they are needed; none where it does not.
[[nodiscard]] LayerParts againOf(const Recipe& recipe, bool gated);

/// The options of a run that say what is stored per parameter.
struct StorageRule {
    Precision precision{};
    bool masterWeights = false;
    GradientPrecision gradients{};
    Optimizer optimizer{};
};
/// The configuration trained by this rule; the optimizer's own settings go back to their defaults.
[[nodiscard]] RunConfig withRule(RunConfig config, const StorageRule& rule);

/// A recipe by its name on the command line, with what it stands for.
struct NamedRecipe {
    std::string_view key;    ///< "mixed-adamw", "fp32-sgd", "bf16-adam8bit"
    std::string_view label;  ///< "mixed bf16, fp32 master, AdamW"
    Recipe recipe;
    std::optional<StorageRule> rule;  ///< empty: nothing that this program trains with
};
/// Every row of the table in the reference: fp32 and mixed recipes, 8-bit states, Adafactor, Lion.
[[nodiscard]] const std::vector<NamedRecipe>& namedRecipes();
/// The recipe of this key. Errors: BadInput with the nearest key or all of them.
[[nodiscard]] Result<NamedRecipe> findRecipe(std::string_view key);
/// Recipe of a training configuration: dtypes, master copy and states (optimizer_rule.h) as the deep linear
/// model has them. Adafactor's states are counted for a square matrix of the configuration's width.
[[nodiscard]] Recipe recipeOf(const RunConfig& config);

}  // namespace plumb::planner
