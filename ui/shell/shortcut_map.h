// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QMap>
#include <QObject>
#include <QString>

class QAction;

namespace plumb::ui {

class ActionRegistry;
class Settings;

/// Which keys run which action: as the program comes, but for those that the user chose, which the settings
/// keep. A key belongs to one action at most.
class ShortcutMap final : public QObject {
    Q_OBJECT
public:
    /// Takes the keys that the actions have for those that the program comes with, and puts the user's in
    /// force. Made when every action is there.
    ShortcutMap(const ActionRegistry& actions, Settings& settings, QObject* parent = nullptr);

    [[nodiscard]] QList<QKeySequence> standardOf(const QString& id) const { return m_standard.value(id); }
    [[nodiscard]] bool isChanged(const QString& id) const;
    /// The action other than `id` that has this key, or one that begins with it; null: none.
    [[nodiscard]] QAction* ownerOf(const QKeySequence& keys, const QString& id) const;
    /// Why the key cannot be a shortcut, as a sentence; empty when it can.
    [[nodiscard]] static QString whyNot(const QKeySequence& keys);

    /// `keys` (none: empty) for the action, taken from the one that has them now. Pre: whyNot() is empty.
    void set(const QString& id, const QKeySequence& keys);
    /// As the program comes; another action that has these keys now gets its own back, too.
    void reset(const QString& id);
    void resetAll();

signals:
    void changed();

private:
    void put(const QString& id, const QList<QKeySequence>& keys);
    [[nodiscard]] QMap<QString, QString> changedKeys() const;
    void keep();

    const ActionRegistry& m_actions;
    Settings& m_settings;
    QMap<QString, QList<QKeySequence>> m_standard;
    QMap<QString, QString> m_kept;  ///< what this window put in force of the settings, or into them
};

}  // namespace plumb::ui
