// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/notes/bookmarks_model.h"
#include "ui/widgets/scene_view.h"

class QPushButton;
class QTableView;

namespace plumb::ui {

class NoteEdit;
class ToneLabel;

/// What the reader of the document wrote into it: its bookmarks in a table, and a note beside it. A click or
/// Enter leads to the place of a bookmark, F2 changes its title, Delete takes it away.
class NotesView final : public SceneView {
    Q_OBJECT
public:
    NotesView(ViewContext context, MarkEdits& edits, ViewTitle viewTitle, QWidget* parent = nullptr);

signals:
    void placeWanted(int bookmark);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void catchUp() override;
    [[nodiscard]] QWidget* buildTable();
    [[nodiscard]] QWidget* buildNote();
    void follow();  ///< the marks are others
    [[nodiscard]] int chosen() const;
    void remove();

    MarkEdits& m_edits;
    BookmarksModel* m_model;
    QTableView* m_table = nullptr;
    ToneLabel* m_none = nullptr;
    ToneLabel* m_cut = nullptr;
    NoteEdit* m_note = nullptr;
    QPushButton* m_rename = nullptr;
    QPushButton* m_remove = nullptr;
};

}  // namespace plumb::ui
