// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_canvas.h"

#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_facts.h"
#include "ui/trace/trace_walk.h"
#include "ui/widgets/focus_ring.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::ui {

namespace {
int laneLabels() { return scaled(150); }
int laneAxis() { return scaled(26); }

/// `share` of a colour on the card: what runs on the host is pale beside what runs on the device.
QColor paleOf(const Theme& theme, const QColor& color, double share) {
    const QColor card = theme.color(ColorRole::Card);
    const auto mix = [&](int a, int b) { return static_cast<int>(share * a + (1 - share) * b); };
    return {mix(color.red(), card.red()), mix(color.green(), card.green()), mix(color.blue(), card.blue())};
}

/// What a bar has room for: modules without the words that all of them begin with.
QString barText(std::string_view name) {
    constexpr std::string_view kModule = "nn.Module: ";
    if (name.starts_with(kModule)) name.remove_prefix(kModule.size());
    return toText(name);
}

/// Two lines at the left of a lane.
void drawLaneLabels(QPainter& painter, const Theme& theme, const QString& name, const QString& place,
                    int top) {
    painter.setClipRect(0, laneAxis(), laneLabels(), painter.device()->height());
    const auto label = [&](const QString& text, ColorRole role, int y) {
        painter.setPen(theme.color(role));
        painter.drawText(QRect(8, y, laneLabels() - 16, TraceLanes::labelHeight()), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(text, Qt::ElideRight, laneLabels() - 16));
    };
    label(name, ColorRole::Text, top);
    label(place, ColorRole::TextMuted, top + TraceLanes::labelHeight());
}

/// The most that was held in each pixel: an area of what was given out, a line of what was reserved for it.
void drawMemoryLane(QPainter& painter, const Theme& theme, const trace::MemoryCurve& curve,
                    TraceWindow window, int top, int right) {
    const auto most = static_cast<double>(std::max<std::int64_t>({1, curve.peak(), curve.reservedPeak()}));
    const auto yOf = [&](std::int64_t bytes) {
        return top + TraceLanes::memoryHeight() * (1 - static_cast<double>(bytes) / most);
    };
    std::vector<trace::MemoryCurve::Point> columns;
    curve.columns(window.from, window.to, static_cast<std::size_t>(std::max(1, right - laneLabels())),
                  columns);
    painter.setClipRect(laneLabels(), laneAxis(), right - laneLabels(), painter.device()->height());
    const QColor area = theme.categoryColor(Category::Activations);
    const QColor pale = paleOf(theme, area, 0.4);
    const QColor line = theme.color(ColorRole::TextMuted);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].allocated < 0) continue;
        const double x = laneLabels() + static_cast<double>(i);
        const double y = yOf(columns[i].allocated);
        painter.fillRect(QRectF(x, y, 1, top + TraceLanes::memoryHeight() - y), pale);
        painter.fillRect(QRectF(x, y, 1, 1.5), area);
        if (columns[i].reserved >= 0) painter.fillRect(QRectF(x, yOf(columns[i].reserved), 1, 1), line);
    }
    QString name = curve.isOfGpu() ? tr("GPU %1").arg(curve.device()) : tr("processor");
    if (curve.rank() >= 0) name.prepend(tr("rank %1, ").arg(curve.rank()));
    drawLaneLabels(painter, theme, tr("%1, peak %2").arg(name, bytesText(curve.peak())),
                   curve.reservedPeak() < 0 ? tr("allocated")
                                            : tr("reserved %1").arg(bytesText(curve.reservedPeak())),
                   top);
}

/// The name of a group behind the arrow that says whether it is folded.
void drawHeadingLane(QPainter& painter, const Theme& theme, const QRect& box, const QString& name,
                     bool isFolded, bool isMarked) {
    painter.setClipRect(0, laneAxis(), box.width(), painter.device()->height());
    painter.fillRect(box, theme.color(ColorRole::Panel));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(ColorRole::TextMuted));
    const QPointF middle(14, box.center().y() + 0.5);
    painter.setRenderHint(QPainter::Antialiasing);
    if (isFolded)
        painter.drawPolygon(
            QPolygonF{middle + QPointF(-2, -4), middle + QPointF(3, 0), middle + QPointF(-2, 4)});
    else
        painter.drawPolygon(
            QPolygonF{middle + QPointF(-4, -2), middle + QPointF(4, -2), middle + QPointF(0, 3)});
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    const QFont plain = painter.font();
    QFont strong = plain;
    strong.setWeight(QFont::DemiBold);
    painter.setFont(strong);
    painter.setPen(theme.color(ColorRole::Text));
    painter.drawText(box.adjusted(24, 0, 0, 0), Qt::AlignVCenter, name);
    painter.setFont(plain);
    if (!isMarked) return;
    painter.setPen(QPen(theme.color(ColorRole::Accent), 2));
    painter.drawRect(box.adjusted(1, 1, -1, -1));
}
}  // namespace

