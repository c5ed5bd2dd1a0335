// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_canvas.h"

#include "ui/charts/chart_painter.h"

#include <QGraphicsLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QtCharts/QChart>
#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <algorithm>

namespace plumb::ui {
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

ChartContent& ChartCanvas::edit() {
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
        layOut();
    });
}

const ChartLayout& ChartCanvas::layOut() {
    if (!m_dirty || size().isEmpty()) return m_layout;
    m_dirty = false;
    m_layout = ChartLayout(m_content, size(), smallFont());
    const QRectF& plot = m_layout.plot();
    chart()->setPlotArea(plot);
    emit plotPlaced(plot);
    m_horizontal->setRange(0, std::max(1.0, plot.width()));
    m_vertical->setRange(0, std::max(1.0, plot.height()));
    showSeries();
    viewport()->update();
    return m_layout;
}

QFont ChartCanvas::smallFont() const {
    QFont small = font();
    if (small.pointSizeF() > 0) small.setPointSizeF(small.pointSizeF() * 0.88);
    return small;
}

void ChartCanvas::removeLine(const QString& id) {
    invalidate();
    std::erase_if(m_content.lines, [&](const auto& line) { return line.id == id; });
    for (QLineSeries* series : m_series[id]) delete series;  // leaves the chart by itself
    m_series.erase(id);
}

void ChartCanvas::showSeries() {
    for (std::size_t i = 0; i < m_content.lines.size(); ++i) {
        const ChartContent::Line& line = m_content.lines[i];
        // What is said in the chart's place is not said over lines of before.
        showPieces(m_series[line.id], line.style,
                   m_content.emptyText.isEmpty() ? m_layout.pieces()[i] : QVector<QVector<QPointF>>());
    }
}

void ChartCanvas::showPieces(std::vector<QLineSeries*>& all, const LineStyle& style,
                             const QVector<QVector<QPointF>>& pieces) {
    const auto wanted = static_cast<std::size_t>(pieces.size());
    while (all.size() > std::max<std::size_t>(wanted, 1)) {
        delete all.back();
        all.pop_back();
    }
    while (all.size() < wanted) {
        auto* series = new QLineSeries;
        chart()->addSeries(series);
        series->attachAxis(m_horizontal);
        series->attachAxis(m_vertical);
        all.push_back(series);
    }
    QPen pen(fadedColor(m_theme, style.color, style.opacity), style.width, style.pen);
    pen.setJoinStyle(Qt::BevelJoin);  // a round one costs a curve at each of a thousand points
    if (style.pen == Qt::DashLine) pen.setDashPattern({4, 3});
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i]->pen() != pen) all[i]->setPen(pen);
        const QVector<QPointF> points = i < wanted ? pieces[static_cast<qsizetype>(i)] : QVector<QPointF>();
        if (all[i]->points() != points) all[i]->replace(points);
    }
}

void ChartCanvas::drawBackground(QPainter* painter, const QRectF&) {
    if (m_content.emptyText.isEmpty())
        ChartPainter(m_theme, m_content, m_layout, smallFont(), *painter).paintBelowLines();
}

void ChartCanvas::drawForeground(QPainter* painter, const QRectF&) {
    painter->setRenderHint(QPainter::Antialiasing);
    if (!m_content.emptyText.isEmpty()) {
        painter->setPen(m_theme.color(ColorRole::TextMuted));
        painter->setFont(font());
        painter->drawText(QRectF(rect()).adjusted(24, 16, -24, -16), Qt::AlignCenter | Qt::TextWordWrap,
                          m_content.emptyText);
    } else {
        ChartPainter(m_theme, m_content, m_layout, smallFont(), *painter).paintAboveLines(m_pointer);
    }
    if (m_focusShown) {
        painter->setPen(QPen(m_theme.color(ColorRole::Accent), 1.5));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
    }
}

void ChartCanvas::setFocusShown(bool shown) {
    m_focusShown = shown;
    viewport()->update();
}

void ChartCanvas::paintEvent(QPaintEvent* event) {
    layOut();
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
    const QPointF pixel = event->position();
    const bool inside = layOut().plot().contains(pixel) && m_content.emptyText.isEmpty();
    const bool wasInside = m_pointer.has_value();
    m_pointer = inside ? std::optional(pixel) : std::nullopt;
    if (inside)
        emit pointerMoved(pixel);
    else if (wasInside)
        emit pointerLeft();
    if ((inside || wasInside) && m_content.crosshair != ChartPanel::Crosshair::None) viewport()->update();
}

void ChartCanvas::mousePressEvent(QMouseEvent* event) {
    if (layOut().plot().contains(event->position()) && event->button() == Qt::LeftButton)
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
