// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shortcut_map.h"

#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"

#include <utility>

namespace plumb::ui {

ShortcutMap::ShortcutMap(const ActionRegistry& actions, Settings& settings, QObject* parent)
    : QObject(parent), m_actions(actions), m_settings(settings) {
    for (const QAction* action : actions.all()) m_standard[action->objectName()] = action->shortcuts();
    const QMap<QString, QString> kept = settings.shortcuts();
    for (auto one = kept.cbegin(); one != kept.cend(); ++one) {
        // An action of a newer program, or a line that somebody wrote, changes nothing.
        if (!m_standard.contains(one.key())) continue;
        const QKeySequence keys = QKeySequence::fromString(one.value(), QKeySequence::PortableText);
        if (!one.value().isEmpty() && (keys.isEmpty() || !whyNot(keys).isEmpty())) continue;
        QAction* const owner = keys.isEmpty() ? nullptr : ownerOf(keys, one.key());
        if (owner != nullptr && kept.contains(owner->objectName())) continue;  // chosen for two: for neither
        if (owner != nullptr) put(owner->objectName(), {});
        put(one.key(), keys.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{keys});
    }
    m_kept = changedKeys();
}

bool ShortcutMap::isChanged(const QString& id) const {
    const QAction* const action = m_actions.action(id);
    return action != nullptr && action->shortcuts() != standardOf(id);
}

QAction* ShortcutMap::ownerOf(const QKeySequence& keys, const QString& id) const {
    if (keys.isEmpty()) return nullptr;
    for (QAction* action : m_actions.all()) {
        if (action->objectName() == id) continue;
        for (const QKeySequence& own : action->shortcuts())
            if (own.matches(keys) != QKeySequence::NoMatch || keys.matches(own) != QKeySequence::NoMatch)
                return action;
    }
    return nullptr;
}

QString ShortcutMap::whyNot(const QKeySequence& keys) {
    if (keys.isEmpty()) return tr("No key was pressed.");
    const QKeyCombination first = keys[0];
    const bool isFunction = first.key() >= Qt::Key_F1 && first.key() <= Qt::Key_F35;
    const auto chords = Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier;
    if (!isFunction && (first.keyboardModifiers() & chords) == 0)
        return tr("Charts and fields need %1 themselves: add Ctrl or Alt, or choose a key from F1 on.")
            .arg(keys.toString(QKeySequence::NativeText));
    for (const auto taken :
         {QKeySequence::Copy, QKeySequence::Cut, QKeySequence::Paste, QKeySequence::SelectAll})
        if (QKeySequence::keyBindings(taken).contains(QKeySequence(first)))
            return tr("Fields and tables need %1 themselves: choose other keys.")
                .arg(keys.toString(QKeySequence::NativeText));
    return {};
}

void ShortcutMap::put(const QString& id, const QList<QKeySequence>& keys) {
    if (QAction* const action = m_actions.action(id)) action->setShortcuts(keys);
}

QMap<QString, QString> ShortcutMap::changedKeys() const {
    QMap<QString, QString> changed;
    for (const QAction* action : m_actions.all())
        if (isChanged(action->objectName()))
            changed[action->objectName()] = action->shortcut().toString(QKeySequence::PortableText);
    return changed;
}

void ShortcutMap::keep() {
    const QMap<QString, QString> before = std::exchange(m_kept, changedKeys());
    m_settings.setShortcuts(m_kept, before);
    emit changed();
}

void ShortcutMap::set(const QString& id, const QKeySequence& keys) {
    if (const QAction* const owner = ownerOf(keys, id)) put(owner->objectName(), {});
    put(id, keys.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{keys});
    keep();
}

void ShortcutMap::reset(const QString& id) {
    put(id, {});
    for (const QKeySequence& keys : standardOf(id))
        if (const QAction* const owner = ownerOf(keys, id)) {
            const QString other = owner->objectName();
            put(other, {});
            // Its own may be another's by now.
            bool isFree = true;
            for (const QKeySequence& own : standardOf(other)) isFree = isFree && !ownerOf(own, other);
            if (isFree) put(other, standardOf(other));
        }
    put(id, standardOf(id));
    keep();
}

void ShortcutMap::resetAll() {
    for (auto one = m_standard.cbegin(); one != m_standard.cend(); ++one) put(one.key(), one.value());
    keep();
}

}  // namespace plumb::ui
