// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline does when the mouse or the keyboard is used.
#include "ui/charts/hover_card.h"
#include "ui/charts/within.h"
#include "ui/timeline/timeline_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr double kClickSlack = 4;  // a press that moves less is a click
constexpr double kKeyZoom = 1.5;
constexpr double kWheelZoom = 1.2;

}  // namespace

double TimelineCanvas::pivot() const {
    if (m_pointer && m_pointer->x() >= m_window.left) return m_pointer->x();
    return m_window.left + m_window.width / 2;
}

void TimelineCanvas::choose(BarPlace place) {
    setCurrent(place);
    emit barChosen(place);
}

void TimelineCanvas::moveCurrent(int key) {
    if (m_state->rows.empty()) return;
    const auto hasBars = [&](std::int32_t row) {
        return m_state->rows[static_cast<std::size_t>(row)].bars.size() > 0;
    };
    const auto barsOf = [&](std::int32_t row) -> const BarRow& {
        return m_state->rows[static_cast<std::size_t>(row)].bars;
    };
    BarPlace next = m_current;
    if (!next.isValid()) {
        for (std::int32_t row = 0; row < static_cast<std::int32_t>(m_state->rows.size()); ++row) {
            if (!hasBars(row)) continue;
            const auto [first, last] = barsOf(row).within(m_window.from, m_window.to);
            return choose({row, static_cast<std::int32_t>(first < last ? first : 0)});
        }
        return;
    }
    const auto count = static_cast<std::int32_t>(barsOf(next.row).size());
    switch (key) {
    case Qt::Key_Left:
        next.bar = std::max(0, next.bar - 1);
        break;
    case Qt::Key_Right:
        next.bar = std::min(count - 1, next.bar + 1);
        break;
    case Qt::Key_Home:
        next.bar = 0;
        break;
    case Qt::Key_End:
        next.bar = count - 1;
        break;
    default: {
        const std::int32_t step = key == Qt::Key_Up ? -1 : 1;
        const TimelineBar& bar = m_state->bar(m_current);
        std::int32_t row = next.row + step;
        while (row >= 0 && row < static_cast<std::int32_t>(m_state->rows.size()) && !hasBars(row))
            row += step;
        if (row < 0 || row >= static_cast<std::int32_t>(m_state->rows.size())) return;
        next = {row, barsOf(row).nearest((bar.begin + bar.end) / 2)};
    }
    }
    choose(next);
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    if (!m_state || !m_state->timeline || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)))
        return QAbstractScrollArea::keyPressEvent(event);
    const double far = (event->modifiers() & Qt::ShiftModifier) ? 0.5 : 0.1;
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
        m_window.zoom(kKeyZoom, pivot());
        return changeWindow();
    case Qt::Key_S:
    case Qt::Key_Minus:
        m_window.zoom(1 / kKeyZoom, pivot());
        return changeWindow();
    case Qt::Key_A:
        m_window.pan(-far * m_window.width);
        return changeWindow();
    case Qt::Key_D:
        m_window.pan(far * m_window.width);
        return changeWindow();
    case Qt::Key_F:
        return fitSelection();
    case Qt::Key_0:
        return fitAll();
    case Qt::Key_M:
        if (m_current.isValid()) setRange(Range(m_state->bar(m_current).begin, m_state->bar(m_current).end));
        return;
    case Qt::Key_Slash:
        emit searchWanted(0);
        return;
    case Qt::Key_N:
        emit searchWanted((event->modifiers() & Qt::ShiftModifier) ? -1 : 1);
        return;
    case Qt::Key_Escape:
        hideCard();
        if (m_range)
            setRange(std::nullopt);
        else
            choose({});
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return fitSelection();
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End: {
        moveCurrent(event->key());
        if (!m_current.isValid()) return;
        const TimelineBar& bar = m_state->bar(m_current);
        const QRectF row = rowRect(m_current.row);
        showCard(
            barCard(*m_state, m_current),
            {within(m_window.toX(bar.end), m_window.left, m_window.left + m_window.width), row.bottom()});
        return;
    }
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    if (!m_state || !m_state->timeline) return;
    m_pressed = m_last = event->position();
    hideCard();
    if (minimapRect().adjusted(0, -2, 0, 2).contains(m_pressed)) {
        m_drag = Drag::Minimap;
        mouseMoveEvent(event);
        return;
    }
    const bool onRuler = m_pressed.y() < rulerRect().bottom();
    const bool range =
        event->button() == Qt::LeftButton && (onRuler || (event->modifiers() & Qt::ShiftModifier));
    m_drag = range ? Drag::Range : Drag::Pressed;
    m_rangeStart = within(m_window.toTime(std::max(m_pressed.x(), m_window.left)), 0.0, m_window.whole);
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    m_pointer = at;
    if (!m_state || !m_state->timeline) return;
    const bool moved = (at - m_pressed).manhattanLength() > kClickSlack;
    if (m_drag == Drag::Pressed && moved) {
        m_drag = Drag::Pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
    }
    switch (m_drag) {
    case Drag::Pan:
        m_window.pan(m_last.x() - at.x());
        verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                      static_cast<int>(std::lround(m_last.y() - at.y())));
        changeWindow();
        break;
    case Drag::Range:
        if (moved) {
            const Seconds time =
                within(m_window.toTime(std::max(at.x(), m_window.left)), 0.0, m_window.whole);
            setRange(Range(m_rangeStart, time));
        }
        break;
    case Drag::Minimap: {
        const Seconds centre = (at.x() - m_window.left) / m_window.width * m_window.whole;
        m_window.pan((centre - (m_window.from + m_window.to) / 2) / m_window.perPixel());
        changeWindow();
        break;
    }
    case Drag::Pressed:
        break;
    case Drag::None:
        hover(at);
    }
    m_last = at;
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = std::exchange(m_drag, Drag::None);
    viewport()->unsetCursor();
    if (!m_state || !m_state->timeline || event->button() != Qt::LeftButton) return;
    const bool moved = (event->position() - m_pressed).manhattanLength() > kClickSlack;
    if (drag == Drag::Range && !moved) setRange(std::nullopt);
    if (drag != Drag::Pressed) return;
    const std::int32_t row = rowAt(event->position().y());
    if (row < 0) return;
    const std::optional<FoldedBar> fold = foldAt(row, event->position().x());
    if (!fold) return choose({});
    choose({row, fold->first});  // of several too narrow to be told apart, the first
    hover(event->position());
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!m_state || !m_state->timeline || event->position().y() < rulerRect().bottom()) return fitAll();
    const std::int32_t row = rowAt(event->position().y());
    const std::optional<FoldedBar> fold = row < 0 ? std::nullopt : foldAt(row, event->position().x());
    if (!fold) return;
    m_window.fit(fold->begin, fold->end);
    changeWindow();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
    if (!m_state || !m_state->timeline) return;
    const QPoint delta = event->angleDelta();
    m_pointer = event->position();
    const bool inGutter = event->position().x() < m_window.left;
    if ((inGutter || (event->modifiers() & Qt::ControlModifier)) && verticalScrollBar()->maximum() > 0) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y() / 2);
    } else if (std::abs(delta.x()) > std::abs(delta.y())) {
        m_window.pan(-delta.x());
    } else if (event->modifiers() & Qt::ShiftModifier) {
        m_window.pan(-delta.y());
    } else {
        m_window.zoom(std::pow(kWheelZoom, delta.y() / 120.0), pivot());
    }
    changeWindow();
    event->accept();
}

