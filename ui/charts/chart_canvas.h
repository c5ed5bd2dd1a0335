// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"

#include <QtCharts/QChartView>

#include <map>
#include <vector>

class QLineSeries;
class QValueAxis;

namespace plumb::ui {

/// The drawing surface inside a ChartPanel, the only class that knows Qt Charts.
///
/// Qt Charts draws the lines, as far as they have few points. Everything is handed to it in pixels of the
/// plot, already scaled and decimated, so that a new range costs nothing beyond new points. Stacked areas,
/// marks and dense lines are painted here: with the outlines and the items that its series make, a step of
/// 1,500 ops did not fit in a frame. Ticks and labels are painted here too, because QValueAxis knows no SI
/// prefixes and no collision of labels.
class ChartCanvas final : public QChartView {
    Q_OBJECT
public:
    ChartCanvas(Theme& theme, ChartPanel* panel);

    struct Line {
        QString id;
        LineStyle style;
        QVector<QPointF> points;
        std::vector<QLineSeries*> pieces;  ///< the chart owns them; more than one when the line is broken
    };
    struct Content {
        AxisOptions x;
        AxisOptions y;
        std::vector<Line> lines;
        ChartAreas areas;
        std::map<QString, ChartMarker> markers;
        QVector<ChartMark> marks;
        QVector<ChartJoin> joins;
        QVector<ChartLabel> labels;
        QVector<ChartBand> bands;
        std::optional<std::pair<double, double>> highlight;
        ChartColor highlightColor = ColorRole::Selection;
        std::optional<double> forbiddenAbove;
        QString emptyText;
        ChartPanel::Crosshair crosshair = ChartPanel::Crosshair::None;
    };
    /// Changes go through here; the layout is made anew before the next paint.
    [[nodiscard]] Content& edit();
    [[nodiscard]] const Content& content() const { return m_content; }
    void removeSeries(Line& line);

    /// Lays out now if anything has changed since the last time.
    void flush();

    [[nodiscard]] QPointF toPixel(const QPointF& value) const;
    [[nodiscard]] QPointF toData(const QPointF& pixel) const;
    [[nodiscard]] QRectF plotRect() const { return m_plot; }
    [[nodiscard]] const QVector<ChartPanel::PlacedText>& placedLabels() const { return m_placed; }
    [[nodiscard]] const QVector<ChartPanel::PlacedText>& tickTexts(ChartAxis axis) const {
        return axis == ChartAxis::X ? m_xTexts : m_yTexts;
    }
    [[nodiscard]] std::optional<QPointF> pointer() const { return m_pointer; }
    void setFocusShown(bool shown);

signals:
    void plotPlaced(const QRectF& plot);
    void pointerMoved(const QPointF& pixel);
    void pointerLeft();
    void pressed(const QPointF& pixel);

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void layOutAxes();
    void layOutBands();
    void layOutLines();
    void layOutAreas();
    void layOutMarks();
    void layOutLabels();
    [[nodiscard]] QVector<ChartLabel> mergedLabels() const;
    void keepDense(const Line& line, const QVector<QVector<QPointF>>& pieces);
    void paintDenseLines(QPainter& painter);
    void placePieces(Line& line, const QVector<QVector<QPointF>>& pieces);
    void paintMarks(QPainter& painter);
    void paintMarkers(QPainter& painter);
    void paintLeaders(QPainter& painter) const;
    void paintTexts(QPainter& painter);
    [[nodiscard]] QColor color(const ChartColor& color, qreal opacity = 1) const;
    [[nodiscard]] QFont smallFont() const;
    void invalidate();

    Theme& m_theme;
    Content m_content;
    QValueAxis* m_horizontal;
    QValueAxis* m_vertical;
    AxisScale m_xScale;
    AxisScale m_yScale;
    QRectF m_plot;
    QVector<AxisTick> m_xTicks;
    QVector<AxisTick> m_yTicks;
    QVector<ChartPanel::PlacedText> m_xTexts;
    QVector<ChartPanel::PlacedText> m_yTexts;
    QVector<ChartPanel::PlacedText> m_placed;
    QVector<ChartLabel> m_placedStyles;  ///< one per entry of m_placed
    struct DenseLine {
        LineStyle style;
        QVector<QPolygonF> polylines;
    };
    QVector<DenseLine> m_denseLines;
    struct Dot {
        QPointF at;
        qsizetype mark;  ///< index into the content's marks
    };
    QVector<Dot> m_dots;  ///< without those that would be painted over by one of the same look
    struct JoinLine {
        QLineF line;
        ChartColor color;
    };
    QVector<JoinLine> m_joinLines;
    QVector<QPolygonF>
        m_areaOutlines;         ///< from the top layer down, each closed below the lowest point of the next
    QVector<int> m_areaLayers;  ///< layer of each outline
    std::optional<QPointF> m_pointer;
    bool m_dirty = true;
    bool m_flushPosted = false;
    bool m_focusShown = false;
};

}  // namespace plumb::ui