TraceCanvas::TraceCanvas(Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_scroll(new QScrollBar(Qt::Vertical, this)) {
    setObjectName(QStringLiteral("traceCanvas"));
    setAccessibleName(tr("Lanes of the trace"));
    setFocusPolicy(Qt::StrongFocus);
    setProperty(kWantsFocusRing, true);
    setMinimumSize(320, 120);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    connect(m_scroll, &QScrollBar::valueChanged, this, qOverload<>(&QWidget::update));
    connect(&m_pointer, &Pointer::pressed, this,
            [this](const QPointF& /*at*/, Qt::KeyboardModifiers modifiers) {
                m_pressedWindow = m_window;
                m_pressedScroll = m_scroll->value();
                m_ranging = (modifiers & Qt::ShiftModifier) != 0;
            });
    connect(&m_pointer, &Pointer::dragged, this, &TraceCanvas::dragTo);
    connect(&m_pointer, &Pointer::dropped, this, [this] {
        if (m_ranging && m_opened) emit rangeChosen(m_range);
    });
    connect(&m_pointer, &Pointer::clicked, this, &TraceCanvas::click);
    m_pointer.setTip([this](const QPointF& at) {
        const auto slice = sliceAt(at);
        return slice ? factsOf(*m_opened, *slice) : QString();
    });
}

void TraceCanvas::setTrace(std::shared_ptr<const OpenedTrace> opened) {
    m_opened = std::move(opened);
    m_lanes = {};
    m_emphasis.reset();
    m_shown.reset();
    m_heading.reset();
    m_selected.reset();
    m_range.reset();
    if (m_opened) {
        m_lanes = TraceLanes(*m_opened);
        m_whole = {m_opened->overview.begin, std::max(m_opened->overview.end, m_opened->overview.begin + 1)};
        m_scroll->setValue(0);
        setWindow(m_whole);
    }
    resizeEvent(nullptr);
    describe();
    update();
}

void TraceCanvas::setWindow(TraceWindow window) {
    window = windowWithin(window, m_whole);
    update();
    if (window == m_window) return;
    m_window = window;
    describe();
    emit windowChanged(m_window);
}

void TraceCanvas::setEmphasis(std::shared_ptr<const trace::RowMask> emphasis) {
    m_emphasis = std::move(emphasis);
    update();
}

void TraceCanvas::select(std::optional<std::uint32_t> slice) {
    m_selected = slice;
    m_heading.reset();
    if (slice) {
        const trace::Slices& slices = m_opened->trace->slices;
        if (slices.end(*slice) < m_window.from || slices.begin[*slice] > m_window.to) {
            const trace::Nanoseconds length = std::max(m_window.length(), slices.duration[*slice]);
            const trace::Nanoseconds from = slices.begin[*slice] + slices.duration[*slice] / 2 - length / 2;
            setWindow({from, from + length});
        }
        m_lanes.reveal(slices.track[*slice]);
        resizeEvent(nullptr);
        const double y = boxOf(*slice).center().y();
        if (y < laneAxis() || y > height())
            m_scroll->setValue(m_scroll->value() + static_cast<int>(y) - height() / 2);
    }
    describe();
    update();
    emit selectionChanged();
}

TimeAxis TraceCanvas::axis() const {
    return {m_window, static_cast<double>(laneLabels()),
            static_cast<double>(std::max(1, m_scroll->x() - laneLabels()))};
}

QRectF TraceCanvas::boxOf(std::uint32_t slice) const {
    const trace::Slices& slices = m_opened->trace->slices;
    const TraceLanes::Lane* lane = m_lanes.ofTrack(slices.track[slice]);
    if (lane == nullptr) return {};
    const double left = axis().xOf(slices.begin[slice]);
    return {left,
            static_cast<double>(laneAxis() + lane->top + slices.row[slice] * TraceLanes::rowHeight() -
                                m_scroll->value()),
            std::max(1.0, axis().xOf(slices.end(slice)) - left), TraceLanes::rowHeight() - 2.0};
}

void TraceCanvas::setShown(std::shared_ptr<const trace::RowMask> shown) {
    m_shown = std::move(shown);
    update();
}

void TraceCanvas::clearRange() {
    m_range.reset();
    update();
    emit rangeChosen({});
}

void TraceCanvas::fold(std::size_t group, bool folded) {
    m_lanes.setFolded(group, folded);
    resizeEvent(nullptr);
    describe();
    update();
}

void TraceCanvas::describe() {
    if (!m_opened) return setAccessibleDescription({});
    QStringList said;
    if (m_heading)
        said << m_lanes.nameOf(*m_heading) +
                    (m_lanes.isFolded(*m_heading) ? tr(", folded") : tr(", unfolded"));
    else if (m_selected)
        said << factsOf(*m_opened, *m_selected).replace(QLatin1Char('\n'), QStringLiteral("; "));
    said << windowText(m_window, m_whole);
    for (std::size_t group = 0; group < m_lanes.groups(); ++group) said << m_lanes.nameOf(group);
    setAccessibleDescription(said.join(QStringLiteral("; ")));
}

/// Left, right, Enter and the space bar fold a heading; elsewhere the keys go to the next place.
bool TraceCanvas::walk(int key) {
    static constexpr std::array kWays{Qt::Key_Up,   Qt::Key_Down, Qt::Key_Left,   Qt::Key_Right,
                                      Qt::Key_Home, Qt::Key_End,  Qt::Key_PageUp, Qt::Key_PageDown};
    const bool turns = key == Qt::Key_Space || key == Qt::Key_Return || key == Qt::Key_Enter;
    if (m_heading && (turns || key == Qt::Key_Left || key == Qt::Key_Right)) {
        fold(*m_heading, turns ? !m_lanes.isFolded(*m_heading) : key == Qt::Key_Left);
        return true;
    }
    if (!m_opened || std::ranges::find(kWays, key) == kWays.end()) return false;
    const TracePlace to =
        TraceWalk(*m_opened, m_lanes, m_shown.get()).step({m_heading, m_selected}, key, m_window);
    if (!to.heading) {
        if (to.slice) select(to.slice);
        return true;
    }
    m_heading = to.heading;
    const int room = std::max(0, height() - laneAxis() - TraceLanes::headingHeight());
    for (const TraceLanes::Lane& lane : m_lanes.lanes())
        if (lane.kind == TraceLanes::Kind::Heading && lane.item == *m_heading)
            m_scroll->setValue(std::clamp(m_scroll->value(), lane.top - room, lane.top));
    fold(*m_heading, m_lanes.isFolded(*m_heading));
    return true;
}

void TraceCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange) return;
    m_lanes.lay();
    resizeEvent(nullptr);
}

