// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_painter.h"

#include "ui/charts/within.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr qreal kLeaderFrom = 22;  // pixels between a name and its mark

/// Sharp one-pixel lines: on the middle of a pixel.
qreal crisp(qreal value) { return std::floor(value) + 0.5; }

}  // namespace

QColor fadedColor(const Theme& theme, const ChartColor& color, qreal opacity) {
    QColor result = resolve(theme, color);
    result.setAlphaF(static_cast<float>(result.alphaF() * opacity));
    return result;
}

ChartPainter::ChartPainter(const Theme& theme, const ChartContent& content, const ChartLayout& layout,
                           const QFont& font, QPainter& painter)
    : m_theme(theme),
      m_content(content),
      m_layout(layout),
      m_plot(layout.plot()),
      m_font(font),
      m_painter(painter) {}

void ChartPainter::paintBelowLines() {
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    paintGrid();
    m_painter.save();
    m_painter.setClipRect(m_plot);
    if (m_content.forbiddenAbove) {
        const qreal y = m_layout.toPixel({0, *m_content.forbiddenAbove}).y();
        m_painter.fillRect(QRectF(m_plot.topLeft(), QPointF(m_plot.right(), y)), color(ColorRole::Bad, 0.10));
    }
    m_painter.setRenderHint(QPainter::Antialiasing);
    paintBandsBetween();
    paintAreas();
    paintHighlight();
    m_painter.restore();
    m_painter.setRenderHint(QPainter::Antialiasing);  // for the lines, which Qt Charts paints next
}

void ChartPainter::paintGrid() {
    for (const ChartBand& band : m_content.bands) {
        if (band.shaded)
            m_painter.fillRect(QRectF(m_layout.toPixel({band.from, m_layout.shown(ChartAxis::Y).max}),
                                      m_layout.toPixel({band.to, m_layout.shown(ChartAxis::Y).min})) &
                                   m_plot,
                               color(ColorRole::Hover, 0.5));
    }
    m_painter.setPen(QPen(color(ColorRole::Grid), 1));
    for (const AxisTick& tick : m_layout.ticks(ChartAxis::Y)) {
        const qreal y = crisp(m_layout.toPixel({m_layout.shown(ChartAxis::X).min, tick.value}).y());
        m_painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
    }
    for (const AxisTick& tick : m_layout.ticks(ChartAxis::X)) {
        const qreal x = crisp(m_layout.toPixel({tick.value, m_layout.shown(ChartAxis::Y).min}).x());
        m_painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
    }
}

void ChartPainter::paintAreas() {
    const bool hollow = m_content.areas.hollow;
    m_painter.setPen(Qt::NoPen);
    for (const auto& [polygon, layer] : m_layout.areas()) {
        m_painter.setBrush(mixedColors(color(m_content.areas.layers[layer].color),
                                       m_theme.color(ColorRole::Card), hollow ? 0.30 : 0.82));
        m_painter.drawPolygon(polygon);
    }
    if (!hollow) return;
    for (const auto& [polygon, layer] : m_layout.areas()) {
        m_painter.setPen(QPen(color(m_content.areas.layers[layer].color, 0.8), 1));
        m_painter.setBrush(Qt::NoBrush);
        // Without the two upright sides and the baseline.
        m_painter.drawPolyline(polygon.constData() + 1, static_cast<int>(polygon.size()) - 2);
    }
}

void ChartPainter::paintBandsBetween() {
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color(ColorRole::Hover));
    for (const ChartContent::Line& line : m_content.lines) {
        if (line.style.bandTo.isEmpty()) continue;
        for (const ChartContent::Line& other : m_content.lines) {
            if (other.id != line.style.bandTo) continue;
            QPolygonF band;
            for (const QPointF& point : line.points) band << m_layout.toPixel(point);
            for (qsizetype i = other.points.size() - 1; i >= 0; --i)
                band << m_layout.toPixel(other.points[i]);
            m_painter.drawPolygon(band);
        }
    }
}

void ChartPainter::paintHighlight() {
    if (!m_content.highlight) return;
    const qreal from = m_layout.toPixel({m_content.highlight->first, 0}).x();
    const qreal to = std::max(from + 2, m_layout.toPixel({m_content.highlight->second, 0}).x());
    m_painter.fillRect(QRectF(from, m_plot.top(), to - from, m_plot.height()),
                       color(m_content.highlightColor, 0.22));
    m_painter.fillRect(QRectF(from, m_plot.top(), to - from, 4), color(m_content.highlightColor));
}

void ChartPainter::paintAboveLines(const std::optional<QPointF>& pointer) {
    m_painter.save();
    m_painter.setClipRect(m_plot.adjusted(-1, -1, 1, 1));
    paintDenseLines();
    paintRange();
    paintMarkers();
    if (pointer) paintCrosshair(*pointer);
    m_painter.restore();
    m_painter.save();
    m_painter.setClipRect(m_plot.adjusted(-8, -8, 8, 8));
    paintMarks();
    m_painter.restore();
    paintTexts();
}

