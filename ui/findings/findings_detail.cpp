// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/findings/findings_detail.h"

#include "ui/findings/findings_model.h"
#include "ui/theme/house_style.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/action_link.h"
#include "ui/widgets/finding_text.h"
#include "ui/widgets/in_sight.h"
#include "ui/widgets/slider_row.h"
#include "ui/workbench/option_titles.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace plumb::ui {
FindingsDetail::FindingsDetail(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("findingsDetail"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(8);
    m_heading = addLabel("findingHeading");
    QFont bold = m_heading->font();
    bold.setWeight(QFont::DemiBold);
    m_heading->setFont(bold);
    followColor(m_heading, theme, ColorRole::TextStrong);
    m_remedy = addLabel("findingTrial");
    followColor(m_remedy, theme, ColorRole::Text);
    auto* buttons = new QHBoxLayout;
    m_apply = new QPushButton(this);
    m_apply->setObjectName(QStringLiteral("findingApply"));
    m_apply->setProperty(kPrimaryButton, true);
    m_show = new QPushButton(this);
    m_show->setObjectName(QStringLiteral("findingShow"));
    buttons->addWidget(m_apply);
    buttons->addWidget(m_show);
    m_profile = new ActionLink(tr("Profile"), "run.profile", this);
    m_profile->setObjectName(QStringLiteral("findingsProfile"));
    buttons->addWidget(m_profile);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    m_evidence = addLabel("findingEvidence");
    followColor(m_evidence, theme, ColorRole::TextMuted);
    layout->addStretch(1);
    for (QLabel* text : {m_heading, m_evidence}) letTabReach(*text);
    connect(m_show, &QPushButton::clicked, this, &FindingsDetail::placeWanted);
    connect(m_apply, &QPushButton::clicked, this, &FindingsDetail::remedyWanted);
}

QWidget& FindingsDetail::heading() { return *m_heading; }

QLabel* FindingsDetail::addLabel(const char* name) {
    auto* label = new QLabel(this);
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText);  // files have a say in it
    label->setWordWrap(true);
    label->setMinimumWidth(1);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout()->addWidget(label);
    return label;
}

void FindingsDetail::show(const Finding& finding) {
    m_heading->setText(
        tr("%1 · %2 at stake").arg(capitalised(severityText(finding.severity)), stakeText(finding)));
    QStringList lines;
    for (const Figure& figure : finding.figures)
        lines << tr("%1: %2, %3")
                     .arg(capitalised(coreText(figure.name)), amountText(figure.amount),
                          basisText(figure.basis));
    if (!finding.opName.empty()) lines << tr("Shown best by: %1").arg(coreText(finding.opName));
    m_evidence->setText(lines.join(QLatin1Char('\n')));
    QStringList remedy{sentenceText(finding.remedy.advice)};
    if (finding.remedy.trial) remedy << sentenceText(sentenceOf(*finding.remedy.trial));
    m_remedy->setText(remedy.join(QLatin1Char('\n')));
    m_remedy->setVisible(true);
    m_show->setText(tr("Show in %1").arg(viewName(finding.view)));
    m_show->setVisible(true);
    m_profile->setVisible(false);
    QStringList changes;
    for (const auto& [option, value] : finding.remedy.changes)
        changes << QStringLiteral("%1 = %2").arg(optionTitle(option),
                                                 value == "all" ? tr("all") : toText(value));
    m_apply->setText(tr("Set %1").arg(listText(changes)));
    m_apply->setToolTip(tr("Puts this into the configuration; Undo takes it back"));
    m_apply->setVisible(!changes.isEmpty());
}

void FindingsDetail::showSilent(const Findings& findings) {
    QStringList fine, missing;
    for (const SilentRule& rule : findings.silent) {
        if (rule.lack == Lack::None)
            fine << QStringLiteral("• %1").arg(coreText(rule.looksAt));
        else
            missing << tr("• %1: %2").arg(coreText(rule.looksAt), coreText(lackText(rule.lack)));
    }
    m_heading->setText(findings.found.empty() ? tr("Nothing unusual was found")
                                              : tr("What else was looked at"));
    m_evidence->setText(
        tr("Looked at and fine:\n%1").arg(fine.isEmpty() ? tr("nothing") : fine.join(QLatin1Char('\n'))));
    m_remedy->setText(missing.isEmpty()
                          ? QString()
                          : tr("Not looked at, since it is not known or was not measured. A profile "
                               "(Run, Profile), with counters on a GPU, fills in most of it:\n%1")
                                .arg(missing.join(QLatin1Char('\n'))));
    m_remedy->setVisible(!missing.isEmpty());
    m_show->setVisible(false);
    m_apply->setVisible(false);
    m_profile->setVisible(!missing.isEmpty());
}

}  // namespace plumb::ui
