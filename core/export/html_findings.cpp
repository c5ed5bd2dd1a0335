// SPDX-License-Identifier: Apache-2.0
#include "core/export/html_findings.h"

#include "core/base/words.h"
#include "core/export/exported_findings.h"
#include "core/export/html_text.h"

#include <fmt/format.h>

#include <string_view>

namespace plumb {
namespace {

std::string evidenceOf(const Finding& finding) {
    std::string list;
    for (const Figure& figure : finding.figures)
        list += (list.empty() ? "" : inWords("; ")) + inWords(figure.name) + inWords(": ") +
                text(figure.amount) + inWords(", ") + inWords(basisLabel(figure.basis));
    return list;
}

std::string remedyText(const Remedy& remedy) {
    std::string all = textInWords(remedy.advice);
    if (remedy.trial) all += " " + textInWords(sentenceOf(*remedy.trial));
    return all;
}

}  // namespace

std::string findingsTable(const ExportedStep& step) {
    if (!step.planned)
        return fmt::format("<p class=\"note\">{}</p>",
                           said("The step could not be planned, so nothing was looked at."));
    const Findings findings = findingsOf(step);
    std::string rows;
    for (const Finding& finding : findings.found)
        rows += fmt::format("<tr id=\"finding-{}\"><td>{}</td>{}<td>{}</td><td>{}</td><td>{}</td></tr>\n",
                            finding.rule, said(severityName(finding.severity)),
                            numberCell(std::optional(finding.stake), "%"),
                            htmlText(textInWords(finding.sentence)), htmlText(evidenceOf(finding)),
                            htmlText(remedyText(finding.remedy)));
    std::size_t fine = 0;
    std::string missing;
    for (const SilentRule& rule : findings.silent) {
        if (rule.lack == Lack::None)
            ++fine;
        else
            missing += fmt::format("<tr><th scope=\"row\">{}</th>{}</tr>\n", said(rule.looksAt),
                                   textCell(inWords(lackText(rule.lack))));
    }
    std::string all = fmt::format(
        "<p class=\"note\">{}</p>",
        said(fmt::format(
            "{} of {} rules noticed something, {} found nothing unusual, {} could not look. The stake is a "
            "share of the operations' time, or of memory.",
            findings.found.size(), findings.found.size() + findings.silent.size(), fine,
            findings.silent.size() - fine)));
    if (!rows.empty())
        all += fmt::format("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">{}</th>"
                           "<th scope=\"col\" class=\"n\">{}</th><th scope=\"col\">{}</th>"
                           "<th scope=\"col\">{}</th><th scope=\"col\">{}</th></tr></thead>"
                           "<tbody>\n{}</tbody></table></div>",
                           said("severity"), said("stake"), said("finding"), said("evidence"),
                           said("what to try"), rows);
    if (!missing.empty())
        all += fmt::format("<details><summary>{}</summary><table class=\"facts\"><tbody>{}"
                           "</tbody></table></details>",
                           said("Not looked at"), missing);
    return all;
}

}  // namespace plumb
