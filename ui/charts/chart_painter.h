// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_layout.h"

class QPainter;

namespace plumb::ui {

/// The theme's colour, `opacity` times as opaque.
[[nodiscard]] QColor fadedColor(const Theme& theme, const ChartColor& color, qreal opacity);

/// Paints a chart that is laid out, but for the lines that Qt Charts draws: what lies below them and what
/// lies above. For one paint event.
class ChartPainter {
public:
    /// All outlive it; `font` is that of the ticks and labels.
    ChartPainter(const Theme& theme, const ChartContent& content, const ChartLayout& layout,
                 const QFont& font, QPainter& painter);

    /// Grid, areas and tints.
    void paintBelowLines();
    /// Dense lines, markers, marks and texts, and the crosshair at `pointer`.
    void paintAboveLines(const std::optional<QPointF>& pointer);

private:
    void paintGrid();
    void paintAreas();
    void paintBandsBetween();
    void paintHighlight();
    void paintDenseLines();
    void paintMarkers();
    void paintCrosshair(const QPointF& pointer);
    void paintMarks();
    void paintBrackets();
    void paintMinimap(ChartAxis axis);
    void paintRange();
    void paintTexts();
    void paintLeaders();
    void paintLabel(const ChartLayout::Label& placed);
    [[nodiscard]] QColor color(const ChartColor& color, qreal opacity = 1) const {
        return fadedColor(m_theme, color, opacity);
    }

    const Theme& m_theme;
    const ChartContent& m_content;
    const ChartLayout& m_layout;
    QRectF m_plot;
    QFont m_font;
    QPainter& m_painter;
};

}  // namespace plumb::ui
