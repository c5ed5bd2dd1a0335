// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/banner_room.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>

#include <algorithm>

namespace plumb::ui {
namespace {

/// What of the area's lower end lies behind that, in steps of its bar; 0: it can be seen.
int stepsBehind(const QAbstractScrollArea& area, const QRect& covered) {
    const QWidget& shown = *area.viewport();
    const QRect place(shown.mapToGlobal(QPoint()), shown.size());
    if (!covered.intersects(place) || covered.bottom() < place.bottom() - covered.height()) return 0;
    const int pixels = place.bottom() + 1 - covered.top();
    const auto* rows = qobject_cast<const QAbstractItemView*>(&area);
    if (rows == nullptr || rows->verticalScrollMode() == QAbstractItemView::ScrollPerPixel) return pixels;
    const int height = std::max(1, rows->sizeHintForRow(0));
    return (pixels + height - 1) / height;
}

}  // namespace

void BannerRoom::give(const QWidget& views, const QRect& covered) {
    take();
    for (const QAbstractScrollArea* area : views.findChildren<QAbstractScrollArea*>()) {
        QScrollBar* const bar = area->verticalScrollBar();
        if (!area->isVisible() || bar->maximum() <= bar->minimum()) continue;
        const int extra = stepsBehind(*area, covered);
        if (extra <= 0) continue;
        m_rooms.push_back({bar, extra, bar->maximum()});
        // The area sets its own end whenever it is laid out.
        connect(bar, &QScrollBar::rangeChanged, this, [this, room = m_rooms.size() - 1](int, int end) {
            if (m_isExtending || room >= m_rooms.size()) return;
            m_rooms[room].end = end;
            extend(room);
        });
        extend(m_rooms.size() - 1);
    }
}

void BannerRoom::extend(std::size_t room) {
    const Room& of = m_rooms[room];
    if (of.bar == nullptr || of.end <= of.bar->minimum()) return;
    m_isExtending = true;
    of.bar->setMaximum(of.end + of.extra);
    m_isExtending = false;
}

void BannerRoom::take() {
    for (const Room& room : m_rooms) {
        if (room.bar == nullptr) continue;
        room.bar->disconnect(this);
        room.bar->setMaximum(std::max(room.end, room.bar->value()));
    }
    m_rooms.clear();
}

}  // namespace plumb::ui
