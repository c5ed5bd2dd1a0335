// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_painter.h"

#include "core/base/entry_at.h"
#include "ui/charts/axis.h"
#include "ui/charts/chart_style.h"
#include "ui/charts/within.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr double kRounded = 8;          // pixels from which a bar has round corners
constexpr double kTextRoom = 26;        // pixels from which a bar has a text
constexpr double kTickRoom = 96;        // pixels for each tick of the ruler
constexpr double kLabelHeight = 46;     // pixels in which the name of a lane stands
constexpr double kMatchOpacity = 0.25;  // of bars that the search did not find

}  // namespace

std::vector<StepName> stepNames(const TimelineViewport& viewport, const QFontMetricsF& metrics) {
    constexpr double kFromStep = 5;
    const double top = viewport.minimapRect().bottom() + 2;
    std::vector<StepName> names;
    for (const TimelineStep& step : viewport.state().timeline->steps) {
        const double begin = std::max(viewport.window.toX(step.begin), viewport.left());
        const double end = std::min(viewport.window.toX(step.end), viewport.right());
        const QString text = TimelinePainter::tr("step %1").arg(countText(step.step));
        const double width = metrics.horizontalAdvance(text);
        if (width + 2 * kFromStep > end - begin) continue;
        names.push_back({QRectF(begin + kFromStep, top, width, metrics.height() + 6), text});
    }
    return names;
}

QRectF rangeLabel(const TimelineViewport& viewport, const QFontMetricsF& metrics, const TimeRange& range) {
    constexpr double kFromName = 6;
    const double left = std::max(viewport.window.toX(range.first), viewport.left());
    const double right = std::min(viewport.window.toX(range.second), viewport.right());
    const double width = metrics.horizontalAdvance(exactTime(range.second - range.first)) + 12;
    const auto inside = [&](double x) { return within(x, viewport.left(), viewport.right() - width); };
    const double middle = inside((left + right - width) / 2);
    const std::vector<StepName> names = stepNames(viewport, metrics);
    std::vector<double> places{middle};
    for (const StepName& name : names) {
        places.push_back(inside(name.box.right() + kFromName));
        places.push_back(inside(name.box.left() - kFromName - width));
    }
    std::ranges::stable_sort(places, {}, [&](double x) { return std::abs(x - middle); });
    const auto isFree = [&](double x) {
        return std::ranges::none_of(
            names, [&](const StepName& name) { return x < name.box.right() && x + width > name.box.left(); });
    };
    const auto found = std::ranges::find_if(places, isFree);
    return {found == places.end() ? middle : *found, viewport.minimapRect().bottom() + 3, width,
            metrics.height() + 4};
}

bool TimelineMarks::isDimmed(std::size_t row, const FoldedBar& fold) const {
    if (matches.empty()) return false;
    if (row >= matches.size()) return true;
    const auto found = std::ranges::lower_bound(matches[row], fold.first);
    return found == matches[row].end() || *found >= fold.first + fold.count;
}

TimelinePainter::TimelinePainter(const Theme& theme, const TimelineViewport& viewport,
                                 const TimelineMarks& marks, const QFont& font, QPainter& painter)
    : m_theme(theme),
      m_viewport(viewport),
      m_state(viewport.state()),
      m_window(viewport.window),
      m_marks(marks),
      m_painter(painter),
      m_metrics(font) {
    m_painter.setFont(font);
    m_painter.setRenderHint(QPainter::Antialiasing);
}

void TimelinePainter::paintLanes() {
    const double top = m_viewport.rulerRect().bottom();
    m_painter.save();
    m_painter.setClipRect(QRectF(0, top, m_viewport.size().width(), m_viewport.size().height()));
    paintSteps();
    for (std::size_t row = 0; row < m_state.rows.size(); ++row) {
        const QRectF rect = m_viewport.rowRect(static_cast<std::int32_t>(row));
        if (rect.bottom() >= top && rect.top() <= m_viewport.size().height()) paintRow(row, rect);
    }
    m_painter.restore();
    paintRuler();
    paintFlags();
}

