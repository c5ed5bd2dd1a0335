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

/// What setFirstFocus() said, else the first control that Tab reaches in the view; null: it has none.
[[nodiscard]] inline QWidget* firstFocusOf(const QWidget& view) {
    if (QWidget* const said = view.property(detail::kFirstFocus).value<QPointer<QWidget>>()) return said;
    for (QWidget* next = view.nextInFocusChain(); next != &view; next = next->nextInFocusChain())
        if (view.isAncestorOf(next) && next->isEnabled() && next->isVisibleTo(&view) &&
            (next->focusPolicy() & Qt::TabFocus) != 0)
            return next;
    return nullptr;
}

}  // namespace plumb::ui
