// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/keys.h"

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

namespace plumb::ui {

/// Every action of the window, each made once: menus, the palette and the list of shortcuts refer to these.
class ActionRegistry final : public QObject {
    Q_OBJECT
public:
    struct Spec {
        QString id;         ///< "file.open": unique, the object name
        QString text;       ///< with mnemonic
        QString statusTip;  ///< what it does, as a sentence
        QKeySequence shortcut;
        bool checkable = false;
    };
    /// Actions belong to `owner`, where their shortcuts work.
    explicit ActionRegistry(QWidget* owner);

    QAction* add(const Spec& spec, std::function<void()> handler);
    [[nodiscard]] QAction* action(const QString& id) const;  ///< null for an unknown id
    void enable(const char* id, bool on) { action(QString::fromLatin1(id))->setEnabled(on); }
    [[nodiscard]] const std::vector<QAction*>& all() const { return m_actions; }

private:
    QWidget* m_owner;
    std::vector<QAction*> m_actions;
};

/// The text without mnemonic and trailing dots: "Open".
[[nodiscard]] QString plainText(const QAction& action);

}  // namespace plumb::ui