void TimelinePainter::paintSteps() {
    const double top = m_viewport.rulerRect().bottom();
    const double height = m_viewport.size().height();
    // Every second step is tinted, so that a step can be told from the gap between two.
    bool tinted = false;
    for (const TimelineStep& step : m_state.timeline->steps) {
        tinted = !tinted;
        const double left = std::max(m_window.toX(step.begin), m_viewport.left());
        const double right = std::min(m_window.toX(step.end), m_viewport.right());
        if (right <= left) continue;
        QColor tint = color(ColorRole::Hover);
        tint.setAlphaF(tinted ? 0.55F : 0.2F);
        m_painter.fillRect(QRectF(left, top, right - left, height), tint);
    }
    // The grid lies below the bars.
    m_painter.setPen(QPen(color(ColorRole::Grid), 1));
    for (const AxisTick& tick : ticks()) {
        const double x = std::round(m_window.toX(tick.value)) + 0.5;
        if (x >= m_viewport.left()) m_painter.drawLine(QPointF(x, top), QPointF(x, height));
    }
}

QVector<AxisTick> TimelinePainter::ticks() const {
    return timeTicks(m_window.from, m_window.to, std::max(2, static_cast<int>(m_window.width / kTickRoom)));
}

void TimelinePainter::paintRuler() {
    const QRectF ruler = m_viewport.rulerRect();
    m_painter.fillRect(ruler, color(ColorRole::Card));
    paintMinimap();
    m_painter.save();
    m_painter.setClipRect(QRectF(m_viewport.left(), 0, m_window.width, m_viewport.size().height()));
    const double line = m_metrics.height() + 6;
    const double stepsTop = m_viewport.minimapRect().bottom() + 2;
    paintStepNames(stepsTop);
    paintTicks(stepsTop + line, line);
    m_painter.restore();
    m_painter.setPen(QPen(color(ColorRole::Grid), 1));
    m_painter.drawLine(QPointF(0, ruler.bottom() - 0.5), QPointF(ruler.width(), ruler.bottom() - 0.5));
}

/// How much of the whole is shown.
void TimelinePainter::paintMinimap() {
    const QRectF map = m_viewport.minimapRect();
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color(ColorRole::Track));
    m_painter.drawRoundedRect(map, 3, 3);
    const auto onMap = [&](Seconds time) {
        return map.left() + std::clamp(time / m_window.whole, 0.0, 1.0) * map.width();
    };
    const double from = onMap(m_window.from);
    m_painter.setBrush(color(ColorRole::Accent));
    m_painter.drawRoundedRect(QRectF(from, map.top(), std::max(6.0, onMap(m_window.to) - from), map.height()),
                              3, 3);
}

void TimelinePainter::paintStepNames(double top) {
    m_painter.setPen(QPen(color(ColorRole::Grid), 1));
    for (const TimelineStep& step : m_state.timeline->steps) {
        const double begin = std::max(m_window.toX(step.begin), m_viewport.left());
        const double end = std::min(m_window.toX(step.end), m_viewport.right());
        if (end - begin >= 2)
            m_painter.drawLine(QPointF(begin, top), QPointF(begin, m_viewport.rulerRect().bottom()));
    }
    m_painter.setPen(color(ColorRole::Text));
    for (const StepName& name : stepNames(m_viewport, m_metrics))
        m_painter.drawText(name.box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, name.text);
}

void TimelinePainter::paintTicks(double top, double height) {
    const double bottom = m_viewport.rulerRect().bottom();
    for (const AxisTick& tick : ticks()) {
        const double x = std::round(m_window.toX(tick.value)) + 0.5;
        m_painter.setPen(QPen(color(ColorRole::Grid), 1));
        m_painter.drawLine(QPointF(x, bottom - 5), QPointF(x, bottom));
        // No half of a number.
        if (x + 3 + m_metrics.horizontalAdvance(tick.label) > m_viewport.right()) continue;
        m_painter.setPen(color(ColorRole::Axis));
        m_painter.drawText(QRectF(x + 3, top, kTickRoom, height), Qt::AlignLeft | Qt::AlignVCenter,
                           tick.label);
    }
}

