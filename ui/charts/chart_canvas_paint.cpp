// SPDX-License-Identifier: GPL-3.0-or-later
// Axes, labels and painting of ChartCanvas.
#include "ui/charts/chart_canvas.h"
#include "ui/charts/label_layout.h"
#include "ui/charts/within.h"

#include <QPainter>
#include <QtCharts/QChart>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr qreal kTickGap = 8;  // between an axis and its tick labels
constexpr qreal kPixelsPerXTick = 84;
constexpr qreal kPixelsPerYTick = 44;
constexpr qreal kFromEnd = 6;         // of a label along a line, clear of where that begins
constexpr qreal kFromMark = 8;        // of the name of a mark, clear of the mark itself
constexpr qreal kLeaderFrom = 22;     // pixels between a name and its mark
constexpr qreal kMergeDistance = 22;  // of the anchors of labels that become one

/// Sharp one-pixel lines: on the middle of a pixel.
qreal crisp(qreal value) { return std::floor(value) + 0.5; }

}  // namespace

void ChartCanvas::layOutAxes() {
    const QFontMetricsF metrics(smallFont());
    const qreal line = metrics.height();
    const AxisOptions& x = m_content.x;
    const AxisOptions& y = m_content.y;
    m_xScale = AxisScale(x);
    m_yScale = AxisScale(y);

    int bandRows = 0;
    for (const ChartBand& band : m_content.bands) bandRows = std::max(bandRows, band.level + 1);
    // Half a line below the plot belongs to the lowest tick label of the y axis.
    const qreal belowPlot = std::max(kTickGap - 2, std::ceil(line / 2) + 1);
    const qreal top = 6 + (y.title.isEmpty() ? line / 2 : line + 6);
    const qreal bottom = height() - 4 - (x.title.isEmpty() ? 0 : line + 2) -
                         (x.ticks        ? line + belowPlot + 2
                          : bandRows > 0 ? 0
                                         : std::ceil(line / 2) - 3) -
                         (bandRows > 0 ? bandRows * (line + 3) + 3 : 0);
    m_yTicks = y.ticks ? axisTicks(y, std::max(2, static_cast<int>((bottom - top) / kPixelsPerYTick) + 1))
                       : QVector<AxisTick>();
    qreal widest = y.ticks ? metrics.horizontalAdvance(y.room) : 0;
    for (const AxisTick& tick : m_yTicks) widest = std::max(widest, metrics.horizontalAdvance(tick.label));
    const qreal left = std::ceil(8 + widest + (widest > 0 ? kTickGap : 0));
    const qreal right = width() - 14;
    m_plot = QRectF(left, std::ceil(top), std::max(1.0, right - left),
                    std::max(1.0, std::floor(bottom) - std::ceil(top)));
    chart()->setPlotArea(m_plot);
    emit plotPlaced(m_plot);

    m_xTicks = x.ticks ? axisTicks(x, std::max(2, static_cast<int>(m_plot.width() / kPixelsPerXTick) + 1))
                       : QVector<AxisTick>();
    m_yTexts.clear();
    m_xTexts.clear();
    qreal lowest = height();
    for (const AxisTick& tick : m_yTicks) {
        const QRectF box(m_plot.left() - kTickGap - widest, toPixel({x.min, tick.value}).y() - line / 2,
                         widest, line);
        if (tick.label.isEmpty() || box.bottom() > lowest) continue;
        m_yTexts.push_back({tick.label, box});
        lowest = box.top();
    }
    qreal free = 0;
    for (const AxisTick& tick : m_xTicks) {
        const qreal wide = metrics.horizontalAdvance(tick.label);
        const qreal at = toPixel({tick.value, y.min}).x();
        const qreal start = within(at - wide / 2, 0.0, width() - wide - 1);
        if (tick.label.isEmpty() || start < free) continue;
        m_xTexts.push_back({tick.label, QRectF(start, m_plot.bottom() + belowPlot, wide, line)});
        free = start + wide + 10;
    }
    layOutBands();
}

void ChartCanvas::layOutBands() {
    const QFontMetricsF metrics(smallFont());
    const qreal line = metrics.height();
    for (int level = 0; level < 2; ++level) {
        QVector<SpanRequest> spans;
        QVector<const ChartBand*> bands;
        for (const ChartBand& band : m_content.bands) {
            if (band.level != level || band.label.isEmpty()) continue;
            spans.push_back({toPixel({band.from, 0}).x(), toPixel({band.to, 0}).x(),
                             metrics.horizontalAdvance(band.label)});
            bands.push_back(&band);
        }
        const auto lefts = placeSpans(spans, m_plot.left(), width() - 4.0);
        for (qsizetype i = 0; i < lefts.size(); ++i) {
            if (lefts[i])
                m_xTexts.push_back(
                    {bands[i]->label,
                     QRectF(*lefts[i], m_plot.bottom() + 5 + level * (line + 3), spans[i].width, line)});
        }
    }
}

