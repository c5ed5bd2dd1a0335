// SPDX-License-Identifier: Apache-2.0
#include "core/measure/op_counters.h"

#include "core/base/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace plumb {

namespace {

struct Description {
    std::string_view name;
    std::string_view label;
    std::string_view unit;
    std::string_view metric = {};
    std::string_view family = {};  ///< where `metric` is empty: how the names of its metrics begin
};

constexpr EnumArray<CounterKind, Description> kDescriptions{{
    {"tensor_flops", "tensor-core FLOPs", "FLOP", {}, "sm__ops_path_tensor_"},
    {"core_flops", "CUDA-core FLOPs", "FLOP", {}, "sm__sass_thread_inst_executed_op_"},
    {"dram_bytes", "DRAM bytes", "B", {}, "dram__bytes"},
    {"l2_bytes", "L2 bytes", "B", {}, "lts__t_sectors_srcunit_"},
    {"l1_bytes", "L1 bytes", "B", {}, "l1tex__t_bytes"},
    {"shared_bytes", "shared-memory bytes", "B", {}, "l1tex__data_pipe_lsu_wavefronts_mem_shared"},
    {"sm_cycles", "cycles of SMs", "cycles", "sm__cycles_active"},
    {"tensor_cycles", "cycles of the tensor pipe", "cycles", "sm__pipe_tensor_cycles_active"},
    {"warp_cycles", "cycles of warps", "cycles", "sm__warps_active"},
    {"memory_stall_cycles", "cycles of warps that wait for memory", "cycles",
     "smsp__warps_issue_stalled_long_scoreboard"},
    {"barrier_stall_cycles", "cycles of warps that wait at a barrier", "cycles",
     "smsp__warps_issue_stalled_barrier"},
    {"math_stall_cycles", "cycles of warps that wait for a unit", "cycles",
     "smsp__warps_issue_stalled_math_pipe_throttle"},
    {"l2_hit_sectors", "sectors found in L2", "sectors", "lts__t_sectors_lookup_hit"},
    {"l2_miss_sectors", "sectors not found in L2", "sectors", "lts__t_sectors_lookup_miss"},
}};

std::optional<std::int64_t> sumOfBoth(const std::optional<Counted>& a, const std::optional<Counted>& b) {
    if (!a || !b) return std::nullopt;
    const std::int64_t sum = addOrOverflow(a->value, b->value);
    return sum < 0 ? std::nullopt : std::optional(sum);
}

std::optional<std::int64_t> valueOf(const std::optional<Counted>& counted) {
    return counted ? std::optional(counted->value) : std::nullopt;
}

/// What all of them begin or end with, up to a border between words.
std::string_view commonBeginning(const std::vector<std::string_view>& names) {
    std::string_view common = names.front();
    for (const std::string_view name : names)
        common = common.substr(
            0, static_cast<std::size_t>(std::ranges::mismatch(common, name).in1 - common.begin()));
    return common.substr(0, common.rfind('_') + 1);
}
std::string_view commonEnd(const std::vector<std::string_view>& names) {
    std::string_view common = names.front();
    for (const std::string_view name : names) {
        std::size_t same = 0;
        while (same < std::min(common.size(), name.size()) &&
               common[common.size() - 1 - same] == name[name.size() - 1 - same])
            ++same;
        common.remove_prefix(common.size() - same);
    }
    const std::size_t border = common.find_first_of("_.");
    return border == std::string_view::npos ? std::string_view{} : common.substr(border);
}

}  // namespace

std::string_view counterName(CounterKind kind) { return kDescriptions[kind].name; }
std::string_view counterLabel(CounterKind kind) { return kDescriptions[kind].label; }
std::string_view counterUnit(CounterKind kind) { return kDescriptions[kind].unit; }

std::optional<double> ratioOf(const CounterRatio& ratio,
                              const std::function<std::optional<double>(CounterKind)>& counted) {
    const auto part = counted(ratio.part), whole = counted(ratio.whole);
    const auto rest = ratio.rest == ratio.whole ? std::optional(0.0) : counted(ratio.rest);
    if (!part || !whole || !rest || !(*whole + *rest > 0)) return std::nullopt;
    return *part / (*whole + *rest);
}

// Technical specifications by compute capability in the CUDA programming guide.
std::optional<int> mostWarps(int computeCapability) {
    switch (computeCapability) {
    case 75:
        return 32;
    case 80:
    case 90:
    case 100:
    case 103:
        return 64;
    case 86:
    case 87:
    case 89:
    case 120:
    case 121:
        return 48;
    default:
        return std::nullopt;
    }
}

std::string_view counterMetric(CounterKind kind) { return kDescriptions[kind].metric; }

bool OpCounters::empty() const {
    return std::none_of(m_counts.begin(), m_counts.end(),
                        [](const auto& count) { return count.has_value(); });
}

std::optional<std::int64_t> OpCounters::executedFlops() const {
    return sumOfBoth((*this)[CounterKind::TensorFlops], (*this)[CounterKind::CoreFlops]);
}

std::optional<std::int64_t> OpCounters::bytesAt(MemoryLevel level) const {
    switch (level) {
    case MemoryLevel::Dram:
        return valueOf((*this)[CounterKind::DramBytes]);
    case MemoryLevel::L2:
        return valueOf((*this)[CounterKind::L2Bytes]);
    case MemoryLevel::L1:
        return sumOfBoth((*this)[CounterKind::L1Bytes], (*this)[CounterKind::SharedBytes]);
    }
    return std::nullopt;
}

OpCounters sumOf(const std::vector<const OpCounters*>& ops) {
    OpCounters sum;
    if (ops.empty()) return sum;
    for (const CounterKind kind : kAllCounters) {
        std::optional<Counted> total;
        for (const OpCounters* op : ops) {
            const std::optional<Counted>& count = (*op)[kind];
            if (!count) {
                total.reset();
                break;
            }
            if (!total) {
                total = count;
                continue;
            }
            total->value = addOrOverflow(total->value, count->value);
            if (total->source != count->source) total->source = Source::Counter;
            if (total->value < 0) {
                total.reset();
                break;
            }
        }
        sum[kind] = total;
    }
    return sum;
}

std::string metricsText(CounterKind kind, const CounterRun& run) {
    const Description& described = kDescriptions[kind];
    std::vector<std::string_view> names;
    for (const std::string& name : run.metrics)
        if (described.metric.empty() ? name.starts_with(described.family)
                                     : name == std::string(described.metric) + ".sum")
            names.emplace_back(name);
    if (names.empty()) return {};
    if (names.size() == 1) return std::string(names.front());
    const std::string_view beginning = commonBeginning(names);
    const std::string_view end = commonEnd(names);
    std::string differing;
    for (const std::string_view name : names) {
        if (name.size() < beginning.size() + end.size()) return fmt::format("{}", fmt::join(names, ", "));
        differing += (differing.empty() ? "" : ",") +
                     std::string(name.substr(beginning.size(), name.size() - beginning.size() - end.size()));
    }
    return names.size() == 2 ? fmt::format("{}{{{}}}{}", beginning, differing, end)
                             : fmt::format("{}*{} ({} metrics)", beginning, end, names.size());
}

}  // namespace plumb
