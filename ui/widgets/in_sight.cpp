// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/in_sight.h"

#include "ui/widgets/focus_ring.h"

#include <QAbstractItemView>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>

namespace plumb::ui {

void bringIntoSight(const QWidget& widget) { bringIntoSight(widget, widget.rect()); }

// QScrollArea::ensureWidgetVisible() is content with the current line of a table.
void bringIntoSight(const QWidget& widget, const QRect& part) {
    constexpr int kAround = 8;  // for a ring
    for (QWidget* outer = widget.parentWidget(); outer != nullptr && !outer->isWindow();
         outer = outer->parentWidget()) {
        auto* area = qobject_cast<QScrollArea*>(outer);
        if (area == nullptr || area->widget() == nullptr || !area->widget()->isAncestorOf(&widget)) continue;
        const QRect place(widget.mapTo(area->widget(), part.topLeft()), part.size());
        const bool isWide = area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
        const int left = isWide ? place.left() : area->horizontalScrollBar()->value() + kAround;
        area->ensureVisible(isWide ? place.right() : left, place.bottom(), kAround, kAround);
        area->ensureVisible(left, place.top(), kAround, kAround);
    }
}

void bringIntoSightSoon(QWidget& widget) {
    QMetaObject::invokeMethod(
        &widget, [&widget] { bringIntoSight(widget); }, Qt::QueuedConnection);
}

void keepFocusInSight(const QWidget& window) {
    QWidget* const focused = window.focusWidget();
    if (focused == nullptr) return;
    const auto isSeen = [](const QWidget& widget, const QRect& part) {
        return !part.isEmpty() && (QRegion(part) - widget.visibleRegion()).isEmpty();
    };
    auto* const rows = qobject_cast<QAbstractItemView*>(focused);
    const bool isRow = rows != nullptr && rows->currentIndex().isValid();
    QWidget* const shown = isRow ? rows->viewport() : focused;
    // What was scrolled away from stays so.
    if (!isSeen(*shown, isRow ? rows->visualRect(rows->currentIndex()) : focused->rect())) return;
    QMetaObject::invokeMethod(
        shown,
        [shown, rows, isRow] {
            if (isRow) rows->scrollTo(rows->currentIndex());
            bringIntoSight(*shown, isRow ? rows->visualRect(rows->currentIndex()) : shown->rect());
        },
        Qt::QueuedConnection);
}

void letTabReach(QLabel& text) {
    text.setFocusPolicy(Qt::TabFocus);
    text.setProperty(kWantsFocusRing, true);
}

}  // namespace plumb::ui