QVector<ChartLabel> ChartCanvas::mergedLabels() const {
    QVector<ChartLabel> labels;
    QVector<ChartLabel> merging;
    QVector<QPointF> anchors;
    for (const ChartLabel& label : m_content.labels) {
        (label.merges ? merging : labels).push_back(label);
        if (label.merges) anchors.push_back(toPixel(label.anchor));
    }
    const qsizetype most = m_plot.width() < 760 ? 2 : 4;
    for (const QVector<qsizetype>& group : nearGroups(anchors, kMergeDistance)) {
        ChartLabel merged = merging[group.first()];
        QStringList names;
        for (const qsizetype index : group) {
            names.push_back(merging[index].text);
            merged.priority = std::max(merged.priority, merging[index].priority);
            // Beside the rightmost point the text is clear of the others.
            if (toPixel(merged.anchor).x() < anchors[index].x()) merged.anchor = merging[index].anchor;
        }
        merged.text = names.mid(0, most).join(QStringLiteral(", "));
        if (names.size() > most) merged.text += tr(" and %1 more").arg(names.size() - most);
        labels.push_back(merged);
    }
    return labels;
}

void ChartCanvas::layOutLabels() {
    m_placed.clear();
    m_placedStyles.clear();
    QVector<ChartLabel> labels = mergedLabels();
    for (const auto& [id, marker] : m_content.markers) {
        if (marker.text.isEmpty()) continue;
        const double x = marker.x.value_or(m_content.x.max);
        const double y = marker.y.value_or(m_content.y.max);
        const Qt::Alignment prefer = marker.x && marker.y ? Qt::AlignLeft | Qt::AlignTop
                                     : marker.x           ? Qt::AlignLeft | Qt::AlignBottom
                                                          : Qt::AlignLeft | Qt::AlignTop;
        labels.push_back({{x, y}, marker.text, marker.color, true, marker.priority, prefer});
    }
    QVector<LabelRequest> requests;
    for (const ChartLabel& label : labels) {
        QFont font = smallFont();
        font.setWeight(label.strong ? QFont::DemiBold : QFont::Normal);
        const QFontMetricsF metrics(font);
        const QPointF anchor = toPixel(label.anchor);
        requests.push_back({anchor, QSizeF(metrics.horizontalAdvance(label.text) + 1, metrics.height()),
                            label.priority, label.prefer,
                            label.along    ? kFromEnd
                            : label.merges ? kFromMark
                                           : 6,
                            label.along
                                ? clipped({toPixel(label.along->first), toPixel(label.along->second)}, m_plot)
                                : std::nullopt,
                            label.elsewhere});
    }
    QVector<QRectF> obstacles;
    for (const Dot& dot : std::as_const(m_dots)) {
        const qreal reach = m_content.marks[dot.mark].radius + 2;
        // Hundreds of dots are a cloud that no label can avoid dot by dot.
        if (obstacles.size() < 512)
            obstacles.push_back({dot.at.x() - reach, dot.at.y() - reach, 2 * reach, 2 * reach});
    }
    // Only straight lines: nothing stays clear of a long curve.
    QVector<QLineF> lines;
    for (const Line& line : m_content.lines) {
        for (qsizetype i = 1; i < line.points.size() && line.points.size() <= 4; ++i)
            lines.push_back({toPixel(line.points[i - 1]), toPixel(line.points[i])});
    }
    const auto boxes = placeLabels(requests, m_plot, obstacles, lines);
    for (qsizetype i = 0; i < boxes.size(); ++i) {
        if (!boxes[i]) continue;
        m_placed.push_back({labels[i].text, boxes[i]->box, boxes[i]->angle});
        m_placedStyles.push_back(labels[i]);
        m_placedStyles.last().along.reset();  // unless it stands on its line
        const auto& line = requests[i].along;
        const QPointF centre = boxes[i]->box.center();
        if (line &&
            QLineF(centre, line->pointAt(QLineF(line->p1(), centre).length() / line->length())).length() < 1)
            m_placedStyles.last().along = labels[i].along;
    }
}

