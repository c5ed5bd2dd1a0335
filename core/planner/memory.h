// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step_plan.h"
#include "core/planner/scenario.h"
#include "core/planner/stage.h"

#include <string>
#include <vector>

namespace plumb::planner {

/// A piece of a device's memory. Several have the same category: the picture stacks categories, the table
/// and tooltips name the pieces.
struct MemoryPart {
    Category category{};
    std::string label;    ///< "weights", "logits", "gathered weights of 2 layers", "fragmentation"
    std::string formula;  ///< with the numbers put in: "2 B · 8.03e9 / 8"
    double bytes = 0;
};

/// What one device of a pipeline stage holds at its fullest moment.
struct StageMemory {
    std::int64_t stage = 0;  ///< 0-based
    std::vector<MemoryPart> parts;
    [[nodiscard]] double total() const;
    [[nodiscard]] CategoryBytes byCategory() const;  ///< rounded up to whole bytes
};

struct DeviceMemory {
    std::vector<StageMemory> stages;  ///< those that differ: first, one of the middle, last
    std::size_t fullest = 0;          ///< index into stages
    std::vector<std::string> notes;
    [[nodiscard]] const StageMemory& worst() const { return stages[fullest]; }
};

/// Memory at the expected values of all assumptions. A model that is a mere count has no activations, and a
/// note says so. The deep linear model is exact: the peak of its plan. Errors: those of resolve() and
/// planStep().
[[nodiscard]] Result<DeviceMemory> memoryPerDevice(const Scenario& scenario);

/// What comes on top of the tensors of a device: fragmentation, buffers of collectives where it is one of
/// several, context.
[[nodiscard]] Result<void> addOverheads(const Scenario& scenario, StageMemory& memory);

/// The sum on a napkin, parameters + gradients + optimizer states + activations, beside the peak, and the
/// parts that differ: sentences for people. None of a mere count, which has no activations. Errors: those of
/// memoryPerDevice().
[[nodiscard]] Result<std::vector<std::string>> plainSumNotes(const Scenario& scenario,
                                                             const DeviceMemory& memory);

/// How the chosen device's backend lays out the deep linear model; without a device the CPU backend's way.
[[nodiscard]] BackendTraits traitsOf(const Scenario& scenario);

/// Which inputs of its products a layer keeps. Those of frozen products are not needed, while what lies
/// between products is read by the backward pass all the same.
struct KeptInputs {
    bool attention = true;    ///< of queries, keys and values
    bool output = true;       ///< of attention's output product; fused attention reads it anyway
    bool feedForward = true;  ///< of the block's first products
    bool down = true;         ///< of its last
    double adapters = 0;      ///< inner widths of all adapters that a token meets
};
/// Of a layer whose own products, or adapters, are trained, and of one that is frozen as a layer.
[[nodiscard]] KeptInputs keptInputs(const Transformer& model, const Adaptation& adaptation, bool expertLayer,
                                    bool frozenLayer);

/// Activation bytes that one layer keeps of one micro-batch on one device, by recipe and software; the whole
/// sequence, and divided as tensor, sequence and context parallelism divide it.
[[nodiscard]] double activationBytesPerLayer(const Transformer& model, const Recipe& recipe,
                                             const ParallelLayout& layout, std::int64_t sequence,
                                             bool expertLayer, Software software = Software::Eager,
                                             const KeptInputs& kept = {});

/// Bytes that the layers of a stage keep of one micro-batch, wherever they lie. Errors: those of numberOf().
[[nodiscard]] Result<double> keptActivationBytes(const Scenario& scenario, const Transformer& model,
                                                 const ResolvedLayout& layout, const Stage& stage);

/// What the fullest moment of a stage holds. Errors: those of numberOf().
[[nodiscard]] Result<StageMemory> stageMemory(const Scenario& scenario, const Transformer& model,
                                              const ResolvedLayout& layout, const Stage& stage);
/// Weights, gradients, master copy and states of a mere number of parameters, and what is there beside them.
[[nodiscard]] Result<StageMemory> countMemory(const Scenario& scenario, const ResolvedLayout& layout,
                                              double parameters);

}  // namespace plumb::planner
