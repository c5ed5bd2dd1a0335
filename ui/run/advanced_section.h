// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/run/panel_rows.h"
#include "ui/run/save_form.h"
#include "ui/workbench/view.h"

#include <QObject>

class QPushButton;

namespace plumb::ui {

class ConfigEditor;
class OptionForm;

/// What few people need, folded away below one button that says how much of it was changed.
class AdvancedSection final : public QObject {
    Q_OBJECT
public:
    AdvancedSection(const PanelRows& rows, ConfigEditor& editor, RunController& controller,
                    ViewContext context);
    /// The options' own form knows the workbench.
    void refresh();
    /// Takes what is typed and not yet entered; false, and unfolded, while something cannot be used.
    [[nodiscard]] bool commit();
    /// Gives up what is typed; false when `field` is another section's.
    bool revert(const QObject* field);
    void unfold(bool open);

signals:
    void folderWanted(const QString& title, const plumb::ui::SaveForm::UsePath& use);
    void checkpointWanted(const QString& title, const plumb::ui::SaveForm::UsePath& use);

private:
    QPushButton* m_button;
    QWidget* m_folded = nullptr;
    OptionForm* m_options = nullptr;
};

}  // namespace plumb::ui
