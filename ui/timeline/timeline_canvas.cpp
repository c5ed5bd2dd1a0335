// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_canvas.h"

#include "core/base/entry_at.h"
#include "ui/charts/within.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <utility>

namespace plumb::ui {
namespace {

constexpr double kKeyZoom = 1.5;

/// What screen readers say: the current bar, and what there is.
QString spokenText(const TimelineState& state, const BarPlace& current) {
    if (!current.isValid()) return state.summary;
    const TimelineBar& bar = state.bar(current);
    return QStringLiteral("%1, %2; %3")
        .arg(barName(state, bar), exactTime(bar.end - bar.begin), state.summary);
}

}  // namespace

TimelineCanvas::TimelineCanvas(Theme& theme, QWidget* parent)
    : QAbstractScrollArea(parent), m_theme(theme), m_mouse(m_viewport, *viewport()), m_card(theme, *this) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    connect(&theme, &Theme::changed, this, &TimelineCanvas::invalidate);
    connect(&m_mouse, &TimelineMouse::pressed, this, [this] { m_card.hide(); });
    connect(&m_mouse, &TimelineMouse::clicked, this, &TimelineCanvas::click);
    connect(&m_mouse, &TimelineMouse::doubleClicked, this, &TimelineCanvas::fitBarAt);
    connect(&m_mouse, &TimelineMouse::hovered, this, &TimelineCanvas::hover);
    connect(&m_mouse, &TimelineMouse::left, this, [this] {
        endHover();
        viewport()->update();
    });
    connect(&m_mouse, &TimelineMouse::timeMoved, this, &TimelineCanvas::moved);
    connect(&m_mouse, &TimelineMouse::scrolled, this,
            [this](int pixels) { verticalScrollBar()->setValue(verticalScrollBar()->value() + pixels); });
    connect(&m_mouse, &TimelineMouse::rangeDragged, this, &TimelineCanvas::setRange);
}

void TimelineCanvas::setState(const TimelineState* state, bool keep) {
    m_viewport.setState(state);
    endHover();
    m_marks.current = {};
    m_marks.matches.clear();
    if (!keep) m_marks.range.reset();
    if (!m_viewport.isEmpty()) {
        m_viewport.window.whole = state->whole;
        if (!keep) m_viewport.window.fitAll();
    }
    if (state != nullptr) setAccessibleDescription(spokenText(*state, {}));
    layOut();
    emit rangeChanged();
}

void TimelineCanvas::setSelectedOp(std::int32_t readingOp) {
    m_marks.selectedOp = readingOp;
    invalidate();
}

void TimelineCanvas::setMatches(Matches matches) {
    m_marks.matches = std::move(matches);
    invalidate();
}

void TimelineCanvas::setFlags(std::vector<TimelineFlag> flags) {
    m_marks.flags = std::move(flags);
    invalidate();
}

void TimelineCanvas::setRange(std::optional<Range> range) {
    if (range && range->first > range->second) std::swap(range->first, range->second);
    m_marks.range = range;
    invalidate();
    emit rangeChanged();
}

void TimelineCanvas::setCurrent(BarPlace place) {
    m_marks.current = place;
    if (place.isValid()) {
        const TimelineBar& bar = m_viewport.state().bar(place);
        m_viewport.window.show(bar.begin, bar.end);
        const QRectF row = rowRect(place.row);
        if (row.top() < m_viewport.rulerRect().bottom() || row.bottom() > viewport()->height())
            verticalScrollBar()->setValue(static_cast<int>(m_viewport.scrollOf(place.row)));
    }
    if (m_viewport.hasState()) setAccessibleDescription(spokenText(m_viewport.state(), place));
    invalidate();
}

void TimelineCanvas::fitAll() {
    m_viewport.window.fitAll();
    moved();
}

void TimelineCanvas::fitSelection() {
    if (m_marks.range) {
        m_viewport.window.fit(m_marks.range->first, m_marks.range->second);
    } else if (m_marks.current.isValid()) {
        const TimelineBar& bar = m_viewport.state().bar(m_marks.current);
        m_viewport.window.fit(bar.begin, bar.end);
    } else {
        m_viewport.window.fitAll();
    }
    moved();
}

void TimelineCanvas::layOut() {
    m_viewport.layOut(viewport()->size(), font());
    verticalScrollBar()->setPageStep(m_viewport.page());
    verticalScrollBar()->setRange(0, m_viewport.farthestScroll());
    invalidate();
}

void TimelineCanvas::invalidate() {
    m_layerValid = false;
    viewport()->update();
}

void TimelineCanvas::moved() {
    endHover();
    invalidate();
}

void TimelineCanvas::choose(BarPlace place) {
    setCurrent(place);
    emit barChosen(place);
}

