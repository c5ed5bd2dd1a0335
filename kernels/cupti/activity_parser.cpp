// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/activity_parser.h"

#include "core/base/entry_at.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <limits>
#include <map>
#include <memory>
#include <utility>

namespace plumb::cupti {

namespace {

/// Records beyond what a timeline takes cost memory in vain.
constexpr std::size_t kMostOfAKind = 4 * Timeline::kMostRecords;

std::string demangled(const char* name) {
    if (name == nullptr) return "unnamed kernel";
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? text.get() : name;
}

/// Field by field, because records may be aligned to 8 bytes only and belong to a buffer of bytes.
template <class Record>
const Record& as(const CUpti_Activity& record) {
    return reinterpret_cast<const Record&>(record);
}

const char* copyName(std::uint8_t kind) {
    switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
        return "copy host to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
        return "copy device to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
        return "copy within the device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
        return "copy within the host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
        return "copy between devices";
    default:
        return "copy";
    }
}

/// What waits for what.
const char* waitName(CUpti_ActivitySynchronizationType type) {
    switch (type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
        return "wait for an event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
        return "stream waits for an event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
        return "wait for a stream";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
        return "wait for the device";
    default:
        return "wait";
    }
}

}  // namespace

std::int32_t ActivityParser::nameIndex(std::string text) {
    const auto [place, fresh] = m_nameIndex.try_emplace(text, static_cast<std::int32_t>(m_names.size()));
    if (fresh) m_names.push_back(std::move(text));
    return place->second;
}

void ActivityParser::add(const CUpti_Activity& record) {
    if (m_records.size() + m_calls.size() + m_memory.size() >= kMostOfAKind) {
        ++m_dropped;
        return;
    }
    switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL: {
        const auto& kernel = as<CUpti_ActivityKernel10>(record);
        m_records.push_back({TimelineKind::Kernel, kernel.start, kernel.end, kernel.correlationId,
                             kernel.streamId, kernel.graphNodeId, -1, nameIndex(demangled(kernel.name))});
        return;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return addCopy(as<CUpti_ActivityMemcpy6>(record));
    case CUPTI_ACTIVITY_KIND_MEMCPY2: {
        const auto& copy = as<CUpti_ActivityMemcpyPtoP4>(record);
        m_records.push_back({TimelineKind::Copy, copy.start, copy.end, copy.correlationId, copy.streamId,
                             copy.graphNodeId, static_cast<Bytes>(copy.bytes),
                             nameIndex(copyName(copy.copyKind))});
        return;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
        const auto& memset = as<CUpti_ActivityMemset4>(record);
        m_records.push_back({TimelineKind::Memset, memset.start, memset.end, memset.correlationId,
                             memset.streamId, memset.graphNodeId, static_cast<Bytes>(memset.bytes),
                             nameIndex("memset")});
        return;
    }
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE: {
        // In place of the records of its nodes, where those were not asked for.
        const auto& graph = as<CUpti_ActivityGraphTrace2>(record);
        m_records.push_back({TimelineKind::Kernel, graph.start, graph.end, graph.correlationId,
                             graph.streamId, 0, -1, nameIndex("graph")});
        return;
    }
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER: {
        const auto& call = as<CUpti_ActivityAPI>(record);
        const bool runtime = record.kind == CUPTI_ACTIVITY_KIND_RUNTIME;
        std::string name = m_callName ? m_callName(runtime, call.cbid) : std::string();
        if (name.empty()) name = fmt::format("{} call {}", runtime ? "runtime" : "driver", call.cbid);
        m_calls.push_back(
            {call.start, call.end, call.correlationId, call.threadId, nameIndex(std::move(name))});
        return;
    }
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: {
        const auto& wait = as<CUpti_ActivitySynchronization2>(record);
        m_calls.push_back({wait.start, wait.end, wait.correlationId, 0, nameIndex(waitName(wait.type))});
        return;
    }
    case CUPTI_ACTIVITY_KIND_OVERHEAD: {
        const auto& overhead = as<CUpti_ActivityOverhead3>(record);
        m_calls.push_back(
            {overhead.start, overhead.end, overhead.correlationId, 0, nameIndex("CUPTI at work")});
        return;
    }
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
        const auto& external = as<CUpti_ActivityExternalCorrelation>(record);
        if (external.externalKind == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0)
            m_external.insert_or_assign(external.correlationId, external.externalId);
        return;
    }
    case CUPTI_ACTIVITY_KIND_MEMORY2:
        return addMemory(as<CUpti_ActivityMemory4>(record));
    default:
        ++m_ignored;
    }
}

