// SPDX-License-Identifier: Apache-2.0
#include "core/measure/operations_tree.h"

#include "core/base/entry_at.h"
#include "core/measure/known_sum.h"
#include "core/measure/spread.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace plumb {

namespace {

std::optional<double> ratio(std::optional<double> above, std::optional<double> below) {
    if (!above || !below || !(*below > 0) || std::isnan(*above)) return std::nullopt;
    return *above / *below;
}

}  // namespace

std::optional<double> OperationFigures::intensity() const {
    if (!isKnown(flops)) return std::nullopt;
    return ratio(static_cast<double>(flops), static_cast<double>(bytes));
}
std::optional<Seconds> OperationFigures::predicted() const {
    return ops > 0 && predictedOps == ops ? std::optional(predictedSum) : std::nullopt;
}
std::optional<Seconds> OperationFigures::measured() const {
    return ranOps > 0 && measuredOps == ranOps ? std::optional(measuredSum) : std::nullopt;
}
std::optional<double> OperationFigures::difference() const {
    if (isWhatIf) {
        const auto times = ratio(predicted(), measured());
        return times ? std::optional(*times - 1) : std::nullopt;
    }
    if (ranPredictedOps != ranOps) return std::nullopt;
    const auto times = ratio(measured(), ranPredictedSum);
    return times ? std::optional(*times - 1) : std::nullopt;
}
std::optional<double> OperationFigures::flopPerSecond() const { return ratio(ranFlops, measured()); }
std::optional<double> OperationFigures::bytesPerSecond() const { return ratio(ranBytes, measured()); }
std::optional<double> OperationFigures::ofRoof() const {
    return roofOps == ranOps ? ratio(roofSum, measured()) : std::nullopt;
}

std::optional<double> OperationFigures::counted(CounterKind kind) const {
    return ranOps > 0 && countedOps[kind] == ranOps ? std::optional(countedSum[kind]) : std::nullopt;
}
std::optional<double> OperationFigures::executedFlops() const {
    const auto tensor = counted(CounterKind::TensorFlops), core = counted(CounterKind::CoreFlops);
    return tensor && core ? std::optional(*tensor + *core) : std::nullopt;
}
std::optional<double> OperationFigures::bytesAt(MemoryLevel level) const {
    if (level == MemoryLevel::Dram) return counted(CounterKind::DramBytes);
    if (level == MemoryLevel::L2) return counted(CounterKind::L2Bytes);
    const auto cache = counted(CounterKind::L1Bytes), shared = counted(CounterKind::SharedBytes);
    return cache && shared ? std::optional(*cache + *shared) : std::nullopt;
}
std::optional<double> OperationFigures::flopsRatio() const { return ratio(executedFlops(), ranFlops); }
std::optional<double> OperationFigures::dramRatio() const {
    return ratio(bytesAt(MemoryLevel::Dram), ranBytes);
}

std::optional<double> OperationFigures::dramShare() const {
    const auto moved = bytesAt(MemoryLevel::Dram);
    return moved && bandwidth > 0 ? ratio(*moved / bandwidth, measured()) : std::nullopt;
}
std::optional<double> OperationFigures::counterRatio(const CounterRatio& ratio) const {
    return ratioOf(ratio, [this](CounterKind kind) { return counted(kind); });
}

std::optional<Spread> OperationFigures::spread() const { return measured() ? spreadSum : std::nullopt; }

void OperationFigures::addPlan(const OperationFigures& other) {
    bound = ops == 0 || bound == other.bound ? other.bound : std::nullopt;
    count += other.count;
    ops += other.ops;
    predictedOps += other.predictedOps;
    flops += other.flops;
    bytes += other.bytes;
    hasFlops = hasFlops && other.hasFlops;
    predictedSum += other.predictedSum;
    if (other.tier && (!tier || *tier < *other.tier)) tier = other.tier;
}

void OperationFigures::addRun(const OperationFigures& other) {
    ranOps += other.ranOps;
    ranCount += other.ranCount;
    measuredOps += other.measuredOps;
    roofOps += other.roofOps;
    measuredSum += other.measuredSum;
    addKnown(spreadSum, other.spreadSum);
    roofSum += other.roofSum;
    ceilingTooLow = ceilingTooLow || other.ceilingTooLow;
    roof = ranOps == 1 ? other.roof : std::nullopt;
    ranPredictedSum += other.ranPredictedSum;
    ranPredictedOps += other.ranPredictedOps;
    ranFlops += other.ranFlops;
    ranBytes += other.ranBytes;
    bandwidth = other.bandwidth;
    for (const CounterKind kind : kAllCounters) {
        countedSum[kind] += other.countedSum[kind];
        countedOps[kind] += other.countedOps[kind];
    }
}

