// SPDX-License-Identifier: Apache-2.0
#include "app/cli/findings_report.h"

#include "core/base/plain_text.h"
#include "core/base/table.h"
#include "core/io/json_type.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace plumb::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kShort = 3;
constexpr std::size_t kMostText = 1000;

std::string findingLine(const Finding& finding) {
    return fmt::format("{:<8} {}", severityName(finding.severity),
                       plainLine(text(finding.sentence), kMostText));
}

std::string remedyLines(const Remedy& remedy) {
    std::string lines = fmt::format("         Try: {}\n", plainLine(text(remedy.advice), kMostText));
    if (remedy.changes.empty()) return lines;
    lines += "             ";
    for (const auto& [option, value] : remedy.changes) lines += fmt::format(" --{} {}", option, value);
    lines += "\n";
    if (remedy.trial) lines += fmt::format("              {}\n", text(sentenceOf(*remedy.trial)));
    return lines;
}

json trialJson(const Trial& trial) {
    return {{"seconds_before", valueOrNull(trial.secondsBefore)},
            {"seconds_after", valueOrNull(trial.secondsAfter)},
            {"samples_per_s_before", valueOrNull(trial.samplesBefore)},
            {"samples_per_s_after", valueOrNull(trial.samplesAfter)},
            {"peak_bytes_before", trial.peakBefore},
            {"peak_bytes_after", trial.peakAfter},
            {"memory_bytes", trial.memory ? json(*trial.memory) : json()},
            {"tier", trial.tier ? json(tierName(*trial.tier)) : json()}};
}

json findingJson(const Finding& finding) {
    json figures = json::array();
    for (const Figure& figure : finding.figures)
        figures.push_back({{"name", figure.name},
                           {"value", figure.amount.value},
                           {"unit", figure.amount.unit == "#" ? "" : figure.amount.unit},
                           {"source", kBasisNames.name(figure.basis)}});
    json changes = json::object();
    for (const auto& [option, value] : finding.remedy.changes) changes[option] = value;
    return {{"rule", finding.rule},
            {"severity", severityName(finding.severity)},
            {"stake", finding.stake},
            {"stake_of", kStakeNames.name(finding.stakeOf)},
            {"finding", text(finding.sentence)},
            {"figures", std::move(figures)},
            {"view", finding.view},
            {"op", finding.opId},
            {"remedy",
             {{"advice", text(finding.remedy.advice)},
              {"changes", std::move(changes)},
              {"predicted", finding.remedy.trial ? trialJson(*finding.remedy.trial) : json()}}}};
}

}  // namespace

std::string findingsReport(const Findings& findings) {
    std::string report = fmt::format("{} of {} rules noticed something, from {} times\n",
                                     findings.found.size(), findings.found.size() + findings.silent.size(),
                                     findings.isMeasured ? "measured" : "predicted");
    for (const Finding& finding : findings.found) {
        report += "\n" + findingLine(finding) + "\n";
        for (const Figure& figure : finding.figures)
            report += fmt::format("         {}: {}, {}\n", figure.name, text(figure.amount),
                                  basisLabel(figure.basis));
        if (!finding.opName.empty())
            report += fmt::format("         Shown best by: {}\n", plainLine(finding.opName, kMostText));
        report += remedyLines(finding.remedy);
        report += fmt::format("         Rule {} (docs/findings.md)\n", finding.rule);
    }
    Table fine(2), missing(2);
    bool isFine = false, isMissing = false;
    for (const SilentRule& rule : findings.silent) {
        const bool looked = rule.lack == Lack::None;
        (looked ? isFine : isMissing) = true;
        (looked ? fine : missing).add({"  " + std::string(rule.looksAt), std::string(lackText(rule.lack))});
    }
    if (isFine) report += "\nLooked at and fine\n" + fine.text();
    if (isMissing) report += "\nNot looked at\n" + missing.text();
    return report;
}

std::string shortFindings(const Findings& findings, const std::string& file) {
    if (findings.found.empty()) return {};
    std::string lines = "\nFindings\n";
    const std::size_t shown = std::min(kShort, findings.found.size());
    for (std::size_t i = 0; i < shown; ++i) lines += findingLine(findings.found[i]) + "\n";
    if (file.empty())
        lines += "Written with --out, the file tells more: plumbline-cli findings FILE\n";
    else
        lines += fmt::format("All {} with evidence and what to try: plumbline-cli findings {}\n",
                             findings.found.size(), file);
    return lines;
}

json findingsJson(const Findings& findings) {
    json found = json::array(), silent = json::array();
    for (const Finding& finding : findings.found) found.push_back(findingJson(finding));
    for (const SilentRule& rule : findings.silent)
        silent.push_back({{"rule", rule.id},
                          {"looks_at", rule.looksAt},
                          {"looked", rule.lack == Lack::None},
                          {"why", lackText(rule.lack)}});
    return {{"measured", findings.isMeasured}, {"findings", std::move(found)}, {"silent", std::move(silent)}};
}

}  // namespace plumb::cli
