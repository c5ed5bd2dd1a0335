// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/export_dialog.h"

#include "ui/theme/theme.h"
#include "ui/widgets/tone_label.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>

#include <utility>

namespace plumb::ui {

namespace {

constexpr int kFormWidth = 120;

}  // namespace

ExportDialog::ExportDialog(const QVector<ExportChoice>& choices, Theme& theme, QWidget* parent)
    : QDialog(parent), m_choices(choices), m_theme(theme), m_group(new QButtonGroup(this)) {
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);  // the arrows are for the choice
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* list = new QWidget(area);
    auto* rows = new QVBoxLayout(list);
    rows->setContentsMargins(4, 4, 12, 4);
    rows->setSpacing(12);
    for (int i = 0; i < m_choices.size(); ++i) addRow(*rows, i);
    rows->addStretch(1);
    area->setWidget(list);
    layout->addWidget(area, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* go = buttons->addButton(tr("Export…"), QDialogButtonBox::AcceptRole);
    go->setObjectName(QStringLiteral("exportGo"));
    go->setDefault(true);
    go->setEnabled(m_group->checkedButton() != nullptr);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    if (auto* first = m_group->checkedButton()) first->setFocus();
    resize(620, 640);
}

void ExportDialog::addRow(QVBoxLayout& rows, int index) {
    const ExportChoice& choice = m_choices[index];
    const bool isThere = choice.absent.isEmpty();
    auto* row = new QVBoxLayout;
    row->setSpacing(2);
    auto* line = new QHBoxLayout;
    auto* button = new QRadioButton(choice.forms.size() > 1
                                        ? choice.what
                                        : QStringLiteral("%1 (%2)").arg(choice.what, choice.forms[0].first));
    button->setObjectName(QStringLiteral("export:") + choice.forms[0].second);
    button->setAccessibleDescription(isThere ? choice.holds : choice.absent);
    button->setEnabled(isThere);
    // The style draws the ring darker than the window, which in the dark theme is not seen.
    QPalette ring = button->palette();
    ring.setColor(QPalette::Window, m_theme.color(ColorRole::TextMuted));
    button->setPalette(ring);
    m_group->addButton(button, index);
    if (isThere && m_group->checkedButton() == nullptr) button->setChecked(true);
    line->addWidget(button, 1);
    QComboBox* forms = nullptr;
    if (choice.forms.size() > 1) {
        forms = new QComboBox;
        forms->setObjectName(QStringLiteral("exportForm:") + choice.forms[0].second);
        forms->setAccessibleName(tr("Form of %1").arg(choice.what));
        forms->setFixedWidth(kFormWidth);
        for (const auto& [name, id] : choice.forms) forms->addItem(name, id);
        forms->setEnabled(isThere);
        connect(forms, &QComboBox::activated, button, [button] { button->setChecked(true); });
        line->addWidget(forms);
    }
    m_forms.push_back(forms);
    row->addLayout(line);
    auto* text = new ToneLabel(m_theme, ColorRole::TextMuted);
    text->setText(isThere ? choice.holds : choice.absent);
    text->setWordWrap(true);
    text->setContentsMargins(style()->pixelMetric(QStyle::PM_ExclusiveIndicatorWidth) + 8, 0, 0, 0);
    row->addWidget(text);
    rows.addLayout(row);
}

void ExportDialog::accept() {
    const int index = m_group->checkedId();
    if (index < 0) return;
    const QComboBox* forms = m_forms[index];
    const QString id = forms != nullptr ? forms->currentData().toString() : m_choices[index].forms[0].second;
    QDialog::accept();
    emit chosen(id);
}

}  // namespace plumb::ui
