// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notes/note_edit.h"

#include "ui/theme/text.h"
#include "ui/workbench/mark_edits.h"

#include <QKeyEvent>
#include <QSignalBlocker>
#include <QTextCursor>

#include <algorithm>

namespace plumb::ui {

NoteEdit::NoteEdit(MarkEdits& edits, QWidget* parent) : QPlainTextEdit(parent), m_edits(edits) {
    setUndoRedoEnabled(false);
    setTabChangesFocus(true);
    refresh();
    connect(this, &QPlainTextEdit::textChanged, this, &NoteEdit::take);
}

void NoteEdit::refresh() {
    const QString note = toText(m_edits.marks().all().note);
    if (note == toPlainText()) return;
    const int position = textCursor().position();
    const QSignalBlocker quiet(this);
    setPlainText(note);
    QTextCursor cursor = textCursor();
    cursor.setPosition(std::min(position, static_cast<int>(toPlainText().size())));
    setTextCursor(cursor);
}

void NoteEdit::take() {
    const QString typed = toPlainText();
    m_edits.setNote(typed, m_gesture);
    if (toText(m_edits.marks().all().note) == typed) return;
    refresh();
    emit cut();
}

bool NoteEdit::event(QEvent* event) {
    // The keys of undo and redo are those of the document.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QPlainTextEdit::event(event);
}

void NoteEdit::focusInEvent(QFocusEvent* event) {
    ++m_gesture;
    QPlainTextEdit::focusInEvent(event);
}

}  // namespace plumb::ui
