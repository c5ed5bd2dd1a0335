// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/action_registry.h"

#include "ui/theme/text.h"

#include <QWidget>

#include <algorithm>
#include <utility>

namespace plumb::ui {

ActionRegistry::ActionRegistry(QWidget* owner) : QObject(owner), m_owner(owner) {}

QAction* ActionRegistry::add(const Spec& spec, std::function<void()> handler) {
    Q_ASSERT(!action(spec.id));
    auto* made = new QAction(spec.text, m_owner);
    made->setObjectName(spec.id);
    made->setStatusTip(spec.statusTip);
    made->setToolTip(spec.statusTip);
    made->setShortcut(spec.shortcut);
    made->setCheckable(spec.checkable);
    m_owner->addAction(made);
    connect(made, &QAction::triggered, m_owner, [handler = std::move(handler)] { handler(); });
    m_actions.push_back(made);
    return made;
}

QAction* ActionRegistry::action(const QString& id) const {
    const auto found =
        std::ranges::find_if(m_actions, [&](const QAction* a) { return a->objectName() == id; });
    return found == m_actions.end() ? nullptr : *found;
}

QString plainText(const QAction& action) {
    return withoutMnemonic(action.text()).remove(QStringLiteral("…"));
}

}  // namespace plumb::ui
