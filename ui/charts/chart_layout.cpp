// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_layout.h"

#include "ui/charts/decimate.h"
#include "ui/charts/label_layout.h"
#include "ui/charts/within.h"
#include "ui/theme/list_text.h"

#include <QFontMetricsF>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr qreal kTickGap = 8;  // between an axis and its tick labels
constexpr qreal kPixelsPerXTick = 84;
constexpr qreal kPixelsPerYTick = 44;
constexpr qreal kFromEnd = 6;         // of a label along a line, clear of where that begins
constexpr qreal kMergeDistance = 22;  // of the anchors of labels that become one
/// Points from which a line is painted by the program: for a thousand points QLineSeries needs 3 ms, most of
/// it for an outline with mitred joins that only its hit test reads.
constexpr qsizetype kDense = 300;
constexpr qreal kMinimap = 5;     // thickness
constexpr qreal kSeenBeyond = 8;  // of the plot, a mark at its edge is still painted

AxisOptions partOf(AxisOptions axis, const AxisPart& part) {
    if (!part) return axis;
    const AxisScale scale(axis);
    axis.min = scale.fromUnit(part->first);
    axis.max = scale.fromUnit(part->second);
    return axis;
}

}  // namespace

ChartLayout::ChartLayout(const ChartContent& content, const QSizeF& size, const QFont& font)
    : m_size(size), m_x(partOf(content.x, content.xPart)), m_y(partOf(content.y, content.yPart)) {
    layOutAxes(content, font);
    layOutBands(content, font);
    layOutLines(content);
    layOutAreas(content.areas);
    layOutMarks(content);
    layOutLabels(content, font);
}

QPointF ChartLayout::toPixel(const QPointF& value) const {
    return {m_plot.left() + m_xScale.toUnit(value.x()) * m_plot.width(),
            m_plot.bottom() - m_yScale.toUnit(value.y()) * m_plot.height()};
}

QPointF ChartLayout::toData(const QPointF& pixel) const {
    return {m_xScale.fromUnit((pixel.x() - m_plot.left()) / std::max(1.0, m_plot.width())),
            m_yScale.fromUnit((m_plot.bottom() - pixel.y()) / std::max(1.0, m_plot.height()))};
}

QRectF ChartLayout::minimap(ChartAxis axis) const {
    return axis == ChartAxis::X ? QRectF(m_plot.left(), 1, m_plot.width(), kMinimap)
                                : QRectF(m_plot.right() + 4, m_plot.top(), kMinimap, m_plot.height());
}

void ChartLayout::layOutAxes(const ChartContent& content, const QFont& font) {
    const QFontMetricsF metrics(font);
    const qreal line = metrics.height();
    const AxisOptions& x = m_x;
    const AxisOptions& y = m_y;
    m_xScale = AxisScale(x);
    m_yScale = AxisScale(y);

    int bandRows = 0;
    for (const ChartBand& band : content.bands) bandRows = std::max(bandRows, band.level + 1);
    // Half a line below the plot belongs to the lowest tick label of the y axis.
    const qreal belowPlot = std::max(kTickGap - 2, std::ceil(line / 2) + 1);
    const qreal top = 6 + (y.title.isEmpty() ? line / 2 : line + 6);
    const qreal bottom = m_size.height() - 4 - (x.title.isEmpty() ? 0 : line + 2) -
                         (x.ticks        ? line + belowPlot + 2
                          : bandRows > 0 ? 0
                                         : std::ceil(line / 2) - 3) -
                         (bandRows > 0 ? bandRows * (line + 3) + 3 : 0);
    m_yTicks = y.ticks ? axisTicks(y, std::max(2, static_cast<int>((bottom - top) / kPixelsPerYTick) + 1))
                       : QVector<AxisTick>();
    qreal widest = y.ticks ? metrics.horizontalAdvance(y.room) : 0;
    for (const AxisTick& tick : m_yTicks) widest = std::max(widest, metrics.horizontalAdvance(tick.label));
    const qreal left = std::ceil(8 + widest + (widest > 0 ? kTickGap : 0));
    const qreal right = m_size.width() - 14;
    m_plot = QRectF(left, std::ceil(top), std::max(1.0, right - left),
                    std::max(1.0, std::floor(bottom) - std::ceil(top)));

    m_xTicks = x.ticks ? axisTicks(x, std::max(2, static_cast<int>(m_plot.width() / kPixelsPerXTick) + 1))
                       : QVector<AxisTick>();
    qreal lowest = m_size.height();
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
        const qreal start = within(at - wide / 2, 0.0, m_size.width() - wide - 1);
        if (tick.label.isEmpty() || start < free) continue;
        m_xTexts.push_back({tick.label, QRectF(start, m_plot.bottom() + belowPlot, wide, line)});
        free = start + wide + 10;
    }
}