void ChartPainter::paintCrosshair(const QPointF& pointer) {
    if (m_content.crosshair == ChartPanel::Crosshair::None) return;
    m_painter.setPen(QPen(color(ColorRole::Axis, 0.7), 1));
    m_painter.drawLine(QPointF(crisp(pointer.x()), m_plot.top()),
                       QPointF(crisp(pointer.x()), m_plot.bottom()));
    if (m_content.crosshair == ChartPanel::Crosshair::Both)
        m_painter.drawLine(QPointF(m_plot.left(), crisp(pointer.y())),
                           QPointF(m_plot.right(), crisp(pointer.y())));
}

void ChartPainter::paintDenseLines() {
    for (const ChartLayout::DenseLine& line : m_layout.denseLines()) {
        m_painter.setPen(QPen(color(line.style.color, line.style.opacity), line.style.width, Qt::SolidLine,
                              Qt::FlatCap, Qt::BevelJoin));
        // Piece by piece: stroked as one path, thousands of crossing pieces cost the rasteriser a quarter of
        // a second.
        for (const QPolygonF& polyline : line.polylines)
            for (qsizetype i = 1; i < polyline.size(); ++i) m_painter.drawLine(polyline[i - 1], polyline[i]);
    }
}

void ChartPainter::paintMarkers() {
    for (const auto& [id, marker] : m_content.markers) {
        m_painter.setPen(QPen(color(marker.color), marker.width, marker.pen));
        const QPointF at = m_layout.toPixel({marker.x.value_or(m_layout.shown(ChartAxis::X).max),
                                             marker.y.value_or(m_layout.shown(ChartAxis::Y).max)});
        if (marker.x && marker.y) {
            m_painter.setBrush(color(marker.color));
            m_painter.drawEllipse(at, 3.5, 3.5);
        } else if (marker.x) {
            m_painter.drawLine(QPointF(crisp(at.x()), m_plot.top()), QPointF(crisp(at.x()), m_plot.bottom()));
        } else if (marker.y) {
            m_painter.drawLine(QPointF(m_plot.left(), crisp(at.y())), QPointF(m_plot.right(), crisp(at.y())));
        }
    }
    for (const ChartContent::Line& line : m_content.lines) {
        if (line.style.endDot && !line.points.isEmpty()) {
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(color(line.style.color));
            m_painter.drawEllipse(m_layout.toPixel(line.points.last()), 4, 4);
        }
    }
}

void ChartPainter::paintMarks() {
    for (const ChartLayout::JoinLine& join : m_layout.joins()) {
        m_painter.setPen(QPen(color(join.color, join.opacity), 1));
        m_painter.drawLine(join.line);
        constexpr qreal kHead = 7;
        if (!join.isArrow || join.line.length() < 2 * kHead) continue;
        // The head ends where the mark that it points to begins.
        QLineF back(join.line.p2(), join.line.p1());
        back.setLength(kHead);
        const QPointF tip = back.p2();
        back.setLength(2 * kHead);
        const QPointF along = back.p2() - tip, across(-along.y() / 2, along.x() / 2);
        const QPolygonF head{tip, back.p2() + across, back.p2() - across};
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color(join.color, 1));
        m_painter.drawPolygon(head);
    }
    for (const ChartLayout::Dot& dot : m_layout.dots()) {
        const ChartMark& mark = m_content.marks[dot.mark];
        const QColor look = color(mark.color, mark.opacity);
        if (mark.highlighted) {
            m_painter.setPen(QPen(color(ColorRole::TextStrong), 1.5));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawEllipse(dot.at, mark.radius + 3.5, mark.radius + 3.5);
        }
        m_painter.setPen(
            mark.tag < 0 ? QPen(Qt::NoPen)
                         : QPen(mark.filled ? m_theme.color(ColorRole::Card) : look, mark.filled ? 1 : 1.6));
        m_painter.setBrush(mark.filled ? QBrush(look) : QBrush(color(ColorRole::Card, 0.55)));
        m_painter.drawEllipse(dot.at, mark.radius, mark.radius);
    }
}

void ChartPainter::paintBrackets() {
    constexpr qreal kDown = 5;
    m_painter.setPen(QPen(color(ColorRole::Axis), 1));
    for (const ChartBand& band : m_content.bands) {
        if (!band.bracketed) continue;
        if (m_layout.toPixel({band.to, 0}).x() < m_plot.left() ||
            m_layout.toPixel({band.from, 0}).x() > m_plot.right())
            continue;
        const qreal from = crisp(std::max(m_plot.left(), m_layout.toPixel({band.from, 0}).x() + 1));
        const qreal to =
            crisp(std::max(from, std::min(m_plot.right(), m_layout.toPixel({band.to, 0}).x() - 2)));
        const qreal top = crisp(m_plot.bottom() + 1), bottom = top + kDown;
        m_painter.drawPolyline(QPolygonF{{from, top}, {from, bottom}, {to, bottom}, {to, top}});
    }
}

