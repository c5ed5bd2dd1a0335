// SPDX-License-Identifier: GPL-3.0-or-later
// How the timeline is painted.
#include "ui/charts/within.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_canvas.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr double kRounded = 8;          // pixels from which a bar has round corners
constexpr double kTextRoom = 34;        // pixels from which a bar has a text
constexpr double kNameRoom = 60;        // pixels from which a part of a name is worth reading
constexpr double kTickRoom = 96;        // pixels for each tick of the ruler
constexpr double kMatchOpacity = 0.25;  // of bars that the search did not find

/// Black or white, whichever can be read on it.
QColor textOn(const QColor& color) {
    const double luminance = 0.299 * color.redF() + 0.587 * color.greenF() + 0.114 * color.blueF();
    return luminance > 0.52 ? QColor(16, 18, 22) : QColor(250, 250, 252);
}

QColor mixed(const QColor& color, const QColor& background, double share) {
    const auto part = [share](float a, float b) { return static_cast<float>(a * share + b * (1 - share)); };
    return QColor::fromRgbF(part(color.redF(), background.redF()), part(color.greenF(), background.greenF()),
                            part(color.blueF(), background.blueF()));
}

}  // namespace

bool TimelineCanvas::isMatch(std::size_t row, const FoldedBar& fold) const {
    if (row >= m_matches.size()) return false;
    const auto found = std::ranges::lower_bound(m_matches[row], fold.first);
    return found != m_matches[row].end() && *found < fold.first + fold.count;
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
    const double ratio = devicePixelRatioF();
    const QSize wanted = (QSizeF(viewport()->size()) * ratio).toSize();
    if (m_layer.size() != wanted || m_layer.devicePixelRatio() != ratio) {
        m_layer = QPixmap(wanted);
        m_layer.setDevicePixelRatio(ratio);
        m_layerValid = false;
    }
    if (!std::exchange(m_layerValid, true)) {
        m_layer.fill(m_theme.color(ColorRole::Card));
        QPainter painter(&m_layer);
        painter.setFont(font());
        paintLayer(painter);
    }
    QPainter painter(viewport());
    painter.drawPixmap(0, 0, m_layer);
    painter.setFont(font());
    paintOverlay(painter);
}

void TimelineCanvas::paintLayer(QPainter& painter) {
    if (!m_state || !m_state->timeline) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF ruler = rulerRect();
    painter.save();
    painter.setClipRect(QRectF(0, ruler.bottom(), viewport()->width(), viewport()->height()));
    paintSteps(painter);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const QRectF rect = rowRect(static_cast<std::int32_t>(row));
        if (rect.bottom() >= ruler.bottom() && rect.top() <= viewport()->height()) paintRow(painter, row);
    }
    painter.restore();
    paintRuler(painter);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.color(ColorRole::Accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    }
}

void TimelineCanvas::paintSteps(QPainter& painter) const {
    // Every second step is tinted, so that a step can be told from the gap between two.
    bool tinted = false;
    for (const TimelineStep& step : m_state->timeline->steps) {
        tinted = !tinted;
        const double left = std::max(m_window.toX(step.begin), m_window.left);
        const double right = std::min(m_window.toX(step.end), m_window.left + m_window.width);
        if (right <= left) continue;
        const QRectF band(left, rulerRect().bottom(), right - left, viewport()->height());
        QColor tint = m_theme.color(ColorRole::Hover);
        tint.setAlphaF(tinted ? 0.55F : 0.2F);
        painter.fillRect(band, tint);
    }
    // The grid lies below the bars.
    painter.setPen(QPen(m_theme.color(ColorRole::Grid), 1));
    for (const AxisTick& tick : ticks()) {
        const double x = std::round(m_window.toX(tick.value)) + 0.5;
        if (x >= m_window.left)
            painter.drawLine(QPointF(x, rulerRect().bottom()), QPointF(x, viewport()->height()));
    }
}

QVector<AxisTick> TimelineCanvas::ticks() const {
    return timeTicks(m_window.from, m_window.to, std::max(2, static_cast<int>(m_window.width / kTickRoom)));
}

