// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/banner_place.h"

#include "ui/shell/banner_room.h"
#include "ui/shell/side_panel.h"
#include "ui/widgets/banner.h"

#include <QApplication>
#include <QEvent>

namespace plumb::ui {
namespace {

constexpr int kBesideBanner = 14;
constexpr int kBelowBanner = 6;

}  // namespace

BannerPlace::BannerPlace(Banner& banner, QWidget& views, SidePanel& side)
    : QObject(&banner), m_banner(banner), m_views(&views), m_side(&side), m_room(new BannerRoom(this)) {
    banner.setParent(views.parentWidget());
    banner.installEventFilter(this);
    views.installEventFilter(this);
    connect(&side, &SidePanel::foldingChanged, this, &BannerPlace::place);
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget*, const QWidget* now) { uncover(now); });
}

QRect BannerPlace::placeAt(bool top) const {
    const QRect views = m_views->geometry();
    const int left = views.left() + m_side->covered() + kBesideBanner;
    const int width = views.right() + 1 - kBesideBanner - left;
    const int height = m_banner.heightForWidth(width);
    return {left, top ? views.top() + kBelowBanner : views.bottom() + 1 - kBelowBanner - height, width,
            height};
}

void BannerPlace::place() {
    if (m_banner.isHidden() || !m_views || !m_side) return;
    m_banner.setGeometry(placeAt(m_isAtTop));
    m_banner.raise();
    m_room->give(*m_views, QRect(m_banner.mapToGlobal(QPoint()), m_banner.size()));
}

void BannerPlace::uncover(const QWidget* focused) {
    if (m_banner.isHidden() || !m_views || !m_side || focused == nullptr || !m_views->isAncestorOf(focused))
        return;
    const QRect control(focused->mapTo(m_banner.parentWidget(), QPoint()), focused->size());
    // A table or a chart lies behind either.
    if (!placeAt(m_isAtTop).intersects(control) || placeAt(!m_isAtTop).intersects(control)) return;
    m_isAtTop = !m_isAtTop;
    place();
}

bool BannerPlace::eventFilter(QObject* watched, QEvent* event) {
    const bool isOfPlace = event->type() == QEvent::Resize || event->type() == QEvent::Move;
    const bool isOfText = event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest ||
                          event->type() == QEvent::FontChange;
    if (watched == &m_banner && event->type() == QEvent::Show) {
        m_isAtTop = false;
        uncover(QApplication::focusWidget());
    }
    if (watched == &m_banner && event->type() == QEvent::Hide) m_room->take();
    if (watched == &m_banner ? isOfText : isOfPlace) place();
    return false;
}

}  // namespace plumb::ui
