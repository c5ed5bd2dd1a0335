// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/allocator/allocator_chart.h"

#include "ui/charts/chart_text.h"
#include "ui/charts/within.h"
#include "ui/theme/text.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace plumb::ui {

namespace {
constexpr qreal kLeft = 66;    ///< room of the labels of bytes
constexpr qreal kBottom = 24;  ///< and of times
constexpr qreal kNear = 2;     ///< pixels beside the pointer that it may mean
constexpr double kPanShare = 0.2;
}  // namespace

AllocatorChart::AllocatorChart(Theme& theme, AllocatorState& state, QWidget* parent)
    : PaintedChart(theme, parent), m_state(state) {
    setObjectName(QStringLiteral("allocatorChart"));
    setAccessibleName(tr("Live memory over the trace"));
    setFocusPolicy(Qt::StrongFocus);
    connect(&state, &AllocatorState::deviceChanged, this, &AllocatorChart::follow);
    connect(&state, &AllocatorState::keyChanged, this, &AllocatorChart::changed);
    connect(&state, &AllocatorState::keyChanged, this, &AllocatorChart::describe);
    connect(&state, &AllocatorState::cursorChanged, this, [this] {
        showCursor();
        describe();
    });
    connect(&pointer(), &Pointer::hovered, this, [this](const QPointF& at) { showMoment(at.toPoint()); });
    connect(&pointer(), &Pointer::dragged, this, [this](const QPointF& to, const QPointF& before) {
        m_window.pan(before.x() - to.x());
        changed();
    });
    connect(&pointer(), &Pointer::clicked, this,
            [this](const QPointF& at) { m_state.setCursor(momentAt(at.x())); });
    follow();
}

void AllocatorChart::follow() {
    const OpenedDevice* device = m_state.device();
    m_axis = device ? AllocatorAxis(device->history) : AllocatorAxis();
    if (!device)
        setEmptyText(tr("No memory snapshot is open."));
    else if (device->replay.entries == 0)
        setEmptyText(tr("This file has no history: only what lived when it was taken is known. Call "
                        "torch.cuda.memory._record_memory_history() before the step."));
    else
        setEmptyText({});
    if (device) {
        const MemoryHistory& history = device->history;
        const Bytes most =
            std::max(device->replay.peakBytes, history.highestReserved(-1, history.lastPosition()));
        m_most = niceRange(0, static_cast<double>(std::max<Bytes>(most, 1)), false).second;
    }
    fitAll();
    describe();
}

void AllocatorChart::describe() {
    if (!hasHistory()) return setAccessibleDescription({});  // a sentence stands in its place
    const MemoryReplay& replay = m_state.device()->replay;
    setAccessibleDescription(tr("At the cursor %1. The peak is %2, at %3")
                                 .arg(cardText(cardOf(m_state.cursor())), bytesText(replay.peakBytes),
                                      m_state.momentText(replay.peakPosition)));
}

void AllocatorChart::fitAll() {
    m_window.whole = m_axis.whole();
    m_window.left = plot().left();
    m_window.width = plot().width();
    m_window.fitAll();
    changed();
}

void AllocatorChart::fitPositions(std::int64_t from, std::int64_t to) {
    if (!m_state.device()) return;
    const std::int64_t last = m_state.device()->history.lastPosition();
    m_window.fit(m_axis.at(std::min(from, last)), m_axis.at(std::min(to, last)));
    changed();
}

void AllocatorChart::changed() {
    m_isStale = true;
    hideCard();
    update();
    emit windowChanged();
}

QRectF AllocatorChart::plot() const {
    const qreal line = QFontMetricsF(smallFont()).height();
    return QRectF(rect()).adjusted(kLeft, 2 * line + 8, -kChartSide, -kBottom);
}

double AllocatorChart::yOf(Bytes bytes) const {
    const QRectF area = plot();
    return area.bottom() - static_cast<double>(bytes) / m_most * area.height();
}

std::pair<std::int64_t, std::int64_t> AllocatorChart::positionsAt(double x) const {
    const std::int64_t first = m_axis.positionAt(m_window.toTime(x));
    return {first, std::max(first, m_axis.positionAt(m_window.toTime(x + 1)))};
}

std::int64_t AllocatorChart::momentAt(double x) const {
    if (!m_state.device()) return -1;
    const std::int64_t first = m_axis.positionAt(m_window.toTime(x - kNear));
    const std::int64_t last = std::max(first, m_axis.positionAt(m_window.toTime(x + kNear)));
    // What reaches into the stretch gives way to what happens in it.
    return m_state.device()->history.highestWithin(std::min(first + 1, last), last);
}

