// SPDX-License-Identifier: Apache-2.0
#include "core/findings/findings.h"

#include "core/findings/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace plumb {
namespace {

constexpr std::array kRuleGroups{timeRules,        roofRules,     memoryRules,  deviceRules,
                                 measurementRules, trainingRules, recordedRules};

/// Numbers that are none come of input that nobody can judge.
bool isFinite(const Finding& finding) {
    const auto isNumber = [](const auto& argument) {
        return !std::holds_alternative<Amount>(argument) || std::isfinite(std::get<Amount>(argument).value);
    };
    return std::isfinite(finding.stake) && std::ranges::all_of(finding.sentence.arguments, isNumber) &&
           std::ranges::all_of(finding.remedy.advice.arguments, isNumber) &&
           std::ranges::all_of(finding.figures,
                               [](const Figure& figure) { return std::isfinite(figure.amount.value); });
}

std::pair<int, double> rankOf(const Finding& finding) {
    return {-static_cast<int>(finding.severity), -finding.stake};
}

}  // namespace

std::string_view lackText(Lack lack) {
    switch (lack) {
    case Lack::None:
        return "nothing unusual";
    case Lack::Times:
        return "no time is known of any operation";
    case Lack::MeasuredTimes:
        return "no operation was measured";
    case Lack::Counters:
        return "no hardware counters were collected";
    case Lack::Telemetry:
        return "the device told nothing of its clocks";
    case Lack::DriverRecords:
        return "there are no records of the driver";
    case Lack::Probe:
        return "the speed of the machine was not probed";
    case Lack::Configuration:
        return "the step has no configuration that could be changed";
    case Lack::Ceilings:
        return "the device's peak or bandwidth is not known";
    case Lack::DeviceMemory:
        return "the memory of the device is not known";
    case Lack::Memory:
        return "the step says nothing of memory";
    case Lack::MeasuredMemory:
        return "memory was not measured";
    case Lack::Repeats:
        return "too few steps were measured";
    case Lack::Training:
        return "no training of this configuration has scaled losses";
    case Lack::Products:
        return "the step has no matrix products, or none of a library that tells of them";
    case Lack::Losses:
        return "no training of this configuration has losses";
    case Lack::StepTimes:
        return "no training of this configuration has times of 50 steps or more";
    case Lack::Recorded:
        return "this is looked at in recorded steps alone";
    }
    return "";
}

Findings findingsOf(const Findable& findable) {
    const Facts facts(findable);
    Findings all;
    all.isMeasured = facts.hasMeasuredTimes();
    for (const auto& group : kRuleGroups)
        for (const Rule& rule : group()) {
            Verdict verdict = rule.apply(facts);
            if (!verdict.finding || !isFinite(*verdict.finding)) {
                all.silent.push_back({rule.id, rule.looksAt, verdict.lack});
                continue;
            }
            verdict.finding->rule = rule.id;
            all.found.push_back(std::move(*verdict.finding));
        }
    std::ranges::stable_sort(all.found, {}, rankOf);
    return all;
}

std::vector<RuleInfo> findingRules() {
    std::vector<RuleInfo> infos;
    for (const auto& group : kRuleGroups)
        for (const Rule& rule : group()) infos.push_back({rule.id, rule.looksAt});
    return infos;
}

}  // namespace plumb
