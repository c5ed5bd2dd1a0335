// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/config_editor.h"

#include "ui/run/panel_rows.h"
#include "ui/theme/text.h"
#include "ui/widgets/slider_row.h"
#include "ui/workbench/config_history.h"
#include "ui/workbench/workbench.h"

#include <QLabel>
#include <QLineEdit>

namespace plumb::ui {

ConfigEditor::ConfigEditor(Workbench& workbench, ConfigHistory& history)
    : m_workbench(workbench), m_history(history) {
    connect(&workbench, &Workbench::sceneChanged, this, [this] { showSentence(m_lastLine, {}); });
    connect(&history, &ConfigHistory::refused, this, &ConfigEditor::showRefusal);
}

const RunConfig& ConfigEditor::config() const { return m_workbench.config(); }

void ConfigEditor::showRefusal(const Error& error) {
    const QString sentence = errorText(error);
    if (m_row) return m_row->showError(sentence);
    showSentence(m_line ? m_line : m_lastLine, sentence);
}

void ConfigEditor::edit(const QString& setting, const RunConfig& config, SliderRow* row, int gesture) {
    m_row = row;
    if (row) row->showError({});
    showSentence(m_lastLine, {});
    if (const Result<void> changed = m_history.change(config, setting, gesture); !changed.has_value())
        showRefusal(changed.error());
    m_row = nullptr;
    emit edited();
}

void ConfigEditor::editAt(QLabel* line, const QString& setting, const RunConfig& config) {
    m_line = line;
    edit(setting, config);
    m_line = nullptr;
}

bool ConfigEditor::submit(QLineEdit* field, QLabel* line, const Result<void>& parsed, const QString& setting,
                          const RunConfig& config) {
    const QString typed = field->text();
    showSentence(line, parsed.has_value() ? QString() : errorText(parsed.error()));
    if (parsed.has_value()) {
        field->setModified(false);
        editAt(line, setting, config);
    }
    const bool ok = line->text().isEmpty();
    // Refused: the text stays as typed beside the sentence that says why.
    if (!ok) {
        field->setText(typed);
        field->setModified(true);
    }
    return ok;
}

}  // namespace plumb::ui