/// How much of an axis is shown; nothing while all of it is.
void ChartPainter::paintMinimap(ChartAxis axis) {
    const AxisPart& part = axis == ChartAxis::X ? m_content.xPart : m_content.yPart;
    if (!part) return;
    const QRectF map = m_layout.minimap(axis);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color(ColorRole::Track));
    m_painter.drawRoundedRect(map, 2.5, 2.5);
    constexpr qreal kLeast = 6;
    const double from = std::clamp(part->first, 0.0, 1.0), to = std::clamp(part->second, 0.0, 1.0);
    m_painter.setBrush(color(ColorRole::Accent));
    if (axis == ChartAxis::X)
        m_painter.drawRoundedRect(QRectF(map.left() + from * map.width(), map.top(),
                                         std::max(kLeast, (to - from) * map.width()), map.height()),
                                  2.5, 2.5);
    else
        m_painter.drawRoundedRect(QRectF(map.left(), map.bottom() - to * map.height(), map.width(),
                                         std::max(kLeast, (to - from) * map.height())),
                                  2.5, 2.5);
}

void ChartPainter::paintRange() {
    constexpr double kTint = 0.14;
    m_painter.setPen(QPen(color(ColorRole::Accent), 1.2));
    for (const auto& range : m_content.ranges) {
        const qreal from = m_layout.toPixel({range.first, 0}).x();
        const qreal to = std::max(from + 1, m_layout.toPixel({range.second, 0}).x());
        m_painter.fillRect(QRectF(from, m_plot.top(), to - from, m_plot.height()),
                           color(ColorRole::Accent, kTint));
        for (const qreal x : {from, to})
            m_painter.drawLine(QPointF(crisp(x), m_plot.top()), QPointF(crisp(x), m_plot.bottom()));
    }
    if (!m_content.box) return;
    m_painter.setBrush(color(ColorRole::Accent, kTint));
    m_painter.drawRect(
        QRectF(m_layout.toPixel(m_content.box->first), m_layout.toPixel(m_content.box->second)).normalized());
}

void ChartPainter::paintTexts() {
    paintBrackets();
    paintMinimap(ChartAxis::X);
    paintMinimap(ChartAxis::Y);
    m_painter.setFont(m_font);
    m_painter.setPen(color(ColorRole::Axis));
    for (const ChartLayout::PlacedText& text : m_layout.tickTexts(ChartAxis::Y))
        m_painter.drawText(text.box, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, text.text);
    for (const ChartLayout::PlacedText& text : m_layout.tickTexts(ChartAxis::X))
        m_painter.drawText(text.box, Qt::AlignCenter | Qt::TextDontClip, text.text);
    m_painter.setPen(color(ColorRole::TextMuted));
    const qreal line = QFontMetricsF(m_font).height();
    const QSizeF& size = m_layout.size();
    if (!m_content.x.title.isEmpty())
        m_painter.drawText(QRectF(m_plot.left(), size.height() - line - 3, m_plot.width(), line),
                           Qt::AlignCenter, m_content.x.title);
    if (!m_content.y.title.isEmpty())
        m_painter.drawText(QRectF(8, 2, size.width() - 16.0, line), Qt::AlignLeft | Qt::AlignVCenter,
                           m_content.y.title);
    paintLeaders();
    for (const ChartLayout::Label& label : m_layout.labels()) paintLabel(label);
}

/// A name that found room only far away from its marks is led to them.
void ChartPainter::paintLeaders() {
    m_painter.setPen(QPen(color(ColorRole::TextMuted, 0.55), 1));
    for (const auto& [label, text] : m_layout.labels()) {
        if (!label.merges) continue;
        const QPointF mark = m_layout.toPixel(label.anchor);
        const QRectF& box = text.box;
        const QPointF nearest(within(mark.x(), box.left(), box.right()),
                              within(mark.y(), box.top(), box.bottom()));
        QLineF leader(nearest, mark);
        if (leader.length() < kLeaderFrom) continue;
        leader.setLength(leader.length() - kLabelFromMark);
        m_painter.drawLine(leader);
    }
}

void ChartPainter::paintLabel(const ChartLayout::Label& placed) {
    const auto& [label, text] = placed;
    QFont font = m_font;
    font.setWeight(label.strong ? QFont::DemiBold : QFont::Normal);
    m_painter.setFont(font);
    const QRectF box(QPointF(-text.box.width() / 2, -text.box.height() / 2), text.box.size());
    m_painter.save();
    m_painter.translate(text.box.center());
    m_painter.rotate(text.angle);
    m_painter.setPen(Qt::NoPen);
    // A text on its line interrupts it, and nothing else: as high as its letters.
    const bool onLine = label.along.has_value();
    m_painter.setBrush(color(ColorRole::Card, onLine ? 1 : 0.72));
    const qreal lower = onLine ? box.height() * 0.18 : 0;
    m_painter.drawRoundedRect(box.adjusted(-2, lower, 2, -lower), 3, 3);
    m_painter.setPen(color(label.color));
    m_painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, text.text);
    m_painter.restore();
}

}  // namespace plumb::ui
