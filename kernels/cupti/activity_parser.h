// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/timeline.h"
#include "kernels/cupti/api.h"
#include "kernels/cupti/op_branch.h"

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace plumb::cupti {

/// An execution of an op of the plan that was captured.
struct NodeOp {
    std::int32_t op = -1;
    std::int64_t execution = 0;  ///< its number among the executions of ops that were captured
};
/// Which op of the plan the nodes of a captured graph belong to, by the ids that records of kernels carry.
/// Ids of the executable graph are those of the nodes that were cloned into it.
using NodeOps = std::unordered_map<std::uint64_t, NodeOp>;

/// Turns CUPTI's records into a timeline. Records come in any order and out of order: what launched a kernel
/// may be told after the kernel, so everything is kept until timeline().
///
/// Reads the records of CUPTI 13.0; later versions have appended fields. Times of records are nanoseconds on
/// CUPTI's clock. Names are copied, buffers may be reused at once.
class ActivityParser {
public:
    /// Name of a call of the runtime or, when false, of the driver.
    using CallName = std::function<std::string(bool runtime, std::uint32_t id)>;

    /// `originNs`: where the timeline begins on CUPTI's clock.
    explicit ActivityParser(std::uint64_t originNs, CallName callName = {})
        : m_origin(originNs), m_callName(std::move(callName)) {}

    /// One record of any kind; kinds that are not shown are counted as ignored.
    void add(const CUpti_Activity& record);
    /// One execution of an op, as the host launched it. The external correlation id of what it launched is
    /// the number of executions before it, plus one.
    void addOp(std::int32_t op, std::uint64_t beginNs, std::uint64_t endNs);
    void addStep(std::int64_t step, std::uint64_t beginNs, std::uint64_t endNs);
    void addDropped(std::int64_t records) { m_dropped += records; }
    /// Bytes of the device that were handed out when the records began: the memory curve starts from them.
    void setAliveBefore(Bytes bytes) { m_aliveBefore = bytes; }
    void setNodeOps(NodeOps nodes) { m_nodeOps = std::move(nodes); }
    /// By op, where a replayed step runs it: what is in a branch beside the others has a lane beside theirs.
    void setBranches(std::vector<OpBranch> branches) { m_branches = std::move(branches); }

    /// Records of kinds that nobody reads.
    [[nodiscard]] std::int64_t ignored() const { return m_ignored; }
    /// Everything so far, joined: kernels, copies and memsets with their ops, calls with what they launched,
    /// and the bytes that were alive. An op lasts from the first to the last of what it ran on the device,
    /// and where it ran nothing there, as long as its calls. Records without a time, or that end before they
    /// begin, count as dropped.
    [[nodiscard]] Timeline timeline() const;

private:
    struct DeviceActivity {
        TimelineKind kind{};
        std::uint64_t begin = 0, end = 0;
        std::uint32_t correlation = 0;
        std::uint32_t stream = 0;
        std::uint64_t node = 0;  ///< node's id in a graph; 0: none
        Bytes bytes = -1;
        std::int32_t name = -1;
    };
    struct Call {
        std::uint64_t begin = 0, end = 0;
        std::uint32_t correlation = 0;
        std::uint32_t thread = 0;
        std::int32_t name = -1;
    };
    struct MemoryEvent {
        std::uint64_t time = 0;
        std::uint64_t address = 0;
        std::uint32_t correlation = 0;
        Bytes bytes = 0;
        bool allocation = false;
    };
    struct OpRun {
        std::int32_t op = -1;
        std::uint64_t begin = 0, end = 0;              ///< time of its calls
        std::uint64_t deviceBegin = 0, deviceEnd = 0;  ///< time of what it ran; 0: nothing
    };
    struct StepRun {
        std::int64_t step = 0;
        std::uint64_t begin = 0, end = 0;
    };

    [[nodiscard]] std::int32_t nameIndex(std::string text);
    [[nodiscard]] std::int32_t opOf(std::uint32_t correlation, std::uint64_t node) const;
    /// Index into the executions of ops; -1: none.
    [[nodiscard]] std::int64_t runOf(std::uint32_t correlation) const;
    [[nodiscard]] std::vector<OpRun> runsOnDevice() const;
    /// Executions that steps have replayed, by what their nodes ran.
    [[nodiscard]] std::vector<OpRun> replayedRuns() const;
    [[nodiscard]] bool runsBeside(const std::vector<OpRun>& runs, std::size_t at) const;
    /// Seconds since the origin; not a number for times before it, which then count as dropped.
    [[nodiscard]] Seconds secondsOf(std::uint64_t timeNs) const;
    void addCopy(const CUpti_ActivityMemcpy6& copy);
    void addMemory(const CUpti_ActivityMemory4& memory);
    void addMemoryCurve(TimelineBuilder& builder) const;

    std::uint64_t m_origin;
    CallName m_callName;
    std::int64_t m_dropped = 0;
    std::int64_t m_ignored = 0;
    Bytes m_aliveBefore = 0;
    std::vector<DeviceActivity> m_records;
    std::vector<Call> m_calls;
    std::vector<MemoryEvent> m_memory;
    std::vector<OpRun> m_opRuns;
    std::vector<StepRun> m_steps;
    std::vector<std::string> m_names;
    std::unordered_map<std::string, std::int32_t> m_nameIndex;
    std::unordered_map<std::uint32_t, std::uint64_t> m_external;  ///< correlation to external id
    NodeOps m_nodeOps;
    std::vector<OpBranch> m_branches;
};

}  // namespace plumb::cupti