void TimelineCanvas::paintRuler(QPainter& painter) const {
    const QRectF ruler = rulerRect();
    const QFontMetricsF metrics(font());
    const double line = metrics.height() + 6;
    const double left = m_window.left, right = m_window.left + m_window.width;
    painter.fillRect(ruler, m_theme.color(ColorRole::Card));
    // How much of the whole is shown.
    const QRectF map = minimapRect();
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(ColorRole::Track));
    painter.drawRoundedRect(map, 3, 3);
    const auto onMap = [&](Seconds time) {
        return map.left() + std::clamp(time / m_window.whole, 0.0, 1.0) * map.width();
    };
    const double from = onMap(m_window.from);
    painter.setBrush(m_theme.color(ColorRole::Accent));
    painter.drawRoundedRect(QRectF(from, map.top(), std::max(6.0, onMap(m_window.to) - from), map.height()),
                            3, 3);

    painter.save();
    painter.setClipRect(QRectF(left, 0, m_window.width, viewport()->height()));
    const double stepsTop = map.bottom() + 2;
    for (const TimelineStep& step : m_state->timeline->steps) {
        const double begin = std::max(m_window.toX(step.begin), left),
                     end = std::min(m_window.toX(step.end), right);
        if (end - begin < 2) continue;
        painter.setPen(QPen(m_theme.color(ColorRole::Grid), 1));
        painter.drawLine(QPointF(begin, stepsTop), QPointF(begin, ruler.bottom()));
        const QString text = tr("step %1").arg(step.step);
        if (metrics.horizontalAdvance(text) + 10 > end - begin) continue;
        painter.setPen(m_theme.color(ColorRole::Text));
        painter.drawText(QRectF(begin + 5, stepsTop, end - begin - 5, line), Qt::AlignLeft | Qt::AlignVCenter,
                         text);
    }
    const double tickTop = stepsTop + line;
    for (const AxisTick& tick : ticks()) {
        const double x = std::round(m_window.toX(tick.value)) + 0.5;
        painter.setPen(QPen(m_theme.color(ColorRole::Grid), 1));
        painter.drawLine(QPointF(x, ruler.bottom() - 5), QPointF(x, ruler.bottom()));
        if (x + 3 + metrics.horizontalAdvance(tick.label) > right) continue;  // no half of a number
        painter.setPen(m_theme.color(ColorRole::Axis));
        painter.drawText(QRectF(x + 3, tickTop, kTickRoom, line), Qt::AlignLeft | Qt::AlignVCenter,
                         tick.label);
    }
    painter.restore();
    painter.setPen(QPen(m_theme.color(ColorRole::Grid), 1));
    painter.drawLine(QPointF(0, ruler.bottom() - 0.5), QPointF(viewport()->width(), ruler.bottom() - 0.5));
}

void TimelineCanvas::paintLabel(QPainter& painter, std::size_t row, const QRectF& rect) const {
    const TimelineRow& lane = m_state->rows[row];
    if (lane.label.isEmpty()) return;
    if (row > 0) {
        painter.setPen(QPen(m_theme.color(ColorRole::Grid), 1));
        const double y = std::floor(rect.top() - 5) + 0.5;
        painter.drawLine(QPointF(0, y), QPointF(viewport()->width(), y));
    }
    const bool strong = lane.kind == TimelineRow::Kind::Ops;
    QFont font = painter.font();
    font.setWeight(strong ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(m_theme.color(strong ? ColorRole::TextStrong : ColorRole::TextMuted));
    const QRectF box(8, rect.top(), m_window.left - 14, std::min(rect.height(), 46.0));
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(lane.label, Qt::ElideRight, box.width()));
    font.setWeight(QFont::Normal);
    painter.setFont(font);
}

void TimelineCanvas::paintRow(QPainter& painter, std::size_t row) {
    const QRectF rect = rowRect(static_cast<std::int32_t>(row));
    paintLabel(painter, row, rect);
    painter.save();
    painter.setClipRect(QRectF(m_window.left, std::max(rect.top() - 2, rulerRect().bottom()), m_window.width,
                               rect.height() + 4));
    if (m_state->rows[row].kind == TimelineRow::Kind::Curve)
        paintCurve(painter, rect);
    else
        paintBars(painter, row, rect);
    painter.restore();
}

