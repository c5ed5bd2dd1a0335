// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"
#include "ui/charts/hover_card.h"

#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QWidget>

#include <optional>

namespace plumb::ui {

class ChartCanvas;
class LegendRow;

/// A chart: plot area, axes, legend, hover. The only class through which the program draws charts, so that
/// the library behind it (Qt Charts) can be replaced; no type of that library appears in this header.
///
/// Everything is set as a whole and replaces what was there; nothing is appended. Lines and areas are reduced
/// to at most a few points per pixel column with extremes kept, so any number of points may be given. Setters
/// are cheap: the work is done once, at the next paint. Colours follow the theme by themselves. Keyboard:
/// takes the focus; arrows, Home, End, Page keys and Escape arrive as keyPressed(). A ChartZoom adds zooming.
/// GUI thread only.
class ChartPanel final : public QWidget {
    Q_OBJECT
public:
    /// `theme` outlives the panel. Give the panel an objectName and an accessibleName.
    explicit ChartPanel(Theme& theme, QWidget* parent = nullptr);

    void setAxis(ChartAxis axis, const AxisOptions& options);
    [[nodiscard]] AxisOptions axis(ChartAxis axis) const;

    /// Adds a line or changes its look; lines are drawn in the order in which they were added.
    void addLine(const QString& id, const LineStyle& style);
    /// Replaces the line's points, x increasing; empty hides it. Points that are not finite, and those at or
    /// below 0 on a log axis, break the line. Pre: addLine(id).
    void setLine(const QString& id, const QVector<QPointF>& points);
    void removeLine(const QString& id);
    [[nodiscard]] QStringList lineIds() const;

    void setAreas(const ChartAreas& areas);
    void setMarker(const QString& id, const ChartMarker& marker);
    void removeMarker(const QString& id);
    void setMarks(const QVector<ChartMark>& marks, const QVector<ChartJoin>& joins = {});
    void setLabels(const QVector<ChartLabel>& labels);
    void setBands(const QVector<ChartBand>& bands);
    /// Tints the stretch from..to of the X axis; empty optional removes it.
    void setHighlight(std::optional<std::pair<double, double>> range,
                      const ChartColor& color = ColorRole::Selection);
    /// The area above this y is tinted as out of bounds; empty optional removes it.
    void setForbiddenAbove(std::optional<double> y);

    /// The legend's entries; without a call it lists the lines that have a label.
    void setLegend(const QVector<LegendEntry>& entries);
    void setLegendVisible(bool visible);

    /// Shows a sentence in place of the plot, why there is nothing and what to do; empty: the plot.
    void setEmptyText(const QString& text);
    [[nodiscard]] QString emptyText() const;

    /// Shows the card beside the pointer's last position, or beside `at` (pixels of this widget).
    void showCard(const HoverCardContent& content, std::optional<QPointF> at = std::nullopt);
    void hideCard();
    /// The thin line through the pointer: vertical, both or none.
    enum class Crosshair { None, Vertical, Both };
    void setCrosshair(Crosshair crosshair);

    /// Data coordinates <-> pixels of this widget.
    [[nodiscard]] QPointF toPixel(const QPointF& value) const;
    [[nodiscard]] QPointF toData(const QPointF& pixel) const;
    /// Tag of the nearest mark within `reach` pixels of this point of this widget.
    [[nodiscard]] std::optional<int> markAt(const QPointF& pixel, qreal reach = 12) const;

    /// The chart with its legend, `scale` device pixels per logical pixel.
    [[nodiscard]] QImage toImage(qreal scale = 2);

    /// Geometry of the last layout in pixels of this widget, for tests: the plot, and every text with its
    /// box.
    struct PlacedText {
        QString text;
        QRectF box;
        qreal angle = 0;  ///< degrees that the box is turned by about its centre, clockwise
    };
    [[nodiscard]] QRectF plotRect() const;
    [[nodiscard]] QVector<PlacedText> placedLabels() const;              ///< labels and marker texts
    [[nodiscard]] QVector<PlacedText> tickLabels(ChartAxis axis) const;  ///< bands are on the X axis

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// The pointer is over the plot; `data` in data coordinates, `pixel` of this widget.
    void hovered(const QPointF& data, const QPointF& pixel);
    void left();  ///< the pointer left the plot
    void clicked(const QPointF& data, const QPointF& pixel);
    void keyPressed(int key);  ///< Qt::Key of an arrow, Home, End, PageUp, PageDown or Escape
    void legendToggled(const QString& id, bool checked);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    friend class ChartZoom;  ///< which part of the axes is shown

    void refreshLegend();
    void fitLegend();

    Theme& m_theme;
    ChartCanvas* m_canvas;
    LegendRow* m_legend;
    CardBeside m_card;
    bool m_ownLegend = false;  ///< setLegend() was called
    bool m_legendVisible = true;
};

/// Where a key of ChartPanel::keyPressed() leads from `current` among `count` entries: one on, a tenth of
/// them, or to an end; from -1, which is none, back to the last. Nothing for Up, Down and Escape.
[[nodiscard]] std::optional<int> steppedTo(int key, int current, int count);

}  // namespace plumb::ui