void TraceCanvas::drawAxis(QPainter& painter) const {
    const int pixels = std::max(1, m_scroll->x() - laneLabels());
    const trace::Nanoseconds step =
        roundTimeStep(std::max<trace::Nanoseconds>(1, m_window.length() / std::max(1, pixels / 100)));
    for (trace::Nanoseconds time = (m_window.from - m_whole.from + step - 1) / step * step;
         time + m_whole.from <= m_window.to; time += step) {
        const double x = axis().xOf(time + m_whole.from);
        painter.setPen(m_theme.color(ColorRole::Grid));
        painter.drawLine(QPointF(x, laneAxis() - 4), QPointF(x, height()));
        painter.setPen(m_theme.color(ColorRole::Axis));
        const QString text = axisTimeText(time, step, m_window.to - m_whole.from);
        if (x + painter.fontMetrics().horizontalAdvance(text) + 4 < m_scroll->x())
            painter.drawText(QPointF(x + 3, laneAxis() - 9), text);
    }
}

void TraceCanvas::drawLane(QPainter& painter, const TraceLanes::Lane& lane) const {
    switch (lane.kind) {
    case TraceLanes::Kind::Heading:
        return drawHeadingLane(painter, m_theme,
                               QRect(0, laneAxis() + lane.top - m_scroll->value(), m_scroll->x(),
                                     TraceLanes::headingHeight() - 2),
                               m_lanes.nameOf(lane.item), m_lanes.isFolded(lane.item),
                               m_heading == lane.item && hasFocus());
    case TraceLanes::Kind::Memory:
        drawMemoryLane(painter, m_theme, m_opened->memory[lane.item], m_window,
                       laneAxis() + lane.top - m_scroll->value(), m_scroll->x());
        break;
    case TraceLanes::Kind::Track:
        drawTrack(painter, lane);
        break;
    }
    painter.setClipRect(0, laneAxis(), m_scroll->x(), height());
    painter.setPen(m_theme.color(ColorRole::Grid));
    const int bottom = laneAxis() + lane.top + lane.height - m_scroll->value() - 5;
    painter.drawLine(0, bottom, m_scroll->x(), bottom);
}

