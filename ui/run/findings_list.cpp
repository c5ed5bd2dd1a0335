// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/findings_list.h"

#include "ui/theme/house_style.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/finding_text.h"
#include "ui/widgets/slider_row.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {

QLabel* addLine(QVBoxLayout& layout, QWidget* parent, Theme& theme, const QString& text, ColorRole role) {
    auto* line = new QLabel(text, parent);
    line->setTextFormat(Qt::PlainText);  // files have a say in it
    line->setWordWrap(true);
    line->setMinimumWidth(1);
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    followColor(line, theme, role);
    layout.addWidget(line);
    return line;
}

}  // namespace

FindingsList::FindingsList(Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_layout(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("findings"));
    m_layout->setContentsMargins(0, 0, 0, 0);
}

void FindingsList::setFindings(const std::vector<Finding>& findings) {
    delete m_rows;
    m_rows = new QWidget(this);
    m_layout->addWidget(m_rows);
    auto* rows = new QVBoxLayout(m_rows);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(2);
    for (const Finding& finding : findings) {
        QLabel* title =
            addLine(*rows, m_rows, m_theme, sentenceText(finding.sentence), ColorRole::TextStrong);
        title->setObjectName(QStringLiteral("findingTitle"));
        QFont bold = title->font();
        bold.setWeight(QFont::DemiBold);
        title->setFont(bold);
        addLine(*rows, m_rows, m_theme, sentenceText(finding.remedy.advice), ColorRole::TextMuted)
            ->setObjectName(QStringLiteral("findingRemedy"));
        const bool isMemory = finding.view == "memory";
        auto* show = new QPushButton(isMemory ? tr("Show in Memory") : tr("Show in Operations"), m_rows);
        show->setObjectName(QStringLiteral("findingShow"));
        show->setAccessibleName(tr("%1: %2").arg(show->text(), title->text()));
        rows->addWidget(show, 0, Qt::AlignLeft);
        rows->addSpacing(6);
        connect(show, &QPushButton::clicked, this, [this, isMemory, op = toText(finding.opId)] {
            emit wanted(isMemory ? QStringLiteral("memory") : QStringLiteral("operations"), op);
        });
    }
    m_rows->setVisible(true);
}

}  // namespace plumb::ui
