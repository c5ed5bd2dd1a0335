// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/in_sight.h"

#include "ui/widgets/focus_ring.h"

#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>

namespace plumb::ui {

// QScrollArea::ensureWidgetVisible() is content with the current line of a table.
void bringIntoSight(const QWidget& widget) {
    constexpr int kAround = 8;  // for a ring
    for (QWidget* outer = widget.parentWidget(); outer != nullptr && !outer->isWindow();
         outer = outer->parentWidget()) {
        auto* area = qobject_cast<QScrollArea*>(outer);
        if (area == nullptr || area->widget() == nullptr || !area->widget()->isAncestorOf(&widget)) continue;
        const QRect place(widget.mapTo(area->widget(), QPoint()), widget.size());
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

void letTabReach(QLabel& text) {
    text.setFocusPolicy(Qt::TabFocus);
    text.setProperty(kWantsFocusRing, true);
}

}  // namespace plumb::ui
