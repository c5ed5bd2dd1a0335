// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/painted_chart.h"

#include <QVector>

#include <functional>
#include <optional>

namespace plumb::ui {

/// A value over two inputs, as colours with a scale beside them. Cells that are not allowed are hatched,
/// those without a value are empty. Arrow keys walk, Enter or a click takes a cell.
class HeatMap final : public PaintedChart {
    Q_OBJECT
public:
    struct Cell {
        std::optional<double> value;
        bool allowed = true;
        QVector<HoverCardContent::Row> rows;  ///< for the card beside the pointer
        QString footer;                       ///< why there is no value
    };
    struct Axis {
        QString title;
        QStringList ticks;  ///< one per column or row
    };
    struct Content {
        Axis x, y;
        QVector<Cell> cells;  ///< row by row, the lowest row first
        QString valueTitle;   ///< "step time"
        QString notAllowed;   ///< "does not fit"
        std::function<QString(double)> format;
        int currentX = -1, currentY = -1;  ///< where the inputs stand now; -1: off the map
    };
    explicit HeatMap(Theme& theme, QWidget* parent = nullptr);

    void setContent(const Content& content);
    [[nodiscard]] const Content& content() const { return m_content; }
    /// A bar across the map while it is being worked out; empty: none.
    void setProgress(std::optional<double> share);
    [[nodiscard]] QRectF cellRect(int x, int y) const;
    [[nodiscard]] QSize sizeHint() const override { return {480, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {260, 180}; }

signals:
    void chosen(int x, int y);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] int columns() const { return static_cast<int>(m_content.x.ticks.size()); }
    [[nodiscard]] int lines() const { return static_cast<int>(m_content.y.ticks.size()); }
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QColor colorOf(double value) const;
    [[nodiscard]] QColor colorAt(double share) const;
    [[nodiscard]] std::pair<int, int> cellAt(const QPointF& at) const;
    void paintAxes(QPainter& painter) const;
    void paintScale(QPainter& painter) const;
    void point(int x, int y, const QPoint& at);

    Content m_content;
    double m_low = 0, m_high = 0;  ///< range of the values; both above 0 when the scale is logarithmic
    bool m_log = false;
    int m_pointedX = -1, m_pointedY = -1;
    std::optional<double> m_progress;
};

}  // namespace plumb::ui
