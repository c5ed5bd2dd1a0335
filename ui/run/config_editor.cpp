// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/config_editor.h"

#include "ui/run/offered_fix.h"
#include "ui/run/panel_rows.h"
#include "ui/widgets/fix_button.h"
#include "ui/widgets/size_field.h"
#include "ui/widgets/slider_row.h"
#include "ui/workbench/config_history.h"
#include "ui/workbench/option_titles.h"
#include "ui/workbench/workbench.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>

namespace plumb::ui {

namespace {

/// Shows the value in force again, whatever was typed.
void letGo(SliderRow& row) {
    QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
    if (auto* field = row.findChild<SizeField*>()) QCoreApplication::sendEvent(field, &escape);
}

}  // namespace

ConfigEditor::ConfigEditor(Workbench& workbench, ConfigHistory& history)
    : m_workbench(workbench), m_history(history) {
    connect(&workbench, &Workbench::sceneChanged, this, [this] { showSentence(m_lastLine, {}); });
    connect(&history, &ConfigHistory::refused, this, &ConfigEditor::showRefusal);
}

const RunConfig& ConfigEditor::config() const { return m_workbench.config(); }

void ConfigEditor::showRefusal(const Error& error) {
    const QString sentence = settingSentence(error);
    if (m_row)
        m_row->showError(sentence);
    else
        showSentence(m_line ? m_line : m_lastLine, sentence);
    if (m_asked) offerFix(error);
    emit refused(error);
    emit said(m_row ? static_cast<QWidget*>(m_row) : m_line ? m_line : m_lastLine);
}

// What fits in memory is the run's matter: a step that does not can be looked at.
void ConfigEditor::offerFix(const Error& error) {
    const auto fix = offeredFix(error, *m_asked, m_workbench.traits(), std::nullopt, m_setting);
    if (!fix) return;
    SliderRow* const row = m_row;
    QLabel* const line = m_line ? m_line : m_lastLine;
    const auto apply = [this, row, line, field = QPointer(m_field), config = fix->config,
                        setting = fix->setting] {
        if (field) field->setModified(false);
        if (row) {
            letGo(*row);
            return edit(setting, config, row);
        }
        // Of an advanced option the field stands beside the line.
        if (line != m_lastLine)
            for (auto* beside : line->parentWidget()->findChildren<QLineEdit*>(Qt::FindDirectChildrenOnly))
                beside->setModified(false);
        showSentence(line, {});
        editAt(line, setting, config);
    };
    FixButton* const button = row ? row->findChild<FixButton*>() : FixButton::of(*line);
    if (button) button->offer(fix->text, fix->toolTip, apply);
}

void ConfigEditor::edit(const QString& setting, const RunConfig& config, SliderRow* row, int gesture) {
    m_row = row;
    m_asked = config;
    m_setting = setting;
    if (row) row->showError({});
    showSentence(m_lastLine, {});
    if (const Result<void> changed = m_history.change(config, setting, gesture); !changed.has_value())
        showRefusal(changed.error());
    m_row = nullptr;
    m_asked.reset();
    emit edited();
}

void ConfigEditor::editAt(QLabel* line, const QString& setting, const RunConfig& config) {
    m_line = line;
    edit(setting, config);
    m_line = nullptr;
}

bool ConfigEditor::submit(QLineEdit* field, QLabel* line, const Result<RunConfig>& entered,
                          const QString& setting) {
    const QString typed = field->text();
    showSentence(line, entered.has_value() ? QString() : settingSentence(entered.error()));
    if (entered.has_value()) {
        field->setModified(false);
        m_field = field;
        editAt(line, setting, *entered);
        m_field = nullptr;
    }
    const bool ok = line->text().isEmpty();
    // Refused: the text stays as typed beside the sentence that says why.
    if (!ok) {
        field->setText(typed);
        field->setModified(true);
        emit said(line);
    }
    return ok;
}

}  // namespace plumb::ui