namespace {

/// The timeline that has kernels for its ops; null when there is none.
const Timeline* deviceTimeline(const Scene& scene) {
    const Timeline* timeline = scene.measured ? scene.measured->reading->timeline.get() : nullptr;
    const auto isKernel = [](const TimelineRecord& record) {
        return record.kind == TimelineKind::Kernel && record.op >= 0;
    };
    return timeline && std::ranges::any_of(timeline->records, isKernel) ? timeline : nullptr;
}

/// Every kernel of every op, by op and then in the order of first launch.
std::vector<OperationsTree::Kernel> kernelsOf(const Timeline& timeline, const Reading& reading) {
    std::vector<OperationsTree::Kernel> kernels;
    std::map<std::tuple<std::int32_t, std::int32_t, std::uint16_t>, std::size_t> places;
    const double steps = std::max<double>(1, static_cast<double>(timeline.steps.size()));
    for (const TimelineRecord& record : timeline.records) {
        if (record.kind != TimelineKind::Kernel || record.op < 0) continue;
        const auto [place, isNew] = places.try_emplace({record.op, record.name, record.lane}, kernels.size());
        if (isNew)
            kernels.push_back({record.op,
                               record.name >= 0 ? entryAt(timeline.names, record.name)
                                                : entryAt(reading.ops, record.op).name,
                               timeline.lanes[record.lane].name, 0, 0, 0});
        OperationsTree::Kernel& kernel = kernels[place->second];
        ++kernel.launches;
        kernel.seconds += record.end - record.begin;
        kernel.launchesPerStep = static_cast<double>(kernel.launches) / steps;
    }
    std::ranges::stable_sort(kernels, {}, &OperationsTree::Kernel::op);
    return kernels;
}

}  // namespace

bool OperationsTree::keepsRows(const Scene& scene) const {
    if (!m_scene) return false;
    if (deviceTimeline(*m_scene) != deviceTimeline(scene)) return false;
    return step().hasSameOps(*scene.whatIf.step);
}

void OperationsTree::update(const ScenePtr& scene) {
    const bool keep = keepsRows(*scene);
    const ScenePtr before = std::exchange(m_scene, scene);
    if (!keep) buildRows();
    // Matching with another step makes text for every op: only when either side of the match is another one.
    const auto what = [](const Scene& of) {
        return of.measured ? std::pair(of.measured->reading, of.measured->prediction)
                           : std::pair(std::shared_ptr<const Reading>(), std::shared_ptr<const Prediction>());
    };
    if (!keep || what(*before) != what(*scene)) matchMeasured();
    if (!keep) addKernels();
    fillFigures();
}

void OperationsTree::addKernels() {
    m_kernels.clear();
    const Timeline* timeline = deviceTimeline(*m_scene);
    if (!timeline) return;
    m_kernels = kernelsOf(*timeline, *m_scene->measured->reading);
    std::vector<std::int32_t> nodeOfRan(m_scene->measured->reading->ops.size(), -1);
    for (std::size_t i = 0; i < m_measuredOfOp.size(); ++i)
        if (m_measuredOfOp[i] >= 0) entryAt(nodeOfRan, m_measuredOfOp[i]) = m_nodeOfOp[i];
    for (std::size_t i = 0; i < m_kernels.size(); ++i) {
        const std::int32_t parent = entryAt(nodeOfRan, m_kernels[i].op);
        if (parent < 0) continue;  // an op that the sliders do not ask for any more
        const Node& above = nodeAt(parent);
        addNode(parent, {.kind = Kind::Kernel,
                         .phase = above.phase,
                         .first = above.op,
                         .kernel = static_cast<std::int32_t>(i),
                         .children = {},
                         .figures = {}});
    }
}

std::int32_t OperationsTree::addNode(std::int32_t parent, Node node) {
    const auto index = static_cast<std::int32_t>(m_nodes.size());
    std::vector<std::int32_t>& siblings = nodeAt(parent).children;
    node.parent = parent;
    node.row = static_cast<std::int32_t>(siblings.size());
    siblings.push_back(index);
    m_nodes.push_back(std::move(node));
    return index;
}

