// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/operations_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace plumb::ui {

namespace {

std::optional<double> ratio(std::optional<double> above, std::optional<double> below) {
    if (!above || !below || !(*below > 0) || std::isnan(*above)) return std::nullopt;
    return *above / *below;
}

}  // namespace

std::optional<double> OperationFigures::intensity() const {
    return ratio(static_cast<double>(flops), static_cast<double>(bytes));
}
std::optional<Seconds> OperationFigures::predicted() const {
    return ops > 0 && predictedOps == ops ? std::optional(predictedSum) : std::nullopt;
}
std::optional<Seconds> OperationFigures::measured() const {
    return ranOps > 0 && measuredOps == ranOps ? std::optional(measuredSum) : std::nullopt;
}
std::optional<double> OperationFigures::difference() const {
    if (ranPredictedOps != ranOps) return std::nullopt;
    const auto times = ratio(measured(), ranPredictedSum);
    return times ? std::optional(*times - 1) : std::nullopt;
}
std::optional<double> OperationFigures::flopPerSecond() const { return ratio(ranFlops, measured()); }
std::optional<double> OperationFigures::bytesPerSecond() const { return ratio(ranBytes, measured()); }
std::optional<double> OperationFigures::ofRoof() const {
    return roofOps == ranOps ? ratio(roofSum, measured()) : std::nullopt;
}

void OperationFigures::addPlan(const OperationFigures& other) {
    bound = ops == 0 || bound == other.bound ? other.bound : std::nullopt;
    count += other.count;
    ops += other.ops;
    predictedOps += other.predictedOps;
    flops += other.flops;
    bytes += other.bytes;
    predictedSum += other.predictedSum;
}

void OperationFigures::addRun(const OperationFigures& other) {
    ranOps += other.ranOps;
    measuredOps += other.measuredOps;
    roofOps += other.roofOps;
    measuredSum += other.measuredSum;
    roofSum += other.roofSum;
    ranPredictedSum += other.ranPredictedSum;
    ranPredictedOps += other.ranPredictedOps;
    ranFlops += other.ranFlops;
    ranBytes += other.ranBytes;
}

bool OperationsTree::keepsRows(const Scene& scene) const {
    if (!m_scene) return false;
    const StepPlan& before = *m_scene->plan;
    const StepPlan& after = *scene.plan;
    const auto key = [](const Op& op) { return std::tie(op.kind, op.phase, op.layer, op.pass, op.repeat); };
    return before.config.layers == after.config.layers &&
           std::ranges::equal(before.ops, after.ops,
                              [&](const Op& a, const Op& b) { return key(a) == key(b); });
}

void OperationsTree::update(const ScenePtr& scene) {
    const bool keep = keepsRows(*scene);
    const ScenePtr before = std::exchange(m_scene, scene);
    if (!keep) buildRows();
    // Matching by id makes text for every op: only when either side of the match is another one.
    if (!keep || before->measured != scene->measured || before->measuredPlan != scene->measuredPlan ||
        before->measuredPrediction != scene->measuredPrediction)
        matchMeasured();
    fillFigures();
}

std::int32_t OperationsTree::addNode(std::int32_t parent, Node node) {
    const auto index = static_cast<std::int32_t>(m_nodes.size());
    std::vector<std::int32_t>& siblings = m_nodes[static_cast<std::size_t>(parent)].children;
    node.parent = parent;
    node.row = static_cast<std::int32_t>(siblings.size());
    siblings.push_back(index);
    m_nodes.push_back(std::move(node));
    return index;
}