void ChartLayout::layOutBands(const ChartContent& content, const QFont& font) {
    const QFontMetricsF metrics(font);
    const qreal line = metrics.height();
    for (int level = 0; level < 2; ++level) {
        QVector<SpanRequest> spans;
        QVector<const ChartBand*> bands;
        for (const ChartBand& band : content.bands) {
            if (band.level != level || band.label.isEmpty()) continue;
            const qreal from = toPixel({band.from, 0}).x(), to = toPixel({band.to, 0}).x();
            if (to < m_plot.left() || from > m_plot.right()) continue;
            spans.push_back({std::max(from, m_plot.left()), std::min(to, m_plot.right()),
                             metrics.horizontalAdvance(band.label)});
            bands.push_back(&band);
        }
        const auto lefts = placeSpans(spans, m_plot.left(), m_size.width() - 4.0);
        for (qsizetype i = 0; i < lefts.size(); ++i) {
            if (lefts[i])
                m_xTexts.push_back(
                    {bands[i]->label,
                     QRectF(*lefts[i], m_plot.bottom() + 5 + level * (line + 3), spans[i].width, line)});
        }
    }
}

void ChartLayout::layOutLines(const ChartContent& content) {
    const double height = m_plot.height();
    for (const ChartContent::Line& line : content.lines) {
        QVector<QVector<QPointF>> pieces;
        QVector<QPointF> piece;
        for (const QPointF& point : line.points) {
            const QPointF pixel(m_xScale.toUnit(point.x()) * m_plot.width(),
                                m_yScale.toUnit(point.y()) * height);
            if (std::isfinite(pixel.x()) && std::isfinite(pixel.y())) {
                // Far outside points would overflow the rasteriser and are not seen.
                piece.push_back({std::clamp(pixel.x(), -1e5, 1e5), std::clamp(pixel.y(), -1e5, 1e5)});
            } else if (!piece.isEmpty()) {
                pieces.push_back(decimate(piece));
                piece.clear();
            }
        }
        if (!piece.isEmpty()) pieces.push_back(decimate(piece));
        qsizetype count = 0;
        for (const QVector<QPointF>& kept : pieces) count += kept.size();
        if (count > kDense) {
            keepDense(line.style, pieces);
            pieces.clear();
        }
        m_pieces.push_back(std::move(pieces));
    }
}

void ChartLayout::keepDense(const LineStyle& style, const QVector<QVector<QPointF>>& pieces) {
    DenseLine dense;
    dense.style = style;
    for (const QVector<QPointF>& piece : pieces) {
        QPolygonF polyline;
        polyline.reserve(piece.size());
        for (const QPointF& point : piece)
            polyline.push_back({m_plot.left() + point.x(), m_plot.bottom() - point.y()});
        if (style.pen == Qt::SolidLine) {
            dense.polylines.push_back(polyline);
        } else {
            for (const QVector<QPointF>& dash : dashes(polyline, 5, 3)) dense.polylines.push_back(dash);
        }
    }
    m_denseLines.push_back(dense);
}

void ChartLayout::layOutAreas(const ChartAreas& areas) {
    const qsizetype count = areas.edges.size() - 1;
    if (count < 1) return;
    // Intervals in the same pixel column are told by the lowest and the highest of them.
    QVector<double> totals(count, 0.0);
    for (const AreaLayer& layer : areas.layers) {
        for (qsizetype i = 0; i < count; ++i) totals[i] += layer.values.value(i);
    }
    struct Step {
        qsizetype interval;
        double left;
        double right;
    };
    QVector<Step> steps;
    const auto pixelX = [&](qsizetype edge) {
        return m_plot.left() + m_xScale.toUnit(areas.edges[edge]) * m_plot.width();
    };
    for (qsizetype i = 0; i < count;) {
        const double left = pixelX(i);
        qsizetype end = i + 1;
        qsizetype low = i;
        qsizetype high = i;
        for (; end < count && pixelX(end) < left + 1; ++end) {
            low = totals[end] < totals[low] ? end : low;
            high = totals[end] > totals[high] ? end : high;
        }
        const double right = pixelX(end);
        if (low == high) {
            steps.push_back({low, left, right});
        } else {
            const double middle = (left + right) / 2;
            steps.push_back({std::min(low, high), left, middle});
            steps.push_back({std::max(low, high), middle, right});
        }
        i = end;
    }
    QVector<double> sums(steps.size(), 0.0);
    double floor = m_plot.bottom();  // a pixel below the lowest point of the layers below
    for (qsizetype layer = 0; layer < areas.layers.size(); ++layer) {
        const QVector<double>& values = areas.layers[layer].values;
        QPolygonF outline;
        outline.reserve(2 * steps.size() + 2);
        outline.push_back({steps.first().left, floor});
        bool visible = false;
        double lowest = m_plot.top();
        double lastY = std::nan("");
        for (qsizetype i = 0; i < steps.size(); ++i) {
            const double value = values.value(steps[i].interval);
            visible = visible || value > 0;
            sums[i] += value;
            const double y = m_plot.bottom() - m_yScale.toUnit(sums[i]) * m_plot.height();
            lowest = std::max(lowest, y);
            if (y != lastY) {
                if (i > 0) outline.push_back({steps[i].left, lastY});
                outline.push_back({steps[i].left, y});
                lastY = y;
            }
        }
        outline.push_back({steps.last().right, lastY});
        outline.push_back({steps.last().right, floor});
        floor = std::min(m_plot.bottom(), lowest + 1);
        if (visible) m_areas.push_back({outline, layer});
    }
    // Painted from the top layer down, each reaching below the next one: no seams between neighbours.
    std::ranges::reverse(m_areas);
}