void TimelineCanvas::paintBars(QPainter& painter, std::size_t row, const QRectF& rect) {
    const TimelineRow& lane = m_state->rows[row];
    const bool hollow = lane.kind == TimelineRow::Kind::Predicted;
    const QColor background = m_theme.color(ColorRole::Card);
    const QFontMetricsF metrics(font());
    m_folded.clear();
    lane.bars.fold(m_window, m_folded);
    // Thousands of narrow bars: smooth edges would cost more than all the rest.
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const FoldedBar& fold : m_folded) {
        const double left = m_window.toX(fold.begin);
        const double right = m_window.toX(fold.end);
        // A gap of a pixel between bars that touch, where there is room for one.
        const double width = std::max(1.0, right - left - (right - left > 4 ? 1 : 0));
        const QRectF bar(left, rect.top(), width, rect.height());
        QColor color = resolve(m_theme, barColor(fold.group));
        const bool dimmed = m_searching && !isMatch(row, fold);
        double share = fold.count > 1 ? 0.35 + 0.65 * fold.busy : 1;
        if (dimmed) share *= kMatchOpacity;
        if (hollow) {
            painter.setPen(QPen(mixed(color, background, dimmed ? kMatchOpacity : 1), 1.2));
            painter.setBrush(mixed(color, background, dimmed ? 0.05 : 0.16));
            const QRectF inside = bar.adjusted(0.6, 0.6, -0.6, -0.6);
            painter.setRenderHint(QPainter::Antialiasing, width > kRounded);
            if (width > kRounded)
                painter.drawRoundedRect(inside, 3, 3);
            else
                painter.fillRect(bar, mixed(color, background, dimmed ? 0.1 : 0.45));
        } else {
            color = mixed(color, background, share);
            painter.setRenderHint(QPainter::Antialiasing, width > kRounded);
            if (width > kRounded) {
                painter.setPen(Qt::NoPen);
                painter.setBrush(color);
                painter.drawRoundedRect(bar, 3, 3);
            } else {
                painter.fillRect(bar, color);
            }
        }
        // The text stays in view when the bar begins left of it.
        const QRectF seen = bar.intersected(QRectF(m_window.left, rect.top(), m_window.width, rect.height()));
        if (fold.count > 1 || seen.width() < kTextRoom || rect.height() < metrics.height()) continue;
        const TimelineBar& one = lane.bars.bars()[static_cast<std::size_t>(fold.first)];
        painter.setPen(hollow || dimmed ? m_theme.color(ColorRole::TextMuted) : textOn(color));
        const QRectF box = seen.adjusted(5, 0, -4, 0);
        const QString text = hollow ? QString::fromStdString(formatQuantity(one.end - one.begin, "s"))
                                    : barName(*m_state, one);
        // Part of a number is another number, and of a name little is worth nothing.
        const bool whole = metrics.horizontalAdvance(text) <= box.width();
        if (!whole && (hollow || box.width() < kNameRoom)) continue;
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, box.width()));
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintMarks(painter, row, rect);
}

void TimelineCanvas::paintMarks(QPainter& painter, std::size_t row, const QRectF& rect) {
    const auto outline = [&](const TimelineBar& bar, ColorRole role, double width) {
        const double left = std::max(m_window.toX(bar.begin), m_window.left - 4);
        const double right = std::min(m_window.toX(bar.end), m_window.left + m_window.width + 4);
        if (right < left) return;
        painter.setPen(QPen(m_theme.color(role), width));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(left, rect.top(), std::max(2.0, right - left - 1), rect.height())
                                    .adjusted(-0.5, -0.5, 0.5, 0.5),
                                3, 3);
    };
    const auto isRow = [&](const BarPlace& place) { return place.row == static_cast<std::int32_t>(row); };
    if (m_selectedOp >= 0)
        for (const BarPlace& place : m_state->placesOfOp[static_cast<std::size_t>(m_selectedOp)])
            if (isRow(place)) outline(m_state->bar(place), ColorRole::TextStrong, 1.4);
    if (m_current.isValid() && isRow(m_current)) outline(m_state->bar(m_current), ColorRole::Accent, 2);
}