void TraceCanvas::drawTrack(QPainter& painter, const TraceLanes::Lane& lane) const {
    const trace::Trace& trace = *m_opened->trace;
    const trace::Track& track = trace.tracks[lane.item];
    const int top = laneAxis() + lane.top - m_scroll->value();
    const trace::Nanoseconds pixel = m_window.length() / std::max(1, m_scroll->x() - laneLabels());
    std::vector<trace::DrawnSpan> spans;
    const TimeAxis times = axis();
    painter.setClipRect(laneLabels(), laneAxis(), m_scroll->x() - laneLabels(), height());
    for (std::size_t row = 0; row < track.rows; ++row) {
        const double y = top + static_cast<double>(row) * TraceLanes::rowHeight();
        if (y > height() || y + TraceLanes::rowHeight() < laneAxis()) continue;
        m_opened->index->draw(track.firstRow + row, m_window.from, m_window.to, pixel, spans);
        for (const trace::DrawnSpan& span : spans) {
            const double left = std::max<double>(laneLabels(), times.xOf(span.begin));
            const double right = std::min<double>(m_scroll->x(), times.xOf(span.end));
            const QRectF box(left, y, std::max(1.0, right - left - (right - left > 4 ? 1 : 0)),
                             TraceLanes::rowHeight() - 2);
            const auto strong = m_emphasis ? m_emphasis->firstIn(span) : std::nullopt;
            const auto shown = m_shown ? m_shown->firstIn(span) : std::optional(span.entry);
            if (!shown) continue;
            const std::uint32_t told = trace.rowOrder[strong.value_or(*shown)];
            QColor color = colorOf(m_theme, toneOf(*m_opened, told));
            if (m_emphasis && !strong) color = paleOf(m_theme, color, 0.2);
            painter.fillRect(box, color);
            if (box.width() < 30 || span.count > 1) continue;
            painter.setPen(color.lightnessF() > 0.55 ? Qt::black : Qt::white);
            painter.drawText(box.adjusted(4, 0, -2, 0), Qt::AlignVCenter,
                             painter.fontMetrics().elidedText(barText(trace.name(span.slice)), Qt::ElideRight,
                                                              static_cast<int>(box.width()) - 6));
        }
    }
    const bool thread = track.kind == trace::TrackKind::Thread;
    QString name = toText(trace.names.at(track.threadLabel));
    if (name.isEmpty())
        name = thread ? tr("thread %1").arg(toText(trace.names.at(track.thread)))
                      : tr("stream %1").arg(track.stream);
    QString place = thread ? tr("process %1").arg(toText(trace.names.at(track.process)))
                           : tr("device %1").arg(track.device);
    if (track.rank >= 0) place.prepend(tr("rank %1, ").arg(track.rank));
    if (track.kind == trace::TrackKind::StreamAnnotations) place += tr(", annotations");
    if (track.kind == trace::TrackKind::StreamSyncs) place += tr(", waits");
    drawLaneLabels(painter, m_theme, name, place, top);
}

void TraceCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorRole::Card));
    if (!m_opened) return;
    QFont small = font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() - 1));
    painter.setFont(small);
    drawAxis(painter);
    for (const TraceLanes::Lane& lane : m_lanes.lanes())
        if (lane.top + lane.height >= m_scroll->value() && lane.top <= m_scroll->value() + height())
            drawLane(painter, lane);
    painter.setClipRect(laneLabels(), 0, m_scroll->x() - laneLabels(), height());
    if (m_range) {
        QColor veil = m_theme.color(ColorRole::Accent);
        veil.setAlphaF(0.2F);
        painter.fillRect(QRectF(axis().xOf(m_range->from), 0,
                                axis().xOf(m_range->to) - axis().xOf(m_range->from), height()),
                         veil);
    }
    if (m_selected && m_lanes.ofTrack(m_opened->trace->slices.track[*m_selected]) != nullptr) {
        painter.setPen(QPen(m_theme.color(ColorRole::TextStrong), 2));
        painter.drawRect(boxOf(*m_selected).adjusted(-1, -1, 1, 1));
    }
}

void TraceCanvas::resizeEvent(QResizeEvent* /*event*/) {
    const int breadth = m_scroll->sizeHint().width();
    m_scroll->setGeometry(width() - breadth, laneAxis(), breadth, height() - laneAxis());
    const int room = std::max(1, height() - laneAxis());
    m_scroll->setPageStep(room);
    m_scroll->setSingleStep(TraceLanes::rowHeight());
    m_scroll->setRange(0, std::max(0, m_lanes.height() - room));
}

