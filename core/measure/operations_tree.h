// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/entry_at.h"
#include "core/measure/memory_roofs.h"
#include "core/measure/scene.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// What a row of the operations table says, of one op or summed over the ops below it. A sum in which a
/// part is unknown is absent: it would be too small without saying so.
struct OperationFigures {
    std::int64_t count = 0;         ///< executions in one step, a recomputed layer each counted
    std::int32_t ops = 0;           ///< ops of the step in this row
    std::int32_t predictedOps = 0;  ///< how many of them have a predicted time
    std::int32_t ranOps = 0;        ///< ops of what ran in this row: of a group, all of the run's group
    std::int32_t measuredOps = 0;   ///< how many of ranOps have a measured time
    std::int32_t roofOps = 0;       ///< how many of ranOps have a share of the roof that holds them
    Flops flops = 0;
    Bytes bytes = 0;
    Seconds predictedSum = 0;
    Seconds measuredSum = 0;
    std::optional<Spread> spreadSum = Spread{};  ///< of these; absent where one of them has none
    Seconds roofSum = 0;            ///< time of what ran at the roof that holds it, without overhead
    bool ceilingTooLow = false;     ///< an op was faster than its machine's ceilings allow
    std::optional<RoofShare> roof;  ///< share of a row of one op
    std::optional<Tier> tier;       ///< tier of the predicted time: the least founded of the ops below
    Seconds ranPredictedSum =
        0;  ///< predicted for what ran, which may be another configuration than the sliders'
    std::int32_t ranPredictedOps = 0;
    double ranFlops =
        0;  ///< FLOPs of what ran, where it has a measured time; not a number when a count is missing
    double ranBytes = 0;
    // Sums of hardware counters over the ops of what ran, and of how many of them.
    EnumArray<CounterKind, double> countedSum{};
    EnumArray<CounterKind, std::int32_t> countedOps{};
    double bandwidth = 0;        ///< of the memory of the machine that ran it; 0: not known
    bool hasFlops = true;        ///< false: what an op below computes and moves is not known, and counts as 0
    std::optional<Bound> bound;  ///< empty: the ops below are bound by different ceilings
    bool isWhatIf = false;       ///< what ran is another step than the sliders ask for
    std::int64_t ranCount = 0;   ///< executions in one step of what ran

    /// Whether anything is known of what `sum` (FLOPs or bytes) adds up.
    [[nodiscard]] bool isKnown(std::int64_t sum) const { return sum != 0 || hasFlops; }
    [[nodiscard]] std::optional<double> intensity() const;
    [[nodiscard]] std::optional<Seconds> predicted() const;
    [[nodiscard]] std::optional<Seconds> measured() const;
    /// Spread of the measured time; of a row of several ops the sum of theirs.
    [[nodiscard]] std::optional<Spread> spread() const;
    /// measured / predicted - 1 of what ran; of a what-if, what it is predicted to take / what the run took
    /// - 1.
    [[nodiscard]] std::optional<double> difference() const;
    [[nodiscard]] std::optional<double> flopPerSecond() const;   ///< achieved
    [[nodiscard]] std::optional<double> bytesPerSecond() const;  ///< achieved, in compulsory bytes
    /// Time at the roofs / measured time; above 1 where a ceiling is too low, which no machine reaches.
    [[nodiscard]] std::optional<double> ofRoof() const;
    /// Counts of hardware counters; absent unless all ops that ran have one.
    [[nodiscard]] std::optional<double> counted(CounterKind kind) const;
    [[nodiscard]] std::optional<double> executedFlops() const;
    [[nodiscard]] std::optional<double> bytesAt(MemoryLevel level) const;
    [[nodiscard]] std::optional<double> flopsRatio() const;  ///< executed / of the model
    [[nodiscard]] std::optional<double> dramRatio() const;   ///< DRAM bytes / compulsory bytes of the model
    /// Counted DRAM bytes / (measured seconds × the bandwidth of the machine).
    [[nodiscard]] std::optional<double> dramShare() const;
    [[nodiscard]] std::optional<double> counterRatio(const CounterRatio& ratio) const;
    void addPlan(const OperationFigures& other);  ///< what the sliders ask for
    void addRun(const OperationFigures& other);   ///< what ran
};

