// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notes/bookmarks_model.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/workbench/marked_ops.h"
#include "ui/workbench/step_text.h"
#include "ui/workbench/workbench.h"

#include <utility>

namespace plumb::ui {
namespace {

/// The name of an operation in the step that is shown, else its id.
QString opText(const std::string& id, const Workbench& workbench) {
    const Step& step = *workbench.scene()->whatIf.step;
    const int op = step.findOp(id);
    return op < 0 ? toText(id) : stepText(step, step.opName(op));
}

bool isMissing(const Bookmark& bookmark, const Workbench& workbench) {
    return !bookmark.op.empty() && !spanOf(bookmark, workbench);
}

}  // namespace

QString bookmarkPlace(const Bookmark& bookmark, const Workbench& workbench) {
    QString place;
    if (!bookmark.op.empty()) place = opText(bookmark.op, workbench);
    if (!bookmark.lastOp.empty())
        place = BookmarksModel::tr("%1 to %2").arg(place, opText(bookmark.lastOp, workbench));
    if (!bookmark.time) return place;
    const QString time =
        BookmarksModel::tr("%1 to %2")
            .arg(quantityText(bookmark.time->from, "s"), quantityText(bookmark.time->to, "s"));
    return place.isEmpty() ? time : BookmarksModel::tr("%1, %2").arg(place, time);
}

QString bookmarkTitle(const Bookmark& bookmark, const Workbench& workbench, const ViewTitle& viewTitle) {
    if (!bookmark.title.empty()) return toText(bookmark.title);
    const QString place = bookmarkPlace(bookmark, workbench);
    return place.isEmpty() ? viewTitle(toText(bookmark.view)) : place;
}

BookmarksModel::BookmarksModel(ViewContext context, MarkEdits& edits, ViewTitle viewTitle, QObject* parent)
    : QAbstractTableModel(parent), m_context(context), m_edits(edits), m_viewTitle(std::move(viewTitle)) {
    m_shown = edits.marks().all().bookmarks;
}

void BookmarksModel::refresh() {
    const std::vector<Bookmark>& now = m_edits.marks().all().bookmarks;
    if (now.size() == m_shown.size()) {  // selection and scrolling stay
        m_shown = now;
        if (!m_shown.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kBookmarkColumns - 1));
        return;
    }
    beginResetModel();
    m_shown = now;
    endResetModel();
}

int BookmarksModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int BookmarksModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kBookmarkColumns;
}

QString BookmarksModel::text(const Bookmark& bookmark, BookmarkColumn column) const {
    const Workbench& workbench = m_context.workbench;
    switch (column) {
    case BookmarkColumn::Title:
        return bookmarkTitle(bookmark, workbench, m_viewTitle);
    case BookmarkColumn::View:
        return m_viewTitle(toText(bookmark.view));
    case BookmarkColumn::Place:
        break;
    }
    const QString place = bookmarkPlace(bookmark, workbench);
    if (place.isEmpty()) return tr("the whole view");
    return isMissing(bookmark, workbench) ? tr("%1 (not in this step)").arg(place) : place;
}

QVariant BookmarksModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Bookmark& bookmark = m_shown[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<BookmarkColumn>(index.column());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return text(bookmark, column);
    case Qt::EditRole:
        return toText(bookmark.title);
    case Qt::AccessibleTextRole:
        if (column != BookmarkColumn::Title) return text(bookmark, column);
        return tr("%1, in %2, %3")
            .arg(text(bookmark, column), text(bookmark, BookmarkColumn::View),
                 text(bookmark, BookmarkColumn::Place));
    case Qt::ForegroundRole:
        if (isMissing(bookmark, m_context.workbench)) return m_context.theme.color(ColorRole::TextMuted);
        return m_context.theme.color(column == BookmarkColumn::Title ? ColorRole::TextStrong
                                                                     : ColorRole::Text);
    default:
        return {};
    }
}

bool BookmarksModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !index.isValid() || index.row() >= rowCount()) return false;
    m_edits.rename(static_cast<std::size_t>(index.row()), value.toString());
    return true;
}

Qt::ItemFlags BookmarksModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == static_cast<int>(BookmarkColumn::Title) ? flags | Qt::ItemIsEditable : flags;
}

QVariant BookmarksModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (static_cast<BookmarkColumn>(section)) {
    case BookmarkColumn::Title:
        return tr("Bookmark");
    case BookmarkColumn::View:
        return tr("View");
    case BookmarkColumn::Place:
        break;
    }
    return tr("Place");
}

}  // namespace plumb::ui
