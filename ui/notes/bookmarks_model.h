// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workbench/mark_edits.h"
#include "ui/workbench/view.h"

#include <QAbstractTableModel>

#include <functional>

namespace plumb::ui {

enum class BookmarkColumn : std::uint8_t { Title, View, Place };
inline constexpr int kBookmarkColumns = 3;

/// What a view is called, by its id; that of one that nobody knows is its id.
using ViewTitle = std::function<QString(const QString& id)>;

/// The bookmarks of the document, in their order; a title is edited in its cell.
class BookmarksModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    BookmarksModel(ViewContext context, MarkEdits& edits, ViewTitle viewTitle, QObject* parent = nullptr);

    /// What is shown is another step, or the marks are others.
    void refresh();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(const Bookmark& bookmark, BookmarkColumn column) const;

    ViewContext m_context;
    MarkEdits& m_edits;
    ViewTitle m_viewTitle;
    std::vector<Bookmark> m_shown;
};

/// Where a bookmark is, by the names of the step that is shown: "layer 1 · matrix product to layer 3 · ...".
/// Empty for a view as a whole.
[[nodiscard]] QString bookmarkPlace(const Bookmark& bookmark, const Workbench& workbench);
/// Its title, or where it has none its place, or the name of its view.
[[nodiscard]] QString bookmarkTitle(const Bookmark& bookmark, const Workbench& workbench,
                                    const ViewTitle& viewTitle);

}  // namespace plumb::ui
