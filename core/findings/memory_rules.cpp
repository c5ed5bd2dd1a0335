// SPDX-License-Identifier: Apache-2.0
#include "core/findings/rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plumb {
namespace {

constexpr double kNearlyFull = 0.9;  ///< of the device's memory
constexpr double kMatters = 0.5;     ///< of the device's memory: from there on what is in it matters
constexpr double kOfThePeak = 0.5;   ///< that activations take
constexpr double kModuleOfPeak = 0.2;
constexpr double kSaves = 0.95;  ///< a remedy leaves at most so much of the peak

double shareOf(Bytes bytes, Bytes whole) { return static_cast<double>(bytes) / static_cast<double>(whole); }

/// The fastest policy whose peak is at most `most`.
std::optional<TriedPlan> policyWithin(const Facts& facts, Bytes most) {
    std::optional<TriedPlan> best;
    for (const char* policy : {"2", "sqrt", "8", "none"}) {
        std::optional<TriedPlan> tried = Trials(facts).of({{"checkpoint", policy}});
        if (!tried || tried->trial.peakAfter > most) continue;
        if (!best || tried->gain().value_or(0) > best->gain().value_or(0)) best = std::move(tried);
    }
    return best;
}

Remedy needLess(const Facts& facts, Bytes most) {
    if (facts.plan() == nullptr)
        return {
            {"Lower the batch, recompute activations, or store states in a narrower format.", {}}, {}, {}};
    if (const std::optional<TriedPlan> tried = policyWithin(facts, most))
        return remedyOf({"Set the recompute policy to %1.", {optionValue(tried->plan->config, "checkpoint")}},
                        *tried);
    const std::int64_t batch = largestBatchThatFits(facts.plan()->config, facts.plan()->traits, most);
    if (batch > 0 && batch < facts.plan()->config.batch) {
        Changes changes{{"batch", std::to_string(batch)}};
        if (facts.plan()->config.microBatches() == 1) changes.emplace_back("micro-batch", "0");
        if (const std::optional<TriedPlan> tried = Trials(facts).of(changes))
            return remedyOf({"Lower the batch to %1.", {countOf(batch)}}, *tried);
    }
    return {
        {"Neither a recompute policy nor a smaller batch makes it fit: make the model smaller, or choose a "
         "device with more memory.",
         {}},
        {},
        {}};
}

Finding ofMemory(const Facts& facts, Bytes bytes, Bytes whole) {
    Finding finding;
    finding.stakeOf = StakeOf::Memory;
    finding.stake = std::clamp(shareOf(bytes, whole), 0.0, 1.0);
    finding.severity = severityOf(finding.stake);
    finding.view = "memory";
    setOp(finding, facts.step(), std::min(facts.prediction().memory.peakOp, facts.step().opCount() - 1));
    return finding;
}

bool knowsMemory(const Facts& facts) { return saysMemory(facts.step()) && facts.peakBytes() > 0; }

Verdict doesNotFit(const Facts& facts) {
    if (!knowsMemory(facts)) return Lack::Memory;
    const std::optional<Bytes>& memory = facts.machine().memoryBytes;
    if (!memory || *memory <= 0) return Lack::DeviceMemory;
    const Bytes peak = facts.peakBytes();
    if (peak <= *memory) return {};
    Finding finding = ofMemory(facts, peak, *memory);
    finding.severity = Severity::Serious;
    finding.figures = {{"peak", amountOf(peak), facts.peakBasis()},
                       {"memory of the device", amountOf(*memory), Basis::Ceiling}};
    finding.sentence = {"The step needs %1 and %2 has %3.",
                        {amountOf(peak), facts.machine().name, amountOf(*memory)}};
    finding.remedy = needLess(facts, *memory);
    return finding;
}

Verdict nearlyFull(const Facts& facts) {
    if (!knowsMemory(facts)) return Lack::Memory;
    const std::optional<Bytes>& memory = facts.machine().memoryBytes;
    if (!memory || *memory <= 0) return Lack::DeviceMemory;
    const Bytes peak = facts.peakBytes();
    const double share = shareOf(peak, *memory);
    if (share < kNearlyFull || share > 1) return {};
    Finding finding = ofMemory(facts, *memory - peak, *memory);
    finding.severity = Severity::Warning;  // whatever else takes memory makes it fail
    finding.figures = {{"peak", amountOf(peak), facts.peakBasis()},
                       {"memory of the device", amountOf(*memory), Basis::Ceiling},
                       {"share that is left", {finding.stake, "%"}, facts.peakBasis()}};
    finding.sentence = {"The peak takes %1 of the device's memory: %2 are left for the driver, fragments and "
                        "everything else.",
                        {Amount{share, "%"}, amountOf(*memory - peak)}};
    finding.remedy = needLess(facts, static_cast<Bytes>(kNearlyFull * static_cast<double>(*memory)));
    return finding;
}

Verdict activationsHold(const Facts& facts) {
    if (!knowsMemory(facts)) return Lack::Memory;
    if (facts.plan() == nullptr) return Lack::Configuration;
    const std::optional<Bytes>& memory = facts.machine().memoryBytes;
    if (!memory || *memory <= 0) return Lack::DeviceMemory;
    const MemoryReading& predicted = facts.prediction().memory;
    const Bytes kept = predicted.atPeak[Category::Activations];
    if (shareOf(predicted.peakBytes, *memory) < kMatters || shareOf(kept, predicted.peakBytes) < kOfThePeak)
        return {};
    const std::optional<TriedPlan> tried =
        policyWithin(facts, static_cast<Bytes>(kSaves * static_cast<double>(predicted.peakBytes)));
    if (!tried) return {};
    Finding finding = ofMemory(facts, predicted.peakBytes - tried->trial.peakAfter, predicted.peakBytes);
    finding.view = "checkpoint";
    finding.figures = {{"activations at the peak", amountOf(kept), Basis::Plan},
                       {"peak", amountOf(predicted.peakBytes), Basis::Plan},
                       {"peak with the policy", amountOf(tried->trial.peakAfter), Basis::Plan},
                       {"memory of the device", amountOf(*memory), Basis::Ceiling}};
    finding.sentence = {"Activations hold %1 of the peak, which takes %2 of the device's memory.",
                        {Amount{shareOf(kept, predicted.peakBytes), "%"},
                         Amount{shareOf(predicted.peakBytes, *memory), "%"}}};
    finding.remedy = remedyOf({"Set the recompute policy to %1, and raise the batch by what becomes free.",
                               {optionValue(tried->plan->config, "checkpoint")}},
                              *tried);
    return finding;
}

/// What the tensors of a module hold at the peak.
struct HeldByModule {
    Bytes bytes = 0;
    std::int64_t tensors = 0;
    TensorId largest = -1;
};

Verdict moduleHolds(const Facts& facts) {
    const Step& step = facts.step();
    const MemoryReading& memory = facts.prediction().memory;
    if (step.tensorCount() == 0 || memory.peakOp < 0 || memory.peakBytes <= 0) return Lack::Memory;
    if (facts.plan() != nullptr) return Lack::Recorded;  // all layers are alike
    std::map<std::string, HeldByModule> modules;
    for (TensorId id = 0; id < step.tensorCount(); ++id) {
        const StepTensor& tensor = step.tensor(id);
        const bool isKept = tensor.category == Category::Activations ||
                            tensor.category == Category::ActivationGradients ||
                            tensor.category == Category::Workspace;
        if (!isKept || tensor.firstOp > memory.peakOp || tensor.lastOp < memory.peakOp) continue;
        HeldByModule& held = modules[step.tensorModule(id)];
        held.bytes += step.tensorBytes(id);
        ++held.tensors;
        if (held.largest < 0 || step.tensorBytes(id) > step.tensorBytes(held.largest)) held.largest = id;
    }
    const auto most =
        std::ranges::max_element(modules, {}, [](const auto& each) { return each.second.bytes; });
    if (most == modules.end()) return {};
    const auto& [module, held] = *most;
    if (shareOf(held.bytes, memory.peakBytes) < kModuleOfPeak) return {};
    Finding finding = ofMemory(facts, held.bytes, memory.peakBytes);
    finding.figures = {{"bytes of the module at the peak", amountOf(held.bytes), Basis::Plan},
                       {"peak", amountOf(memory.peakBytes), Basis::Plan},
                       {"tensors", countOf(held.tensors), Basis::Plan}};
    const Amount share{finding.stake, "%"};
    const std::string largest = step.tensorName(held.largest);
    if (module.empty())
        finding.sentence = {
            "What is outside of all modules holds %1 of the peak, %2; its largest tensor is %3.",
            {share, amountOf(held.bytes), largest}};
    else
        finding.sentence = {"%1 holds %2 of the peak, %3; its largest tensor is %4.",
                            {module, share, amountOf(held.bytes), largest}};
    finding.remedy.advice = {
        "Recompute this module's activations in the backward pass (torch.utils.checkpoint).", {}};
    return finding;
}

constexpr std::array kMemoryRules{
    Rule{"does-not-fit", "the peak against the device's memory", doesNotFit},
    Rule{"nearly-full", "the room that the peak leaves", nearlyFull},
    Rule{"activations-hold-the-peak", "the share of activations in the peak, where memory is short",
         activationsHold},
    Rule{"module-holds-the-peak", "the module whose tensors hold most of the peak", moduleHolds}};

}  // namespace

std::span<const Rule> memoryRules() { return kMemoryRules; }

}  // namespace plumb
