// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/action_link.h"

#include "ui/theme/scaled.h"

#include <QAction>
#include <QEvent>

#include <utility>

namespace plumb::ui {
namespace {

constexpr int kBelowMiddle = 26;  // two lines of a sentence end above it

}  // namespace

ActionLink::ActionLink(const QString& text, const char* action, QWidget* parent)
    : QPushButton(text, parent), m_id(QString::fromLatin1(action)) {
    setAutoDefault(false);
    setEnabled(false);
    connect(this, &QPushButton::clicked, this, [this] {
        if (m_action != nullptr) m_action->trigger();
    });
}

void ActionLink::standBelowMiddle(QWidget& picture) {
    m_picture = &picture;
    picture.installEventFilter(this);
    place();
}

void ActionLink::showEvent(QShowEvent* event) {
    QPushButton::showEvent(event);
    if (m_action == nullptr) find();
    place();
    raise();
}

void ActionLink::find() {
    // The nearest: a window holds several documents, each with actions of its own, and a view may stand in a
    // window that belongs to the one with the actions.
    for (const QWidget* around = parentWidget(); around != nullptr && m_action == nullptr;
         around = around->parentWidget())
        m_action = around->findChild<QAction*>(m_id);
    if (m_action == nullptr) return;
    connect(m_action, &QAction::changed, this, &ActionLink::follow);
    connect(m_action, &QObject::destroyed, this, [this] { m_action = nullptr; });
    follow();
}

void ActionLink::follow() {
    setEnabled(m_action->isEnabled());
    setToolTip(m_action->statusTip());
    const bool isSaid = !m_action->isEnabled() && m_action->toolTip() != m_action->statusTip();
    const QString why = isSaid ? m_action->toolTip() : QString();
    if (std::exchange(m_whyNot, why) != why) emit whyNotChanged();
}

void ActionLink::place() {
    if (m_picture == nullptr) return;
    const QSize size = sizeHint();
    setGeometry(
        QRect(QPoint((m_picture->width() - size.width()) / 2, m_picture->height() / 2 + scaled(kBelowMiddle)),
              size));
}

bool ActionLink::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) place();
    return QPushButton::eventFilter(watched, event);
}

}  // namespace plumb::ui
