// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_strip.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace plumb::ui {

TraceStrip::TraceStrip(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("traceStrip"));
    setFixedHeight(48);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TraceStrip::setTrace(std::shared_ptr<const OpenedTrace> opened) {
    m_opened = std::move(opened);
    if (m_opened)
        m_whole = {m_opened->overview.begin, std::max(m_opened->overview.end, m_opened->overview.begin + 1)};
    update();
}

void TraceStrip::setWindow(TraceWindow window) {
    m_window = window;
    update();
}

double TraceStrip::xOf(trace::Nanoseconds time) const {
    return static_cast<double>(time - m_whole.from) / static_cast<double>(m_whole.length()) * width();
}

void TraceStrip::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorRole::Card));
    if (!m_opened) return;
    for (const trace::StepFigures& figures : m_opened->overview.steps) {
        const double left = xOf(figures.step.begin);
        const QRectF box(left, 4, std::max(1.0, xOf(figures.step.windowEnd) - left - 1), 18);
        painter.fillRect(box, m_theme.color(ColorRole::Track));
        const QString name =
            toText(m_opened->trace->names.at(figures.step.name)).section(QLatin1Char('#'), -1);
        painter.setPen(m_theme.color(ColorRole::TextMuted));
        if (painter.fontMetrics().horizontalAdvance(name) + 6 < box.width())
            painter.drawText(box, Qt::AlignCenter, name);
    }
    // The pieces of a pixel are one line, so that a long trace draws no more than the strip is wide.
    double drawn = -1;
    for (const trace::GpuWork& work : m_opened->links.work) {
        const double left = xOf(m_opened->trace->slices.begin[work.slice]);
        const double right = std::max(left + 1, xOf(m_opened->trace->slices.end(work.slice)));
        if (left >= drawn - 1 && right <= drawn) continue;
        painter.fillRect(QRectF(left, 26, right - left, 16), m_theme.phaseColor(Phase::Forward));
        drawn = right;
    }
    const double left = xOf(m_window.from);
    painter.setPen(QPen(m_theme.color(ColorRole::Accent), 2));
    painter.drawRect(QRectF(left + 1, 1, std::max(3.0, xOf(m_window.to) - left - 2), height() - 2));
}

void TraceStrip::center(double x) {
    const auto middle = m_whole.from + static_cast<trace::Nanoseconds>(x / std::max(1, width()) *
                                                                       static_cast<double>(m_whole.length()));
    const trace::Nanoseconds from = middle - m_window.length() / 2;
    emit windowChosen({from, from + m_window.length()});
}

void TraceStrip::mousePressEvent(QMouseEvent* event) { center(event->position().x()); }
void TraceStrip::mouseMoveEvent(QMouseEvent* event) { center(event->position().x()); }

}  // namespace plumb::ui
