// SPDX-License-Identifier: Apache-2.0
#include "core/measure/module_tree.h"

#include "core/base/entry_at.h"
#include "core/measure/known_sum.h"
#include "core/measure/spread.h"

#include <algorithm>
#include <unordered_map>

namespace plumb {
namespace {

/// Finds nodes by path and makes those that are missing, with all above them.
class ModuleNodes {
public:
    explicit ModuleNodes(std::vector<ModuleNode>& nodes) : m_nodes(nodes) { m_nodes.push_back({}); }

    /// The one of an empty path is outside of all modules.
    std::int32_t at(const std::string& path) {
        if (const auto found = m_places.find(path); found != m_places.end()) return found->second;
        const std::size_t dot = path.rfind('.');
        const std::int32_t parent = dot == std::string::npos ? 0 : at(path.substr(0, dot));
        const auto index = static_cast<std::int32_t>(m_nodes.size());
        m_nodes.push_back({path, dot == std::string::npos ? path : path.substr(dot + 1), parent, {}, {}});
        entryAt(m_nodes, parent).children.push_back(index);
        m_places.emplace(path, index);
        return index;
    }

    [[nodiscard]] bool has(const std::string& path) const { return m_places.contains(path); }

    /// Calls `add` with the figures of the node and of all above it.
    template <class Add>
    void addUpwards(std::int32_t index, const Add& add) {
        for (; index >= 0; index = entryAt(m_nodes, index).parent) add(entryAt(m_nodes, index).figures);
    }

private:
    std::vector<ModuleNode>& m_nodes;
    std::unordered_map<std::string, std::int32_t> m_places;
};

/// The measured time of a phase and its spread.
struct PhaseTime {
    std::optional<Seconds> ModuleFigures::*seconds;
    std::optional<Spread> ModuleFigures::*spread;
};
PhaseTime timeOf(Phase phase) {
    switch (phase) {
    case Phase::Data:
    case Phase::Forward:
    case Phase::Loss:
        break;
    case Phase::Recompute:
    case Phase::Backward:
        return {&ModuleFigures::backward, &ModuleFigures::backwardSpread};
    case Phase::Optimizer:
        return {&ModuleFigures::optimizer, &ModuleFigures::optimizerSpread};
    }
    return {&ModuleFigures::forward, &ModuleFigures::forwardSpread};
}

/// Whether the tensor is made on the way forth and needed on the way back.
bool isKept(const Step& step, const StepTensor& tensor) {
    if (tensor.category != Category::Activations || tensor.persistent()) return false;
    const Phase made = step.op(tensor.firstOp).phase;
    if (made != Phase::Forward && made != Phase::Loss) return false;
    if (tensor.lastOp >= step.opCount()) return true;
    const Phase last = step.op(tensor.lastOp).phase;
    return last == Phase::Backward || last == Phase::Recompute;
}

}  // namespace

bool ModuleTree::hasModules() const {
    return std::ranges::any_of(m_nodes, [](const ModuleNode& node) { return !node.path.empty(); });
}

std::optional<Seconds> ModuleFigures::measured() const {
    KnownSum<Seconds> sum;
    for (const auto& part : {forward, backward, optimizer}) sum.add(part);
    return sum.value();
}

std::optional<Spread> ModuleFigures::measuredSpread() const {
    std::optional<Spread> sum = forwardSpread;
    for (const auto& part : {backwardSpread, optimizerSpread}) addKnown(sum, part);
    return sum;
}

ModuleTree::ModuleTree(const PlannedStep& planned, const MeasuredStep* measured,
                       const std::function<bool(std::int32_t)>& isIn) {
    const Step& step = *planned.step;
    ModuleNodes nodes(m_nodes);
    for (std::int32_t index = 0; index < step.opCount(); ++index) {
        const StepOp& op = step.op(index);
        const OpReading* const reading = measured == nullptr ? nullptr : measured->op(step, index);
        const std::optional<Seconds> seconds = reading == nullptr ? std::nullopt : reading->seconds;
        const auto add = [&](ModuleFigures& figures) {
            ++figures.ops;
            addKnown(figures.flops, op.knownFlops());
            addKnown(figures.*timeOf(op.phase).seconds, seconds);
            addKnown(figures.*timeOf(op.phase).spread, seconds ? reading->spread : std::nullopt);
            addKnown(figures.predicted, entryAt(planned.prediction->opSeconds, index));
        };
        add(m_whole);
        if (!isIn || isIn(index)) nodes.addUpwards(nodes.at(step.opModule(index)), add);
    }
    for (TensorId id = 0; id < step.tensorCount(); ++id) {
        const StepTensor& tensor = step.tensor(id);
        const bool isParameter = tensor.category == Category::Parameters;
        if (!isParameter && !isKept(step, tensor)) continue;
        const auto add = [&](ModuleFigures& figures) {
            (isParameter ? figures.parameters : figures.kept) += step.tensorBytes(id);
        };
        add(m_whole);
        const std::string module = step.tensorModule(id);
        if (!isIn || (isParameter ? nodes.has(module) : isIn(tensor.firstOp)))
            nodes.addUpwards(nodes.at(module), add);
    }
}

}  // namespace plumb
