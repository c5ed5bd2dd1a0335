// SPDX-License-Identifier: Apache-2.0
#include "core/findings/facts.h"

#include "core/findings/rules.h"
#include "core/machine/attainable.h"

#include <algorithm>
#include <cmath>

namespace plumb {
namespace {

/// The measured entries in the order of the step's ops; empty where none of them is one of the step.
std::vector<const OpReading*> entriesByOp(const Step& step, const MeasuredStep& measured) {
    std::vector<const OpReading*> entries;
    entries.reserve(static_cast<std::size_t>(step.opCount()));
    for (std::int64_t op = 0; op < step.opCount(); ++op) entries.push_back(measured.op(step, op));
    if (std::ranges::all_of(entries, [](const OpReading* entry) { return entry == nullptr; }))
        entries.clear();
    return entries;
}

bool isTime(const std::optional<Seconds>& seconds) {
    return seconds && std::isfinite(*seconds) && *seconds >= 0;
}

}  // namespace

Findable findableIn(const Scene& scene, const TrainingSeries* training) {
    if (scene.sameConfig()) return {scene.whatIf, &*scene.measured, training};
    // A recorded step ran, whatever device it is predicted for now: what it cost there is looked at.
    const bool ranElsewhere = scene.whatIf.plan == nullptr && scene.measured &&
                              scene.measured->step->isSameStep(*scene.whatIf.step);
    if (ranElsewhere) return {*scene.measured, &*scene.measured, training};
    return {scene.whatIf, nullptr, training};
}

Facts::Facts(const Findable& findable) : m_planned(findable.planned), m_training(findable.training) {
    const auto count = static_cast<std::size_t>(step().opCount());
    if (findable.measured != nullptr) {
        m_measured = findable.measured->reading.get();
        m_measuredOps = entriesByOp(step(), *findable.measured);
    }
    m_seconds.resize(count);
    for (std::size_t op = 0; op < m_measuredOps.size(); ++op) {
        const OpReading* const entry = m_measuredOps[op];
        if (entry == nullptr || !isTime(entry->seconds)) continue;
        m_seconds[op] = entry->seconds;
        if (!m_areMeasured) m_timeBasis = basisOf(entry->source);
        m_areMeasured = true;
    }
    if (!m_areMeasured) {
        const std::vector<std::optional<Seconds>>& predicted = prediction().opSeconds;
        for (std::size_t op = 0; op < std::min(count, predicted.size()); ++op)
            if (isTime(predicted[op])) m_seconds[op] = predicted[op];
        m_timeBasis = basisOf(prediction().totals.tier.value_or(tierOf(machine(), step().productDtype)));
    }
    for (const std::optional<Seconds>& each : m_seconds) m_all += each.value_or(0);
}

Seconds Facts::seconds(std::int64_t op) const { return m_seconds[static_cast<std::size_t>(op)].value_or(0); }

void Facts::addTo(OpGroup& group, std::int64_t op) const {
    ++group.count;
    group.seconds += seconds(op);
    if (group.longest < 0 || seconds(op) > seconds(group.longest)) group.longest = op;
}

OpGroup Facts::groupOf(const std::function<bool(std::int64_t)>& isIn) const {
    OpGroup group;
    for (std::int64_t op = 0; op < step().opCount(); ++op)
        if (isIn(op)) addTo(group, op);
    return group;
}

std::optional<std::pair<Seconds, Basis>> Facts::predictedSeconds(std::int64_t op) const {
    const auto at = static_cast<std::size_t>(op);
    const Prediction& predicted = prediction();
    if (at >= predicted.opSeconds.size() || !isTime(predicted.opSeconds[at])) return std::nullopt;
    const Basis basis = at < predicted.opTiers.size() ? basisOf(predicted.opTiers[at]) : Basis::Calibrated;
    return std::pair{*predicted.opSeconds[at], basis};
}

Bytes Facts::peakBytes() const {
    return m_measured != nullptr && m_measured->memory ? m_measured->memory->peakBytes
                                                       : prediction().memory.peakBytes;
}

Basis Facts::peakBasis() const {
    return m_measured != nullptr && m_measured->memory ? Basis::Allocator : Basis::Plan;
}

std::optional<double> TriedPlan::gain() const {
    if (!trial.samplesBefore || !trial.samplesAfter || !(*trial.samplesBefore > 0)) return std::nullopt;
    return *trial.samplesAfter / *trial.samplesBefore;
}

std::optional<TriedPlan> Trials::of(const Changes& changes) const {
    const StepPlan* const plan = m_facts.plan();
    if (plan == nullptr) return std::nullopt;
    RunConfig config = plan->config;
    for (const auto& [option, value] : changes)
        if (!setOption(config, option, value).has_value()) return std::nullopt;
    Result<StepPlan> changed = planStep(config, plan->traits);
    if (!changed.has_value()) return std::nullopt;
    // A file may hold what another version predicted; both are to be of this one.
    const std::optional<Prediction> again =
        m_facts.m_planned.isFiled ? std::optional(predict(*plan, m_facts.machine())) : std::nullopt;
    const Prediction& before = again ? *again : m_facts.prediction();
    const Prediction after = predict(*changed, m_facts.machine());
    TriedPlan tried{.changes = changes, .trial = {}, .plan = nullptr};
    tried.trial = {.secondsBefore = before.totals.seconds,
                   .secondsAfter = after.totals.seconds,
                   .samplesBefore = before.totals.samplesPerSecond,
                   .samplesAfter = after.totals.samplesPerSecond,
                   .peakBefore = before.memory.peakBytes,
                   .peakAfter = after.memory.peakBytes,
                   .memory = m_facts.machine().memoryBytes,
                   .tier = after.totals.tier};
    tried.plan = std::make_shared<const StepPlan>(std::move(changed).value());
    return tried;
}

Changes rowsChange(const RunConfig& config, std::int64_t rows) {
    Changes changes{{"batch", std::to_string(rows * config.microBatches() * config.parallel.data)}};
    if (config.microBatch != 0 && config.microBatches() > 1)
        changes.emplace_back("micro-batch", std::to_string(rows));
    else if (config.microBatch != 0)
        changes.emplace_back("micro-batch", "0");
    return changes;
}

void setOp(Finding& finding, const Step& step, std::int64_t op) {
    if (op < 0) return;
    finding.opId = step.opId(op);
    finding.opName = step.opName(op);
}

Finding findingOf(const Facts& facts, const OpGroup& group, std::string_view view) {
    Finding finding;
    finding.stake = std::clamp(facts.share(group.seconds), 0.0, 1.0);
    finding.severity = severityOf(finding.stake);
    finding.view = view;
    finding.figures = {{"share of the operations' time", {finding.stake, "%"}, facts.timeBasis()},
                       {"time of these operations", {group.seconds, "s"}, facts.timeBasis()},
                       {"time of all operations", {facts.allSeconds(), "s"}, facts.timeBasis()},
                       {"operations", countOf(group.count), Basis::Plan}};
    setOp(finding, facts.step(), group.longest);
    return finding;
}

Remedy remedyOf(Sentence advice, const TriedPlan& tried) {
    return {std::move(advice), tried.changes, tried.trial};
}

}  // namespace plumb