void OperationsTree::buildRows() {
    const StepPlan& plan = *m_scene->plan;
    // Two passes over the ops: a group is known to hold one op only when all have been seen.
    using GroupKey = std::tuple<Phase, OpKind, bool>;
    struct Group {
        GroupKey key;
        std::vector<std::int32_t> ops;
    };
    std::vector<Group> groups;
    std::map<GroupKey, std::size_t> groupOf;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const Op& op = plan.ops[i];
        const GroupKey key{op.phase, op.kind, op.isHead};
        const auto [found, isNew] = groupOf.try_emplace(key, groups.size());
        if (isNew) groups.push_back({key, {}});
        groups[found->second].ops.push_back(static_cast<std::int32_t>(i));
    }

    m_nodes.clear();
    m_nodes.reserve(plan.ops.size() + 2 * groups.size() + 1);
    m_nodes.emplace_back();
    m_nodeOfOp.assign(plan.ops.size(), -1);
    std::map<Phase, std::int32_t> phases;
    for (const Group& group : groups) {
        const auto [phase, opKind, head] = group.key;
        if (!phases.contains(phase))
            phases[phase] = addNode(0, {.kind = Kind::Phase, .phase = phase, .children = {}, .figures = {}});
        std::int32_t parent = phases[phase];
        if (group.ops.size() > 1)
            parent = addNode(parent, {.kind = Kind::Group,
                                      .phase = phase,
                                      .opKind = opKind,
                                      .head = head,
                                      .children = {},
                                      .figures = {}});
        for (const std::int32_t op : group.ops)
            m_nodeOfOp[static_cast<std::size_t>(op)] = addNode(parent, {.kind = Kind::Operation,
                                                                        .phase = phase,
                                                                        .opKind = opKind,
                                                                        .head = head,
                                                                        .op = op,
                                                                        .children = {},
                                                                        .figures = {}});
    }
}

void OperationsTree::matchMeasured() {
    const Scene& scene = *m_scene;
    m_measuredOfOp.assign(scene.plan->ops.size(), -1);
    m_roof.clear();
    m_ranPredicted.clear();
    m_rowOfRan.clear();
    if (!scene.measured || !scene.measuredPlan) return;
    const StepPlan& ran = *scene.measuredPlan;
    const std::vector<OpReading>& readings = scene.measured->ops;

    for (std::size_t i = 0; i < scene.plan->ops.size(); ++i) {
        const std::string id = opId(scene.plan->ops[i]);
        // The same configuration gives the same order; only a what-if needs the look-up.
        const OpReading* found =
            i < readings.size() && readings[i].id == id ? &readings[i] : scene.measuredOp(id);
        if (found) m_measuredOfOp[i] = static_cast<std::int32_t>(found - readings.data());
    }
    Machine roof = scene.measuredMachine;
    roof.perOpOverhead.reset();  // a roofline has no overhead: what that costs is part of the distance to it
    m_roof.resize(readings.size());
    m_ranPredicted.resize(readings.size());
    m_rowOfRan.assign(readings.size(), -1);
    using RowKey = std::tuple<Phase, OpKind, bool>;
    std::map<RowKey, std::int32_t> groups;
    std::map<Phase, std::int32_t> phases;
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const Node& node = m_nodes[i];
        if (node.kind == Kind::Phase) phases[node.phase] = static_cast<std::int32_t>(i);
        if (node.kind == Kind::Group)
            groups[{node.phase, node.opKind, node.head}] = static_cast<std::int32_t>(i);
    }
    for (std::size_t i = 0; i < std::min(readings.size(), ran.ops.size()); ++i) {
        if (readings[i].id != opId(ran.ops[i])) continue;
        const Op& op = ran.ops[i];
        if (const auto group = groups.find(RowKey{op.phase, op.kind, op.isHead}); group != groups.end())
            m_rowOfRan[i] = group->second;
        else if (const auto phase = phases.find(op.phase); phase != phases.end())
            m_rowOfRan[i] = phase->second;
        m_roof[i] = rooflineSeconds(ran.ops[i], ran.config, roof);
        if (scene.measuredPrediction && i < scene.measuredPrediction->opSeconds.size())
            m_ranPredicted[i] = scene.measuredPrediction->opSeconds[i];
    }
}