/// Phase > group of like ops > op, with the figures of each row: the shape of the operations table.
/// Rows are in execution order of their first op. A group of one op is not made: the op takes its place.
class OperationsTree {
public:
    /// A Kernel is what the device ran for the op above it, from the timeline; nothing of it is predicted.
    enum class Kind : std::uint8_t { Root, Phase, Group, Operation, Kernel };
    /// All launches of one kernel for one op, by name.
    struct Kernel {
        std::int32_t op = -1;  ///< index into the reading
        std::string name;
        std::string lane;           ///< "stream 7"
        std::int64_t launches = 0;  ///< in all steps of the timeline
        Seconds seconds = 0;        ///< sum of all of them
        double launchesPerStep = 0;
    };
    struct Node {
        Kind kind = Kind::Root;
        Phase phase{};
        std::int32_t first = -1;   ///< its first op; of a kernel that above it
        std::int32_t op = -1;      ///< index into the step, for operations
        std::int32_t kernel = -1;  ///< index into kernels(), for kernels
        std::int32_t parent = -1;
        std::int32_t row = 0;  ///< among its parent's children
        std::vector<std::int32_t> children;
        OperationFigures figures;
    };

    /// True when update(scene) would leave the rows as they are, with new figures only.
    [[nodiscard]] bool keepsRows(const Scene& scene) const;
    void update(const ScenePtr& scene);

    [[nodiscard]] const ScenePtr& scene() const { return m_scene; }
    [[nodiscard]] const Node& node(std::int32_t index) const { return entryAt(m_nodes, index); }
    [[nodiscard]] const std::vector<Node>& nodes() const { return m_nodes; }  ///< the root is first
    [[nodiscard]] const StepOp& op(const Node& node) const { return step().op(node.op); }
    /// The step of the operations: what the sliders ask for.
    [[nodiscard]] const Step& step() const { return *m_scene->whatIf.step; }
    /// Node of the op with this id, or -1.
    [[nodiscard]] std::int32_t find(const std::string& opId) const;
    /// Stable across scenes and unique: "phase/backward", "phase/backward/weight_gradient", or that of the
    /// op.
    [[nodiscard]] std::string id(const Node& node) const;
    [[nodiscard]] const std::vector<Kernel>& kernels() const { return m_kernels; }
    /// Entry of the reading and the op of the step that ran which belong to the op of `node`; null: not
    /// measured.
    [[nodiscard]] const OpReading* reading(const Node& node) const;
    [[nodiscard]] const StepOp* ranOp(const Node& node) const;

private:
    [[nodiscard]] Node& nodeAt(std::int32_t index) { return entryAt(m_nodes, index); }
    void buildRows();
    void addKernels();
    std::int32_t addNode(std::int32_t parent, Node node);
    void matchMeasured();
    void fillFigures();
    [[nodiscard]] OperationFigures figuresOfRun(std::size_t reading) const;

    ScenePtr m_scene;
    std::vector<Node> m_nodes;
    std::vector<Kernel> m_kernels;             ///< by op of the reading
    std::vector<std::int32_t> m_nodeOfOp;      ///< by op index of the step
    std::vector<std::int32_t> m_measuredOfOp;  ///< by op index of the step: index into the reading, or -1
    std::vector<std::int32_t> m_rowOfRan;      ///< by index into the reading: its phase or group here, or -1
    std::vector<std::optional<RoofShare>> m_roof;        ///< by index into the reading
    std::vector<std::optional<Seconds>> m_ranPredicted;  ///< by index into the reading
};

}  // namespace plumb
