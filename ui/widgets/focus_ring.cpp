// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/focus_ring.h"

#include "ui/widgets/highlight_ring.h"
#include "ui/widgets/in_sight.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QLabel>

namespace plumb::ui {
namespace {

bool standsBelow(const QWidget& root, const QWidget* widget) {
    while (widget != nullptr && widget != &root) widget = widget->parentWidget();  // windows count, too
    return widget != nullptr;
}

}  // namespace

FocusRing::FocusRing(Theme& theme, QWidget& root) : QObject(&root), m_theme(theme), m_root(root) {
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget* before, QWidget* focused) {
        follow(focused);
        // Not when the window is gone back to, with what its user last looked at. After QScrollArea, which
        // shows the current line of a table with some room above it, and asks nobody who comes from outside
        // of it.
        if (before == nullptr || focused == nullptr || !isByKeyboard(*focused)) return;
        QMetaObject::invokeMethod(
            focused, [focused] { bringIntoSight(*focused); }, Qt::QueuedConnection);
    });
}

bool FocusRing::isFor(const QWidget& widget) {
    return qobject_cast<const QAbstractScrollArea*>(&widget) != nullptr ||
           qobject_cast<const QLabel*>(&widget) != nullptr ||  // whose text can be selected
           widget.property(kWantsFocusRing).toBool();
}

bool FocusRing::isByKeyboard(const QWidget& focused) const {
    return focused.window()->testAttribute(Qt::WA_KeyboardFocusChange) && standsBelow(m_root, &focused);
}

void FocusRing::follow(QWidget* focused) {
    const bool wanted = focused != nullptr && isFor(*focused) && isByKeyboard(*focused);
    if (!wanted) {
        if (m_ring) m_ring->surround(nullptr);
        return;
    }
    if (m_ring && m_ring->parentWidget() != focused->window()) delete m_ring;
    if (!m_ring) m_ring = new HighlightRing(m_theme, focused->window(), HighlightRing::Kind::Focus);
    m_ring->surround(focused);
}

}  // namespace plumb::ui
