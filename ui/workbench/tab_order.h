// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

namespace plumb::ui {

/// Makes Tab go from `before` to the controls in `next`, itself among them, for what is made later than what
/// stands behind it on the screen. `before` need not be a control: it has a place among them all the same.
/// Returns the last of them.
inline QWidget* setTabOrderOfAll(QWidget* before, QWidget& next) {
    QList<QWidget*> controls;
    QWidget* at = &next;
    do {
        const bool isInside = at == &next || next.isAncestorOf(at);
        if (isInside && at->focusPolicy() != Qt::NoFocus && at->focusProxy() == nullptr) controls << at;
        at = at->nextInFocusChain();
    } while (at != &next);
    for (QWidget* control : controls) {
        // Qt passes over a first one that takes no focus (6.4).
        const Qt::FocusPolicy own = before->focusPolicy();
        if (own == Qt::NoFocus) before->setFocusPolicy(Qt::TabFocus);
        QWidget::setTabOrder(before, control);
        if (own == Qt::NoFocus) before->setFocusPolicy(own);
        before = control;
    }
    return before;
}

}  // namespace plumb::ui
