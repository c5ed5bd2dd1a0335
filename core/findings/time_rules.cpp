// SPDX-License-Identifier: Apache-2.0
#include "core/findings/rules.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace plumb {
namespace {

// Shares of the operations' time from which on a rule speaks; docs/findings.md says why.
constexpr double kOptimizer = 0.1;
constexpr double kRecomputed = 0.05;
constexpr double kLoading = 0.1;
constexpr double kStarting = 0.2;
constexpr double kWorthIt = 1.05;  ///< a remedy is named from this gain of samples a second on
constexpr std::int64_t kMostDoublings = 6;
constexpr std::array<std::int64_t, 6> kIntervals{2, 3, 4, 6, 8, 16};

OpGroup inPhase(const Facts& facts, Phase phase) {
    return facts.groupOf(
        [&](std::int64_t op) { return facts.step().op(op).phase == phase && !facts.step().op(op).isView(); });
}

std::int64_t rowsOf(const Facts& facts) {
    return facts.plan() != nullptr ? facts.plan()->config.microBatchSize() : 0;
}

/// The smallest batch, of those that double, that fits and has `wanted` of the samples a second; the best one
/// where none has so much.
std::optional<TriedPlan> largerBatch(const Facts& facts, double wanted) {
    std::optional<TriedPlan> best;
    std::int64_t rows = rowsOf(facts);
    for (std::int64_t doubling = 0; rows > 0 && doubling < kMostDoublings; ++doubling) {
        if (rows > kMaxDimension / 2) break;
        rows *= 2;
        std::optional<TriedPlan> tried = Trials(facts).of(rowsChange(facts.plan()->config, rows));
        if (!tried || !tried->fits() || !tried->gain()) break;
        if (!best || *tried->gain() > *best->gain()) best = std::move(tried);
        if (*best->gain() >= wanted) break;
    }
    return best && *best->gain() >= kWorthIt ? best : std::nullopt;
}

Remedy raiseTheBatch(const Facts& facts, double wanted) {
    const std::optional<TriedPlan> tried = largerBatch(facts, wanted);
    if (!tried)
        return {{facts.plan() != nullptr ? "No larger batch, doubled up to 64 times, fits and is predicted "
                                           "to train 5 % more samples a second."
                                         : "Raise the batch, so that each pass serves more samples.",
                 {}},
                {},
                std::nullopt};
    return remedyOf({"Raise the batch to %1.", {countOf(tried->plan->config.batch)}}, *tried);
}

Verdict optimizerMemoryBound(const Facts& facts) {
    if (!facts.hasTimes()) return Lack::Times;
    const OpGroup updates = inPhase(facts, Phase::Optimizer);
    if (updates.count == 0 || facts.share(updates.seconds) < kOptimizer) return {};
    if (!facts.machine().bandwidthBytesPerSecond) return Lack::Ceilings;
    if (boundOf(facts.step().op(updates.longest), facts.machine()) != Bound::Memory) return {};
    Bytes bytes = 0;
    for (std::int64_t op = 0; op < facts.step().opCount(); ++op)
        if (facts.step().op(op).phase == Phase::Optimizer) bytes += facts.step().op(op).bytes;
    const double rate = static_cast<double>(bytes) / updates.seconds;
    const double ofMemory = rate / *facts.machine().bandwidthBytesPerSecond;
    Finding finding = findingOf(facts, updates, "operations");
    finding.figures.push_back({"compulsory bytes", amountOf(bytes), Basis::Plan});
    finding.figures.push_back({"rate", {rate, "B/s"}, facts.timeBasis()});
    finding.figures.push_back(
        {"bandwidth", {*facts.machine().bandwidthBytesPerSecond, "B/s"}, Basis::Ceiling});
    const Amount share{finding.stake, "%"}, speed{rate, "B/s"};
    if (facts.hasMeasuredTimes())
        finding.sentence = {
            "The optimizer is bound by memory: it takes %1 of the operations' time and moves %2, "
            "which is %3 of what copying reaches.",
            {share, speed, Amount{ofMemory, "%"}}};
    else
        finding.sentence = {"The optimizer is bound by memory: it is predicted to take %1 of the operations' "
                            "time for %2 that it has to move.",
                            {share, amountOf(bytes)}};
    finding.remedy = raiseTheBatch(facts, 1 / (1 - finding.stake / 2));
    return finding;
}

/// The policy that keeps more, fits, and is predicted to be fastest; where no time is predicted, the one that
/// repeats least.
std::optional<TriedPlan> lessRecomputation(const Facts& facts) {
    std::optional<TriedPlan> best;
    std::vector<std::string> policies{"all", "sqrt"};
    for (const std::int64_t interval : kIntervals)
        if (interval < facts.plan()->config.layers) policies.push_back(std::to_string(interval));
    for (const std::string& policy : policies) {
        std::optional<TriedPlan> tried = Trials(facts).of({{"checkpoint", policy}});
        if (!tried || !tried->fits()) continue;
        const bool isBetter = !best || (tried->gain() && best->gain()
                                            ? *tried->gain() > *best->gain()
                                            : tried->plan->recomputedFlops < best->plan->recomputedFlops);
        if (isBetter) best = std::move(tried);
    }
    if (!best || best->plan->recomputedFlops >= facts.plan()->recomputedFlops) return std::nullopt;
    return best->gain().value_or(kWorthIt) >= kWorthIt ? best : std::nullopt;
}

Verdict recomputation(const Facts& facts) {
    if (!facts.hasTimes()) return Lack::Times;
    const OpGroup again = inPhase(facts, Phase::Recompute);
    if (again.count == 0 || facts.share(again.seconds) < kRecomputed) return {};
    Finding finding = findingOf(facts, again, "checkpoint");
    finding.sentence = {facts.hasMeasuredTimes()
                            ? "%1 of the operations' time is recomputation of activations."
                            : "%1 of the operations' time is predicted to be recomputation of activations.",
                        {Amount{finding.stake, "%"}}};
    if (facts.plan() == nullptr) {
        finding.view = "operations";
        finding.remedy.advice = {"Keep the activations of more modules, where memory has room for them.", {}};
        return finding;
    }
    const std::optional<TriedPlan> tried = lessRecomputation(facts);
    if (!tried)
        finding.remedy.advice = {"No policy that keeps more fits and is predicted to be 5 % faster.", {}};
    else if (tried->plan->config.recompute.kind == RecomputePolicy::Kind::All)
        finding.remedy = remedyOf({"Keep all activations: they fit.", {}}, *tried);
    else
        finding.remedy = remedyOf(
            {"Set the recompute policy to %1, which fits.", {optionValue(tried->plan->config, "checkpoint")}},
            *tried);
    return finding;
}

Verdict inputPipeline(const Facts& facts) {
    if (!facts.hasTimes()) return Lack::Times;
    const OpGroup loading = inPhase(facts, Phase::Data);
    if (loading.count == 0 || facts.share(loading.seconds) < kLoading) return {};
    Finding finding = findingOf(facts, loading, "timeline");
    finding.sentence = {
        facts.hasMeasuredTimes()
            ? "The input pipeline starves the step: loading batches takes %1 of the operations' time."
            : "The input pipeline is predicted to take %1 of the operations' time.",
        {Amount{finding.stake, "%"}}};
    if (facts.plan() == nullptr) {
        finding.view = "operations";
        finding.remedy.advice = {"Load batches in another process or thread, and ahead of the step.", {}};
        return finding;
    }
    const bool isSynthetic = !facts.plan()->config.readsFiles();
    std::optional<TriedPlan> tried;
    if (isSynthetic) tried = Trials(facts).of({{"resident-batch", "on"}});
    if (tried && tried->fits() && tried->gain().value_or(1) >= kWorthIt)
        finding.remedy =
            remedyOf({"Keep one synthetic batch, so that its making is no part of the step.", {}}, *tried);
    else
        finding.remedy.advice = {
            "Store the data in the format that is trained in, in the order that it is read in.", {}};
    return finding;
}

Verdict startingOps(const Facts& facts) {
    if (!facts.hasTimes()) return Lack::Times;
    if (!facts.machine().bandwidthBytesPerSecond) return Lack::Ceilings;
    const OpGroup small = facts.groupOf(
        [&](std::int64_t op) { return boundOf(facts.step().op(op), facts.machine()) == Bound::Overhead; });
    if (small.count == 0 || facts.share(small.seconds) < kStarting) return {};
    Finding finding = findingOf(facts, small, "roofline");
    finding.sentence = {
        "%1 operations are so small that starting them takes longer than their work; together "
        "they take %2 of the operations' time.",
        {countOf(small.count), Amount{finding.stake, "%"}}};
    finding.remedy = raiseTheBatch(facts, 2);
    return finding;
}

Verdict microBatches(const Facts& facts) {
    if (facts.plan() == nullptr) return Lack::Configuration;
    const RunConfig& config = facts.plan()->config;
    if (config.microBatches() < 2) return {};
    const std::optional<TriedPlan> tried = Trials(facts).of({{"micro-batch", "0"}});
    if (!tried || !tried->gain()) return Lack::Ceilings;
    if (!tried->trial.memory) return Lack::DeviceMemory;
    if (!tried->fits() || *tried->gain() < kWorthIt) return {};
    Finding finding;
    finding.stake = 1 - 1 / *tried->gain();
    finding.severity = severityOf(finding.stake);
    finding.view = "memory";
    const Basis tier = basisOf(tried->trial.tier.value_or(Tier::DataSheet));
    finding.figures = {
        {"micro-batches", countOf(config.microBatches()), Basis::Plan},
        {"time of a step", {tried->trial.secondsBefore.value_or(0), "s"}, tier},
        {"time of a step in one micro-batch", {tried->trial.secondsAfter.value_or(0), "s"}, tier},
        {"peak in one micro-batch", amountOf(tried->trial.peakAfter), Basis::Plan},
        {"memory of the device", amountOf(*tried->trial.memory), Basis::Ceiling}};
    finding.sentence = {
        "The batch of %1 is split into %2 micro-batches although the whole of it fits; that is "
        "predicted to cost %3 of the step's time.",
        {countOf(config.batch), countOf(config.microBatches()), Amount{finding.stake, "%"}}};
    finding.remedy = remedyOf({"Train the batch as a whole.", {}}, *tried);
    return finding;
}

constexpr std::array kTimeRules{
    Rule{"optimizer-memory-bound", "the optimizer's share of the time and what holds it",
         optimizerMemoryBound},
    Rule{"recomputation", "recomputation's share of the time and what would fit", recomputation},
    Rule{"input-pipeline", "the share of loading batches", inputPipeline},
    Rule{"starting-operations", "operations that take longer to start than to run", startingOps},
    Rule{"needless-micro-batches", "whether micro-batches are needed", microBatches}};

}  // namespace

std::span<const Rule> timeRules() { return kTimeRules; }

}  // namespace plumb
