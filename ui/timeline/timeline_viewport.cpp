// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_viewport.h"

#include "core/base/entry_at.h"
#include "ui/charts/within.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr double kGap = 3;       // between rows of a lane
constexpr double kLaneGap = 10;  // between lanes
constexpr double kRightMargin = 8;
constexpr double kMinimapHeight = 6;
constexpr double kEdge = 4;  // free of text at the left

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

QVector<AxisTick> bytesTicks(const TimelineState& state, double height) {
    constexpr double kApart = 30;  // pixels between two figures
    return axisTicks({.unit = QStringLiteral("B"), .min = 0, .max = state.highestBytes * kAbovePeak},
                     std::max(2, static_cast<int>(height / kApart)));
}

void TimelineViewport::layOut(const QSizeF& size, const QFont& font) {
    const QFontMetricsF metrics(font);
    m_size = size;
    m_line = metrics.height();
    m_rows.clear();
    m_rowsHeight = 0;
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
        const double room = m_size.height() - rulerRect().height() - gaps;
        const double share = most > least ? std::clamp((room - least) / (most - least), 0.0, 1.0) : 0;
        // A curve says more the higher it is: it takes what no bar has a use for.
        const auto curves = static_cast<double>(
            std::ranges::count(m_state->rows, TimelineRow::Kind::Curve, &TimelineRow::kind));
        const double left = curves > 0 ? std::max(0.0, (room - most) / curves) : 0;
        double top = 0;
        for (const TimelineRow& row : m_state->rows) {
            const auto [low, high] = heightOf(row.kind);
            top += row.label.isEmpty() ? kGap : kLaneGap;
            const double more = row.kind == TimelineRow::Kind::Curve ? left : 0;
            const double height = std::floor(low + share * (high - low) + more);
            m_rows.push_back({top, height});
            top += height;
            if (row.kind != TimelineRow::Kind::Curve) continue;
            for (const AxisTick& tick : bytesTicks(*m_state, height))
                gutter = std::max(gutter, metrics.horizontalAdvance(tick.label) + kScaleGap + kEdge);
        }
        m_rowsHeight = top + 6;
    }
    window.left = std::ceil(std::min(gutter, 180.0));
    window.width = std::max(10.0, m_size.width() - window.left - kRightMargin);
}

int TimelineViewport::page() const {
    return std::max(1, static_cast<int>(m_size.height() - rulerRect().height()));
}

int TimelineViewport::farthestScroll() const {
    return std::max(0, static_cast<int>(std::ceil(m_rowsHeight)) - page());
}

QRectF TimelineViewport::minimapRect() const { return {window.left, 2, window.width, kMinimapHeight}; }

QRectF TimelineViewport::rulerRect() const {
    return {0, 0, m_size.width(), kMinimapHeight + 4 + 2 * (m_line + 6)};
}

QRectF TimelineViewport::rowRect(std::int32_t row) const {
    const RowPlace& place = entryAt(m_rows, row);
    return {window.left, rulerRect().bottom() + place.top - m_scrolled, window.width, place.height};
}

std::int32_t TimelineViewport::rowAt(double y) const {
    if (y < rulerRect().bottom()) return -1;
    for (std::int32_t row = 0; row < static_cast<std::int32_t>(m_rows.size()); ++row) {
        const QRectF rect = rowRect(row);
        if (y >= rect.top() && y < rect.bottom()) return row;
    }
    return -1;
}

std::optional<PlacedFold> TimelineViewport::foldAt(const QPointF& pixel) const {
    const std::int32_t row = isEmpty() ? -1 : rowAt(pixel.y());
    if (row < 0 || pixel.x() < window.left) return std::nullopt;
    const TimelineRow& lane = m_state->row(row);
    if (lane.kind == TimelineRow::Kind::Curve) return std::nullopt;
    std::vector<FoldedBar> folded;
    lane.bars.fold(window, folded);
    const FoldedBar* best = nullptr;
    double nearest = 2.5;
    for (const FoldedBar& fold : folded) {
        const double from = window.toX(fold.begin);
        if (from > pixel.x() + nearest) break;
        const double away = std::max({from - pixel.x(), pixel.x() - window.toX(fold.end), 0.0});
        if (away < nearest) {
            nearest = away;
            best = &fold;
        }
    }
    return best ? std::optional(PlacedFold{row, *best}) : std::nullopt;
}

Seconds TimelineViewport::timeAt(double x) const {
    return within(window.toTime(std::max(x, window.left)), 0.0, window.whole);
}

BarPlace neighbour(const TimelineViewport& viewport, const BarPlace& current, int key) {
    const auto& rows = viewport.state().rows;
    const auto rowCount = static_cast<std::int32_t>(rows.size());
    const auto barsOf = [&](std::int32_t row) -> const BarRow& { return entryAt(rows, row).bars; };
    if (!current.isValid()) {
        for (std::int32_t row = 0; row < rowCount; ++row) {
            if (barsOf(row).size() == 0) continue;
            const auto [first, last] = barsOf(row).within(viewport.window.from, viewport.window.to);
            return {row, static_cast<std::int32_t>(first < last ? first : 0)};
        }
        return {};
    }
    const auto last = static_cast<std::int32_t>(barsOf(current.row).size()) - 1;
    switch (key) {
    case Qt::Key_Left:
        return {current.row, std::max(0, current.bar - 1)};
    case Qt::Key_Right:
        return {current.row, std::min(last, current.bar + 1)};
    case Qt::Key_Home:
        return {current.row, 0};
    case Qt::Key_End:
        return {current.row, last};
    default:
        break;
    }
    const std::int32_t step = key == Qt::Key_Up ? -1 : 1;
    std::int32_t row = current.row + step;
    while (row >= 0 && row < rowCount && barsOf(row).size() == 0) row += step;
    if (row < 0 || row >= rowCount) return {};
    const TimelineBar& bar = viewport.state().bar(current);
    return {row, barsOf(row).nearest((bar.begin + bar.end) / 2)};
}

}  // namespace plumb::ui