void AllocatorChart::compute() {
    m_isStale = false;
    m_columns.clear();
    if (!hasHistory()) return;
    const OpenedDevice* device = m_state.device();
    const MemoryGroupCurve& curve = device->curves[static_cast<std::size_t>(m_state.key())];
    std::vector<Bytes> sums(curve.groupCount() + 1);
    std::int64_t before = -2;
    const auto count = static_cast<int>(std::max(plot().width(), 1.0));
    m_columns.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const auto [first, last] = positionsAt(m_window.left + i);
        const std::int64_t at = device->history.highestWithin(first, last);
        if (at != before) {
            curve.sumsAt(at, sums);
            before = at;
        }
        Column column;
        Bytes top = 0;
        for (std::size_t group = 0; group < curve.groupCount(); ++group)
            column.tops.push_back(top += std::max<Bytes>(sums[group], 0));
        column.allocated = sums.back();
        column.reserved = device->history.highestReserved(first, last);
        m_columns.push_back(std::move(column));
    }
}

void AllocatorChart::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (paintEmpty(painter)) return;
    if (m_isStale) compute();
    painter.setFont(smallFont());
    paintAxes(painter);
    painter.save();
    painter.setClipRect(plot());
    paintStack(painter);
    paintLine(painter, &Column::allocated, ColorRole::Text, Qt::SolidLine);
    paintLine(painter, &Column::reserved, ColorRole::Measured, Qt::DashLine);
    painter.restore();
    paintMarks(painter);
    paintFocus(painter);
}

void AllocatorChart::paintAxes(QPainter& painter) const {
    const QRectF area = plot();
    AxisOptions y;
    y.unit = QStringLiteral("B");
    y.max = m_most;
    for (const AxisTick& tick : axisTicks(y, std::max(3, static_cast<int>(area.height() / 36)))) {
        const double at = yOf(static_cast<Bytes>(tick.value));
        painter.setPen(theme().color(ColorRole::Grid));
        painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at));
        painter.setPen(theme().color(ColorRole::Axis));
        painter.drawText(QRectF(0, at - 10, kLeft - 8, 20), Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    AxisOptions x;
    x.min = m_window.from;
    x.max = m_window.to;
    const int most = std::max(3, static_cast<int>(area.width() / 110));
    const auto ticks = m_axis.isTime() ? timeTicks(m_window.from, m_window.to, most) : axisTicks(x, most);
    for (const AxisTick& tick : ticks) {
        const double at = m_window.toX(tick.value);
        if (tick.value < 0 || at < area.left() || at > area.right()) continue;
        const double width = painter.fontMetrics().horizontalAdvance(tick.label) + 4;
        const double left = std::clamp(at - width / 2, 0.0, area.right() - width);
        painter.drawText(QRectF(left, area.bottom() + 4, width, kBottom - 4), Qt::AlignCenter, tick.label);
    }
}

void AllocatorChart::paintStack(QPainter& painter) const {
    if (m_columns.empty()) return;
    const auto key = static_cast<std::size_t>(m_state.key());
    const MemoryGroups& groups = m_state.device()->groups[key];
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t group = groups.names.size(); group-- > 0;) {
        QPolygonF outline;
        outline << QPointF(m_window.left, plot().bottom());
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            const double x = m_window.left + static_cast<double>(i);
            const double y = yOf(m_columns[i].tops[group]);
            outline << QPointF(x, y) << QPointF(x + 1, y);
        }
        outline << QPointF(m_window.left + static_cast<double>(m_columns.size()), plot().bottom());
        painter.setBrush(color(groupColor(kCurveKeys[key], groups, group)));
        painter.drawPolygon(outline);
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

void AllocatorChart::paintLine(QPainter& painter, Bytes Column::*value, ColorRole role,
                               Qt::PenStyle pen) const {
    QPolygonF line;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const double x = m_window.left + static_cast<double>(i);
        const double y = yOf(m_columns[i].*value);
        line << QPointF(x, y) << QPointF(x + 1, y);
    }
    painter.setPen(QPen(theme().color(role), 1.5, pen));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

void AllocatorChart::paintMarks(QPainter& painter) const {
    const OpenedDevice& device = *m_state.device();
    const qreal line = painter.fontMetrics().height();
    paintMark(painter, device.replay.peakPosition, tr("peak %1").arg(bytesText(device.replay.peakBytes)),
              ColorRole::TextStrong, line + 3);
    // A label that would stand on the one before it is left out: a training may fail many times.
    double free = plot().left();
    for (const OutOfMemory& each : device.replay.outOfMemory) {
        const QString text = tr("OOM: %1 asked for").arg(bytesText(each.requested));
        const double half = painter.fontMetrics().horizontalAdvance(text) / 2.0 + 4;
        const double at = xOf(each.position);
        const double middle = std::max(plot().left() + half, std::min(at, plot().right() - half));
        const bool hasRoom = middle - half >= free;
        paintMark(painter, each.position, hasRoom ? text : QString(), ColorRole::Bad, 1);
        if (hasRoom && at >= plot().left()) free = middle + half;
    }
    const double x = xOf(m_state.cursor());
    if (x < plot().left() || x > plot().right()) return;
    painter.setPen(QPen(theme().color(ColorRole::Accent), 2));
    painter.drawLine(QPointF(x, plot().top() - 3), QPointF(x, plot().bottom()));
}