bool TimelineCanvas::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) {
        m_pointer.reset();
        m_hovered.reset();
        hideCard();
        viewport()->update();
    }
    if (event->type() == QEvent::ToolTip && m_state) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const std::int32_t row = help->pos().x() < m_window.left ? rowAt(help->pos().y()) : -1;
        if (row >= 0)
            QToolTip::showText(help->globalPos(), m_state->rows[static_cast<std::size_t>(row)].help, this);
        else
            QToolTip::hideText();
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineCanvas::hover(const QPointF& pixel) {
    m_hovered.reset();
    const std::int32_t row = rowAt(pixel.y());
    viewport()->update();
    if (row < 0 || pixel.x() < m_window.left) return hideCard();
    const TimelineRow& lane = m_state->rows[static_cast<std::size_t>(row)];
    if (lane.kind == TimelineRow::Kind::Curve)
        return showCard(memoryCard(*m_state, std::max(0.0, m_window.toTime(pixel.x()))), pixel);
    const std::optional<FoldedBar> fold = foldAt(row, pixel.x());
    if (!fold) return hideCard();
    m_hovered = std::pair(row, *fold);
    showCard(fold->count == 1 ? barCard(*m_state, {row, fold->first}) : foldCard(*m_state, row, *fold),
             pixel);
}

void TimelineCanvas::showCard(const HoverCardContent& content, const QPointF& pixel) {
    QWidget* whole = QWidget::window();
    if (!m_card) m_card = new HoverCard(m_theme, whole);
    if (m_card->parentWidget() != whole) m_card->setParent(whole);
    m_card->setContent(content);
    m_card->showAt(viewport()->mapTo(whole, pixel.toPoint()));
}

void TimelineCanvas::hideCard() {
    if (m_card) m_card->hide();
}

}  // namespace plumb::ui
