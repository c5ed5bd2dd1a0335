// SPDX-License-Identifier: Apache-2.0
#include "core/export/html_findings.h"

#include "core/export/exported_findings.h"
#include "core/export/html_text.h"

#include <fmt/format.h>

#include <string_view>

namespace plumb {
namespace {

std::string evidenceOf(const Finding& finding) {
    std::string list;
    for (const Figure& figure : finding.figures)
        list += fmt::format("{}{}: {} ({})", list.empty() ? "" : "; ", figure.name, text(figure.amount),
                            basisLabel(figure.basis));
    return list;
}

std::string remedyText(const Remedy& remedy) {
    std::string all = text(remedy.advice);
    if (remedy.trial) all += " " + text(sentenceOf(*remedy.trial));
    return all;
}

}  // namespace

std::string findingsTable(const ExportedStep& step) {
    if (!step.planned)
        return "<p class=\"note\">The step could not be planned, so nothing was looked at.</p>";
    const Findings findings = findingsOf(step);
    std::string rows;
    for (const Finding& finding : findings.found)
        rows += fmt::format("<tr id=\"finding-{}\"><td>{}</td>{}<td>{}</td><td>{}</td><td>{}</td></tr>\n",
                            finding.rule, severityName(finding.severity),
                            numberCell(std::optional(finding.stake), "%"), htmlText(text(finding.sentence)),
                            htmlText(evidenceOf(finding)), htmlText(remedyText(finding.remedy)));
    std::size_t fine = 0;
    std::string missing;
    for (const SilentRule& rule : findings.silent) {
        if (rule.lack == Lack::None)
            ++fine;
        else
            missing += fmt::format("<tr><th scope=\"row\">{}</th>{}</tr>\n", htmlText(rule.looksAt),
                                   textCell(lackText(rule.lack)));
    }
    std::string all = fmt::format(
        "<p class=\"note\">{} of {} rules noticed something, {} found nothing unusual, {} could not look. "
        "The stake is a share of the operations' time, or of memory.</p>",
        findings.found.size(), findings.found.size() + findings.silent.size(), fine,
        findings.silent.size() - fine);
    if (!rows.empty())
        all += fmt::format("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">severity</th>"
                           "<th scope=\"col\" class=\"n\">stake</th><th scope=\"col\">finding</th>"
                           "<th scope=\"col\">evidence</th><th scope=\"col\">what to try</th></tr></thead>"
                           "<tbody>\n{}</tbody></table></div>",
                           rows);
    if (!missing.empty())
        all += fmt::format("<details><summary>Not looked at</summary><table class=\"facts\"><tbody>{}"
                           "</tbody></table></details>",
                           missing);
    return all;
}

}  // namespace plumb