void TimelinePainter::paintLabel(std::size_t row, const QRectF& rect) {
    const TimelineRow& lane = m_state.rows[row];
    if (lane.label.isEmpty()) return;
    if (row > 0) {
        m_painter.setPen(QPen(color(ColorRole::Grid), 1));
        const double y = std::floor(rect.top() - 5) + 0.5;
        m_painter.drawLine(QPointF(0, y), QPointF(m_viewport.size().width(), y));
    }
    const bool strong = lane.kind == TimelineRow::Kind::Ops;
    QFont font = m_painter.font();
    font.setWeight(strong ? QFont::DemiBold : QFont::Normal);
    m_painter.setFont(font);
    m_painter.setPen(color(strong ? ColorRole::TextStrong : ColorRole::TextMuted));
    const QRectF box(8, rect.top(), m_viewport.left() - 14, std::min(rect.height(), kLabelHeight));
    m_painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                       QFontMetricsF(font).elidedText(lane.label, Qt::ElideRight, box.width()));
    font.setWeight(QFont::Normal);
    m_painter.setFont(font);
}

void TimelinePainter::paintRow(std::size_t row, const QRectF& rect) {
    paintLabel(row, rect);
    if (m_state.rows[row].kind == TimelineRow::Kind::Curve) paintScale(rect);
    m_painter.save();
    const double top = std::max(rect.top() - 2, m_viewport.rulerRect().bottom());
    m_painter.setClipRect(QRectF(m_viewport.left(), top, m_window.width, rect.height() + 4));
    if (m_state.rows[row].kind == TimelineRow::Kind::Curve) {
        paintCurve(rect);
        paintPeak(rect);
    } else {
        paintBars(row, rect);
        paintMarks(row, rect);
    }
    m_painter.restore();
}

void TimelinePainter::paintBars(std::size_t row, const QRectF& rect) {
    const TimelineRow& lane = m_state.rows[row];
    const bool hollow = lane.kind == TimelineRow::Kind::Predicted;
    m_folded.clear();
    lane.bars.fold(m_window, m_folded);
    // Thousands of narrow bars: smooth edges would cost more than all the rest.
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    for (const FoldedBar& fold : m_folded) {
        const double left = m_window.toX(fold.begin);
        const double right = m_window.toX(fold.end);
        // A gap of a pixel between bars that touch, where there is room for one.
        const double width = std::max(1.0, right - left - (right - left > 4 ? 1 : 0));
        const QRectF box(left, rect.top(), width, rect.height());
        const bool dimmed = m_marks.isDimmed(row, fold);
        const QColor filled = paintBox(box, fold, hollow, dimmed);
        // The text stays in view when the bar begins left of it.
        const QRectF seen =
            box.intersected(QRectF(m_viewport.left(), rect.top(), m_window.width, rect.height()));
        if (fold.count > 1 || seen.width() < kTextRoom || rect.height() < m_metrics.height()) continue;
        m_painter.setPen(hollow || dimmed ? color(ColorRole::TextMuted) : textOn(filled));
        paintBarText(seen.adjusted(5, 0, -4, 0), entryAt(lane.bars.bars(), fold.first), hollow);
    }
    m_painter.setRenderHint(QPainter::Antialiasing, true);
}

