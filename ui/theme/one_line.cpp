// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/one_line.h"

#include <QFontMetricsF>
#include <QPainter>

namespace plumb::ui {

void drawOneLine(QPainter& painter, const QRect& room, Qt::Alignment alignment, const QString& text,
                 Qt::TextElideMode elide) {
    const QFontMetricsF metrics(painter.fontMetrics());
    QString shown = text;
    qreal width = metrics.horizontalAdvance(shown);
    if (width > room.width()) {
        shown = metrics.elidedText(text, elide, room.width());
        width = metrics.horizontalAdvance(shown);
    }
    const qreal left = (alignment & Qt::AlignRight) != 0     ? room.width() - width
                       : (alignment & Qt::AlignHCenter) != 0 ? (room.width() - width) / 2
                                                             : 0;
    const qreal top = (room.height() - metrics.height()) / 2;
    painter.drawText(QPointF(room.x() + left, room.y() + top + metrics.ascent()), shown);
}

QString nameWithin(const QString& name, const QFontMetrics& metrics, int room) {
    if (metrics.horizontalAdvance(name) <= room) return name;
    const qsizetype spaced = name.indexOf(QLatin1String(" ("));
    const qsizetype bracket = spaced > 0 ? spaced : name.indexOf(QChar(0xFF08));  // full width, of Chinese
    return bracket > 0 ? name.left(bracket) : name;
}

}  // namespace plumb::ui
