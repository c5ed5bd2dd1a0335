// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/parts_chart.h"

#include "ui/theme/list_text.h"
#include "ui/theme/text.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace plumb::ui {
namespace {
constexpr qreal kBesideSwatch = 7;
constexpr qreal kBetweenColumns = 10;
}  // namespace

PartsChart::PartsChart(Theme& theme, QWidget* parent) : PaintedChart(theme, parent) {
    setFocusPolicy(Qt::TabFocus);
    connect(&pointer(), &Pointer::hovered, this, [this](const QPointF& pixel) {
        const qsizetype index = partAt(pixel);
        point(index, index < 0 ? QPoint() : pixel.toPoint());
    });
}

void PartsChart::takeParts(const QVector<Part>& parts, QStringList said) {
    m_parts = parts;
    m_sum = 0;
    m_pointed = -1;
    for (const Part& part : parts) {
        m_sum += part.size;
        said << part.label + QLatin1Char(' ') + part.value;
    }
    setAccessibleDescription(listText(said));
    updateGeometry();
    update();
}

QFont PartsChart::strongFont() const {
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    return strong;
}

QString PartsChart::shareText(const Part& part, int digits) const {
    return m_sum > 0 ? QStringLiteral("%1 %").arg(numberText(100 * part.size / m_sum, 'f', digits))
                     : QString();
}

PartsChart::Columns PartsChart::columns() const {
    const QFontMetricsF plain(font()), strong(strongFont());
    Columns widest;
    for (const Part& part : m_parts) {
        widest.name = std::max(widest.name, plain.horizontalAdvance(part.label));
        widest.value = std::max(widest.value, strong.horizontalAdvance(part.value));
        widest.share = std::max(widest.share, plain.horizontalAdvance(shareText(part, 1)) + kBetweenColumns);
    }
    return widest;
}

qreal PartsChart::nameRoom(qreal width, const Columns& columns) {
    return width - (kSwatch + kBesideSwatch) - (columns.value + kBetweenColumns);
}

void PartsChart::paintRow(QPainter& painter, qsizetype index, const QColor& fill, ColorRole text,
                          const Columns& columns) const {
    const Part& part = m_parts[index];
    const QRectF row = rowRect(index);
    const QRectF swatch(row.left(), row.center().y() - kSwatch / 2.0, kSwatch, kSwatch);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(swatch, 2.5, 2.5);
    if (part.hatched) {
        painter.setBrush(QBrush(color(part.color), Qt::BDiagPattern));
        painter.drawRoundedRect(swatch, 2.5, 2.5);
    }
    painter.setFont(font());
    painter.setPen(color(ColorRole::TextMuted));
    if (columns.share > 0) painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, shareText(part, 1));
    painter.setPen(color(text));
    painter.drawText(row.adjusted(kSwatch + kBesideSwatch, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font()).elidedText(part.label, Qt::ElideRight,
                                                      nameRoom(row.width(), columns) - columns.share));
    painter.setFont(strongFont());
    painter.drawText(row.adjusted(0, 0, -columns.share, 0), Qt::AlignRight | Qt::AlignVCenter, part.value);
}

void PartsChart::point(qsizetype index, const QPoint& at) {
    m_pointed = index;
    update();
    if (index < 0 || index >= m_parts.size()) return hideCard();
    const Part& part = m_parts[index];
    HoverCardContent card;
    card.title = part.label;
    card.rows.push_back({tr("value"), {part.value}, std::nullopt, true});
    if (m_sum > 0) card.rows.push_back({tr("share"), {shareText(part, 2)}, std::nullopt, false});
    card.footer = part.detail;
    showCard(card, at);
}

void PartsChart::keyPressEvent(QKeyEvent* event) {
    const qsizetype count = m_parts.size();
    qsizetype next = m_pointed;
    if (count > 0 && (event->key() == Qt::Key_Right || event->key() == Qt::Key_Down))
        next = std::min(m_pointed + 1, count - 1);
    else if (count > 0 && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Up))
        next = std::max<qsizetype>(m_pointed - 1, 0);
    else if (event->key() == Qt::Key_Escape && m_pointed >= 0)
        next = -1;
    else
        return QWidget::keyPressEvent(event);
    point(next, next < 0 ? QPoint() : rowRect(next).center().toPoint());
}

}  // namespace plumb::ui