QColor TimelinePainter::paintBox(const QRectF& box, const FoldedBar& fold, bool hollow, bool dimmed) {
    const QColor group = resolve(m_theme, barColor(fold.group));
    const auto onCard = [&](double share) { return mixedColors(group, color(ColorRole::Card), share); };
    const bool round = box.width() > kRounded;
    m_painter.setRenderHint(QPainter::Antialiasing, round);
    if (hollow) {
        if (!round) {
            m_painter.fillRect(box, onCard(dimmed ? 0.1 : 0.45));
            return group;
        }
        m_painter.setPen(QPen(onCard(dimmed ? kMatchOpacity : 1), 1.2));
        m_painter.setBrush(onCard(dimmed ? 0.05 : 0.16));
        m_painter.drawRoundedRect(box.adjusted(0.6, 0.6, -0.6, -0.6), 3, 3);
        return group;
    }
    const double share = (fold.count > 1 ? 0.35 + 0.65 * fold.busy : 1) * (dimmed ? kMatchOpacity : 1);
    const QColor filled = onCard(share);
    if (!round) {
        m_painter.fillRect(box, filled);
        return filled;
    }
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(filled);
    m_painter.drawRoundedRect(box, 3, 3);
    return filled;
}

void TimelinePainter::paintBarText(const QRectF& seen, const TimelineBar& bar, bool hollow) {
    // Part of a number is another number, and part of a word none.
    const QStringList forms =
        hollow ? QStringList(quantityText(bar.end - bar.begin, "s")) : barForms(m_state, bar);
    for (const QString& text : forms) {
        if (m_metrics.horizontalAdvance(text) > seen.width()) continue;
        m_painter.drawText(seen, Qt::AlignLeft | Qt::AlignVCenter, text);
        return;
    }
}

/// Outlines of the chosen op's bars and of the current one.
void TimelinePainter::paintMarks(std::size_t row, const QRectF& rect) {
    const auto outline = [&](const TimelineBar& bar, ColorRole role, double width) {
        const double left = std::max(m_window.toX(bar.begin), m_viewport.left() - 4);
        const double right = std::min(m_window.toX(bar.end), m_viewport.right() + 4);
        if (right < left) return;
        m_painter.setPen(QPen(color(role), width));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(QRectF(left, rect.top(), std::max(2.0, right - left - 1), rect.height())
                                      .adjusted(-0.5, -0.5, 0.5, 0.5),
                                  3, 3);
    };
    const auto isRow = [&](const BarPlace& place) { return place.row == static_cast<std::int32_t>(row); };
    if (m_marks.selectedOp >= 0)
        for (const BarPlace& place : m_state.placesOf(m_marks.selectedOp))
            if (isRow(place)) outline(m_state.bar(place), ColorRole::TextStrong, 1.4);
    if (m_marks.current.isValid() && isRow(m_marks.current))
        outline(m_state.bar(m_marks.current), ColorRole::Accent, 2);
}

void TimelinePainter::paintCurve(const QRectF& rect) {
    const double highest = m_state.highestBytes * kAbovePeak;
    const double bottom = rect.bottom() - 0.5;
    const bool byCategory = !m_state.layers.empty();
    const QPolygonF measured = foldCurve(m_state.live, m_window, m_state.whole, highest, rect.top(), bottom);
    const QPolygonF predicted =
        foldCurve(m_state.predictedLive, m_window, m_state.whole, highest, rect.top(), bottom);
    // Where nearly every column of pixels has a step, dashes and smooth edges cannot be seen and cost a
    // frame.
    const auto isDense = [&](const QPolygonF& line) {
        return static_cast<double>(line.size()) > m_window.width;
    };
    m_painter.setRenderHint(QPainter::Antialiasing, !isDense(measured));
    if (!measured.isEmpty()) {
        QPolygonF area = measured;
        area << QPointF(measured.last().x(), bottom) << QPointF(measured.first().x(), bottom);
        const QColor alive =
            byCategory ? color(ColorRole::Measured) : m_theme.categoryColor(Category::Activations);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(mixedColors(alive, color(ColorRole::Card), byCategory ? 0.12 : 0.4));
        m_painter.drawPolygon(area);
        if (byCategory) paintCategories(rect, highest);
        m_painter.setRenderHint(QPainter::Antialiasing, !isDense(measured));
        m_painter.setPen(QPen(alive, isDense(measured) ? 0 : 1.4));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPolyline(measured);
    }
    if (!predicted.isEmpty()) {
        m_painter.setRenderHint(QPainter::Antialiasing, !isDense(predicted));
        m_painter.setPen(isDense(predicted) ? QPen(color(ColorRole::Predicted), 0)
                                            : QPen(color(ColorRole::Predicted), 1.2, Qt::DashLine));
        m_painter.drawPolyline(predicted);
    }
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    m_painter.setPen(QPen(color(ColorRole::Grid), 1));
    m_painter.drawLine(QPointF(m_viewport.left(), bottom), QPointF(m_viewport.right(), bottom));
}

