// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/note_label.h"

#include <QFontMetrics>
#include <QResizeEvent>

#include <utility>

namespace plumb::ui {

NoteLabel::NoteLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

// Before it has a width, one line: what holds it shall not make room for a column of single words.
QSize NoteLabel::sizeHint() const {
    if (m_heightAt != m_width || m_text != text() || m_font != font()) {
        m_heightAt = m_width;
        m_text = text();
        m_font = font();
        const QRect room(0, 0, m_width, QWIDGETSIZE_MAX);
        m_height = m_width > 0 ? fontMetrics().boundingRect(room, Qt::TextWordWrap, m_text).height()
                               : fontMetrics().height();
    }
    const QMargins around = contentsMargins();
    return {0, m_height + around.top() + around.bottom()};
}

void NoteLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    const int width = contentsRect().width();
    if (std::exchange(m_width, width) != width) updateGeometry();
}

}  // namespace plumb::ui
