// SPDX-License-Identifier: Apache-2.0
#include "core/findings/rules.h"
#include "core/measure/memory_roofs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace plumb {
namespace {

constexpr double kStarved = 0.1;       ///< share of time of products that memory holds
constexpr double kFarFromRoof = 0.5;   ///< share of its roof that an op reaches
constexpr double kFarStake = 0.05;     ///< time that would be won at the usual share, of all
constexpr double kUsualShare = 0.75;   ///< of a roof, kProductShare's expected one
constexpr double kMostInFp32 = 0.5;    ///< of the products' FLOPs
constexpr double kFasterUnits = 1.5;   ///< bf16 against fp32
constexpr double kWinsByFormat = 1.1;  ///< samples a second that another format has to win
constexpr std::int64_t kMostDoubledRows = 10;

/// FLOPs and bytes of the matrix products of a step.
struct ProductWork {
    double flops = 0;
    double bytes = 0;
    [[nodiscard]] double intensity() const { return bytes > 0 ? flops / bytes : 0; }
};

ProductWork productWork(const Step& step) {
    ProductWork work;
    for (std::int64_t index = 0; index < step.opCount(); ++index) {
        const StepOp& op = step.op(index);
        if (!op.isProduct) continue;
        work.flops += static_cast<double>(op.matmulFlops);
        work.bytes += static_cast<double>(op.bytes);
    }
    return work;
}

/// The first batch, doubling, whose products reach the balance and which fits; else the largest that fits and
/// does more with each byte.
std::optional<TriedPlan> batchAtBalance(const Facts& facts, double balance) {
    std::optional<TriedPlan> best;
    std::int64_t rows = facts.plan()->config.microBatchSize();
    for (std::int64_t doubling = 0; doubling < kMostDoubledRows && rows <= kMaxDimension / 2; ++doubling) {
        rows *= 2;
        std::optional<TriedPlan> tried = Trials(facts).of(rowsChange(facts.plan()->config, rows));
        if (!tried || !tried->fits()) break;
        const bool isThere = productWork(*tried->plan).intensity() >= balance;
        best = std::move(tried);
        if (isThere) break;
    }
    return best;
}

Verdict batchBelowBalance(const Facts& facts) {
    if (!facts.hasTimes()) return Lack::Times;
    const auto peak = facts.machine().peak(facts.step().productDtype);
    const auto bandwidth = facts.machine().bandwidthBytesPerSecond;
    if (!peak || !bandwidth || *bandwidth <= 0) return Lack::Ceilings;
    const ProductWork work = productWork(facts.step());
    if (work.bytes <= 0) return Lack::Products;
    const double balance = *peak / *bandwidth;
    if (work.intensity() >= balance) return {};
    const OpGroup starved = facts.groupOf([&](std::int64_t op) {
        return facts.step().op(op).isProduct &&
               boundOf(facts.step().op(op), facts.machine()) == Bound::Memory;
    });
    if (starved.count == 0 || facts.share(starved.seconds) < kStarved) return {};
    Finding finding = findingOf(facts, starved, "roofline");
    finding.figures.push_back({"intensity of the products", {work.intensity(), "FLOP/B"}, Basis::Plan});
    finding.figures.push_back({"balance of the device", {balance, "FLOP/B"}, Basis::Ceiling});
    finding.sentence = {
        "The batch is below the balance point: the products do %1 and the device needs %2 to keep "
        "its units busy; %3 of the operations' time goes into products that wait for memory.",
        {Amount{work.intensity(), "FLOP/B"}, Amount{balance, "FLOP/B"}, Amount{finding.stake, "%"}}};
    if (facts.plan() == nullptr) {
        finding.remedy.advice = {"Raise the batch, so that each byte of the weights serves more samples.",
                                 {}};
        return finding;
    }
    const std::optional<TriedPlan> tried = batchAtBalance(facts, balance);
    if (!tried) {
        finding.remedy.advice = {"No larger batch fits; a wider model does more with each byte.", {}};
        return finding;
    }
    const double reached = productWork(*tried->plan).intensity();
    const Amount batch = countOf(tried->plan->config.batch);
    finding.remedy =
        reached >= balance
            ? remedyOf(
                  {"Raise the batch to %1, where the products do %2.", {batch, Amount{reached, "FLOP/B"}}},
                  *tried)
            : remedyOf({"Raise the batch to %1, where the products do %2; the balance point is out of "
                        "reach at this width.",
                        {batch, Amount{reached, "FLOP/B"}}},
                       *tried);
    return finding;
}

/// Ops of one group together, and what they would win at the usual share of their roofs.
struct SlowGroup {
    OpGroup ops;
    Seconds won = 0;
    Seconds atRoof = 0;
};

Verdict farFromRoof(const Facts& facts) {
    if (!facts.hasMeasuredTimes()) return Lack::MeasuredTimes;
    if (facts.step().ranksOfMachine > 1) return Lack::Ceilings;  // nobody measured those of a part
    const std::vector<MemoryRoof> roofs = memoryRoofs(facts.machine());
    if (roofs.empty()) return Lack::Ceilings;
    std::vector<std::pair<std::string_view, SlowGroup>> groups;
    for (std::int64_t index = 0; index < facts.step().opCount(); ++index) {
        const StepOp& op = facts.step().op(index);
        if (op.lane == Lane::Traffic) continue;
        const Seconds seconds = facts.seconds(index);
        const auto share = roofShare(static_cast<double>(op.flops), static_cast<double>(op.bytes), seconds,
                                     facts.machine().peak(op.units), roofs);
        // What starting holds is another rule's.
        if (!share || share->ceilingTooLow || share->share >= kFarFromRoof ||
            boundOf(op, facts.machine()) == Bound::Overhead)
            continue;
        const std::string_view name = facts.step().opGroup(index);
        auto group = std::ranges::find(groups, name, [](const auto& each) { return each.first; });
        if (group == groups.end()) group = groups.insert(groups.end(), {name, {}});
        facts.addTo(group->second.ops, index);
        group->second.atRoof += share->share * seconds;
        group->second.won += seconds * (1 - share->share / kUsualShare);
    }
    const auto worst = std::ranges::max_element(groups, {}, [](const auto& each) { return each.second.won; });
    if (worst == groups.end() || facts.share(worst->second.won) < kFarStake) return {};
    const SlowGroup& slow = worst->second;
    Finding finding = findingOf(facts, slow.ops, "roofline");
    finding.stake = facts.share(slow.won);
    finding.severity = severityOf(finding.stake);
    const double reached = slow.atRoof / slow.ops.seconds;
    finding.figures.push_back({"share of the roof", {reached, "%"}, facts.timeBasis()});
    finding.figures.push_back({"time at the roof", {slow.atRoof, "s"}, Basis::Ceiling});
    finding.sentence = {
        "%1 reaches %2 of its roof and takes %3 of the operations' time; at the usual %4 of a roof "
        "%5 would be won.",
        {facts.step().groupLabel(slow.ops.longest), Amount{reached, "%"},
         Amount{facts.share(slow.ops.seconds), "%"}, Amount{kUsualShare, "%"}, Amount{slow.won, "s"}}};
    finding.remedy.advice = {
        "Look at its sizes in the roofline: short sides, and ones that are no multiple of 64, "
        "leave units idle; collect counters to see what it waits for.",
        {}};
    return finding;
}

Verdict ceilingTooLow(const Facts& facts) {
    if (!facts.hasMeasuredTimes()) return Lack::MeasuredTimes;
    const std::vector<MemoryRoof> roofs = memoryRoofs(facts.machine());
    if (roofs.empty()) return Lack::Ceilings;
    double highest = 0;
    const OpGroup faster = facts.groupOf([&](std::int64_t index) {
        const StepOp& op = facts.step().op(index);
        if (op.lane == Lane::Traffic) return false;
        const auto share = roofShare(static_cast<double>(op.flops), static_cast<double>(op.bytes),
                                     facts.seconds(index), facts.machine().peak(op.units), roofs);
        if (!share || !share->ceilingTooLow) return false;
        highest = std::max(highest, share->share);
        return true;
    });
    constexpr double kWorthSaying = 0.01;  // of the time: below it a clock is too coarse
    if (faster.count == 0 || facts.share(faster.seconds) < kWorthSaying) return {};
    Finding finding = findingOf(facts, faster, "roofline");
    finding.figures.push_back({"highest share of a roof", {highest, "%"}, facts.timeBasis()});
    finding.sentence = {
        "%1 operations were faster than the ceilings of %2 allow, up to %3 of them: the ceilings "
        "are too low, and so is what is predicted from them.",
        {countOf(faster.count), facts.machine().name, Amount{highest, "%"}}};
    finding.remedy.advice = {"Measure the ceilings again while nothing else runs: %1.",
                             {calibrateCommand(facts.machine().backend)}};
    return finding;
}

Verdict productsInFp32(const Facts& facts) {
    if (!facts.hasTimes()) return Lack::Times;
    const auto fp32 = facts.machine().peak(Dtype::Fp32), bf16 = facts.machine().peak(Dtype::Bf16);
    if (!fp32 || !bf16) return Lack::Ceilings;
    if (*bf16 < kFasterUnits * *fp32) return {};
    double all = 0, wide = 0;
    const OpGroup products = facts.groupOf([&](std::int64_t index) {
        const StepOp& op = facts.step().op(index);
        all += static_cast<double>(op.matmulFlops);
        if (!op.isProduct || op.units != Dtype::Fp32) return false;
        wide += static_cast<double>(op.matmulFlops);
        return true;
    });
    if (products.count == 0 || wide <= 0 || wide < kMostInFp32 * all) return {};
    Finding finding = findingOf(facts, products, "operations");
    finding.figures.push_back({"share of the products' FLOPs", {wide / all, "%"}, Basis::Plan});
    finding.figures.push_back({"peak in fp32", {*fp32, "FLOP/s"}, Basis::Ceiling});
    finding.figures.push_back({"peak in bf16", {*bf16, "FLOP/s"}, Basis::Ceiling});
    finding.sentence = {
        "Matrix products run in fp32, %1 of their FLOPs and %2 of the operations' time; %3 has %4 "
        "in fp32 and %5 in bf16.",
        {Amount{wide / all, "%"}, Amount{finding.stake, "%"}, facts.machine().name, Amount{*fp32, "FLOP/s"},
         Amount{*bf16, "FLOP/s"}}};
    if (facts.plan() == nullptr) {
        finding.remedy.advice = {"Train in bf16 (torch.autocast), or let products round to tf32.", {}};
        return finding;
    }
    const std::optional<TriedPlan> tried = Trials(facts).of({{"precision", "bf16"}});
    if (!tried || !tried->fits() || tried->gain().value_or(0) < kWinsByFormat) return {};
    finding.remedy = remedyOf({"Train in bf16.", {}}, *tried);
    return finding;
}

constexpr std::array kRoofRules{
    Rule{"batch-below-balance", "the products' intensity against the balance of the device",
         batchBelowBalance},
    Rule{"far-from-roof", "the share of its roof that each operation reaches", farFromRoof},
    Rule{"ceiling-too-low", "operations that are faster than the ceilings allow", ceilingTooLow},
    Rule{"products-in-fp32", "the format of the products against the device's faster units", productsInFp32}};

}  // namespace

std::span<const Rule> roofRules() { return kRoofRules; }

}  // namespace plumb