void TimelineCanvas::moveCurrent(int key) {
    const BarPlace next = neighbour(m_viewport, m_marks.current, key);
    if (next.isValid()) choose(next);
    if (!m_marks.current.isValid()) return;
    const TimelineBar& bar = m_viewport.state().bar(m_marks.current);
    const double x = within(m_viewport.window.toX(bar.end), m_viewport.left(), m_viewport.right());
    m_card.show(barCard(m_viewport.state(), m_marks.current), *viewport(),
                {x, rowRect(m_marks.current.row).bottom()});
}

void TimelineCanvas::click(const QPointF& pixel) {
    if (m_viewport.rowAt(pixel.y()) < 0) return;
    const std::optional<PlacedFold> at = m_viewport.foldAt(pixel);
    if (!at) return choose({});
    choose({at->row, at->fold.first});  // of several too narrow to be told apart, the first
    hover(pixel);
}

void TimelineCanvas::fitBarAt(const QPointF& pixel) {
    if (m_viewport.isEmpty() || pixel.y() < m_viewport.rulerRect().bottom()) return fitAll();
    const std::optional<PlacedFold> at = m_viewport.foldAt(pixel);
    if (!at) return;
    m_viewport.window.fit(at->fold.begin, at->fold.end);
    moved();
}

void TimelineCanvas::hover(const QPointF& pixel) {
    m_hovered = m_viewport.foldAt(pixel);
    viewport()->update();
    const TimelineState& state = m_viewport.state();
    if (m_hovered) {
        const auto& [row, fold] = *m_hovered;
        return m_card.show(fold.count == 1 ? barCard(state, {row, fold.first}) : foldCard(state, row, fold),
                           *viewport(), pixel);
    }
    const std::int32_t row = pixel.x() < m_viewport.left() ? -1 : m_viewport.rowAt(pixel.y());
    if (row < 0 || state.row(row).kind != TimelineRow::Kind::Curve) return m_card.hide();
    m_card.show(memoryCard(state, std::max(0.0, m_viewport.window.toTime(pixel.x()))), *viewport(), pixel);
}

void TimelineCanvas::endHover() {
    m_hovered.reset();
    m_card.hide();
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    if (m_viewport.isEmpty() || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)))
        return QAbstractScrollArea::keyPressEvent(event);
    TimeWindow& window = m_viewport.window;
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const double far = (shift ? 0.5 : 0.1) * window.width;
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
        window.zoom(kKeyZoom, m_mouse.pivot());
        return moved();
    case Qt::Key_S:
    case Qt::Key_Minus:
        window.zoom(1 / kKeyZoom, m_mouse.pivot());
        return moved();
    case Qt::Key_A:
        window.pan(-far);
        return moved();
    case Qt::Key_D:
        window.pan(far);
        return moved();
    case Qt::Key_F:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return fitSelection();
    case Qt::Key_0:
        return fitAll();
    case Qt::Key_M:
        if (!m_marks.current.isValid()) return;
        return setRange(Range(m_viewport.state().bar(m_marks.current).begin,
                              m_viewport.state().bar(m_marks.current).end));
    case Qt::Key_N:
        return emit searchWanted(shift ? -1 : 1);
    case Qt::Key_Escape:
        m_card.hide();
        if (m_marks.range) return setRange(std::nullopt);
        return choose({});
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
        return moveCurrent(event->key());
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

bool TimelineCanvas::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip && m_viewport.hasState()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const std::int32_t row = help->pos().x() < m_viewport.left() ? m_viewport.rowAt(help->pos().y()) : -1;
        if (row >= 0)
            QToolTip::showText(help->globalPos(), m_viewport.state().row(row).help, this);
        else
            QToolTip::hideText();
        return true;
    }
    return m_mouse.take(event) || QAbstractScrollArea::viewportEvent(event);
}

bool TimelineCanvas::event(QEvent* event) {
    const bool taken = QAbstractScrollArea::event(event);
    switch (event->type()) {
    case QEvent::FontChange:
    case QEvent::StyleChange:
        layOut();
        break;
    case QEvent::FocusOut:
        m_card.hide();
        [[fallthrough]];
    case QEvent::FocusIn:
        invalidate();
        break;
    default:
        break;
    }
    return taken;
}

void TimelineCanvas::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void TimelineCanvas::scrollContentsBy(int, int) {
    m_viewport.scrollTo(verticalScrollBar()->value());
    invalidate();
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
        if (!m_viewport.isEmpty()) {
            QPainter painter(&m_layer);
            TimelinePainter(m_theme, m_viewport, m_marks, font(), painter).paintLanes();
            if (hasFocus()) {
                painter.setPen(QPen(m_theme.color(ColorRole::Accent), 1));
                painter.setBrush(Qt::NoBrush);
                painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
            }
        }
    }
    QPainter painter(viewport());
    painter.drawPixmap(0, 0, m_layer);
    if (!m_viewport.isEmpty())
        TimelinePainter(m_theme, m_viewport, m_marks, font(), painter)
            .paintOverlay(m_hovered, m_mouse.crosshair());
}

}  // namespace plumb::ui
