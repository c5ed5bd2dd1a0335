// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/highlight_ring.h"

#include "ui/theme/theme.h"

#include <QEvent>
#include <QPainter>
#include <QScrollArea>

namespace plumb::ui {
namespace {

constexpr int kRoom = 5;
constexpr qreal kRingRadius = 8;

}  // namespace

HighlightRing::HighlightRing(Theme& theme, QWidget* window) : QWidget(window), m_theme(theme) {
    setObjectName(QStringLiteral("highlightRing"));
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
    for (QWidget* widget = target; widget && widget != parentWidget(); widget = widget->parentWidget()) {
        widget->installEventFilter(this);
        if (auto* area = qobject_cast<QScrollArea*>(widget); area && widget != target)
            area->ensureWidgetVisible(target);
    }
    place();
}

void HighlightRing::place() {
    if (!m_target || !m_target->isVisibleTo(parentWidget())) return hide();
    // What is scrolled out of sight has no ring, which would lie over something else.
    QRect around(m_target->mapTo(parentWidget(), QPoint()), m_target->size());
    for (const QWidget* outer = m_target->parentWidget(); outer && outer != parentWidget();
         outer = outer->parentWidget())
        around &= QRect(outer->mapTo(parentWidget(), QPoint()), outer->size());
    if (around.isEmpty()) return hide();
    setGeometry(around.adjusted(-kRoom, -kRoom, kRoom, kRoom));
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
    QColor glow = m_theme.color(ColorRole::Accent);
    glow.setAlphaF(0.3F);
    painter.setPen(QPen(glow, 5));
    painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), kRingRadius, kRingRadius);
    painter.setPen(QPen(m_theme.color(ColorRole::Accent), 2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), kRingRadius, kRingRadius);
}

}  // namespace plumb::ui