void TimelinePainter::paintCategories(const QRectF& rect, double highest) {
    const double bottom = rect.bottom() - 0.5;
    m_painter.save();
    // Between the steps nothing runs, and nobody said what lies in memory there.
    QRegion inSteps;
    for (const TimelineStep& step : m_state.timeline->steps)
        inSteps +=
            QRectF(QPointF(m_window.toX(step.begin), rect.top() - 1),
                   QPointF(m_window.toX(step.end), rect.bottom() + 1))
                .intersected(QRectF(m_viewport.left(), rect.top() - 1, m_window.width, rect.height() + 2))
                .toAlignedRect();
    m_painter.setClipRegion(inSteps, Qt::IntersectClip);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    m_painter.setPen(Qt::NoPen);
    // From the whole down: each covers what lies below it.
    for (auto layer = m_state.layers.rbegin(); layer != m_state.layers.rend(); ++layer) {
        QPolygonF area = foldCurve(layer->edge, m_window, m_state.whole, highest, rect.top(), bottom);
        if (area.isEmpty()) continue;
        area << QPointF(area.last().x(), bottom) << QPointF(area.first().x(), bottom);
        m_painter.setBrush(mixedColors(m_theme.categoryColor(layer->category), color(ColorRole::Card), 0.7));
        m_painter.drawPolygon(area);
    }
    m_painter.restore();
}