void ChartCanvas::drawBackground(QPainter* painter, const QRectF&) {
    if (!m_content.emptyText.isEmpty()) return;
    const QColor card = m_theme.color(ColorRole::Card);
    painter->setRenderHint(QPainter::Antialiasing, false);
    for (const ChartBand& band : m_content.bands) {
        if (band.shaded)
            painter->fillRect(
                QRectF(toPixel({band.from, m_content.y.max}), toPixel({band.to, m_content.y.min})) & m_plot,
                color(ColorRole::Hover, 0.5));
    }
    painter->setPen(QPen(color(ColorRole::Grid), 1));
    for (const AxisTick& tick : m_yTicks) {
        const qreal y = crisp(toPixel({m_content.x.min, tick.value}).y());
        painter->drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
    }
    for (const AxisTick& tick : m_xTicks) {
        const qreal x = crisp(m_plot.left() + m_xScale.toUnit(tick.value) * m_plot.width());
        painter->drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
    }
    painter->save();
    painter->setClipRect(m_plot);
    if (m_content.forbiddenAbove) {
        const qreal y = toPixel({0, *m_content.forbiddenAbove}).y();
        painter->fillRect(QRectF(m_plot.topLeft(), QPointF(m_plot.right(), y)), color(ColorRole::Bad, 0.10));
    }
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    for (qsizetype i = 0; i < m_areaOutlines.size(); ++i) {
        const AreaLayer& layer = m_content.areas.layers[m_areaLayers[i]];
        painter->setBrush(mixedColors(color(layer.color), card, m_content.areas.hollow ? 0.30 : 0.82));
        painter->drawPolygon(m_areaOutlines[i]);
    }
    if (m_content.areas.hollow) {
        for (qsizetype i = 0; i < m_areaOutlines.size(); ++i) {
            painter->setPen(QPen(color(m_content.areas.layers[m_areaLayers[i]].color, 0.8), 1));
            painter->setBrush(Qt::NoBrush);
            // Without the two upright sides and the baseline.
            painter->drawPolyline(m_areaOutlines[i].constData() + 1,
                                  static_cast<int>(m_areaOutlines[i].size()) - 2);
        }
    }
    if (m_content.highlight) {
        const qreal from = toPixel({m_content.highlight->first, 0}).x();
        const qreal to = std::max(from + 2, toPixel({m_content.highlight->second, 0}).x());
        painter->fillRect(QRectF(from, m_plot.top(), to - from, m_plot.height()),
                          color(m_content.highlightColor, 0.22));
        painter->fillRect(QRectF(from, m_plot.top(), to - from, 4), color(m_content.highlightColor));
    }
    painter->restore();
    painter->setRenderHint(QPainter::Antialiasing);  // for the lines, which Qt Charts paints next
}

void ChartCanvas::drawForeground(QPainter* painter, const QRectF&) {
    painter->setRenderHint(QPainter::Antialiasing);
    if (!m_content.emptyText.isEmpty()) {
        painter->setPen(color(ColorRole::TextMuted));
        painter->setFont(font());
        painter->drawText(QRectF(rect()).adjusted(24, 16, -24, -16), Qt::AlignCenter | Qt::TextWordWrap,
                          m_content.emptyText);
        return;
    }
    painter->save();
    painter->setClipRect(m_plot.adjusted(-1, -1, 1, 1));
    paintDenseLines(*painter);
    paintMarkers(*painter);
    if (m_pointer && m_content.crosshair != ChartPanel::Crosshair::None) {
        painter->setPen(QPen(color(ColorRole::Axis, 0.7), 1));
        painter->drawLine(QPointF(crisp(m_pointer->x()), m_plot.top()),
                          QPointF(crisp(m_pointer->x()), m_plot.bottom()));
        if (m_content.crosshair == ChartPanel::Crosshair::Both)
            painter->drawLine(QPointF(m_plot.left(), crisp(m_pointer->y())),
                              QPointF(m_plot.right(), crisp(m_pointer->y())));
    }
    painter->restore();
    painter->save();
    painter->setClipRect(m_plot.adjusted(-8, -8, 8, 8));
    paintMarks(*painter);
    painter->restore();
    paintTexts(*painter);
    if (m_focusShown) {
        painter->setPen(QPen(color(ColorRole::Accent), 1.5));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
    }
}

void ChartCanvas::paintDenseLines(QPainter& painter) {
    for (const DenseLine& line : std::as_const(m_denseLines)) {
        painter.setPen(QPen(color(line.style.color, line.style.opacity), line.style.width, Qt::SolidLine,
                            Qt::FlatCap, Qt::BevelJoin));
        // Piece by piece: stroked as one path, thousands of crossing pieces cost the rasteriser a quarter of
        // a second.
        for (const QPolygonF& polyline : line.polylines)
            for (qsizetype i = 1; i < polyline.size(); ++i) painter.drawLine(polyline[i - 1], polyline[i]);
    }
}

