// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QVariant>
#include <QWidget>

namespace plumb::ui {

namespace detail {
inline constexpr const char* kFirstFocus = "plumbFirstFocus";
}

/// Says which widget takes the keyboard when the user goes to `view`. Not a focus proxy: with one Tab passes
/// over whatever stands before it in the view.
inline void setFirstFocus(QWidget& view, QWidget* first) {
    view.setProperty(detail::kFirstFocus, QVariant::fromValue(QPointer<QWidget>(first)));
}

/// The first control that Tab reaches in `area` from `start` on, which may be the area itself or stand in it;
/// null: there is none.
[[nodiscard]] inline QWidget* firstControlOf(const QWidget& area, QWidget& start) {
    QWidget* at = &start;
    do {
        const bool isInside = at == &area || area.isAncestorOf(at);
        if (isInside && at->isEnabled() && at->isVisibleTo(&area) && (at->focusPolicy() & Qt::TabFocus) != 0)
            return at;
        at = at->nextInFocusChain();
    } while (at != &start);
    return nullptr;
}

/// Gives that control the keyboard, as Tab would.
inline void focusFirstOf(const QWidget& area, QWidget& start) {
    if (QWidget* const first = firstControlOf(area, start)) first->setFocus(Qt::TabFocusReason);
}

/// What setFirstFocus() said, else the first control that Tab reaches in the view; null: it has none.
[[nodiscard]] inline QWidget* firstFocusOf(QWidget& view) {
    if (QWidget* const said = view.property(detail::kFirstFocus).value<QPointer<QWidget>>()) return said;
    return firstControlOf(view, view);
}

}  // namespace plumb::ui