void TimelineCanvas::paintCurve(QPainter& painter, const QRectF& rect) const {
    const double highest = m_state->highestBytes * 1.08;
    const double bottom = rect.bottom() - 0.5;
    const QPolygonF measured =
        foldCurve(m_state->live, m_window, m_state->whole, highest, rect.top(), bottom);
    const QPolygonF predicted =
        foldCurve(m_state->predictedLive, m_window, m_state->whole, highest, rect.top(), bottom);
    // Where nearly every column of pixels has a step, dashes and smooth edges cannot be seen and cost a
    // frame.
    const auto isDense = [&](const QPolygonF& line) {
        return static_cast<double>(line.size()) > m_window.width;
    };
    painter.setRenderHint(QPainter::Antialiasing, !isDense(measured));
    if (!measured.isEmpty()) {
        QPolygonF area = measured;
        area << QPointF(measured.last().x(), bottom) << QPointF(measured.first().x(), bottom);
        const QColor color = m_theme.categoryColor(Category::Activations);
        painter.setPen(Qt::NoPen);
        painter.setBrush(mixed(color, m_theme.color(ColorRole::Card), 0.4));
        painter.drawPolygon(area);
        painter.setPen(QPen(color, isDense(measured) ? 0 : 1.4));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(measured);
    }
    if (!predicted.isEmpty()) {
        painter.setRenderHint(QPainter::Antialiasing, !isDense(predicted));
        painter.setPen(isDense(predicted) ? QPen(m_theme.color(ColorRole::Predicted), 0)
                                          : QPen(m_theme.color(ColorRole::Predicted), 1.2, Qt::DashLine));
        painter.drawPolyline(predicted);
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(m_theme.color(ColorRole::Grid), 1));
    painter.drawLine(QPointF(m_window.left, bottom), QPointF(m_window.left + m_window.width, bottom));
    const QFontMetricsF metrics(font());
    if (m_state->peakBytes <= 0) return;
    const QString text = tr("peak %1").arg(QString::fromStdString(formatQuantity(m_state->peakBytes, "B")));
    QRectF box(m_window.left + 6, rect.top() + 3, metrics.horizontalAdvance(text) + 10, metrics.height() + 2);
    QColor surface = m_theme.color(ColorRole::Card);
    surface.setAlphaF(0.82F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(surface);
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(m_theme.color(ColorRole::Text));
    painter.drawText(box, Qt::AlignCenter, text);
}

void TimelineCanvas::paintRange(QPainter& painter) const {
    if (!m_range) return;
    const double left = std::max(m_window.toX(m_range->first), m_window.left);
    const double right = std::min(m_window.toX(m_range->second), m_window.left + m_window.width);
    if (right < left) return;
    const double top = minimapRect().bottom() + 2;
    QColor tint = m_theme.color(ColorRole::Accent);
    tint.setAlphaF(0.14F);
    painter.fillRect(QRectF(left, top, std::max(1.0, right - left), viewport()->height() - top), tint);
    painter.setPen(QPen(m_theme.color(ColorRole::Accent), 1.2));
    painter.drawLine(QPointF(left, top), QPointF(left, viewport()->height()));
    painter.drawLine(QPointF(right, top), QPointF(right, viewport()->height()));
    const QString text = exactTime(m_range->second - m_range->first);
    const QFontMetricsF metrics(font());
    const double width = metrics.horizontalAdvance(text) + 12;
    const double x =
        within((left + right - width) / 2, m_window.left, m_window.left + m_window.width - width);
    const QRectF box(x, top + 1, width, metrics.height() + 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(ColorRole::Accent));
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(m_theme.color(ColorRole::AccentText));
    painter.drawText(box, Qt::AlignCenter, text);
}

void TimelineCanvas::paintOverlay(QPainter& painter) {
    if (!m_state || !m_state->timeline) return;
    painter.setRenderHint(QPainter::Antialiasing);
    paintRange(painter);
    if (m_hovered) {
        const QRectF rect = rowRect(m_hovered->first);
        const double left = std::max(m_window.toX(m_hovered->second.begin), m_window.left);
        const double right = std::min(m_window.toX(m_hovered->second.end), m_window.left + m_window.width);
        painter.setPen(QPen(m_theme.color(ColorRole::TextStrong), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(left, rect.top(), std::max(2.0, right - left), rect.height()), 3, 3);
    }
    if (m_pointer && m_drag != Drag::Pan && m_pointer->x() >= m_window.left &&
        m_pointer->x() <= m_window.left + m_window.width) {
        painter.setPen(QPen(m_theme.color(ColorRole::Axis), 1, Qt::DotLine));
        const double x = std::round(m_pointer->x()) + 0.5;
        painter.drawLine(QPointF(x, rulerRect().bottom()), QPointF(x, viewport()->height()));
    }
}

}  // namespace plumb::ui
