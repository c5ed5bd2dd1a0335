// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workbench/document_marks.h"

#include <QCoreApplication>
#include <QString>

#include <cstddef>

class QUndoStack;

namespace plumb::ui {

/// Changes the marks of a document, each change a step that can be undone. Both outlive it. Texts that are
/// longer than a file takes lose their end.
class MarkEdits final {
    Q_DECLARE_TR_FUNCTIONS(plumb::ui::MarkEdits)
public:
    MarkEdits(DocumentMarks& marks, QUndoStack& stack) : m_marks(marks), m_stack(stack) {}

    [[nodiscard]] DocumentMarks& marks() { return m_marks; }
    /// Changes of one non-zero `gesture`, as while somebody types, are one step.
    void setNote(const QString& text, int gesture = 0);
    /// At the end. False: a file takes no more of them.
    bool add(Bookmark bookmark);
    /// Pre: `at` is one of them; so for remove().
    void rename(std::size_t at, const QString& title);
    void remove(std::size_t at);

private:
    void push(Marks marks, const QString& what, int gesture = 0);

    DocumentMarks& m_marks;
    QUndoStack& m_stack;
};

/// The text in UTF-8, of which no more than `most` bytes are left, and no half of a character.
[[nodiscard]] std::string cutText(const QString& text, std::size_t most);

}  // namespace plumb::ui