void ChartLayout::layOutMarks(const ChartContent& content) {
    // Ops of the same shape fall on the same pixel by the hundred: each look is painted once a pixel.
    const auto pixelKey = [](const QPointF& at) {
        return (static_cast<quint64>(static_cast<quint16>(std::lround(at.x()))) << 16U) |
               static_cast<quint16>(std::lround(at.y()));
    };
    QSet<quint64> taken;
    for (qsizetype i = 0; i < content.marks.size(); ++i) {
        const ChartMark& mark = content.marks[i];
        const QPointF at = toPixel(mark.position);
        if (!m_plot.adjusted(-kSeenBeyond, -kSeenBeyond, kSeenBeyond, kSeenBeyond).contains(at)) continue;
        const auto look =
            (static_cast<quint64>(mark.color.index()) << 8U) |
            static_cast<quint64>(std::visit([](auto value) { return static_cast<int>(value); }, mark.color));
        const quint64 key = pixelKey(at) | (look << 32U) | (mark.filled ? 1ULL << 62U : 0U) |
                            (mark.highlighted ? 1ULL << 61U : 0U);
        // Of a trace each one is fainter than the one before.
        if (mark.tag >= 0 && taken.contains(key)) continue;
        taken.insert(key);
        m_dots.push_back({at, i});
    }
    taken.clear();
    for (const ChartJoin& join : content.joins) {
        const QLineF line(toPixel(join.from), toPixel(join.to));
        const quint64 key = (pixelKey(line.p1()) << 32U) | pixelKey(line.p2());
        if (!clipped(line, m_plot)) continue;
        if (line.length() < 2 || taken.contains(key)) continue;
        taken.insert(key);
        m_joins.push_back({line, join.color, join.isArrow, join.opacity});
    }
}

QVector<ChartLabel> ChartLayout::mergedLabels(const QVector<ChartLabel>& all) const {
    QVector<ChartLabel> labels;
    QVector<ChartLabel> merging;
    QVector<QPointF> anchors;
    for (const ChartLabel& label : all) {
        (label.merges ? merging : labels).push_back(label);
        if (label.merges) anchors.push_back(toPixel(label.anchor));
    }
    constexpr qsizetype most = 2;  // names of more are a list over the dots of others
    for (const QVector<qsizetype>& group : nearGroups(anchors, kMergeDistance)) {
        ChartLabel merged = merging[group.first()];
        QStringList names;
        for (const qsizetype index : group) {
            names.push_back(merging[index].text);
            merged.priority = std::max(merged.priority, merging[index].priority);
            // Beside the rightmost point the text is clear of the others.
            if (toPixel(merged.anchor).x() < anchors[index].x()) merged.anchor = merging[index].anchor;
        }
        merged.text = listText(names.mid(0, most));
        if (names.size() > most) merged.text += tr(" and %1 more").arg(names.size() - most);
        labels.push_back(merged);
    }
    return labels;
}

QVector<QLineF> ChartLayout::hatchOf(const ChartAreas& areas) const {
    constexpr double kApart = 5;  // pixels: less than the width of any text
    const int columns = static_cast<int>(m_plot.width() / kApart) + 1;
    QVector<double> tops(columns, m_plot.bottom());  // of thousands of intervals the highest in each column
    const auto columnAt = [&](double x) {
        return static_cast<int>(std::floor((x - m_plot.left()) / kApart));
    };
    for (qsizetype i = 0; i + 1 < areas.edges.size(); ++i) {
        double total = 0;
        for (const AreaLayer& layer : areas.layers) total += layer.values.value(i);
        const QPointF from = toPixel({areas.edges[i], total});
        const int last = std::min(columns - 1, columnAt(toPixel({areas.edges[i + 1], 0}).x()));
        for (int column = std::max(0, columnAt(from.x())); column <= last; ++column)
            tops[column] = std::min(tops[column], from.y());
    }
    QVector<QLineF> lines;
    for (int column = 0; column < columns; ++column) {
        const double x = m_plot.left() + column * kApart;
        if (tops[column] < m_plot.bottom()) lines.push_back({x, tops[column], x, m_plot.bottom()});
    }
    return lines;
}

