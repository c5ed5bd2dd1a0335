// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/highlight_ring.h"

#include "ui/theme/theme.h"
#include "ui/widgets/in_sight.h"

#include <QEvent>
#include <QPainter>

namespace plumb::ui {
namespace {

constexpr int kRoom = 5;
constexpr qreal kRingRadius = 8;
constexpr int kThin = 2;

}  // namespace

HighlightRing::HighlightRing(Theme& theme, QWidget* window, Kind kind)
    : QWidget(window), m_theme(theme), m_kind(kind) {
    setObjectName(kind == Kind::Lesson ? QStringLiteral("highlightRing") : QStringLiteral("focusRing"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    hide();
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void HighlightRing::surround(QWidget* target) {
    // The control and all that it stands in can move it on the screen.
    for (QWidget* widget = m_target; widget && widget != parentWidget(); widget = widget->parentWidget())
        widget->removeEventFilter(this);
    m_target = target;
    for (QWidget* widget = target; widget && widget != parentWidget(); widget = widget->parentWidget())
        widget->installEventFilter(this);
    if (target != nullptr) bringIntoSight(*target);
    place();
}

void HighlightRing::place() {
    // A control can leave the window, with the view that it is in.
    if (!m_target || !parentWidget()->isAncestorOf(m_target) || !m_target->isVisibleTo(parentWidget()))
        return hide();
    // What is scrolled out of sight has no ring, which would lie over something else.
    QRect around(m_target->mapTo(parentWidget(), QPoint()), m_target->size());
    for (const QWidget* outer = m_target->parentWidget(); outer && outer != parentWidget();
         outer = outer->parentWidget())
        around &= QRect(outer->mapTo(parentWidget(), QPoint()), outer->size());
    if (around.isEmpty()) return hide();
    if (m_kind == Kind::Lesson) around.adjust(-kRoom, -kRoom, kRoom, kRoom);
    setGeometry(around);
    // What moves inside the control does not have the ring painted with it.
    if (m_kind == Kind::Focus) setMask(QRegion(rect()) - rect().adjusted(kThin, kThin, -kThin, -kThin));
    show();
    raise();
}

bool HighlightRing::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
        place();
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void HighlightRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    if (m_kind == Kind::Focus) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(m_theme.color(ColorRole::Accent), kThin));
        painter.drawRect(rect().adjusted(kThin / 2, kThin / 2, -(kThin + 1) / 2, -(kThin + 1) / 2));
        return;
    }
    QColor glow = m_theme.color(ColorRole::Accent);
    glow.setAlphaF(0.3F);
    painter.setPen(QPen(glow, 5));
    painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), kRingRadius, kRingRadius);
    painter.setPen(QPen(m_theme.color(ColorRole::Accent), 2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), kRingRadius, kRingRadius);
}

}  // namespace plumb::ui
