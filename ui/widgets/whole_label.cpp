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
    if (isOwn || event->type() == QEvent::LayoutRequest)
        m_label.setMinimumHeight(m_label.text().isEmpty() ? 0 : m_label.heightForWidth(m_label.width()));
    return QObject::eventFilter(watched, event);
}

}  // namespace plumb::ui