void ChartCanvas::paintMarkers(QPainter& painter) {
    for (const auto& [id, marker] : m_content.markers) {
        painter.setPen(QPen(color(marker.color), marker.width, marker.pen));
        const QPointF at = toPixel({marker.x.value_or(m_content.x.max), marker.y.value_or(m_content.y.max)});
        if (marker.x && marker.y) {
            painter.setBrush(color(marker.color));
            painter.drawEllipse(at, 3.5, 3.5);
        } else if (marker.x) {
            painter.drawLine(QPointF(crisp(at.x()), m_plot.top()), QPointF(crisp(at.x()), m_plot.bottom()));
        } else if (marker.y) {
            painter.drawLine(QPointF(m_plot.left(), crisp(at.y())), QPointF(m_plot.right(), crisp(at.y())));
        }
    }
    for (const Line& line : m_content.lines) {
        if (line.style.endDot && !line.points.isEmpty()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(color(line.style.color));
            painter.drawEllipse(toPixel(line.points.last()), 4, 4);
        }
    }
}

void ChartCanvas::paintMarks(QPainter& painter) {
    for (const JoinLine& join : std::as_const(m_joinLines)) {
        painter.setPen(QPen(color(join.color, 0.75), 1));
        painter.drawLine(join.line);
    }
    for (const Dot& dot : std::as_const(m_dots)) {
        const ChartMark& mark = m_content.marks[dot.mark];
        const QColor look = color(mark.color);
        if (mark.highlighted) {
            painter.setPen(QPen(color(ColorRole::TextStrong), 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(dot.at, mark.radius + 3.5, mark.radius + 3.5);
        }
        painter.setPen(QPen(mark.filled ? m_theme.color(ColorRole::Card) : look, mark.filled ? 1 : 1.6));
        painter.setBrush(mark.filled ? QBrush(look) : QBrush(color(ColorRole::Card, 0.55)));
        painter.drawEllipse(dot.at, mark.radius, mark.radius);
    }
}

// A name that found room only far away from its marks is led to them.
void ChartCanvas::paintLeaders(QPainter& painter) const {
    painter.setPen(QPen(color(ColorRole::TextMuted, 0.55), 1));
    for (qsizetype i = 0; i < m_placed.size(); ++i) {
        if (!m_placedStyles[i].merges) continue;
        const QPointF mark = toPixel(m_placedStyles[i].anchor);
        const QRectF& box = m_placed[i].box;
        const QPointF nearest(within(mark.x(), box.left(), box.right()),
                              within(mark.y(), box.top(), box.bottom()));
        QLineF leader(nearest, mark);
        if (leader.length() < kLeaderFrom) continue;
        leader.setLength(leader.length() - kFromMark);
        painter.drawLine(leader);
    }
}

void ChartCanvas::paintTexts(QPainter& painter) {
    const QFont small = smallFont();
    painter.setFont(small);
    painter.setPen(color(ColorRole::Axis));
    for (const auto& text : std::as_const(m_yTexts))
        painter.drawText(text.box, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, text.text);
    for (const auto& text : std::as_const(m_xTexts))
        painter.drawText(text.box, Qt::AlignCenter | Qt::TextDontClip, text.text);
    painter.setPen(color(ColorRole::TextMuted));
    const qreal line = QFontMetricsF(small).height();
    if (!m_content.x.title.isEmpty())
        painter.drawText(QRectF(m_plot.left(), height() - line - 3, m_plot.width(), line), Qt::AlignCenter,
                         m_content.x.title);
    if (!m_content.y.title.isEmpty())
        painter.drawText(QRectF(8, 2, width() - 16.0, line), Qt::AlignLeft | Qt::AlignVCenter,
                         m_content.y.title);
    paintLeaders(painter);
    for (qsizetype i = 0; i < m_placed.size(); ++i) {
        QFont font = small;
        font.setWeight(m_placedStyles[i].strong ? QFont::DemiBold : QFont::Normal);
        painter.setFont(font);
        const QRectF box(QPointF(-m_placed[i].box.width() / 2, -m_placed[i].box.height() / 2),
                         m_placed[i].box.size());
        painter.save();
        painter.translate(m_placed[i].box.center());
        painter.rotate(m_placed[i].angle);
        painter.setPen(Qt::NoPen);
        // A text on its line interrupts it, and nothing else: as high as its letters.
        const bool onLine = m_placedStyles[i].along.has_value();
        painter.setBrush(color(ColorRole::Card, onLine ? 1 : 0.72));
        const qreal lower = onLine ? box.height() * 0.18 : 0;
        painter.drawRoundedRect(box.adjusted(-2, lower, 2, -lower), 3, 3);
        painter.setPen(color(m_placedStyles[i].color));
        painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, m_placed[i].text);
        painter.restore();
    }
}

}  // namespace plumb::ui
