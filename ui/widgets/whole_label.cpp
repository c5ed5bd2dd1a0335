// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/whole_label.h"

#include <QEvent>
#include <QLabel>

namespace plumb::ui {

WholeLabel::WholeLabel(QLabel& label) : QObject(&label), m_label(label) {
    label.installEventFilter(this);
    if (label.parentWidget() != nullptr) label.parentWidget()->installEventFilter(this);
}

// Another text is told to what holds the label, and to nobody else.
bool WholeLabel::eventFilter(QObject* watched, QEvent* event) {
    const bool isOwn = watched == &m_label && event->type() == QEvent::Resize;
    if (isOwn || event->type() == QEvent::LayoutRequest) fit();
    return QObject::eventFilter(watched, event);
}

void WholeLabel::fit() {
    if (m_label.text() == m_text && m_label.font() == m_font && m_label.width() == m_width) return;
    m_text = m_label.text();
    m_font = m_label.font();
    m_width = m_label.width();
    m_label.setMinimumHeight(0);  // a label never asks for less than that
    if (!m_text.isEmpty()) m_label.setMinimumHeight(m_label.heightForWidth(m_width));
}

}  // namespace plumb::ui
