// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_layout.h"

#include <QtCharts/QChartView>

#include <map>
#include <vector>

class QLineSeries;
class QValueAxis;

namespace plumb::ui {

/// The drawing surface inside a ChartPanel, the only class that knows Qt Charts.
///
/// Qt Charts draws the lines, as far as they have few points. Everything is handed to it in pixels of the
/// plot, already scaled and decimated (ChartLayout), so that a new range costs nothing beyond new points.
/// Stacked areas, marks and dense lines are painted by ChartPainter: with the outlines and the items that its
/// series make, a step of 1,500 ops did not fit in a frame; and ticks and labels too, because QValueAxis
/// knows no SI prefixes and no collision of labels.
class ChartCanvas final : public QChartView {
    Q_OBJECT
public:
    ChartCanvas(Theme& theme, ChartPanel* panel);

    /// Changes go through here; the layout is made anew before the next paint.
    [[nodiscard]] ChartContent& edit();
    [[nodiscard]] const ChartContent& content() const { return m_content; }
    void removeLine(const QString& id);
    /// Made now if anything has changed since the last time.
    const ChartLayout& layOut();
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
    void invalidate();
    void showSeries();
    void showPieces(std::vector<QLineSeries*>& all, const LineStyle& style,
                    const QVector<QVector<QPointF>>& pieces);
    [[nodiscard]] QFont smallFont() const;

    Theme& m_theme;
    ChartContent m_content;
    ChartLayout m_layout;
    QValueAxis* m_horizontal;
    QValueAxis* m_vertical;
    std::map<QString, std::vector<QLineSeries*>> m_series;  ///< by line; several where it is broken
    std::optional<QPointF> m_pointer;
    bool m_dirty = true;
    bool m_flushPosted = false;
    bool m_focusShown = false;
};

}  // namespace plumb::ui