std::optional<std::uint32_t> TraceCanvas::sliceAt(QPointF point) const {
    if (!m_opened || point.x() < laneLabels() || point.y() < laneAxis()) return {};
    const int y = static_cast<int>(point.y()) - laneAxis() + m_scroll->value();
    const TraceLanes::Lane* lane = m_lanes.at(y);
    if (lane == nullptr || lane->kind != TraceLanes::Kind::Track) return {};
    const trace::Track& track = m_opened->trace->tracks[lane->item];
    const auto row = static_cast<std::size_t>((y - lane->top) / TraceLanes::rowHeight());
    if (row >= track.rows) return {};
    std::vector<trace::DrawnSpan> spans;
    m_opened->index->draw(track.firstRow + row, m_window.from, m_window.to,
                          m_window.length() / std::max(1, m_scroll->x() - laneLabels()), spans);
    for (const trace::DrawnSpan& span : spans) {
        const auto shown = m_shown ? m_shown->firstIn(span) : std::optional(span.entry);
        if (shown && point.x() >= axis().xOf(span.begin) - 1 && point.x() <= axis().xOf(span.end) + 1)
            return m_opened->trace->rowOrder[*shown];
    }
    return {};
}

void TraceCanvas::wheelEvent(QWheelEvent* event) {
    if (event->position().x() < laneLabels() || (event->modifiers() & Qt::ShiftModifier) != 0)
        m_scroll->setValue(m_scroll->value() - event->angleDelta().y() / 2);
    else
        setWindow(zoomed(m_window, m_whole, std::pow(0.8, event->angleDelta().y() / 120.0),
                         axis().timeAt(event->position().x())));
    event->accept();
}

void TraceCanvas::dragTo(const QPointF& to) {
    if (!m_opened) return;
    const QPointF from = m_pointer.pressedAt();
    if (m_ranging) {
        const auto [begin, end] = std::minmax({axis().timeAt(from.x()), axis().timeAt(to.x())});
        m_range = TraceWindow{std::max(begin, m_whole.from), std::min(end, m_whole.to)};
        return update();
    }
    const QPointF way = to - from;
    const auto shift = static_cast<trace::Nanoseconds>(way.x() / std::max(1, m_scroll->x() - laneLabels()) *
                                                       static_cast<double>(m_pressedWindow.length()));
    setWindow({m_pressedWindow.from - shift, m_pressedWindow.to - shift});
    m_scroll->setValue(m_pressedScroll - static_cast<int>(way.y()));
}

void TraceCanvas::click(const QPointF& at) {
    if (!m_opened) return;
    const int below = static_cast<int>(at.y()) - laneAxis();
    const TraceLanes::Lane* lane = at.y() < laneAxis() ? nullptr : m_lanes.at(below + m_scroll->value());
    if (lane == nullptr || lane->kind != TraceLanes::Kind::Heading) return select(sliceAt(at));
    fold(lane->item, !m_lanes.isFolded(lane->item));
}

void TraceCanvas::keyPressEvent(QKeyEvent* event) {
    const trace::Nanoseconds part = std::max<trace::Nanoseconds>(1, m_window.length() / 5);
    const trace::Nanoseconds middle = m_window.from + m_window.length() / 2;
    if (walk(event->key())) return;
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
        return setWindow(zoomed(m_window, m_whole, 0.8, middle));
    case Qt::Key_S:
    case Qt::Key_Minus:
        return setWindow(zoomed(m_window, m_whole, 1.25, middle));
    case Qt::Key_A:
        return setWindow({m_window.from - part, m_window.to - part});
    case Qt::Key_D:
        return setWindow({m_window.from + part, m_window.to + part});
    case Qt::Key_0:
        return setWindow(m_whole);
    case Qt::Key_M:
        if (!m_selected) return;
        m_range =
            TraceWindow{m_opened->trace->slices.begin[*m_selected], m_opened->trace->slices.end(*m_selected)};
        update();
        return emit rangeChosen(m_range);
    case Qt::Key_F:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_selected) return setWindow(m_range.value_or(m_whole));
        return setWindow(
            {m_opened->trace->slices.begin[*m_selected], m_opened->trace->slices.end(*m_selected)});
    case Qt::Key_Escape:
        if (!m_selected && !m_range && !m_heading) return setWindow(m_whole);
        clearRange();
        return select({});
    default:
        QWidget::keyPressEvent(event);
    }
}

}  // namespace plumb::ui
