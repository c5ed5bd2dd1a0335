// SPDX-License-Identifier: Apache-2.0
#include "core/measure/timeline_sums.h"

#include "core/base/entry_at.h"
#include "core/measure/known_sum.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace plumb {

ReadingOps matchOps(const Reading& reading, const Step& step, const Prediction* prediction) {
    std::unordered_map<std::string, std::int32_t> places;
    places.reserve(static_cast<std::size_t>(step.opCount()));
    for (std::int32_t i = 0; i < step.opCount(); ++i) places.emplace(step.opId(i), i);
    ReadingOps ops;
    ops.stepOp.assign(reading.ops.size(), -1);
    ops.predicted.assign(reading.ops.size(), std::nullopt);
    ops.tiers.assign(reading.ops.size(), std::nullopt);
    for (std::size_t i = 0; i < reading.ops.size(); ++i) {
        const auto place = places.find(reading.ops[i].id);
        if (place == places.end()) continue;
        ops.stepOp[i] = place->second;
        const std::int64_t executions = step.op(place->second).executions;
        if (prediction == nullptr || executions <= 0) continue;
        const auto op = static_cast<std::size_t>(place->second);
        if (!prediction->opSeconds[op]) continue;
        ops.predicted[i] = *prediction->opSeconds[op] / static_cast<double>(executions);
        if (op < prediction->opTiers.size()) ops.tiers[i] = prediction->opTiers[op];
    }
    return ops;
}

void RecordSum::add(const RecordSum& other) {
    if (count == 0) {
        *this = other;
        return;
    }
    count += other.count;
    seconds += other.seconds;
    addKnown(predicted, other.predicted);
    addKnown(flops, other.flops);
    addKnown(bytes, other.bytes);
}

RecordSum TimelineSummation::part(const TimelineRecord& record, Seconds whole, Seconds inside) const {
    const double share = whole > 0 ? inside / whole : 1;
    RecordSum sum{.count = 1, .seconds = inside};
    if (record.bytes >= 0) sum.bytes = share * static_cast<double>(record.bytes);
    if (!isExecution(record)) return sum;
    if (const auto& predicted = entryAt(m_ops.predicted, record.op)) sum.predicted = share * *predicted;
    const std::int32_t place = entryAt(m_ops.stepOp, record.op);
    if (place < 0) return sum;
    const StepOp& op = m_step.op(place);
    if (op.executions <= 0) return sum;
    const double executions = static_cast<double>(op.executions);
    if (const auto flops = op.knownFlops()) sum.flops = share * static_cast<double>(*flops) / executions;
    if (const auto bytes = op.knownBytes()) sum.bytes = share * static_cast<double>(*bytes) / executions;
    return sum;
}

void TimelineSummation::addExecution(const TimelineRecord& record, Seconds whole, Seconds inside) {
    entryAt(m_byOp, record.op).add(part(record, whole, inside));
}

std::vector<OpKindSum> TimelineSummation::byKind() const {
    std::map<std::pair<std::string_view, Phase>, RecordSum> sums;
    for (std::size_t i = 0; i < m_byOp.size(); ++i)
        if (m_byOp[i].count > 0) sums[{m_reading.ops[i].kind, m_reading.ops[i].phase}].add(m_byOp[i]);
    std::vector<OpKindSum> sorted;
    sorted.reserve(sums.size());
    for (const auto& [of, sum] : sums) sorted.push_back({std::string(of.first), of.second, sum});
    std::ranges::stable_sort(
        sorted, [](const OpKindSum& a, const OpKindSum& b) { return a.sum.seconds > b.sum.seconds; });
    return sorted;
}

RecordSum TimelineSummation::allOps() const {
    RecordSum all;
    for (const RecordSum& sum : m_byOp)
        if (sum.count > 0) all.add(sum);
    return all;
}

}  // namespace plumb
