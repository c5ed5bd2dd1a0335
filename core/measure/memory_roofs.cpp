// SPDX-License-Identifier: Apache-2.0
#include "core/measure/memory_roofs.h"

#include "core/machine/attainable.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb {

namespace {

/// Levels differ by factors of two and more; on shared machines a single level varies by a third.
constexpr double kNextLevel = 1.6;

/// A share of a roof counts as possible up to here: what a clock and a median may be off by.
constexpr double kCounts = 1.02;

/// The format whose peak the FLOPs of an op count against.
Dtype unitsOf(OpKind kind, const RunConfig& config) {
    return einsumText(kind).empty() && kind != OpKind::HeadPass ? Dtype::Fp32 : config.computeDtype();
}

double best(const BandwidthPoint& point) { return std::max({point.read, point.copy, point.update}); }

}  // namespace

std::vector<MemoryRoof> memoryRoofs(const Machine& machine) {
    std::vector<MemoryRoof> roofs;
    if (!machine.bandwidthBytesPerSecond || *machine.bandwidthBytesPerSecond <= 0) return roofs;
    roofs.push_back({*machine.bandwidthBytesPerSecond, MemoryLevel::Dram, std::nullopt});
    if (!machine.costs) return roofs;
    const auto& curve = machine.costs->bandwidth;
    // From memory towards the first cache: a smaller working set is never slower, what looks like it is
    // noise.
    double highest = *machine.bandwidthBytesPerSecond;
    for (auto point = curve.rbegin(); point != curve.rend(); ++point) {
        highest = std::max(highest, best(*point));
        if (highest >= roofs.back().bytesPerSecond * kNextLevel)
            roofs.push_back({highest, std::nullopt, point->workingSet});
        else if (roofs.size() > 1)
            roofs.back().bytesPerSecond = highest;
    }
    if (machine.backend == "cuda") {
        if (roofs.size() > 1) roofs[1].level = MemoryLevel::L2;
        if (roofs.size() > 2) roofs[2].level = MemoryLevel::L1;
    }
    return roofs;
}

std::optional<RoofShare> roofShare(double flops, double bytes, Seconds seconds, std::optional<double> peak,
                                   const std::vector<MemoryRoof>& roofs) {
    if (seconds <= 0 || roofs.empty() || (flops > 0 && !(peak && *peak > 0))) return std::nullopt;
    const Seconds compute = flops > 0 ? flops / *peak : 0;
    RoofShare found;
    for (; found.level < roofs.size(); ++found.level) {
        const Seconds memory = bytes / roofs[found.level].bytesPerSecond;
        found.compute = compute >= memory;
        found.share = std::max(compute, memory) / seconds;
        if (found.compute || found.share <= kCounts) break;
    }
    found.level = std::min(found.level, roofs.size() - 1);
    found.ceilingTooLow = found.share > kCounts;
    if (!found.ceilingTooLow) found.share = std::min(found.share, 1.0);
    return found;
}

std::optional<RoofShare> roofShare(const StepOp& op, const Machine& machine, Seconds seconds) {
    if (op.lane == Lane::Traffic) return std::nullopt;
    return roofShare(static_cast<double>(op.flops), static_cast<double>(op.bytes), seconds,
                     machine.peak(op.units), memoryRoofs(machine));
}

std::optional<RoofShare> roofShare(const OpReading& op, const RunConfig& config, const Machine& machine,
                                   Seconds seconds) {
    if (!op.flops || !op.bytes || op.kind == kindName(OpKind::AllReduce)) return std::nullopt;
    const std::optional<OpKind> product = productKind(op.kind);
    const Dtype units = product ? unitsOf(*product, config) : Dtype::Fp32;
    return roofShare(static_cast<double>(*op.flops), static_cast<double>(*op.bytes), seconds,
                     machine.peak(units), memoryRoofs(machine));
}

std::string text(const RoofShare& share, const std::vector<MemoryRoof>& roofs) {
    if (share.ceilingTooLow) return "above 100 %: ceiling too low";
    std::string text = fmt::format("{:.0f} %", 100 * share.share);
    if (share.compute || share.level == 0 || share.level >= roofs.size()) return text;
    const MemoryRoof& roof = roofs[share.level];
    if (roof.level) return text + (*roof.level == MemoryLevel::L2 ? " of L2" : " of L1");
    if (!roof.upTo) return text + " of a cache";
    return text + fmt::format(" of the cache up to {}", bytesText(*roof.upTo));
}

std::string impossibleUtilisation(double utilisation, const Machine& machine) {
    if (utilisation <= kCounts) return {};
    return fmt::format("an MFU of {:.0f} % is not possible: the peak of {} ({}) is too low, {}",
                       100 * utilisation, machine.name, machine.source,
                       isCalibrated(machine)
                           ? "most likely since other programs ran while it was calibrated; run " +
                                 calibrateCommand(machine.backend) + " again"
                           : "correct its record, or calibrate it with " + calibrateCommand(machine.backend));
}

}  // namespace plumb
