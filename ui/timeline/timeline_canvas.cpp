// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_canvas.h"

#include "ui/charts/hover_card.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr double kGap = 3;       // between rows of a lane
constexpr double kLaneGap = 10;  // between lanes
constexpr double kRightMargin = 8;
constexpr double kMinimapHeight = 6;

/// Least height of a row, and the most that it grows to where there is room.
std::pair<double, double> heightOf(TimelineRow::Kind kind) {
    switch (kind) {
    case TimelineRow::Kind::Ops:
        return {26, 46};
    case TimelineRow::Kind::Predicted:
        return {18, 30};
    case TimelineRow::Kind::Bars:
        return {22, 34};
    case TimelineRow::Kind::Curve:
        return {64, 240};
    }
    return {};
}

}  // namespace

TimelineCanvas::TimelineCanvas(Theme& theme, QWidget* parent) : QAbstractScrollArea(parent), m_theme(theme) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    connect(&theme, &Theme::changed, this, &TimelineCanvas::invalidate);
}

TimelineCanvas::~TimelineCanvas() { delete m_card; }  // null when the window that held it went first

void TimelineCanvas::setState(const TimelineState* state, bool keep) {
    m_state = state;
    m_hovered.reset();
    hideCard();
    m_current = {};
    m_matches.clear();
    m_searching = false;
    if (!keep) m_range.reset();
    if (state && state->timeline) {
        m_window.whole = state->whole;
        if (!keep) m_window.fitAll();
        setAccessibleName(state->summary);
    }
    layOut();
    emit rangeChanged();
}

void TimelineCanvas::setSelectedOp(std::int32_t readingOp) {
    m_selectedOp = readingOp;
    invalidate();
}

void TimelineCanvas::setMatches(Matches matches) {
    m_searching = !matches.empty();
    m_matches = std::move(matches);
    invalidate();
}

void TimelineCanvas::setRange(std::optional<Range> range) {
    if (range && range->first > range->second) std::swap(range->first, range->second);
    m_range = range;
    invalidate();
    emit rangeChanged();
}

void TimelineCanvas::setCurrent(BarPlace place) {
    m_current = place;
    if (place.isValid()) {
        const TimelineBar& bar = m_state->bar(place);
        m_window.show(bar.begin, bar.end);
        const QRectF row = rowRect(place.row);
        if (row.top() < rulerRect().bottom() || row.bottom() > viewport()->height())
            verticalScrollBar()->setValue(static_cast<int>(m_rows[static_cast<std::size_t>(place.row)].top));
        setAccessibleDescription(
            QStringLiteral("%1, %2").arg(barName(*m_state, bar), exactTime(bar.end - bar.begin)));
        emit windowChanged();
    }
    invalidate();
}

void TimelineCanvas::fitAll() {
    m_window.fitAll();
    changeWindow();
}

void TimelineCanvas::fitSelection() {
    if (m_range)
        m_window.fit(m_range->first, m_range->second);
    else if (m_current.isValid())
        m_window.fit(m_state->bar(m_current).begin, m_state->bar(m_current).end);
    else
        m_window.fitAll();
    changeWindow();
}

void TimelineCanvas::changeWindow() {
    m_hovered.reset();
    hideCard();
    invalidate();
    emit windowChanged();
}

void TimelineCanvas::invalidate() {
    m_layerValid = false;
    viewport()->update();
}

QRectF TimelineCanvas::minimapRect() const { return {m_window.left, 2, m_window.width, kMinimapHeight}; }

QRectF TimelineCanvas::rulerRect() const {
    const double line = QFontMetricsF(font()).height();
    return {0, 0, static_cast<double>(viewport()->width()), kMinimapHeight + 4 + 2 * (line + 6)};
}

void TimelineCanvas::layOut() {
    m_rows.clear();
    m_rowsHeight = 0;
    const QFontMetricsF metrics(font());
    double gutter = 60;
    double least = 0, most = 0;
    if (m_state) {
        for (const TimelineRow& row : m_state->rows) {
            gutter = std::max(gutter, metrics.horizontalAdvance(row.label) + 22);
            least += heightOf(row.kind).first;
            most += heightOf(row.kind).second;
        }
        double gaps = 6;
        for (const TimelineRow& row : m_state->rows) gaps += row.label.isEmpty() ? kGap : kLaneGap;
        const double room = viewport()->height() - rulerRect().height() - gaps;
        const double share = most > least ? std::clamp((room - least) / (most - least), 0.0, 1.0) : 0;
        double top = 0;
        for (const TimelineRow& row : m_state->rows) {
            const auto [low, high] = heightOf(row.kind);
            top += row.label.isEmpty() ? kGap : kLaneGap;
            const double height = std::floor(low + share * (high - low));
            m_rows.push_back({top, height});
            top += height;
        }
        m_rowsHeight = top + 6;
    }
    m_window.left = std::ceil(std::min(gutter, 180.0));
    m_window.width = std::max(10.0, viewport()->width() - m_window.left - kRightMargin);
    const int page = std::max(1, static_cast<int>(viewport()->height() - rulerRect().height()));
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(m_rowsHeight)) - page));
    invalidate();
}

QRectF TimelineCanvas::rowRect(std::int32_t row) const {
    const RowPlace& place = m_rows[static_cast<std::size_t>(row)];
    return {m_window.left, rulerRect().bottom() + place.top - verticalScrollBar()->value(), m_window.width,
            place.height};
}

std::int32_t TimelineCanvas::rowAt(double y) const {
    if (y < rulerRect().bottom()) return -1;
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const QRectF rect = rowRect(static_cast<std::int32_t>(row));
        if (y >= rect.top() && y < rect.bottom()) return static_cast<std::int32_t>(row);
    }
    return -1;
}

std::optional<FoldedBar> TimelineCanvas::foldAt(std::int32_t row, double x) {
    const TimelineRow& lane = m_state->rows[static_cast<std::size_t>(row)];
    if (lane.kind == TimelineRow::Kind::Curve || x < m_window.left) return std::nullopt;
    m_folded.clear();
    lane.bars.fold(m_window, m_folded);
    // A bar of a pixel can be hit beside it as well.
    const FoldedBar* best = nullptr;
    double nearest = 2.5;
    for (const FoldedBar& fold : m_folded) {
        const double from = m_window.toX(fold.begin);
        if (from > x + nearest) break;
        const double away = std::max({from - x, x - m_window.toX(fold.end), 0.0});
        if (away < nearest) {
            nearest = away;
            best = &fold;
        }
    }
    return best ? std::optional(*best) : std::nullopt;
}

BarPlace TimelineCanvas::barAt(const QPointF& pixel) {
    if (!m_state || !m_state->timeline) return {};
    const std::int32_t row = rowAt(pixel.y());
    if (row < 0) return {};
    const std::optional<FoldedBar> fold = foldAt(row, pixel.x());
    return fold && fold->count == 1 ? BarPlace{row, fold->first} : BarPlace{};
}

void TimelineCanvas::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    layOut();
    emit windowChanged();
}

void TimelineCanvas::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) layOut();
}

void TimelineCanvas::scrollContentsBy(int, int) { invalidate(); }

void TimelineCanvas::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    invalidate();
}

void TimelineCanvas::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    hideCard();
    invalidate();
}

}  // namespace plumb::ui