void TimelinePainter::paintScale(const QRectF& rect) {
    const double highest = m_state.highestBytes * kAbovePeak;
    const double bottom = rect.bottom() - 0.5;
    // Beside the lane's name there is no room.
    const double below = rect.top() + std::min(rect.height(), kLabelHeight) / 2 + m_metrics.height();
    m_painter.setPen(color(ColorRole::Axis));
    for (const AxisTick& tick : bytesTicks(m_state, rect.height())) {
        const double y = bottom - (bottom - rect.top()) * tick.value / highest;
        m_painter.setPen(QPen(color(ColorRole::Grid), 1));
        m_painter.drawLine(QPointF(m_viewport.left(), std::floor(y) + 0.5),
                           QPointF(m_viewport.right(), std::floor(y) + 0.5));
        if (y - m_metrics.height() / 2 < below && tick.value > 0) continue;
        m_painter.setPen(color(ColorRole::Axis));
        m_painter.drawText(
            QRectF(0, y - m_metrics.height(), m_viewport.left() - kScaleGap, 2 * m_metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
}

void TimelinePainter::paintPeak(const QRectF& rect) {
    if (m_state.peakBytes <= 0) return;
    const QString text = tr("peak %1").arg(quantityText(m_state.peakBytes, "B"));
    const QRectF box(m_viewport.left() + 6, rect.top() + 3, m_metrics.horizontalAdvance(text) + 10,
                     m_metrics.height() + 2);
    QColor surface = color(ColorRole::Card);
    surface.setAlphaF(0.82F);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(surface);
    m_painter.drawRoundedRect(box, 3, 3);
    m_painter.setPen(color(ColorRole::Text));
    m_painter.drawText(box, Qt::AlignCenter, text);
}

void TimelinePainter::paintRange() {
    if (!m_marks.range) return;
    const auto& [begin, end] = *m_marks.range;
    const double left = std::max(m_window.toX(begin), m_viewport.left());
    const double right = std::min(m_window.toX(end), m_viewport.right());
    if (right < left) return;
    const double top = m_viewport.minimapRect().bottom() + 2;
    const double bottom = m_viewport.size().height();
    QColor tint = color(ColorRole::Accent);
    tint.setAlphaF(0.14F);
    m_painter.fillRect(QRectF(left, top, std::max(1.0, right - left), bottom - top), tint);
    m_painter.setPen(QPen(color(ColorRole::Accent), 1.2));
    m_painter.drawLine(QPointF(left, top), QPointF(left, bottom));
    m_painter.drawLine(QPointF(right, top), QPointF(right, bottom));
    const QString text = exactTime(end - begin);
    const QRectF box = rangeLabel(m_viewport, m_metrics, *m_marks.range);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color(ColorRole::Accent));
    m_painter.drawRoundedRect(box, 4, 4);
    m_painter.setPen(color(ColorRole::AccentText));
    m_painter.drawText(box, Qt::AlignCenter, text);
}

// On the lower edge of the ruler: a flag with its title, a bar as long as the range, and a line down the
// lanes.
void TimelinePainter::paintFlags() {
    constexpr double kFlag = 7;
    constexpr double kBar = 3;
    const double bottom = m_viewport.rulerRect().bottom();
    const QColor ink = color(ColorRole::Accent);
    double free = m_viewport.left();  // from where a title has room
    m_painter.save();
    m_painter.setClipRect(QRectF(m_viewport.left(), 0, m_window.width, m_viewport.size().height()));
    for (const TimelineFlag& flag : m_marks.flags) {
        const double x = std::round(m_window.toX(flag.range.first)) + 0.5;
        const double end = m_window.toX(flag.range.second);
        if (end < m_viewport.left() || x > m_viewport.right()) continue;
        m_painter.setPen(QPen(ink, 1, Qt::DotLine));
        m_painter.drawLine(QPointF(x, bottom), QPointF(x, m_viewport.size().height()));
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(ink);
        m_painter.drawRect(QRectF(x, bottom - kBar, std::max(1.0, end - x), kBar));
        m_painter.drawPolygon(QPolygonF({{x, bottom - kBar - 2 * kFlag},
                                         {x + kFlag, bottom - kBar - 1.5 * kFlag},
                                         {x, bottom - kBar - kFlag}}));
        m_painter.drawRect(QRectF(x - 0.5, bottom - kBar - 2 * kFlag, 1, 2 * kFlag));
        const QRectF box(x + 1, bottom + 1, m_metrics.horizontalAdvance(flag.title) + 8, m_metrics.height());
        if (flag.title.isEmpty() || box.left() < free) continue;
        free = box.right();
        QColor surface = color(ColorRole::Card);
        surface.setAlphaF(0.82F);
        m_painter.fillRect(box, surface);
        m_painter.setPen(color(ColorRole::Text));
        m_painter.drawText(box, Qt::AlignCenter, flag.title);
    }
    m_painter.restore();
}

void TimelinePainter::paintOverlay(const std::optional<PlacedFold>& hovered,
                                   std::optional<double> crosshair) {
    paintRange();
    if (hovered) {
        const QRectF rect = m_viewport.rowRect(hovered->row);
        const double left = std::max(m_window.toX(hovered->fold.begin), m_viewport.left());
        const double right = std::min(m_window.toX(hovered->fold.end), m_viewport.right());
        m_painter.setPen(QPen(color(ColorRole::TextStrong), 1));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(QRectF(left, rect.top(), std::max(2.0, right - left), rect.height()), 3, 3);
    }
    if (crosshair && *crosshair >= m_viewport.left() && *crosshair <= m_viewport.right()) {
        m_painter.setPen(QPen(color(ColorRole::Axis), 1, Qt::DotLine));
        const double x = std::round(*crosshair) + 0.5;
        m_painter.drawLine(QPointF(x, m_viewport.rulerRect().bottom()),
                           QPointF(x, m_viewport.size().height()));
    }
}

}  // namespace plumb::ui
