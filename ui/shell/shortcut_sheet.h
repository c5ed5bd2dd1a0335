// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace plumb::ui {

class ActionRegistry;
class ShortcutMap;
class Theme;

/// Every action with its keys, and how to change them: choose one, press the new keys, *Assign*. Keys that
/// another action has are told before they are taken from it.
class ShortcutSheet final : public QDialog {
    Q_OBJECT
public:
    ShortcutSheet(const ActionRegistry& actions, ShortcutMap& map, Theme& theme, QWidget* parent);

protected:
    /// Esc takes back the keys that were pressed, or else closes the sheet: as keys of an action it is
    /// refused.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build(Theme& theme);
    void fill();
    void narrow(const QTreeWidgetItem* kept);  ///< hides what the filter does not name, but for that one
    [[nodiscard]] QString chosen() const;      ///< id of the action, or empty
    void check();                              ///< whether the keys that were pressed can be assigned
    void assign();

    const ActionRegistry& m_actions;
    ShortcutMap& m_map;
    QLineEdit* m_filter;
    QTreeWidget* m_list;
    QKeySequenceEdit* m_keys;
    QLabel* m_told;
    QPushButton *m_assign, *m_remove, *m_reset, *m_resetAll;
};

}  // namespace plumb::ui
