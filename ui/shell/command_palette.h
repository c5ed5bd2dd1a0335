// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace plumb::ui {

class ActionRegistry;

/// A list of every enabled action that narrows while typing; Enter runs the marked one.
class CommandPalette final : public QDialog {
    Q_OBJECT
public:
    CommandPalette(ActionRegistry& actions, QWidget* parent);
    void popUp();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(const QString& wanted);
    void runCurrent();

    ActionRegistry& m_actions;
    QLineEdit* m_search;
    QListWidget* m_list;
};

}  // namespace plumb::ui
