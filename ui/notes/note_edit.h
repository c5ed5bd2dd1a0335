// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace plumb::ui {

class MarkEdits;

/// The note of the document. What is typed while the keyboard stays here is one step of the document's undo,
/// which the field has none beside.
class NoteEdit final : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit NoteEdit(MarkEdits& edits, QWidget* parent = nullptr);

    /// Shows the note as it is now.
    void refresh();

signals:
    void cut();  ///< a file takes no longer note: the end of what was typed is gone

protected:
    bool event(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void take();

    MarkEdits& m_edits;
    int m_gesture = 1;
};

}  // namespace plumb::ui