void AllocatorChart::paintMark(QPainter& painter, std::int64_t position, const QString& text, ColorRole role,
                               qreal top) const {
    const double x = xOf(position);
    const QRectF area = plot();
    if (x < area.left() || x > area.right()) return;
    const double width = painter.fontMetrics().horizontalAdvance(text) + 4;
    const double height = painter.fontMetrics().height();
    painter.setPen(QPen(theme().color(role), 1, Qt::DotLine));
    painter.drawLine(QPointF(x, top + height), QPointF(x, area.bottom()));
    painter.setPen(theme().color(role));
    painter.drawText(QRectF(std::clamp(x - width / 2, area.left(), area.right() - width), top, width, height),
                     Qt::AlignCenter, text);
}

void AllocatorChart::resizeEvent(QResizeEvent* event) {
    PaintedChart::resizeEvent(event);
    const bool wasAll = m_window.showsAll();
    m_window.left = plot().left();
    m_window.width = std::max(plot().width(), 1.0);
    if (wasAll) m_window.fitAll();
    changed();
}

void AllocatorChart::wheelEvent(QWheelEvent* event) {
    const QPoint angle = event->angleDelta();
    if (std::abs(angle.x()) > std::abs(angle.y()))
        m_window.pan(angle.x());
    else
        m_window.zoom(std::pow(1.25, angle.y() / 120.0), event->position().x());
    changed();
    event->accept();
}

// Whoever moved it: a key here, a button or a row elsewhere.
void AllocatorChart::showCursor() {
    const double at = m_axis.at(m_state.cursor());
    const double before = m_window.from;
    m_window.show(at, at);
    if (m_window.from != before) changed();
    update();
}

void AllocatorChart::moveCursor(std::int64_t position) {
    m_state.setCursor(position);
    if (!hasHistory()) return;
    const QRectF area = plot();
    showCard(cardOf(m_state.cursor()),
             QPointF(within(xOf(m_state.cursor()), area.left(), area.right()), area.top()).toPoint());
}

void AllocatorChart::keyPressEvent(QKeyEvent* event) {
    if (!m_state.device()) return PaintedChart::keyPressEvent(event);
    const std::int64_t step = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    const auto zoom = [this](double factor) {
        m_window.zoom(factor, xOf(m_state.cursor()));
        changed();
    };
    const auto pan = [this](double share) {
        m_window.pan(share * m_window.width);
        changed();
    };
    switch (event->key()) {
    case Qt::Key_F:
    case Qt::Key_0:
        return fitAll();
    case Qt::Key_W:
    case Qt::Key_Plus:
        return zoom(2);
    case Qt::Key_S:
    case Qt::Key_Minus:
        return zoom(0.5);
    case Qt::Key_A:
        return pan(-kPanShare);
    case Qt::Key_D:
        return pan(kPanShare);
    case Qt::Key_Escape:
        return hideCard();
    case Qt::Key_Left:
        return moveCursor(m_state.cursor() - step);
    case Qt::Key_Right:
        return moveCursor(m_state.cursor() + step);
    case Qt::Key_Home:
        return moveCursor(-1);
    case Qt::Key_End:
        return moveCursor(m_state.device()->history.lastPosition());
    default:
        PaintedChart::keyPressEvent(event);
    }
}

void AllocatorChart::showMoment(const QPoint& at) {
    if (!hasHistory() || !plot().contains(at)) return hideCard();
    showCard(cardOf(momentAt(at.x())), at);
}

HoverCardContent AllocatorChart::cardOf(std::int64_t position) const {
    const OpenedDevice* device = m_state.device();
    const auto key = static_cast<std::size_t>(m_state.key());
    const MemoryGroups& groups = device->groups[key];
    std::vector<Bytes> sums(groups.names.size() + 1);
    device->curves[key].sumsAt(position, sums);
    HoverCardContent card;
    card.title = m_state.momentText(position);
    for (std::size_t group = groups.names.size(); group-- > 0;)
        if (sums[group] > 0)
            card.rows.push_back({groupText(kCurveKeys[key], groups.names[group]),
                                 {bytesText(sums[group])},
                                 groupColor(kCurveKeys[key], groups, group)});
    card.rows.push_back({tr("live"), {bytesText(device->history.liveAt(position))}, {}, true});
    card.rows.push_back({tr("allocated"), {bytesText(sums.back())}, ColorRole::Text});
    card.rows.push_back(
        {tr("reserved"), {bytesText(reservedAt(device->replay, position))}, ColorRole::Measured});
    return card;
}

}  // namespace plumb::ui