void OperationsTree::buildRows() {
    // Two passes over the ops: a group is known to hold one op only when all have been seen.
    using GroupKey = std::pair<Phase, std::string_view>;
    std::vector<std::vector<std::int32_t>> groups;
    std::map<GroupKey, std::size_t> groupOf;
    const std::int32_t opCount = step().opCount();
    for (std::int32_t op = 0; op < opCount; ++op) {
        const GroupKey key{step().op(op).phase, step().opGroup(op)};
        const auto [found, isNew] = groupOf.try_emplace(key, groups.size());
        if (isNew) groups.emplace_back();
        groups[found->second].push_back(op);
    }

    m_nodes.clear();
    m_nodes.reserve(static_cast<std::size_t>(opCount) + 2 * groups.size() + 1);
    m_nodes.emplace_back();
    m_nodeOfOp.assign(static_cast<std::size_t>(opCount), -1);
    std::map<Phase, std::int32_t> phases;
    for (const std::vector<std::int32_t>& group : groups) {
        const std::int32_t first = group.front();
        const auto nodeOf = [&](Kind kind) {
            return Node{
                .kind = kind, .phase = step().op(first).phase, .first = first, .children = {}, .figures = {}};
        };
        const auto [phase, isNew] = phases.try_emplace(step().op(first).phase);
        if (isNew) phase->second = addNode(0, nodeOf(Kind::Phase));
        std::int32_t parent = phase->second;
        if (group.size() > 1) parent = addNode(parent, nodeOf(Kind::Group));
        for (const std::int32_t op : group) {
            Node node = nodeOf(Kind::Operation);
            node.first = node.op = op;
            entryAt(m_nodeOfOp, op) = addNode(parent, std::move(node));
        }
    }
}

void OperationsTree::matchMeasured() {
    const Scene& scene = *m_scene;
    const auto opCount = static_cast<std::size_t>(step().opCount());
    m_measuredOfOp.assign(opCount, -1);
    m_roof.clear();
    m_ranPredicted.clear();
    m_rowOfRan.clear();
    if (!scene.measured) return;
    const Step& ran = *scene.measured->step;
    const std::vector<OpReading>& readings = scene.measured->reading->ops;

    for (std::size_t i = 0; i < opCount; ++i) {
        const OpReading* const found = scene.measuredOp(step(), static_cast<std::int64_t>(i));
        if (found) m_measuredOfOp[i] = static_cast<std::int32_t>(found - readings.data());
    }
    m_roof.resize(readings.size());
    m_ranPredicted.resize(readings.size());
    m_rowOfRan.assign(readings.size(), -1);
    std::map<std::pair<Phase, std::string_view>, std::int32_t> groups;
    std::map<Phase, std::int32_t> phases;
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const Node& node = m_nodes[i];
        if (node.kind == Kind::Phase) phases[node.phase] = static_cast<std::int32_t>(i);
        if (node.kind == Kind::Group)
            groups[{node.phase, step().opGroup(node.first)}] = static_cast<std::int32_t>(i);
    }
    for (std::size_t i = 0; i < std::min(readings.size(), static_cast<std::size_t>(ran.opCount())); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        if (scene.measuredOp(ran, at) != &readings[i]) continue;
        const StepOp& op = ran.op(at);
        if (const auto group = groups.find({op.phase, ran.opGroup(at)}); group != groups.end())
            m_rowOfRan[i] = group->second;
        else if (const auto phase = phases.find(op.phase); phase != phases.end())
            m_rowOfRan[i] = phase->second;
        if (readings[i].seconds) m_roof[i] = roofShare(op, scene.measured->machine(), *readings[i].seconds);
        if (i < scene.measured->prediction->opSeconds.size())
            m_ranPredicted[i] = scene.measured->prediction->opSeconds[i];
    }
}

