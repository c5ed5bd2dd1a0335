// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/entry_at.h"
#include "core/measure/planned_step.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// What a module costs with all below it. A sum with an unknown part is absent.
struct ModuleFigures {
    std::int64_t ops = 0;
    Bytes parameters = 0;  ///< of its parameters, as they lie in memory for products
    Bytes kept = 0;        ///< of its activations that are kept from the way forth for the way back
    std::optional<Flops> flops = 0;
    // Times by phase: forward with the loss and the data, backward with recomputation.
    std::optional<Seconds> forward = 0.0;    ///< measured
    std::optional<Seconds> backward = 0.0;   ///< measured
    std::optional<Seconds> optimizer = 0.0;  ///< measured
    std::optional<Seconds> predicted = 0.0;  ///< of all phases
    // Sums of the spreads of the measured times by phase.
    std::optional<Spread> forwardSpread = Spread{};
    std::optional<Spread> backwardSpread = Spread{};
    std::optional<Spread> optimizerSpread = Spread{};

    [[nodiscard]] std::optional<Seconds> measured() const;
    [[nodiscard]] std::optional<Spread> measuredSpread() const;
};

struct ModuleNode {
    std::string path;  ///< "blocks.0.mlp"; of the root, and of what is outside of all modules, empty
    std::string name;  ///< its last part: "mlp"
    std::int32_t parent = -1;
    std::vector<std::int32_t> children;  ///< in the order of their first op
    ModuleFigures figures;
};

/// The modules of a step as they contain each other, by the paths of its ops and tensors. The root is first,
/// and its figures are those of all its ops that count. What runs outside of all modules is a child of the
/// root without a name.
class ModuleTree {
public:
    /// `measured`: of the same step; null where nothing was measured. `isIn`: whether an op counts; where
    /// that is said there are the modules that have such ops alone, and what these ops keep.
    ModuleTree(const PlannedStep& planned, const MeasuredStep* measured,
               const std::function<bool(std::int32_t)>& isIn = {});

    [[nodiscard]] const std::vector<ModuleNode>& nodes() const { return m_nodes; }
    [[nodiscard]] const ModuleNode& node(std::int32_t index) const { return entryAt(m_nodes, index); }
    /// Whether there are any.
    [[nodiscard]] bool hasModules() const;
    /// Figures of the step, whichever of its ops count.
    [[nodiscard]] const ModuleFigures& whole() const { return m_whole; }

private:
    std::vector<ModuleNode> m_nodes;
    ModuleFigures m_whole;
};

}  // namespace plumb