void ChartLayout::layOutLabels(const ChartContent& content, const QFont& small) {
    // What is named lies in the plot, or in part of it. Half a pixel is what rounding makes of its edge.
    const QRectF seen = m_plot.adjusted(-0.5, -0.5, 0.5, 0.5);
    QVector<ChartLabel> named;
    for (const ChartLabel& label : content.labels) {
        const bool isSeen =
            label.along
                ? clipped({toPixel(label.along->first), toPixel(label.along->second)}, seen).has_value()
                : seen.contains(toPixel(label.anchor));
        if (isSeen) named.push_back(label);
    }
    QVector<ChartLabel> labels = mergedLabels(named);
    for (const auto& [id, marker] : content.markers) {
        if (marker.text.isEmpty()) continue;
        const double x = marker.x.value_or(m_x.max);
        const double y = marker.y.value_or(m_y.max);
        if (!seen.contains(toPixel({x, y}))) continue;
        const Qt::Alignment prefer = marker.x && marker.y ? Qt::AlignLeft | Qt::AlignTop
                                     : marker.x           ? Qt::AlignLeft | Qt::AlignBottom
                                                          : Qt::AlignLeft | Qt::AlignTop;
        labels.push_back({{x, y}, marker.text, marker.color, true, marker.priority, prefer});
        labels.back().clear = marker.clear;
    }
    QVector<LabelRequest> requests;
    for (const ChartLabel& label : labels) {
        QFont font = small;
        font.setWeight(label.strong ? QFont::DemiBold : QFont::Normal);
        const QFontMetricsF metrics(font);
        const QPointF at = toPixel(label.anchor);
        const QPointF anchor(within(at.x(), m_plot.left(), m_plot.right()),
                             within(at.y(), m_plot.top(), m_plot.bottom()));
        requests.push_back({anchor, QSizeF(metrics.horizontalAdvance(label.text) + 1, metrics.height()),
                            label.priority, label.prefer,
                            label.along    ? kFromEnd
                            : label.merges ? kLabelFromMark
                                           : 6,
                            label.along
                                ? clipped({toPixel(label.along->first), toPixel(label.along->second)}, m_plot)
                                : std::nullopt,
                            label.elsewhere, label.clear});
    }
    QVector<QRectF> obstacles;
    for (const Dot& dot : m_dots) {
        if (content.marks[dot.mark].tag < 0) continue;
        const qreal reach = content.marks[dot.mark].radius + 2;
        // Hundreds of dots are a cloud that no label can avoid dot by dot.
        if (obstacles.size() < 512)
            obstacles.push_back({dot.at.x() - reach, dot.at.y() - reach, 2 * reach, 2 * reach});
    }
    // Only straight lines: hardly anything stays clear of a long curve.
    const bool isAnyClear = std::ranges::any_of(labels, &ChartLabel::clear);
    QVector<QLineF> lines, curves;
    for (const ChartContent::Line& line : content.lines) {
        const bool isStraight = line.points.size() <= 4;
        for (qsizetype i = 1; i < line.points.size() && (isStraight || isAnyClear); ++i) {
            const QLineF part(toPixel(line.points[i - 1]), toPixel(line.points[i]));
            if (isStraight) lines.push_back(part);
            if (isAnyClear && std::isfinite(part.y1()) && std::isfinite(part.y2())) curves.push_back(part);
        }
    }
    if (isAnyClear) curves += hatchOf(content.areas);
    for (const auto& [id, marker] : content.markers) {
        if (!marker.x || marker.y) continue;
        const double x = toPixel({*marker.x, m_y.max}).x();
        lines.push_back({x, m_plot.top(), x, m_plot.bottom()});
    }
    const auto boxes = placeLabels(requests, m_plot, obstacles, lines, curves);
    for (qsizetype i = 0; i < boxes.size(); ++i) {
        if (!boxes[i]) continue;
        Label placed{labels[i], {labels[i].text, boxes[i]->box, boxes[i]->angle}};
        const auto& line = requests[i].along;
        const QPointF centre = boxes[i]->box.center();
        if (!line ||
            QLineF(centre, line->pointAt(QLineF(line->p1(), centre).length() / line->length())).length() >= 1)
            placed.label.along.reset();
        m_labels.push_back(placed);
    }
}

}  // namespace plumb::ui
