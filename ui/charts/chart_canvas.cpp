// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_canvas.h"

#include "ui/charts/decimate.h"

#include <QGraphicsLayout>
#include <QMouseEvent>
#include <QSet>
#include <QTimer>
#include <QtCharts/QChart>
#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

/// Points from which a line is painted here: for a thousand points QLineSeries needs 3 ms, most of it for an
/// outline with mitred joins that only its hit test reads.
constexpr qsizetype kDense = 300;

}  // namespace

ChartCanvas::ChartCanvas(Theme& theme, ChartPanel* panel)
    : QChartView(new QChart, panel),
      m_theme(theme),
      m_horizontal(new QValueAxis(chart())),
      m_vertical(new QValueAxis(chart())) {
    setObjectName(QStringLiteral("chartCanvas"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setOptimizationFlags(DontSavePainterState | DontAdjustForAntialiasing);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMinimumSize(120, 80);

    chart()->setBackgroundVisible(false);
    chart()->setPlotAreaBackgroundVisible(false);
    chart()->setMargins(QMargins());
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->legend()->hide();
    chart()->setAnimationOptions(QChart::NoAnimation);
    for (QValueAxis* axis : {m_horizontal, m_vertical}) {
        axis->setVisible(false);
        chart()->addAxis(axis, axis == m_horizontal ? Qt::AlignBottom : Qt::AlignLeft);
    }
    connect(&m_theme, &Theme::changed, this, &ChartCanvas::invalidate);
}

ChartCanvas::Content& ChartCanvas::edit() {
    invalidate();
    return m_content;
}

void ChartCanvas::invalidate() {
    m_dirty = true;
    if (m_flushPosted || !isVisible()) return;
    // Series that change during a paint ask for a second one; laying out from the event loop saves it.
    m_flushPosted = true;
    QTimer::singleShot(0, this, [this] {
        m_flushPosted = false;
        flush();
    });
}

void ChartCanvas::flush() {
    if (!m_dirty || size().isEmpty()) return;
    m_dirty = false;
    layOutAxes();
    layOutLines();
    layOutAreas();
    layOutMarks();
    layOutLabels();
    viewport()->update();
}

QColor ChartCanvas::color(const ChartColor& color, qreal opacity) const {
    QColor result = resolve(m_theme, color);
    result.setAlphaF(static_cast<float>(result.alphaF() * opacity));
    return result;
}

QFont ChartCanvas::smallFont() const {
    QFont small = font();
    if (small.pointSizeF() > 0) small.setPointSizeF(small.pointSizeF() * 0.88);
    return small;
}

QPointF ChartCanvas::toPixel(const QPointF& value) const {
    return {m_plot.left() + m_xScale.toUnit(value.x()) * m_plot.width(),
            m_plot.bottom() - m_yScale.toUnit(value.y()) * m_plot.height()};
}

QPointF ChartCanvas::toData(const QPointF& pixel) const {
    return {m_xScale.fromUnit((pixel.x() - m_plot.left()) / std::max(1.0, m_plot.width())),
            m_yScale.fromUnit((m_plot.bottom() - pixel.y()) / std::max(1.0, m_plot.height()))};
}

void ChartCanvas::removeSeries(Line& line) {
    for (QLineSeries* series : line.pieces) delete series;  // leaves the chart by itself
    line.pieces.clear();
}

void ChartCanvas::layOutLines() {
    // Pixels are the chart's coordinates, with y upwards as Qt Charts has it.
    const double height = m_plot.height();
    m_horizontal->setRange(0, std::max(1.0, m_plot.width()));
    m_vertical->setRange(0, std::max(1.0, height));
    m_denseLines.clear();
    for (Line& line : m_content.lines) {
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
            keepDense(line, pieces);
            pieces.clear();
        }
        placePieces(line, pieces);
    }
}

void ChartCanvas::keepDense(const Line& line, const QVector<QVector<QPointF>>& pieces) {
    DenseLine dense;
    dense.style = line.style;
    for (const QVector<QPointF>& piece : pieces) {
        QPolygonF polyline;
        polyline.reserve(piece.size());
        for (const QPointF& point : piece)
            polyline.push_back({m_plot.left() + point.x(), m_plot.bottom() - point.y()});
        if (line.style.pen == Qt::SolidLine) {
            dense.polylines.push_back(polyline);
        } else {
            for (const QVector<QPointF>& dash : dashes(polyline, 5, 3)) dense.polylines.push_back(dash);
        }
    }
    m_denseLines.push_back(dense);
}

void ChartCanvas::placePieces(Line& line, const QVector<QVector<QPointF>>& pieces) {
    const auto wanted = static_cast<std::size_t>(pieces.size());
    while (line.pieces.size() > std::max<std::size_t>(wanted, 1)) {
        delete line.pieces.back();
        line.pieces.pop_back();
    }
    while (line.pieces.size() < wanted) {
        auto* series = new QLineSeries;
        chart()->addSeries(series);
        series->attachAxis(m_horizontal);
        series->attachAxis(m_vertical);
        line.pieces.push_back(series);
    }
    QPen pen(color(line.style.color, line.style.opacity), line.style.width, line.style.pen);
    pen.setJoinStyle(Qt::BevelJoin);  // a round one costs a curve at each of a thousand points
    if (line.style.pen == Qt::DashLine) pen.setDashPattern({4, 3});
    for (std::size_t i = 0; i < line.pieces.size(); ++i) {
        if (line.pieces[i]->pen() != pen) line.pieces[i]->setPen(pen);
        const QVector<QPointF> points = i < wanted ? pieces[static_cast<qsizetype>(i)] : QVector<QPointF>();
        if (line.pieces[i]->points() != points) line.pieces[i]->replace(points);
    }
}

void ChartCanvas::layOutAreas() {
    m_areaOutlines.clear();
    m_areaLayers.clear();
    const ChartAreas& areas = m_content.areas;
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
    QVector<QPolygonF> outlines;
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
        if (visible) {
            outlines.push_back(outline);
            m_areaLayers.push_back(static_cast<int>(layer));
        }
    }
    // Painted from the top layer down, each reaching below the next one: no seams between neighbours.
    std::reverse(outlines.begin(), outlines.end());
    std::reverse(m_areaLayers.begin(), m_areaLayers.end());
    m_areaOutlines = outlines;
}

