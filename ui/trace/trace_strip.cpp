// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_strip.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace plumb::ui {

TraceStrip::TraceStrip(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("traceStrip"));
    setAccessibleName(tr("The whole trace"));
    setFixedHeight(48);
    connect(&m_pointer, &Pointer::pressed, this, [this](const QPointF& at) { center(at.x()); });
    connect(&m_pointer, &Pointer::dragged, this, [this](const QPointF& to) { center(to.x()); });
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TraceStrip::setTrace(std::shared_ptr<const OpenedTrace> opened) {
    m_opened = std::move(opened);
    m_busy.clear();
    if (m_opened)
        m_whole = {m_opened->overview.begin, std::max(m_opened->overview.end, m_opened->overview.begin + 1)};
    describe();
    update();
}

void TraceStrip::setWindow(TraceWindow window) {
    m_window = window;
    describe();
    update();
}

void TraceStrip::describe() {
    if (!m_opened) return setAccessibleDescription({});
    const auto steps = m_opened->overview.steps.size();
    setAccessibleDescription(
        tr("%1. The lanes show %2")
            .arg(steps == 1 ? tr("1 step") : tr("%1 steps").arg(steps), windowText(m_window, m_whole)));
}

/// Work of all devices, once for each width: a paint walks pixels, however many pieces there are.
void TraceStrip::layWork() {
    m_busy.assign(static_cast<std::size_t>(std::max(1, width())), 0.0F);
    const trace::Slices& slices = m_opened->trace->slices;
    const TimeAxis times = axis();
    std::vector<std::pair<double, double>> pieces;
    pieces.reserve(m_opened->links.work.size());
    for (const trace::GpuWork& work : m_opened->links.work)
        pieces.emplace_back(times.xOf(slices.begin[work.slice]), times.xOf(slices.end(work.slice)));
    std::ranges::sort(pieces);
    double covered = 0;
    for (const auto& [begin, end] : pieces) {
        double from = std::max(begin, covered);
        covered = std::max(covered, end);
        while (from < end) {
            const auto column = std::min(static_cast<std::size_t>(from), m_busy.size() - 1);
            const double until = std::min(end, static_cast<double>(column + 1));
            if (until <= from) break;
            m_busy[column] += static_cast<float>(until - from);
            from = until;
        }
    }
}

void TraceStrip::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorRole::Card));
    if (!m_opened) return;
    const TimeAxis times = axis();
    for (const trace::StepFigures& figures : m_opened->overview.steps) {
        const double left = times.xOf(figures.step.begin);
        const QRectF box(left, 4, std::max(1.0, times.xOf(figures.step.windowEnd) - left - 1), 18);
        painter.fillRect(box, m_theme.color(ColorRole::Track));
        const QString name =
            toText(m_opened->trace->names.at(figures.step.name)).section(QLatin1Char('#'), -1);
        painter.setPen(m_theme.color(ColorRole::TextMuted));
        if (painter.fontMetrics().horizontalAdvance(name) + 6 < box.width())
            painter.drawText(box, Qt::AlignCenter, name);
    }
    if (m_busy.size() != static_cast<std::size_t>(std::max(1, width()))) layWork();
    const QColor busy = m_theme.phaseColor(Phase::Forward);
    for (std::size_t x = 0; x < m_busy.size(); ++x)
        if (m_busy[x] > 0) {
            const double height = std::max(1.0, 16.0 * static_cast<double>(m_busy[x]));
            painter.fillRect(QRectF(static_cast<double>(x), 42 - height, 1, height), busy);
        }
    const double left = times.xOf(m_window.from);
    painter.setPen(QPen(m_theme.color(ColorRole::Accent), 2));
    painter.drawRect(QRectF(left + 1, 1, std::max(3.0, times.xOf(m_window.to) - left - 2), height() - 2));
}

void TraceStrip::center(double x) {
    const trace::Nanoseconds from = axis().timeAt(x) - m_window.length() / 2;
    emit windowChosen({from, from + m_window.length()});
}

}  // namespace plumb::ui