void ActivityParser::addCopy(const CUpti_ActivityMemcpy6& copy) {
    m_records.push_back({TimelineKind::Copy, copy.start, copy.end, copy.correlationId, copy.streamId,
                         copy.graphNodeId, static_cast<Bytes>(copy.bytes),
                         nameIndex(copyName(copy.copyKind))});
}

// Only what lies on the device: pinned and pageable memory of the host is another account.
void ActivityParser::addMemory(const CUpti_ActivityMemory4& memory) {
    const bool onDevice = memory.memoryKind == CUPTI_ACTIVITY_MEMORY_KIND_DEVICE ||
                          memory.memoryKind == CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC ||
                          memory.memoryKind == CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC ||
                          memory.memoryKind == CUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
    const bool allocation = memory.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
    const bool release = memory.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
    if (!onDevice || (!allocation && !release)) {
        ++m_ignored;
        return;
    }
    m_memory.push_back({memory.timestamp, memory.address, memory.correlationId,
                        static_cast<Bytes>(memory.bytes), allocation});
}

void ActivityParser::addOp(std::int32_t op, std::uint64_t beginNs, std::uint64_t endNs) {
    m_opRuns.push_back({op, beginNs, endNs});
}

void ActivityParser::addStep(std::int64_t step, std::uint64_t beginNs, std::uint64_t endNs) {
    m_steps.push_back({step, beginNs, endNs});
}

std::int64_t ActivityParser::runOf(std::uint32_t correlation) const {
    const auto found = m_external.find(correlation);
    if (found == m_external.end() || found->second == 0 || found->second > m_opRuns.size()) return -1;
    return static_cast<std::int64_t>(found->second) - 1;
}

// Nodes of a graph share the correlation of the launch of the whole graph, so the node decides where there is
// one.
std::int32_t ActivityParser::opOf(std::uint32_t correlation, std::uint64_t node) const {
    if (node != 0) {
        const auto found = m_nodeOps.find(node);
        return found == m_nodeOps.end() ? -1 : found->second.op;
    }
    const std::int64_t run = runOf(correlation);
    return run < 0 ? -1 : entryAt(m_opRuns, run).op;
}

std::vector<ActivityParser::OpRun> ActivityParser::runsOnDevice() const {
    std::vector<OpRun> runs = m_opRuns;
    for (const DeviceActivity& record : m_records) {
        const std::int64_t index = record.node != 0 ? -1 : runOf(record.correlation);
        if (index < 0 || record.begin == 0 || record.end < record.begin) continue;
        OpRun& run = entryAt(runs, index);
        run.deviceBegin = run.deviceBegin == 0 ? record.begin : std::min(run.deviceBegin, record.begin);
        run.deviceEnd = std::max(run.deviceEnd, record.end);
    }
    return runs;
}

std::vector<ActivityParser::OpRun> ActivityParser::replayedRuns() const {
    std::map<std::pair<std::uint64_t, std::int64_t>, OpRun> runs;  // by begin of the step, and execution
    for (const DeviceActivity& record : m_records) {
        const auto node = m_nodeOps.find(record.node);
        if (record.node == 0 || node == m_nodeOps.end() || record.begin == 0 || record.end < record.begin)
            continue;
        const auto step = std::find_if(m_steps.begin(), m_steps.end(), [&](const StepRun& run) {
            return record.begin >= run.begin && record.begin <= run.end;
        });
        if (step == m_steps.end()) continue;
        OpRun& run = runs[{step->begin, node->second.execution}];
        run.op = node->second.op;
        run.begin = step->begin;
        run.deviceBegin = run.deviceBegin == 0 ? record.begin : std::min(run.deviceBegin, record.begin);
        run.deviceEnd = std::max(run.deviceEnd, record.end);
    }
    std::vector<OpRun> inOrder;
    inOrder.reserve(runs.size());
    for (const auto& [place, run] : runs) inOrder.push_back(run);
    return inOrder;
}

/// Whether run `at` is of the side branch; `runs` are by step, then execution.
bool ActivityParser::runsBeside(const std::vector<OpRun>& runs, std::size_t at) const {
    const OpRun& run = runs[at];
    const auto op = static_cast<std::size_t>(run.op);
    const OpBranch branch = op < m_branches.size() ? m_branches[op] : OpBranch::Main;
    if (branch != OpBranch::SideButTheLast) return branch == OpBranch::Side;
    return std::any_of(runs.begin() + static_cast<std::ptrdiff_t>(at) + 1, runs.end(),
                       [&](const OpRun& later) { return later.op == run.op && later.begin == run.begin; });
}

