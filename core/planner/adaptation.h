// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_array.h"
#include "core/base/result.h"
#include "core/planner/model.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::planner {

/// What is trained of a model that others trained before.
enum class FineTuning : std::uint8_t {
    Full,   ///< the model's own parameters, but for those that are frozen
    Lora,   ///< products of two narrow matrices beside the model's own, which are frozen (Hu et al. 2021)
    QLora,  ///< the same beside matrices that are kept in 4 bits (Dettmers et al. 2023)
};
constexpr FineTuning lastOf(FineTuning /*type*/) { return FineTuning::QLora; }
[[nodiscard]] std::string_view name(FineTuning method);  ///< "full", "lora", "qlora"

/// Matrices of a layer that an adapter can stand beside. Those of experts go by the names of the block that
/// they take the place of.
enum class AdapterTarget : std::uint8_t { Query, Key, Value, Output, Gate, Up, Down };
constexpr AdapterTarget lastOf(AdapterTarget /*type*/) { return AdapterTarget::Down; }
[[nodiscard]] std::string_view name(AdapterTarget target);  ///< "q", "k", "v", "o", "gate", "up", "down"

/// Parts of a model that can be frozen.
enum class ModelPart : std::uint8_t {
    Embeddings,   ///< of words or patches, with positions and token types
    Attention,    ///< with its biases and the norms of its heads
    FeedForward,  ///< of layers without experts, and shared experts
    Experts,
    Router,
    Norms,
    Head,
};
constexpr ModelPart lastOf(ModelPart /*type*/) { return ModelPart::Head; }
/// "embeddings", "attention", "feed-forward", "experts", "router", "norms", "head"
[[nodiscard]] std::string_view name(ModelPart part);

/// How a model is trained: what of it, and beside what. The default trains all of it.
struct Adaptation {
    FineTuning method = FineTuning::Full;
    std::int64_t rank = 16;  ///< inner width of an adapter
    EnumArray<AdapterTarget, bool> targets = all(true);
    bool doubleQuantised = true;  ///< the constants of 4-bit blocks are kept in 8 bits
    EnumArray<ModelPart, bool> frozen{};
    std::int64_t frozenFrom = 0;  ///< first of the layers that are frozen, or have no adapters
    std::int64_t frozenLayers = 0;

    bool operator==(const Adaptation& other) const;
    [[nodiscard]] bool hasAdapters() const { return method != FineTuning::Full; }
    [[nodiscard]] bool trainsAll() const;
    /// Whether any of these matrices of a layer has an adapter.
    [[nodiscard]] bool adapts(std::initializer_list<AdapterTarget> any) const;
    [[nodiscard]] bool adaptsAllLinear() const;
    [[nodiscard]] static EnumArray<AdapterTarget, bool> all(bool on);
};
/// "q,v" and "all-linear", back and forth. Errors: BadInput with the names that there are.
[[nodiscard]] std::string targetsText(const Adaptation& adaptation);
[[nodiscard]] Result<void> setTargets(Adaptation& adaptation, std::string_view text);
/// "embeddings,layers:0-11", back and forth; empty: nothing. Errors: BadInput.
[[nodiscard]] std::string frozenText(const Adaptation& adaptation);
[[nodiscard]] Result<void> setFrozen(Adaptation& adaptation, std::string_view text);
/// Takes a method with the targets of its paper: queries and values with LoRA, all matrices with QLoRA.
void chooseMethod(Adaptation& adaptation, FineTuning method);
/// "LoRA of rank 16 on q,v", "full, frozen: embeddings"; "full" when all is trained.
[[nodiscard]] std::string adaptationText(const Adaptation& adaptation);

/// What cannot be trained so: a model without such matrices or layers, a rank above the width of a matrix, a
/// head that is frozen and an embedding that is not where they are the same, nothing that is left to train.
/// Errors: BadInput with the remedy.
[[nodiscard]] Result<void> checkAdaptation(const ModelSpec& model, const Adaptation& adaptation);

/// Bytes of a parameter in 4 bits with the constant of its block: NormalFloat of 64 with an fp32 each, or
/// these once more in 8 bits, by blocks of 256 with an fp32 each.
[[nodiscard]] double quantisedBytes(const Adaptation& adaptation);

}  // namespace plumb::planner
