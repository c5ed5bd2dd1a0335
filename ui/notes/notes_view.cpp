// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notes/notes_view.h"

#include "ui/notes/note_edit.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/splitter.h"
#include "ui/widgets/tone_label.h"
#include "ui/workbench/first_focus.h"
#include "ui/workbench/workbench.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLayout>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace plumb::ui {

NotesView::NotesView(ViewContext context, MarkEdits& edits, ViewTitle viewTitle, QWidget* parent)
    : SceneView(context, ViewSize::Full, QStringLiteral("notes"), tr("Bookmarks"), parent),
      m_edits(edits),
      m_model(new BookmarksModel(context, edits, std::move(viewTitle), this)) {
    setAccessibleName(tr("Notes"));
    auto* splitter = makeSplitter(Qt::Horizontal, QStringLiteral("notesSplitter"), this);
    m_card->setContent(buildTable());
    splitter->addWidget(m_card);
    splitter->addWidget(buildNote());
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    layout()->addWidget(splitter);
    setFirstFocus(*this, m_table);
    connect(&edits.marks(), &DocumentMarks::changed, this, &NotesView::follow);
    connect(&context.theme, &Theme::changed, m_table->viewport(), qOverload<>(&QWidget::update));
    follow();
}

QWidget* NotesView::buildTable() {
    m_remove = m_card->addHeaderButton(tr("Delete"), QStringLiteral("bookmarkRemove"),
                                       tr("Take the chosen bookmark away (Delete)"));
    m_rename = m_card->addHeaderButton(tr("Rename"), QStringLiteral("bookmarkRename"),
                                       tr("Change the title of the chosen bookmark (F2)"));
    auto* content = new QWidget(m_card);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    m_none = new ToneLabel(m_context.theme, ColorRole::TextMuted, content);
    m_none->setObjectName(QStringLiteral("bookmarksNone"));
    m_none->setWordWrap(true);
    m_none->setAlignment(Qt::AlignCenter);
    m_none->setText(tr("No place is marked yet. Choose an operation or a range in any view, and mark it with "
                       "Edit > Bookmark this place (Ctrl+B)."));
    layout->addWidget(m_none, 1);
    m_table = new QTableView(content);
    m_table->setObjectName(QStringLiteral("bookmarksTable"));
    m_table->setAccessibleName(tr("Bookmarks of the document"));
    setUpDataTable(*m_table);
    m_table->setModel(m_model);
    chooseRowAtFocus(*m_table);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    // Titles and places are of any length: rows grow with them.
    m_table->setWordWrap(true);
    m_table->setTextElideMode(Qt::ElideNone);
    QHeaderView& rows = *m_table->verticalHeader();
    rows.setMinimumSectionSize(rows.defaultSectionSize());
    rows.setSectionResizeMode(QHeaderView::ResizeToContents);
    QHeaderView& columns = *m_table->horizontalHeader();
    columns.setSectionResizeMode(QHeaderView::Stretch);
    columns.setSectionResizeMode(static_cast<int>(BookmarkColumn::View), QHeaderView::ResizeToContents);
    connect(&columns, &QHeaderView::sectionResized, m_table, &QTableView::resizeRowsToContents);
    m_table->installEventFilter(this);
    layout->addWidget(m_table, 1);
    connect(m_table, &QTableView::clicked, this,
            [this](const QModelIndex& at) { emit placeWanted(at.row()); });
    connect(m_rename, &QPushButton::clicked, this, [this] {
        m_table->setFocus();
        m_table->edit(m_model->index(chosen(), static_cast<int>(BookmarkColumn::Title)));
    });
    connect(m_remove, &QPushButton::clicked, this, &NotesView::remove);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &NotesView::follow);
    return content;
}

QWidget* NotesView::buildNote() {
    auto* card = new Card(m_context.theme, tr("Note"), this);
    card->setObjectName(QStringLiteral("noteCard"));
    card->setContentMargins(8, 4, 8, 10);
    auto* content = new QWidget(card);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    m_note = new NoteEdit(m_edits, content);
    m_note->setObjectName(QStringLiteral("noteEdit"));
    m_note->setAccessibleName(tr("Note of the document"));
    m_note->setPlaceholderText(tr("What is worth remembering of this document. It is kept in its file."));
    layout->addWidget(m_note, 1);
    m_cut = new ToneLabel(m_context.theme, ColorRole::Warning, content);
    m_cut->setObjectName(QStringLiteral("noteCut"));
    m_cut->setWordWrap(true);
    m_cut->setText(tr("A file takes no longer note than this: the rest was left out."));
    m_cut->hide();
    layout->addWidget(m_cut);
    card->setContent(content);
    connect(m_note, &NoteEdit::cut, m_cut, &QWidget::show);
    return card;
}

void NotesView::catchUp() { m_model->refresh(); }

void NotesView::follow() {
    m_model->refresh();
    m_note->refresh();
    m_cut->setVisible(m_cut->isVisible() && m_edits.marks().all().note.size() + 4 > kMostNoteBytes);
    const bool isEmpty = m_model->rowCount() == 0;
    m_table->setVisible(!isEmpty);
    m_none->setVisible(isEmpty);
    m_rename->setEnabled(chosen() >= 0);
    m_remove->setEnabled(chosen() >= 0);
}

int NotesView::chosen() const {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : rows.front().row();
}

void NotesView::remove() {
    const int row = chosen();
    if (row < 0) return;
    m_edits.remove(static_cast<std::size_t>(row));
    if (m_model->rowCount() > 0) m_table->selectRow(std::min(row, m_model->rowCount() - 1));
}

bool NotesView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_table || event->type() != QEvent::KeyPress)
        return SceneView::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
        remove();
        return true;
    }
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && chosen() >= 0) {
        emit placeWanted(chosen());
        return true;
    }
    return SceneView::eventFilter(watched, event);
}

}  // namespace plumb::ui