// Whole nanoseconds are subtracted before they become seconds: a double does not hold today's date in them.
Seconds ActivityParser::secondsOf(std::uint64_t timeNs) const {
    if (timeNs < m_origin) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(timeNs - m_origin) * 1e-9;
}

void ActivityParser::addMemoryCurve(TimelineBuilder& builder) const {
    std::vector<MemoryEvent> events = m_memory;
    std::stable_sort(events.begin(), events.end(),
                     [](const MemoryEvent& a, const MemoryEvent& b) { return a.time < b.time; });
    if (events.empty() && m_aliveBefore == 0) return;
    const std::uint16_t lane = builder.lane(LaneKind::Memory, "device memory");
    std::unordered_map<std::uint64_t, Bytes> alive;
    Bytes before = m_aliveBefore;  // of allocations that no record tells of
    Bytes sum = before;
    if (before > 0) builder.add({0, 0, sum, -1, -1, 0, lane, TimelineKind::Memory});
    for (const MemoryEvent& event : events) {
        if (event.allocation) {
            sum += event.bytes - std::exchange(alive[event.address], event.bytes);
        } else if (const auto found = alive.find(event.address); found != alive.end()) {
            sum -= found->second;
            alive.erase(found);
        } else if (before > 0) {
            const Bytes known = std::min(before, event.bytes);
            before -= known;
            sum -= known;
        } else {
            continue;  // of somebody else, from before the records began
        }
        const Seconds when = secondsOf(event.time);
        builder.add(
            {when, when, sum, -1, opOf(event.correlation, 0), event.correlation, lane, TimelineKind::Memory});
    }
}

Timeline ActivityParser::timeline() const {
    TimelineBuilder builder(Source::Activity, 0);
    builder.addDropped(m_dropped);
    std::vector<std::int32_t> names;
    names.reserve(m_names.size());
    for (const std::string& name : m_names) names.push_back(builder.name(name));
    const auto nameOf = [&](std::int32_t index) { return index < 0 ? -1 : entryAt(names, index); };
    for (const StepRun& step : m_steps)
        builder.addStep(step.step, secondsOf(step.begin), secondsOf(step.end));
    const std::uint16_t ops = builder.lane(LaneKind::Ops, "ops");
    const auto addRun = [&](const OpRun& run, std::uint16_t lane) {
        const bool ran = run.deviceBegin != 0;
        builder.add({secondsOf(ran ? run.deviceBegin : run.begin), secondsOf(ran ? run.deviceEnd : run.end),
                     -1, -1, run.op, 0, lane, TimelineKind::Op});
    };
    for (const OpRun& run : runsOnDevice()) addRun(run, ops);
    // Branches of a replayed step run at the same time.
    const std::vector<OpRun> replayed = replayedRuns();
    for (std::size_t i = 0; i < replayed.size(); ++i)
        addRun(replayed[i], runsBeside(replayed, i) ? builder.lane(LaneKind::Ops, "ops, side branch") : ops);
    for (const DeviceActivity& record : m_records) {
        const bool onStream = record.kind == TimelineKind::Kernel || record.kind == TimelineKind::Memset;
        const std::uint16_t lane =
            builder.lane(onStream ? LaneKind::Stream : LaneKind::Copies,
                         fmt::format("{} {}", onStream ? "stream" : "copies on stream", record.stream));
        // A start of zero is a record that CUPTI lost the time of.
        const bool timed = record.begin != 0 && record.end != 0;
        builder.add({timed ? secondsOf(record.begin) : std::numeric_limits<double>::quiet_NaN(),
                     secondsOf(record.end), record.bytes, nameOf(record.name),
                     opOf(record.correlation, record.node), record.correlation, lane, record.kind});
    }
    for (const Call& call : m_calls) {
        const std::uint16_t lane =
            builder.lane(LaneKind::Host, call.thread == 0 ? "waits and overhead"
                                                          : fmt::format("host thread {}", call.thread));
        builder.add({secondsOf(call.begin), secondsOf(call.end), -1, nameOf(call.name),
                     opOf(call.correlation, 0), call.correlation, lane, TimelineKind::Call});
    }
    addMemoryCurve(builder);
    return builder.take();
}

}  // namespace plumb::cupti
