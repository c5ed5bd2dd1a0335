// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/in_sight.h"

#include "ui/widgets/focus_ring.h"

#include <QLabel>
#include <QScrollArea>

namespace plumb::ui {

// QScrollArea::ensureWidgetVisible() is content with the current line of a table.
void bringIntoSight(const QWidget& widget) {
    constexpr int kAround = 8;  // for a ring
    for (QWidget* outer = widget.parentWidget(); outer != nullptr && !outer->isWindow();
         outer = outer->parentWidget()) {
        auto* area = qobject_cast<QScrollArea*>(outer);
        if (area == nullptr || area->widget() == nullptr || !area->widget()->isAncestorOf(&widget)) continue;
        const QRect place(widget.mapTo(area->widget(), QPoint()), widget.size());
        area->ensureVisible(place.right(), place.bottom(), kAround, kAround);
        area->ensureVisible(place.left(), place.top(), kAround, kAround);
    }
}

void letTabReach(QLabel& text) {
    text.setFocusPolicy(Qt::TabFocus);
    text.setProperty(kWantsFocusRing, true);
}

}  // namespace plumb::ui
