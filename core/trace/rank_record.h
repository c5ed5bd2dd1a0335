// SPDX-License-Identifier: Apache-2.0
// What the comparison of ranks needs of the trace of one: small beside the trace, so that the traces of many
// ranks need not be in memory at once.
#pragma once

#include "core/trace/trace_links.h"
#include "core/trace/trace_overview.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::trace {

/// A kernel that communicates, or a collective of gloo on the host.
struct RankCollective {
    static constexpr std::uint32_t kNoStep = UINT32_MAX;

    std::uint32_t slice = 0;
    std::uint32_t step = kNoStep;  ///< of RankRecord::steps, by its launch
    NameId name = 0;               ///< of RankRecord::names: "allreduce", or that of the kernel
    NameId elementType = 0;
    std::uint32_t group = 0;       ///< of RankRecord::groups
    std::int64_t sequence = -1;    ///< as Collectives have them, as are
    std::int64_t elementsIn = -1;  ///< these
    std::int64_t elementsOut = -1;
    std::int64_t peer = -1;
    Nanoseconds begin = 0;  ///< on the file's own clock
    Nanoseconds end = 0;
    bool isLateByHost = false;  ///< its launch began only after all earlier work had ended; false on the host
};

/// A process group as one rank knows it.
struct RankGroup {
    std::string key;                  ///< the same on all its ranks; empty: the file says nothing
    std::string label;                ///< "mesh_tp [0, 1]"; empty likewise
    std::vector<std::int64_t> ranks;  ///< empty where the file does not list them all
};

/// Sums of a stretch of time; what reaches beyond it is cut.
struct RankSums {
    Nanoseconds busy = 0;            ///< union of all GPU work
    Nanoseconds compute = 0;         ///< union of kernels that do not communicate
    Nanoseconds communication = 0;   ///< union of those that do
    Nanoseconds exposed = 0;         ///< the part of it in which no other kernel runs
    std::vector<KernelSum> kernels;  ///< kernels that do not communicate, by the names of RankRecord::names
};

struct RankStep {
    NameId name = 0;
    Nanoseconds begin = 0;  ///< on the file's own clock
    Nanoseconds duration = 0;
    RankSums sums;  ///< of its window, which goes on to the beginning of the next step
};

struct RankRecord {
    std::string file;
    std::optional<std::int64_t> rank;  ///< as the file says
    std::optional<std::int64_t> worldSize;
    std::optional<Nanoseconds> baseNanoseconds;
    std::string backend;          ///< "nccl"; empty: not said
    std::int64_t lostEvents = 0;  ///< of the file, that are not in the trace
    NameTable names;
    std::vector<RankGroup> groups;            ///< the first is that of kernels that say nothing
    std::vector<RankCollective> collectives;  ///< by begin
    std::vector<RankStep> steps;              ///< by begin
    RankSums sums;                            ///< of the whole trace
    Nanoseconds begin = 0;                    ///< of the first slice
    Nanoseconds end = 0;                      ///< of the last
};

/// `file` is the name by which people know it. All devices of the trace count as one.
[[nodiscard]] RankRecord rankRecordOf(const Trace& trace, const TraceLinks& links, std::string file);

/// "[0, 1, 2, 3]" as numbers; empty where it is no such list, or a shortened one.
[[nodiscard]] std::vector<std::int64_t> ranksOfText(std::string_view text);

}  // namespace plumb::trace
