// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/advanced_section.h"

#include "ui/run/config_editor.h"
#include "ui/run/option_form.h"
#include "ui/theme/house_style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace plumb::ui {

AdvancedSection::AdvancedSection(const PanelRows& rows, ConfigEditor& editor, RunController& controller,
                                 ViewContext context)
    : m_button(new QPushButton(rows.parent())) {
    m_button->setObjectName(QStringLiteral("advancedButton"));
    m_button->setProperty(kQuietButton, true);
    m_button->setCheckable(true);
    m_button->setToolTip(
        tr("Settings of the optimizer, learning rate schedule, loss scale, initial weights, checkpoints"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 4, 0, 0);
    row->addWidget(m_button);
    row->addStretch(1);
    rows.layout().addLayout(row);
    m_folded = new QWidget(rows.parent());
    auto* folded = new QVBoxLayout(m_folded);
    folded->setContentsMargins(0, 0, 0, 0);
    folded->setSpacing(7);
    m_options = new OptionForm(context, m_folded);
    folded->addWidget(m_options);
    auto* save = new SaveForm(context.theme, controller, m_folded);
    folded->addWidget(save);
    m_folded->hide();
    rows.layout().addWidget(m_folded);
    connect(save, &SaveForm::folderWanted, this, &AdvancedSection::folderWanted);
    connect(save, &SaveForm::checkpointWanted, this, &AdvancedSection::checkpointWanted);
    connect(m_button, &QPushButton::clicked, this, &AdvancedSection::unfold);
    connect(m_options, &OptionForm::edited, this,
            [&editor](const QString& label, const RunConfig& config, QLabel* error) {
                editor.editAt(error, label.toLower(), config);
            });
}

void AdvancedSection::refresh() {
    m_options->refresh();
    unfold(m_button->isChecked());
}

bool AdvancedSection::commit() {
    if (m_options->commit()) return true;
    unfold(true);  // what is wrong is seen
    return false;
}

bool AdvancedSection::revert(const QObject* field) { return m_options->revert(field); }

void AdvancedSection::unfold(bool open) {
    m_folded->setVisible(open);
    m_button->setChecked(open);
    const int changed = m_options->changedCount();
    QString text = open ? tr("▾ Advanced") : tr("▸ Advanced");
    if (changed > 0) text += tr(" · %1 changed").arg(changed);
    m_button->setText(text);
    m_button->setAccessibleName(tr("Advanced settings"));
}

}  // namespace plumb::ui
