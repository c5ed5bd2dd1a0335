// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/manual/planner_page.h"

#include "core/planner/inputs.h"
#include "ui/manual/markdown_html.h"
#include "ui/planner/planner_inputs.h"
#include "ui/theme/text.h"

namespace plumb::ui {
namespace {

using planner::InputInfo;
using planner::InputKind;

QString defaultOf(const InputInfo& about) {
    if (about.kind != InputKind::Assumption) return QStringLiteral("–");
    const auto& [low, expected, high] = about.standard;
    const QString value = shortInputText(about.input, expected);
    return low == high ? value
                       : tr("%1 (%2 to %3)")
                             .arg(value, shortInputText(about.input, low), shortInputText(about.input, high));
}

QString sourceOf(const InputInfo& about) {
    switch (about.kind) {
    case InputKind::Choice:
        return tr("what was chosen or is known of it");
    case InputKind::Fact:
        return tr("data sheet of the device");
    case InputKind::Assumption:
        break;
    }
    return coreText(about.source);
}

}  // namespace

QString plannerInputsMarkdown() {
    QString text =
        QStringLiteral("| %1 | %2 | %3 | %4 | %5 | %6 |\n| --- | --- | --- | --- | --- | --- |\n")
            .arg(tr("Input"), tr("Symbol"), tr("Meaning"), tr("Default"), tr("Taken"), tr("Source"));
    for (const InputInfo& about : planner::allInputs())
        text += QStringLiteral("| {#planner-%1Field}%2 | %3 | %4 | %5 | %6 | %7 |\n")
                    .arg(toText(about.key), cellOfMarkdown(capitalised(coreText(about.label))),
                         cellOfMarkdown(toText(about.symbol)),
                         cellOfMarkdown(capitalised(coreText(about.help))), cellOfMarkdown(defaultOf(about)),
                         cellOfMarkdown(tr("%1 to %2")
                                            .arg(shortInputText(about.input, about.least),
                                                 shortInputText(about.input, about.most))),
                         cellOfMarkdown(sourceOf(about)));
    return text;
}

}  // namespace plumb::ui
