// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_array.h"
#include "core/measure/source.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// What hardware counters tell about one op. FLOPs are those that were executed: padding of tiles included,
/// a fused multiply-add is two. Functions of the special unit (exp, square root), integers and conversions
/// are not counted by the hardware.
enum class CounterKind : std::uint8_t {
    TensorFlops,  ///< on tensor cores
    CoreFlops,    ///< on CUDA cores, all floating-point types together
    DramBytes,    ///< read and written, by everything that runs on the device meanwhile
    L2Bytes,      ///< asked of the L2 by the SMs
    L1Bytes,      ///< through the L1's load/store and texture path; bulk copies (TMA) of sm_90+ pass it by
    SharedBytes,  ///< through shared memory: an upper bound, 128 bytes for each wavefront
    // What ratios are made of (kCounterRatios). Sums over all SMs, of cycles in which they had work.
    SmCycles,       ///< cycles of SMs
    TensorCycles,   ///< of these, those in which the tensor pipe worked
    WarpCycles,     ///< warps on an SM, summed over its cycles
    MemoryStalls,   ///< of these, those that waited for a value from L1, L2 or DRAM
    BarrierStalls,  ///< that waited for other warps of their block
    MathStalls,     ///< that waited for a unit of arithmetic to be free
    L2Hits,         ///< sectors that the L2 held
    L2Misses,       ///< and did not hold
};
constexpr CounterKind lastOf(CounterKind /*type*/) { return CounterKind::L2Misses; }
inline constexpr std::size_t kCounterCount = kEnumCount<CounterKind>;
inline constexpr auto kAllCounters = kEnumerators<CounterKind>;

/// As files call it: "tensor_flops", "dram_bytes".
[[nodiscard]] std::string_view counterName(CounterKind kind);
/// As people read it: "tensor-core FLOPs", "DRAM bytes".
[[nodiscard]] std::string_view counterLabel(CounterKind kind);
/// "FLOP", "B", "cycles" or "sectors".
[[nodiscard]] std::string_view counterUnit(CounterKind kind);
/// The one metric of NVIDIA's that it is on every chip, without its roll-up; empty where that depends.
[[nodiscard]] std::string_view counterMetric(CounterKind kind);

/// A count and where it came from.
struct Counted {
    std::int64_t value = 0;
    Source source = Source::Counter;
    bool operator==(const Counted&) const = default;
};

/// A number that two counts make: part / (whole and, where it is another, rest).
struct CounterRatio {
    std::string_view name;   ///< "tensor_pipe", in tables
    std::string_view label;  ///< "tensor pipe"
    std::string_view about;  ///< what it is
    CounterKind part;
    CounterKind whole;
    CounterKind rest;     ///< `whole`: none
    bool isShare = true;  ///< of 1; else a number of warps
};
inline constexpr std::array kCounterRatios{
    CounterRatio{"tensor_pipe", "tensor pipe",
                 "Share of the cycles of SMs with work in which the tensor pipe was active",
                 CounterKind::TensorCycles, CounterKind::SmCycles, CounterKind::SmCycles},
    CounterRatio{"warps_per_sm", "warps/SM",
                 "Warps on an SM while it had work, mean: occupancy is this / the most that it holds",
                 CounterKind::WarpCycles, CounterKind::SmCycles, CounterKind::SmCycles, false},
    CounterRatio{"l2_hits", "L2 hits", "Share of the sectors asked of the L2, by anyone, that it held",
                 CounterKind::L2Hits, CounterKind::L2Hits, CounterKind::L2Misses},
    CounterRatio{"memory_stalls", "waits: memory",
                 "Share of the warps' cycles in which they waited for a value from L1, L2 or DRAM",
                 CounterKind::MemoryStalls, CounterKind::WarpCycles, CounterKind::WarpCycles},
    CounterRatio{"barrier_stalls", "waits: barrier",
                 "Share of the warps' cycles in which they waited for other warps of their block",
                 CounterKind::BarrierStalls, CounterKind::WarpCycles, CounterKind::WarpCycles},
    CounterRatio{"math_stalls", "waits: units",
                 "Share of the warps' cycles in which they waited for a unit of arithmetic to be free",
                 CounterKind::MathStalls, CounterKind::WarpCycles, CounterKind::WarpCycles}};
/// Absent unless all of its counts are known and there is a whole.
[[nodiscard]] std::optional<double> ratioOf(const CounterRatio& ratio,
                                            const std::function<std::optional<double>(CounterKind)>& counted);

/// Warps that an SM of this compute capability (90 for 9.0) holds at most; absent of one that is not known.
[[nodiscard]] std::optional<int> mostWarps(int computeCapability);

/// Levels of memory that a roofline can be drawn for.
enum class MemoryLevel : std::uint8_t { Dram, L2, L1 };

/// The counts of one op in one step, all executions together. What was not measured is absent, never zero.
class OpCounters {
public:
    [[nodiscard]] std::optional<Counted>& operator[](CounterKind kind) { return m_counts[kind]; }
    [[nodiscard]] const std::optional<Counted>& operator[](CounterKind kind) const { return m_counts[kind]; }
    [[nodiscard]] bool empty() const;

    /// Tensor and CUDA cores together; absent unless both are known.
    [[nodiscard]] std::optional<std::int64_t> executedFlops() const;
    /// Bytes at a level. The L1's are those of the load/store path and of shared memory together, since they
    /// are one memory and products of sm_90+ use the latter; absent unless both are known.
    [[nodiscard]] std::optional<std::int64_t> bytesAt(MemoryLevel level) const;

    bool operator==(const OpCounters&) const = default;

private:
    EnumArray<CounterKind, std::optional<Counted>> m_counts{};
};

/// The sum over ops, kind by kind; a kind that one of them lacks is absent, and so is one that 63 bits do not
/// hold. Sums keep the source where all agree, and are Source::Counter otherwise.
[[nodiscard]] OpCounters sumOf(const std::vector<const OpCounters*>& ops);

/// What has to be known of a run of counters to judge its numbers later, without the device.
struct CounterRun {
    std::string chip;                  ///< "GH100": decides what the metrics mean
    std::string driver;                ///< "580.65"; empty: not known
    std::string cupti;                 ///< version of the library's interface, "130001"
    std::vector<std::string> metrics;  ///< that were collected
    std::int64_t passes = 0;           ///< training steps that it took
    std::optional<double> smClockHz;   ///< the device's rated clocks, not those of the run
    std::optional<double> memoryClockHz;
    bool operator==(const CounterRun&) const = default;
};

/// The vendor's names of what a kind was counted by in that run: "lts__t_sectors_srcunit_tex.sum",
/// "dram__bytes_{read,write}.sum", "sm__sass_thread_inst_executed_op_*_pred_on.sum (9 metrics)". Empty where
/// it was not counted.
[[nodiscard]] std::string metricsText(CounterKind kind, const CounterRun& run);

}  // namespace plumb
