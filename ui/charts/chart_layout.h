// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"

#include <QCoreApplication>
#include <QFont>
#include <QLineF>
#include <QPolygonF>
#include <QRectF>

#include <map>
#include <optional>
#include <vector>

namespace plumb::ui {

/// Pixels of the name of a mark, clear of the mark itself.
constexpr qreal kLabelFromMark = 8;

/// The part of an axis that is shown, as shares of its whole range; empty: all of it.
using AxisPart = std::optional<std::pair<double, double>>;

/// What a chart shows, in data coordinates.
struct ChartContent {
    struct Line {
        QString id;
        LineStyle style;
        QVector<QPointF> points;
    };
    AxisOptions x;
    AxisOptions y;
    AxisPart xPart;
    AxisPart yPart;
    std::vector<Line> lines;
    ChartAreas areas;
    std::map<QString, ChartMarker> markers;
    QVector<ChartMark> marks;
    QVector<ChartJoin> joins;
    QVector<ChartLabel> labels;
    QVector<ChartBand> bands;
    std::optional<std::pair<double, double>> highlight;
    QVector<std::pair<double, double>> ranges;       ///< of the X axis, that the user drew, in order
    std::optional<std::pair<QPointF, QPointF>> box;  ///< corners of what the user is drawing
    ChartColor highlightColor = ColorRole::Selection;
    std::optional<double> forbiddenAbove;
    QString emptyText;
    ChartPanel::Crosshair crosshair = ChartPanel::Crosshair::None;
};

/// Content in pixels of a chart of some size: the plot, its ticks and texts, and everything in the plot
/// scaled and reduced to what can be told apart. Pure: tests need no window.
class ChartLayout {
    Q_DECLARE_TR_FUNCTIONS(plumb::ui::ChartLayout)
public:
    using PlacedText = ChartPanel::PlacedText;
    struct DenseLine {
        LineStyle style;
        QVector<QPolygonF> polylines;
    };
    struct Dot {
        QPointF at;
        qsizetype mark;  ///< index into the content's marks
    };
    struct JoinLine {
        QLineF line;
        ChartColor color;
        bool isArrow;
        qreal opacity;
    };
    struct AreaOutline {
        QPolygonF polygon;  ///< closed below the lowest point of the next layer
        qsizetype layer;    ///< index into the content's areas
    };
    struct Label {
        ChartLabel label;  ///< `along` is empty unless it stands on its line
        PlacedText text;
    };

    ChartLayout() = default;
    /// `font` is that of the ticks and labels.
    ChartLayout(const ChartContent& content, const QSizeF& size, const QFont& font);

    [[nodiscard]] QPointF toPixel(const QPointF& value) const;
    [[nodiscard]] QPointF toData(const QPointF& pixel) const;
    /// The axes as they are shown, with the range of their part.
    [[nodiscard]] const AxisOptions& shown(ChartAxis axis) const { return axis == ChartAxis::X ? m_x : m_y; }
    /// The strip beside the plot that says which part of an axis is shown.
    [[nodiscard]] QRectF minimap(ChartAxis axis) const;
    [[nodiscard]] const QSizeF& size() const { return m_size; }
    [[nodiscard]] const QRectF& plot() const { return m_plot; }
    [[nodiscard]] const QVector<AxisTick>& ticks(ChartAxis axis) const {
        return axis == ChartAxis::X ? m_xTicks : m_yTicks;
    }
    /// Tick labels that have room, and bands on the X axis.
    [[nodiscard]] const QVector<PlacedText>& tickTexts(ChartAxis axis) const {
        return axis == ChartAxis::X ? m_xTexts : m_yTexts;
    }
    /// Unbroken pieces by line of the content, in pixels from the plot's lower left corner with y
    /// upwards, as Qt Charts has it. None of a line that is dense.
    [[nodiscard]] const std::vector<QVector<QVector<QPointF>>>& pieces() const { return m_pieces; }
    [[nodiscard]] const QVector<DenseLine>& denseLines() const { return m_denseLines; }
    /// Areas from the top layer down.
    [[nodiscard]] const QVector<AreaOutline>& areas() const { return m_areas; }
    /// Dots without those that one of the same look would cover.
    [[nodiscard]] const QVector<Dot>& dots() const { return m_dots; }
    [[nodiscard]] const QVector<JoinLine>& joins() const { return m_joins; }
    /// Labels and texts of markers that found a place.
    [[nodiscard]] const QVector<Label>& labels() const { return m_labels; }

private:
    void layOutAxes(const ChartContent& content, const QFont& font);
    void layOutBands(const ChartContent& content, const QFont& font);
    void layOutLines(const ChartContent& content);
    void keepDense(const LineStyle& style, const QVector<QVector<QPointF>>& pieces);
    void layOutAreas(const ChartAreas& areas);
    void layOutMarks(const ChartContent& content);
    void layOutLabels(const ChartContent& content, const QFont& small);
    /// Lines through all of the areas, so close that a text on an area crosses one.
    [[nodiscard]] QVector<QLineF> hatchOf(const ChartAreas& areas) const;
    [[nodiscard]] QVector<ChartLabel> mergedLabels(const QVector<ChartLabel>& all) const;

    QSizeF m_size;
    AxisOptions m_x;
    AxisOptions m_y;
    AxisScale m_xScale;
    AxisScale m_yScale;
    QRectF m_plot;
    QVector<AxisTick> m_xTicks;
    QVector<AxisTick> m_yTicks;
    QVector<PlacedText> m_xTexts;
    QVector<PlacedText> m_yTexts;
    std::vector<QVector<QVector<QPointF>>> m_pieces;
    QVector<DenseLine> m_denseLines;
    QVector<AreaOutline> m_areas;
    QVector<Dot> m_dots;
    QVector<JoinLine> m_joins;
    QVector<Label> m_labels;
};

}  // namespace plumb::ui
