// SPDX-License-Identifier: Apache-2.0
#include "core/findings/rules.h"
#include "core/measure/counter_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace plumb {
namespace {

constexpr double kBetween = 0.1;         ///< of the step, in no op
constexpr double kMoreBytes = 1.5;       ///< counted over compulsory
constexpr double kMoreFlops = 1.25;      ///< executed over modelled
constexpr double kOpThatMatters = 0.02;  ///< of the operations' time
constexpr double kPredictionOff = 0.1;   ///< of the step's time
constexpr double kUneven = 0.2;          ///< (90 % - 10 %) / median
constexpr std::int32_t kFewSteps = 5;    ///< below, a spread says nothing
constexpr double kMemoryOff = 0.01;      ///< of the peak
constexpr double kSlowProbe = 0.9;

Verdict betweenOps(const Facts& facts) {
    if (!facts.hasMeasuredTimes() || !facts.measured()->totals.seconds) return Lack::MeasuredTimes;
    const Seconds step = *facts.measured()->totals.seconds;
    for (std::int64_t op = 0; op < facts.step().opCount(); ++op) {
        const OpReading* const entry = facts.measuredOp(op);
        if (!facts.step().op(op).isView() && (entry == nullptr || !entry->seconds))
            return Lack::MeasuredTimes;
    }
    const Seconds between = step - facts.allSeconds();
    if (step <= 0 || between < kBetween * step) return {};
    Finding finding;
    finding.stake = between / step;
    finding.severity = severityOf(finding.stake);
    finding.view = "timeline";
    finding.figures = {{"time of a step", {step, "s"}, facts.timeBasis()},
                       {"time of all operations", {facts.allSeconds(), "s"}, facts.timeBasis()},
                       {"time in no operation", {between, "s"}, facts.timeBasis()},
                       {"operations", countOf(facts.step().opCount()), Basis::Plan}};
    finding.sentence = {"%1 of the step is in no operation: it takes %2 and its operations %3 together.",
                        {Amount{finding.stake, "%"}, Amount{step, "s"}, Amount{facts.allSeconds(), "s"}}};
    finding.remedy.advice = {
        "Larger sizes make fewer and longer operations; on a GPU a step that is replayed as a "
        "graph has less between them.",
        {}};
    return finding;
}

/// The op whose count exceeds what the model says by most of the time, from `least` on.
struct Excess {
    std::int64_t op = -1;
    double ratio = 0;
    double weight = 0;
};
Excess largestExcess(const Facts& facts, double least, std::optional<double> CounterRatios::*ratio,
                     bool& areCounted) {
    Excess largest;
    for (std::int64_t op = 0; op < facts.step().opCount(); ++op) {
        const OpReading* const entry = facts.measuredOp(op);
        if (entry == nullptr || entry->counters.empty()) continue;
        const std::optional<double> found =
            compareCounters(describeOp(facts.step(), op), entry->counters).*ratio;
        areCounted = areCounted || found.has_value();
        if (!found || *found < least || !facts.hasTimes() || facts.share(facts.seconds(op)) < kOpThatMatters)
            continue;
        const double weight = facts.seconds(op) * (1 - 1 / *found);
        if (weight > largest.weight) largest = {op, *found, weight};
    }
    return largest;
}

Finding ofOneOp(const Facts& facts, std::int64_t op, double stake, std::string_view view) {
    OpGroup alone;
    facts.addTo(alone, op);
    Finding finding = findingOf(facts, alone, view);
    finding.stake = std::clamp(stake, 0.0, 1.0);
    finding.severity = severityOf(finding.stake);
    return finding;
}

Verdict countedBytes(const Facts& facts) {
    bool areCounted = false;
    const Excess largest = largestExcess(facts, kMoreBytes, &CounterRatios::dram, areCounted);
    if (!areCounted) return Lack::Counters;
    if (largest.op < 0) return {};
    Finding finding = ofOneOp(facts, largest.op, facts.share(largest.weight), "operations");
    const auto compulsory = static_cast<double>(facts.step().op(largest.op).bytes);
    finding.figures.push_back(
        {"bytes moved to and from memory", {compulsory * largest.ratio, "B"}, Basis::Counter});
    finding.figures.push_back({"compulsory bytes", {compulsory, "B"}, Basis::Plan});
    finding.sentence = {
        "%1 moved %2 times its compulsory bytes: %3 instead of %4, in %5 of the operations' time.",
        {finding.opName, Amount{largest.ratio, ""}, Amount{compulsory * largest.ratio, "B"},
         Amount{compulsory, "B"}, Amount{facts.share(facts.seconds(largest.op)), "%"}}};
    finding.remedy.advice = {
        "Tensors are read more than once from memory: look at the hits of the L2 and at the tile "
        "of the product; a smaller working set, by a smaller micro-batch, may stay in the cache.",
        {}};
    return finding;
}

Verdict executedFlops(const Facts& facts) {
    bool areCounted = false;
    const Excess largest = largestExcess(facts, kMoreFlops, &CounterRatios::flops, areCounted);
    if (!areCounted) return Lack::Counters;
    if (largest.op < 0) return {};
    Finding finding = ofOneOp(facts, largest.op, facts.share(largest.weight), "operations");
    const auto modelled = static_cast<double>(facts.step().op(largest.op).flops);
    finding.figures.push_back({"executed FLOPs", {modelled * largest.ratio, "FLOP"}, Basis::Counter});
    finding.figures.push_back({"FLOPs", {modelled, "FLOP"}, Basis::Plan});
    finding.sentence = {"%1 executed %2 times its FLOPs: tiles reach over the edges of its matrices.",
                        {finding.opName, Amount{largest.ratio, ""}}};
    finding.remedy.advice = {"Choose sizes that are multiples of 64 or 128, which whole tiles cover.", {}};
    return finding;
}

/// What explains that a prediction was off, as a sentence behind the first one.
Sentence withReason(const Facts& facts, Sentence sentence, Basis predicted, std::int64_t op) {
    const OpReading* const entry = facts.measuredOp(op);
    if (predicted == Basis::DataSheet || predicted == Basis::Published) {
        sentence.pattern = "Predicted and measured differ most at %1: %2 measured, %3 predicted, because the "
                           "prediction stands on the device's data sheet.";
        return sentence;
    }
    const auto& speed = facts.measured()->speed;
    if (speed && speed->ofCalibrated && *speed->ofCalibrated < kSlowProbe) {
        sentence.pattern =
            "Predicted and measured differ most at %1: %2 measured, %3 predicted, because the machine "
            "ran at %4 of its calibrated speed.";
        sentence.arguments.emplace_back(Amount{*speed->ofCalibrated, "%"});
        return sentence;
    }
    const auto dram =
        entry != nullptr ? compareCounters(describeOp(facts.step(), op), entry->counters).dram : std::nullopt;
    if (dram && *dram >= kMoreBytes) {
        sentence.pattern =
            "Predicted and measured differ most at %1: %2 measured, %3 predicted, because it moved %4 "
            "times its compulsory bytes.";
        sentence.arguments.emplace_back(Amount{*dram, ""});
    }
    return sentence;
}

Verdict predictionOff(const Facts& facts) {
    if (!facts.hasMeasuredTimes()) return Lack::MeasuredTimes;
    std::int64_t worst = -1;
    Seconds off = 0, measuredAll = 0, predictedAll = 0;
    bool arePredicted = false;
    for (std::int64_t op = 0; op < facts.step().opCount(); ++op) {
        const OpReading* const entry = facts.measuredOp(op);
        const auto predicted = facts.predictedSeconds(op);
        if (entry == nullptr || !entry->seconds || !predicted) continue;
        arePredicted = true;
        measuredAll += facts.seconds(op);
        predictedAll += predicted->first;
        const Seconds difference = std::fabs(facts.seconds(op) - predicted->first);
        if (difference > off) {
            off = difference;
            worst = op;
        }
    }
    if (!arePredicted) return Lack::Ceilings;
    const Seconds together = std::fabs(measuredAll - predictedAll);
    if (worst < 0 || together < kPredictionOff * measuredAll) return {};
    const auto predicted = *facts.predictedSeconds(worst);
    Finding finding = ofOneOp(facts, worst, together / measuredAll, "operations");
    finding.severity = std::min(finding.severity, Severity::Warning);  // a question, no loss
    finding.figures = {{"measured, this operation", {facts.seconds(worst), "s"}, facts.timeBasis()},
                       {"predicted, this operation", {predicted.first, "s"}, predicted.second},
                       {"measured, all operations", {measuredAll, "s"}, facts.timeBasis()},
                       {"predicted, all operations", {predictedAll, "s"}, predicted.second}};
    finding.sentence =
        withReason(facts,
                   {"Predicted and measured differ most at %1: %2 measured, %3 predicted.",
                    {finding.opName, Amount{facts.seconds(worst), "s"}, Amount{predicted.first, "s"}}},
                   predicted.second, worst);
    finding.remedy.advice = {
        "Calibrate the machine while nothing else runs (%1), and profile with counters to see "
        "what the operation moves.",
        {calibrateCommand(facts.machine().backend)}};
    return finding;
}

Verdict unevenSteps(const Facts& facts) {
    if (facts.measured() == nullptr || !facts.measured()->totals.seconds ||
        !facts.measured()->totals.spread || facts.measured()->stepsMeasured < kFewSteps)
        return Lack::Repeats;
    const Seconds median = *facts.measured()->totals.seconds;
    const Spread& spread = *facts.measured()->totals.spread;
    if (median <= 0 || spread.high - spread.low < kUneven * median) return {};
    Finding finding;
    finding.stake = std::clamp((spread.high - median) / median, 0.0, 1.0);
    finding.severity = severityOf(finding.stake);
    finding.view = "training";
    finding.figures = {{"median step", {median, "s"}, facts.timeBasis()},
                       {"10 % of the steps below", {spread.low, "s"}, facts.timeBasis()},
                       {"90 % of the steps below", {spread.high, "s"}, facts.timeBasis()},
                       {"steps", countOf(facts.measured()->stepsMeasured), facts.timeBasis()}};
    finding.sentence = {
        "Steps are uneven: of %1, a tenth takes less than %2 and a tenth more than %3; the median is "
        "%4.",
        {countOf(facts.measured()->stepsMeasured), Amount{spread.low, "s"}, Amount{spread.high, "s"},
         Amount{median, "s"}}};
    finding.remedy.advice = {
        "Believe no difference to another step that is smaller than this spread; end what else "
        "runs, or measure more steps.",
        {}};
    return finding;
}

Verdict memoryDiffers(const Facts& facts) {
    if (facts.measured() == nullptr || !facts.measured()->memory || facts.measured()->memory->peakBytes <= 0)
        return Lack::MeasuredMemory;
    const Bytes measured = facts.measured()->memory->peakBytes, planned = facts.prediction().memory.peakBytes;
    if (planned <= 0) return Lack::Memory;
    const auto difference = static_cast<double>(measured - planned);
    const double share = std::fabs(difference) / static_cast<double>(std::max(measured, planned));
    if (share < kMemoryOff) return {};
    Finding finding;
    finding.stakeOf = StakeOf::Memory;
    finding.stake = share;
    finding.severity = severityOf(share);
    finding.view = "memory";
    setOp(finding, facts.step(), std::min(facts.prediction().memory.peakOp, facts.step().opCount() - 1));
    finding.figures = {{"measured peak", amountOf(measured), Basis::Allocator},
                       {"planned peak", amountOf(planned), Basis::Plan}};
    finding.sentence = {difference > 0
                            ? "The allocator counted %1 at the peak, %3 more than the tensors of the step "
                              "explain (%2)."
                            : "The allocator counted %1 at the peak, %3 less than the tensors of the step "
                              "say (%2).",
                        {amountOf(measured), amountOf(planned), Amount{std::fabs(difference), "B"}}};
    finding.remedy.advice = {
        "Compare both curves: what lies between them is scratch of libraries, or a tensor that "
        "lives longer than it is needed.",
        {}};
    return finding;
}

Verdict passesApart(const Facts& facts) {
    if (facts.measured() == nullptr || facts.measured()->products.empty()) return Lack::Products;
    const std::vector<LibraryProduct>& products = facts.measured()->products;
    const auto fallsBack = [&](std::int64_t op) {
        const OpReading* const entry = facts.measuredOp(op);
        return entry != nullptr && std::ranges::any_of(entry->products, [&](std::int32_t at) {
                   return at >= 0 && static_cast<std::size_t>(at) < products.size() &&
                          !products[static_cast<std::size_t>(at)].fallback.empty();
               });
    };
    const OpGroup apart = facts.groupOf(fallsBack);
    if (apart.count == 0 || !facts.hasTimes()) return {};
    Finding finding = findingOf(facts, apart, "operations");
    finding.severity = Severity::Info;  // the pass is a part of their time, how large nobody measured
    const std::vector<std::int32_t>& ran = facts.measuredOp(apart.longest)->products;
    const auto first = std::ranges::find_if(
        ran, [&](std::int32_t at) { return !products[static_cast<std::size_t>(at)].fallback.empty(); });
    finding.sentence = {"The matrix library leaves a part of %1 products to passes of their own: %2.",
                        {countOf(apart.count), products[static_cast<std::size_t>(*first)].fallback}};
    finding.remedy.advice = {"Another library version, precision or size may do it on the way to memory.",
                             {}};
    return finding;
}

constexpr std::array kMeasurementRules{
    Rule{"time-between-operations", "the part of the step that is in no operation", betweenOps},
    Rule{"more-than-compulsory-bytes", "counted bytes against compulsory ones", countedBytes},
    Rule{"more-than-modelled-flops", "executed FLOPs against those of the model", executedFlops},
    Rule{"prediction-off", "where predicted and measured times differ", predictionOff},
    Rule{"uneven-steps", "the spread of the measured steps", unevenSteps},
    Rule{"memory-differs", "the measured peak against the planned one", memoryDiffers},
    Rule{"passes-apart", "what the matrix library leaves to passes of their own", passesApart}};

}  // namespace

std::span<const Rule> measurementRules() { return kMeasurementRules; }

}  // namespace plumb
