// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/mark_edits.h"

#include "core/base/plain_text.h"

#include <QUndoStack>

#include <utility>

namespace plumb::ui {
namespace {

constexpr int kMarkCommand = 2;  // beside that of configurations

/// The marks before and after a change.
class MarkChange final : public QUndoCommand {
public:
    MarkChange(DocumentMarks& marks, Marks after, const QString& what, int gesture)
        : QUndoCommand(what),
          m_marks(marks),
          m_before(marks.all()),
          m_after(std::move(after)),
          m_gesture(gesture) {}

    void undo() override { m_marks.put(m_before); }
    void redo() override { m_marks.put(m_after); }
    [[nodiscard]] int id() const override { return m_gesture == 0 ? -1 : kMarkCommand; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* newer = static_cast<const MarkChange*>(other);
        if (newer->m_gesture != m_gesture) return false;
        m_after = newer->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    DocumentMarks& m_marks;
    Marks m_before;
    Marks m_after;
    int m_gesture;
};

}  // namespace

std::string cutText(const QString& text, std::size_t most) {
    return std::string(beginningOf(text.toStdString(), most));
}

void MarkEdits::push(Marks marks, const QString& what, int gesture) {
    if (marks != m_marks.all()) m_stack.push(new MarkChange(m_marks, std::move(marks), what, gesture));
}

void MarkEdits::setNote(const QString& text, int gesture) {
    Marks marks = m_marks.all();
    marks.note = cutText(text, kMostNoteBytes);
    push(std::move(marks), tr("note"), gesture);
}

bool MarkEdits::add(Bookmark bookmark) {
    if (m_marks.all().bookmarks.size() >= kMostBookmarks) return false;
    Marks marks = m_marks.all();
    bookmark.title = cutText(QString::fromStdString(bookmark.title), kMostTitleBytes);
    marks.bookmarks.push_back(std::move(bookmark));
    push(std::move(marks), tr("bookmark"));
    return true;
}

void MarkEdits::rename(std::size_t at, const QString& title) {
    Marks marks = m_marks.all();
    marks.bookmarks.at(at).title = cutText(title.simplified(), kMostTitleBytes);
    push(std::move(marks), tr("title of a bookmark"));
}

void MarkEdits::remove(std::size_t at) {
    Marks marks = m_marks.all();
    marks.bookmarks.erase(marks.bookmarks.begin() + static_cast<std::ptrdiff_t>(at));
    push(std::move(marks), tr("deletion of a bookmark"));
}

}  // namespace plumb::ui
