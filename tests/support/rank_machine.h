// SPDX-License-Identifier: Apache-2.0
// A machine whose calibration of several ranks follows a law.
#pragma once

#include "core/machine/op_cost_key.h"
#include "core/plan/step_plan.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace plumb::test {

inline constexpr Seconds kAfterOp = 1e-7;

struct Law {
    Seconds perWork = 1e-9;        ///< of compute
    Seconds perByte = 1e-8;        ///< of traffic
    double slowedByTraffic = 1.5;  ///< compute ...
    double slowedByProducts = 2;   ///< ... and traffic
};

/// A table in which an op takes so long by its work, whatever its sizes.
inline CostTable tableOf(const std::string& op, Seconds perWork) {
    CostTable table{op, {{}}};
    for (double size = 1; size < 1e13; size *= 10) {
        table.lines.front().rows.push_back(size);
        table.lines.front().work.push_back(size);
        table.lines.front().seconds.push_back(std::max(1e-15, perWork * size));
    }
    return table;
}

/// A machine on which so many ranks were measured that take steps as `plan` does.
inline Machine machineFor(const StepPlan& plan, const Law& law = {}) {
    Machine machine{.backend = "cpu", .peakFlopPerSecond = {{Dtype::Fp32, 1e12}}};
    machine.bandwidthBytesPerSecond = 1e11;
    machine.source = "calibrated 2026-11-28";
    machine.costs = CostTables{};
    RankCosts& ranks = machine.ofRanks.emplace_back();
    ranks.ranks = plan.ranksOfMachine;
    ranks.costs.betweenOps = kAfterOp;
    std::vector<CostTable>& tables = ranks.costs.tables;
    std::set<std::string> names;
    const auto add = [&](const std::string& name, Seconds perWork) {
        if (names.insert(name).second) tables.push_back(tableOf(name, perWork));
    };
    for (const Op& op : plan.ops) {
        if (op.lane == Lane::Traffic) continue;
        const OpSignature signature = signatureOf(plan, op);
        add(signature.text(), law.perWork);
        add(signature.plain().text() + std::string(kWithoutTrafficEnding), law.perWork);
        add(signature.plain().text() + std::string(kBesideTrafficEnding), law.slowedByTraffic * law.perWork);
    }
    for (const OpKind kind : {OpKind::AllReduce, OpKind::ReduceScatter, OpKind::AllGather})
        for (const Dtype dtype : {Dtype::Fp32, Dtype::Bf16, Dtype::Fp16, Dtype::Fp64})
            add(trafficTable(kind, dtype), law.perByte);
    add(trafficTable(OpKind::AllReduce, Dtype::Fp32) + std::string(kBesideProductsEnding),
        law.slowedByProducts * law.perByte);
    std::ranges::sort(tables, {}, &CostTable::op);
    return machine;
}

}  // namespace plumb::test