void OperationsTree::fillFigures() {
    const bool isWhatIf = m_scene->measured && !m_scene->sameConfig();
    for (Node& node : m_nodes) {
        node.figures = {};
        node.figures.isWhatIf = isWhatIf;
    }
    const std::vector<std::optional<Seconds>>& predicted = m_scene->whatIf.prediction->opSeconds;
    for (std::size_t i = 0; i < m_nodeOfOp.size(); ++i) {
        const StepOp& op = step().op(static_cast<std::int64_t>(i));
        OperationFigures own{.count = op.executions * op.repeat,
                             .ops = 1,
                             .flops = op.flops,
                             .bytes = op.bytes,
                             .hasFlops = op.hasFlops,
                             .bound = boundOf(op, m_scene->whatIf.machine())};
        if (i < predicted.size() && predicted[i]) {
            own.predictedOps = 1;
            own.predictedSum = *predicted[i];
            if (const auto& tiers = m_scene->whatIf.prediction->opTiers; i < tiers.size())
                own.tier = tiers[i];
        }
        for (std::int32_t at = m_nodeOfOp[i]; at >= 0; at = nodeAt(at).parent)
            nodeAt(at).figures.addPlan(own);
        if (const std::int32_t at = m_measuredOfOp[i]; at >= 0)
            nodeAt(m_nodeOfOp[i]).figures.addRun(figuresOfRun(static_cast<std::size_t>(at)));
    }
    const double steps =
        deviceTimeline(*m_scene)
            ? static_cast<double>(std::max<std::size_t>(1, deviceTimeline(*m_scene)->steps.size()))
            : 1;
    for (Node& node : m_nodes) {
        if (node.kind != Kind::Kernel) continue;
        const Kernel& kernel = entryAt(m_kernels, node.kernel);
        node.figures.count = std::llround(kernel.launchesPerStep);
        node.figures.ranOps = node.figures.measuredOps = 1;
        node.figures.measuredSum = kernel.seconds / steps;
    }
    // A group's measured time is of the run's whole group. The sum over the operations that both have would
    // look like it, and be a part of it, as soon as the sliders ask for fewer layers.
    for (std::size_t i = 0; i < m_rowOfRan.size(); ++i) {
        if (m_rowOfRan[i] < 0) continue;
        // The row of the op has them already, unless a what-if has put another op into its place.
        const bool isThere = i < m_measuredOfOp.size() && m_measuredOfOp[i] == static_cast<std::int32_t>(i);
        const OperationFigures ran = isThere ? nodeAt(m_nodeOfOp[i]).figures : figuresOfRun(i);
        for (std::int32_t at = m_rowOfRan[i]; at >= 0; at = nodeAt(at).parent) nodeAt(at).figures.addRun(ran);
    }
}

OperationFigures OperationsTree::figuresOfRun(std::size_t reading) const {
    OperationFigures own;
    own.ranOps = 1;
    own.bandwidth = m_scene->measured->machine().bandwidthBytesPerSecond.value_or(0);
    const Step& step = *m_scene->measured->step;
    const auto at = static_cast<std::int64_t>(reading);
    const StepOp* const ran = at < step.opCount() ? &step.op(at) : nullptr;
    if (ran != nullptr) own.ranCount = ran->executions * ran->repeat;
    const OpReading& measured = m_scene->measured->reading->ops[reading];
    for (const CounterKind kind : kAllCounters)
        if (const auto& counted = measured.counters[kind]) {
            own.countedOps[kind] = 1;
            own.countedSum[kind] = static_cast<double>(counted->value);
        }
    if (!measured.seconds) return own;
    own.measuredOps = 1;
    own.measuredSum = *measured.seconds;
    own.spreadSum = measured.spread;
    // A clock knows no FLOPs and no bytes: those of what ran are its step's.
    const bool known = ran != nullptr && (m_rowOfRan[reading] >= 0 || m_roof[reading].has_value() ||
                                          measured.id == step.opId(at));
    own.ranFlops = known ? static_cast<double>(ran->flops) : std::numeric_limits<double>::quiet_NaN();
    own.ranBytes = known ? static_cast<double>(ran->bytes) : std::numeric_limits<double>::quiet_NaN();
    if (const auto& seconds = m_ranPredicted[reading]) {
        own.ranPredictedOps = 1;
        own.ranPredictedSum = *seconds;
    }
    if (const auto& roof = m_roof[reading]) {
        own.roofOps = 1;
        own.roofSum = roof->share * *measured.seconds;
        own.ceilingTooLow = roof->ceilingTooLow;
        own.roof = roof;
    }
    return own;
}

std::int32_t OperationsTree::find(const std::string& opId) const {
    const std::int32_t op = m_scene ? step().findOp(opId) : -1;
    return op < 0 ? -1 : entryAt(m_nodeOfOp, op);
}

std::string OperationsTree::id(const Node& node) const {
    switch (node.kind) {
    case Kind::Root:
        return {};
    case Kind::Phase:
        return "phase/" + std::string(phaseName(node.phase));
    case Kind::Group:
        return "phase/" + std::string(phaseName(node.phase)) + '/' + std::string(step().opGroup(node.first));
    case Kind::Operation:
        return step().opId(node.op);
    case Kind::Kernel:
        return id(this->node(node.parent)) + "/kernel" + std::to_string(node.row);
    }
    return {};
}

const OpReading* OperationsTree::reading(const Node& node) const {
    if (node.op < 0) return nullptr;
    const std::int32_t at = entryAt(m_measuredOfOp, node.op);
    return at < 0 ? nullptr : &entryAt(m_scene->measured->reading->ops, at);
}

const StepOp* OperationsTree::ranOp(const Node& node) const {
    if (node.op < 0 || !m_scene->measured) return nullptr;
    const std::int32_t at = entryAt(m_measuredOfOp, node.op);
    const Step& ran = *m_scene->measured->step;
    return at < 0 || at >= ran.opCount() ? nullptr : &ran.op(at);
}

}  // namespace plumb