void ChartCanvas::layOutMarks() {
    // Ops of the same shape fall on the same pixel by the hundred: each look is painted once a pixel.
    const auto pixelKey = [](const QPointF& at) {
        return (static_cast<quint64>(static_cast<quint16>(std::lround(at.x()))) << 16U) |
               static_cast<quint16>(std::lround(at.y()));
    };
    m_dots.clear();
    m_joinLines.clear();
    QSet<quint64> taken;
    for (qsizetype i = 0; i < m_content.marks.size(); ++i) {
        const ChartMark& mark = m_content.marks[i];
        const QPointF at = toPixel(mark.position);
        const auto look =
            (static_cast<quint64>(mark.color.index()) << 8U) |
            static_cast<quint64>(std::visit([](auto value) { return static_cast<int>(value); }, mark.color));
        const quint64 key = pixelKey(at) | (look << 32U) | (mark.filled ? 1ULL << 62U : 0U) |
                            (mark.highlighted ? 1ULL << 61U : 0U);
        if (taken.contains(key)) continue;
        taken.insert(key);
        m_dots.push_back({at, i});
    }
    taken.clear();
    for (const ChartJoin& join : std::as_const(m_content.joins)) {
        const QLineF line(toPixel(join.from), toPixel(join.to));
        const quint64 key = (pixelKey(line.p1()) << 32U) | pixelKey(line.p2());
        if (line.length() < 2 || taken.contains(key)) continue;
        taken.insert(key);
        m_joinLines.push_back({line, join.color});
    }
}

void ChartCanvas::setFocusShown(bool shown) {
    m_focusShown = shown;
    viewport()->update();
}

void ChartCanvas::paintEvent(QPaintEvent* event) {
    flush();
    QChartView::paintEvent(event);
}

void ChartCanvas::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    invalidate();
}

void ChartCanvas::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) invalidate();
}

void ChartCanvas::mouseMoveEvent(QMouseEvent* event) {
    flush();
    const QPointF pixel = event->position();
    const bool inside = m_plot.contains(pixel) && m_content.emptyText.isEmpty();
    const bool wasInside = m_pointer.has_value();
    m_pointer = inside ? std::optional(pixel) : std::nullopt;
    if (inside)
        emit pointerMoved(pixel);
    else if (wasInside)
        emit pointerLeft();
    if ((inside || wasInside) && m_content.crosshair != ChartPanel::Crosshair::None) viewport()->update();
}

void ChartCanvas::mousePressEvent(QMouseEvent* event) {
    flush();
    if (event->button() == Qt::LeftButton && m_plot.contains(event->position()))
        emit pressed(event->position());
    event->accept();
}

void ChartCanvas::mouseReleaseEvent(QMouseEvent* event) { event->accept(); }

void ChartCanvas::wheelEvent(QWheelEvent* event) {
    event->ignore();  // a page around the chart may scroll
}

void ChartCanvas::leaveEvent(QEvent* event) {
    QChartView::leaveEvent(event);
    if (m_pointer) {
        m_pointer.reset();
        emit pointerLeft();
        viewport()->update();
    }
}

}  // namespace plumb::ui
