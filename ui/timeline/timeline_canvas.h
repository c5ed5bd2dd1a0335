// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_state.h"

#include <QAbstractScrollArea>
#include <QPixmap>
#include <QPointer>

#include <optional>
#include <utility>
#include <vector>

namespace plumb::ui {

class HoverCard;
class Theme;

/// The lanes of a timeline: painted here, since a chart would make an item of each bar. Only what can be told
/// apart is painted: cost follows pixels, not records.
///
/// Mouse: wheel zooms at the pointer, Shift with it pans, drag pans, Shift+drag (or a drag on the ruler)
/// selects a range, click selects a bar, double click fits it. Keyboard: W S zoom, A D pan, F fits the
/// selection, arrows go to the neighbouring bar, M makes the bar's time the range, 0 shows all, Esc clears.
class TimelineCanvas final : public QAbstractScrollArea {
    Q_OBJECT
public:
    using Range = std::pair<Seconds, Seconds>;
    /// Indices of bars, rising, by row.
    using Matches = std::vector<std::vector<std::int32_t>>;

    explicit TimelineCanvas(Theme& theme, QWidget* parent = nullptr);
    ~TimelineCanvas() override;

    /// `state` outlives the canvas or the next call. Current bar and matches go, since rows may be others;
    /// zoom and range stay where `keep` says that the time is the same.
    void setState(const TimelineState* state, bool keep);
    void setSelectedOp(std::int32_t readingOp);
    /// Empty: nothing is searched for.
    void setMatches(Matches matches);

    [[nodiscard]] const TimeWindow& timeWindow() const { return m_window; }
    [[nodiscard]] const std::optional<Range>& range() const { return m_range; }
    [[nodiscard]] BarPlace current() const { return m_current; }
    void setRange(std::optional<Range> range);
    /// Makes this bar the current one and brings it into view; an invalid place clears it.
    void setCurrent(BarPlace place);
    void fitAll();
    /// Fits the range, else the current bar, else everything.
    void fitSelection();
    /// The bar at a position of the viewport; what is folded there is no bar.
    [[nodiscard]] BarPlace barAt(const QPointF& pixel);
    /// Where a row stands in the viewport.
    [[nodiscard]] QRectF rowRect(std::int32_t row) const;

signals:
    void barChosen(const plumb::ui::BarPlace& place);  ///< by click or key; invalid: nothing any more
    void rangeChanged();
    void windowChanged();
    void searchWanted(int direction);  ///< 1: the next match, -1: the one before, 0: type what to look for

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    enum class Drag { None, Pressed, Pan, Range, Minimap };
    struct RowPlace {
        double top = 0;  ///< below the ruler, without scrolling
        double height = 0;
    };

    void layOut();
    void invalidate();
    void changeWindow();
    void choose(BarPlace place);
    void moveCurrent(int key);
    [[nodiscard]] std::int32_t rowAt(double y) const;
    [[nodiscard]] std::optional<FoldedBar> foldAt(std::int32_t row, double x);
    [[nodiscard]] double pivot() const;
    void hover(const QPointF& pixel);
    void hideCard();
    void showCard(const HoverCardContent& content, const QPointF& pixel);
    [[nodiscard]] QRectF rulerRect() const;
    [[nodiscard]] QRectF minimapRect() const;

    void paintLayer(QPainter& painter);
    [[nodiscard]] QVector<AxisTick> ticks() const;
    void paintRuler(QPainter& painter) const;
    void paintSteps(QPainter& painter) const;
    void paintRow(QPainter& painter, std::size_t row);
    void paintBars(QPainter& painter, std::size_t row, const QRectF& rect);
    void paintCurve(QPainter& painter, const QRectF& rect) const;
    void paintMarks(QPainter& painter, std::size_t row, const QRectF& rect);
    void paintLabel(QPainter& painter, std::size_t row, const QRectF& rect) const;
    void paintOverlay(QPainter& painter);
    void paintRange(QPainter& painter) const;
    [[nodiscard]] bool isMatch(std::size_t row, const FoldedBar& fold) const;

    Theme& m_theme;
    const TimelineState* m_state = nullptr;
    TimeWindow m_window;
    std::vector<RowPlace> m_rows;
    double m_rowsHeight = 0;
    std::int32_t m_selectedOp = -1;
    BarPlace m_current;
    std::optional<Range> m_range;
    Matches m_matches;
    bool m_searching = false;

    Drag m_drag = Drag::None;
    QPointF m_pressed;
    QPointF m_last;
    Seconds m_rangeStart = 0;
    std::optional<QPointF> m_pointer;
    std::optional<std::pair<std::int32_t, FoldedBar>> m_hovered;
    QPointer<HoverCard> m_card;

    QPixmap m_layer;  ///< everything but what follows the pointer
    bool m_layerValid = false;
    std::vector<FoldedBar> m_folded;  ///< kept, so that painting allocates nothing
};

}  // namespace plumb::ui
