// SPDX-License-Identifier: Apache-2.0
#include "core/measure/counter_comparison.h"

#include "core/measure/known_sum.h"

#include <unordered_map>
#include <utility>

namespace plumb {

namespace {

std::optional<double> countedRatio(std::optional<std::int64_t> counted,
                                   std::optional<std::int64_t> modelled) {
    if (!counted || !modelled || *modelled <= 0) return std::nullopt;
    return static_cast<double>(*counted) / static_cast<double>(*modelled);
}

CounterRatios bytesRatios(const OpCounters& counted, std::optional<Bytes> modelled) {
    return CounterRatios{.dram = countedRatio(counted.bytesAt(MemoryLevel::Dram), modelled),
                         .l2 = countedRatio(counted.bytesAt(MemoryLevel::L2), modelled),
                         .l1 = countedRatio(counted.bytesAt(MemoryLevel::L1), modelled)};
}

/// The sum over all ops; absent when one of them lacks it.
std::optional<std::int64_t> sumOfOps(const std::vector<OpReading>& ops,
                                     std::optional<std::int64_t> OpReading::*number) {
    KnownSum<std::int64_t> sum;
    for (const OpReading& op : ops) sum.add(op.*number);
    return ops.empty() ? std::nullopt : sum.value();
}

}  // namespace

CounterRatios compareCounters(const OpReading& modelled, const OpCounters& counted) {
    CounterRatios ratios = bytesRatios(counted, modelled.bytes);
    std::optional<std::int64_t> flops = counted.executedFlops();
    const std::optional<Counted>& tensor = counted[CounterKind::TensorFlops];
    if (!flops && tensor && tensor->value > 0 && productKind(modelled.kind)) flops = tensor->value;
    ratios.flops = countedRatio(flops, modelled.flops);
    return ratios;
}

CounterRatios compareCounters(const Reading& predicted, const Reading& measured) {
    std::unordered_map<std::string_view, const OpReading*> modelled;
    for (const OpReading& op : predicted.ops) modelled.emplace(op.id, &op);
    std::vector<const OpCounters*> counters;
    KnownSum<Flops> flops;
    KnownSum<Bytes> bytes;
    for (const OpReading& op : measured.ops) {
        const auto found = modelled.find(op.id);
        if (found == modelled.end()) return {};
        counters.push_back(&op.counters);
        flops.add(found->second->flops);
        bytes.add(found->second->bytes);
    }
    const OpCounters sum = sumOf(counters);
    CounterRatios ratios = bytesRatios(sum, bytes.value());
    ratios.flops = countedRatio(sum.executedFlops(), flops.value());
    return ratios;
}

void applyCounters(Reading& measured, const std::vector<OpCounters>& counters, CounterRun run) {
    for (std::size_t index = 0; index < measured.ops.size(); ++index) {
        OpReading& op = measured.ops[index];
        op.counters = index < counters.size() ? counters[index] : OpCounters{};
        op.flops = op.counters.executedFlops();
        op.bytes = op.counters.bytesAt(MemoryLevel::Dram);
    }
    measured.totals.flops = sumOfOps(measured.ops, &OpReading::flops);
    measured.totals.bytes = sumOfOps(measured.ops, &OpReading::bytes);
    measured.counterRun = std::move(run);
    measured.countersAbsent.clear();
}

void dropCounters(Reading& measured, std::string reason) {
    for (OpReading& op : measured.ops) {
        op.counters = {};
        op.flops.reset();
        op.bytes.reset();
    }
    measured.totals.flops.reset();
    measured.totals.bytes.reset();
    measured.counterRun.reset();
    measured.countersAbsent = std::move(reason);
}

}  // namespace plumb