void OperationsTree::fillFigures() {
    for (Node& node : m_nodes) node.figures = {};
    const StepPlan& plan = *m_scene->plan;
    const std::vector<std::optional<Seconds>>& predicted = m_scene->prediction->opSeconds;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const Op& op = plan.ops[i];
        OperationFigures own;
        own.ops = 1;
        own.count = op.executions * op.repeat;
        own.flops = op.flops;
        own.bytes = op.bytes;
        own.bound = boundOf(op, plan.config, m_scene->machine);
        if (i < predicted.size() && predicted[i]) {
            own.predictedOps = 1;
            own.predictedSum = *predicted[i];
        }
        for (std::int32_t at = m_nodeOfOp[i]; at >= 0; at = m_nodes[static_cast<std::size_t>(at)].parent)
            m_nodes[static_cast<std::size_t>(at)].figures.addPlan(own);
        if (const std::int32_t at = m_measuredOfOp[i]; at >= 0)
            m_nodes[static_cast<std::size_t>(m_nodeOfOp[i])].figures.addRun(
                figuresOfRun(static_cast<std::size_t>(at)));
    }
    // A group's measured time is of the run's whole group. The sum over the operations that both have would
    // look like it, and be a part of it, as soon as the sliders ask for fewer layers.
    for (std::size_t i = 0; i < m_rowOfRan.size(); ++i)
        for (std::int32_t at = m_rowOfRan[i]; at >= 0; at = m_nodes[static_cast<std::size_t>(at)].parent)
            m_nodes[static_cast<std::size_t>(at)].figures.addRun(figuresOfRun(i));
}

OperationFigures OperationsTree::figuresOfRun(std::size_t reading) const {
    OperationFigures own;
    own.ranOps = 1;
    const OpReading& measured = m_scene->measured->ops[reading];
    if (!measured.seconds) return own;
    own.measuredOps = 1;
    own.measuredSum = *measured.seconds;
    // A clock knows no FLOPs and no bytes: those of what ran are its plan's.
    const auto& ops = m_scene->measuredPlan->ops;
    const bool known = reading < ops.size() && (m_rowOfRan[reading] >= 0 || m_roof[reading].has_value() ||
                                                measured.id == opId(ops[reading]));
    own.ranFlops = known ? static_cast<double>(ops[reading].flops) : std::numeric_limits<double>::quiet_NaN();
    own.ranBytes = known ? static_cast<double>(ops[reading].bytes) : std::numeric_limits<double>::quiet_NaN();
    if (const auto& seconds = m_ranPredicted[reading]) {
        own.ranPredictedOps = 1;
        own.ranPredictedSum = *seconds;
    }
    if (const auto& roof = m_roof[reading]) {
        own.roofOps = 1;
        own.roofSum = *roof;
    }
    return own;
}

std::int32_t OperationsTree::find(const std::string& opId) const {
    if (!m_scene || opId.empty()) return -1;
    for (std::size_t i = 0; i < m_nodeOfOp.size(); ++i)
        if (plumb::opId(m_scene->plan->ops[i]) == opId) return m_nodeOfOp[i];
    return -1;
}

std::string OperationsTree::id(const Node& node) const {
    switch (node.kind) {
    case Kind::Root:
        return {};
    case Kind::Phase:
        return "phase/" + std::string(phaseName(node.phase));
    case Kind::Group:
        return "phase/" + std::string(phaseName(node.phase)) + '/' + std::string(kindName(node.opKind)) +
               (node.head ? "/head" : "");
    case Kind::Operation:
        return opId(op(node));
    }
    return {};
}

const OpReading* OperationsTree::reading(const Node& node) const {
    if (node.op < 0) return nullptr;
    const std::int32_t at = m_measuredOfOp[static_cast<std::size_t>(node.op)];
    return at < 0 ? nullptr : &m_scene->measured->ops[static_cast<std::size_t>(at)];
}

const Op* OperationsTree::ranOp(const Node& node) const {
    if (node.op < 0 || !m_scene->measuredPlan) return nullptr;
    const std::int32_t at = m_measuredOfOp[static_cast<std::size_t>(node.op)];
    const auto& ops = m_scene->measuredPlan->ops;
    return at < 0 || static_cast<std::size_t>(at) >= ops.size() ? nullptr
                                                                : &ops[static_cast<std::size_t>(at)];
}

}  // namespace plumb::ui
