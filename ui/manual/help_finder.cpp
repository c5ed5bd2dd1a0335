// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/manual/help_finder.h"

#include "ui/manual/table_figures.h"
#include "ui/widgets/column_text.h"
#include "ui/widgets/help_anchor.h"

#include <QDialog>
#include <QHeaderView>
#include <QTableView>
#include <QTreeView>

namespace plumb::ui {
namespace {

/// The table of which a widget is a part, and the column that is pointed at; null: none.
struct PointedColumn {
    const QAbstractItemView* table = nullptr;
    int column = -1;
};

PointedColumn columnAt(const QWidget& widget, const std::optional<QPoint>& at) {
    for (const QWidget* part = &widget; part != nullptr && !part->isWindow(); part = part->parentWidget()) {
        if (const auto* header = qobject_cast<const QHeaderView*>(part)) {
            const auto* table = qobject_cast<const QAbstractItemView*>(header->parentWidget());
            return {table, at ? header->logicalIndexAt(header->viewport()->mapFromGlobal(*at)) : -1};
        }
        if (const auto* table = qobject_cast<const QAbstractItemView*>(part))
            return {table, at ? table->indexAt(table->viewport()->mapFromGlobal(*at)).column() : -1};
    }
    return {};
}

}  // namespace

ManualPlace helpPlaceOf(const QWidget& widget, const ManualBook& book, const std::optional<QPoint>& at) {
    QStringList names;
    for (const QWidget* part = &widget; part != nullptr; part = part->parentWidget()) {
        if (!part->objectName().isEmpty()) names << part->objectName();
        ManualPlace place = manualPlaceOf(ownHelpAnchor(*part));
        const bool isDialog = place.page.isEmpty() && qobject_cast<const QDialog*>(part) != nullptr;
        if (isDialog) place.page = QStringLiteral("dialogs");
        if (place.page.isEmpty()) continue;
        if (const auto [table, column] = columnAt(widget, at); table != nullptr && column >= 0) {
            const ManualPlace figure{QStringLiteral("figures"),
                                     columnAnchor(place.page, columnsNameOf(*table), column)};
            if (!figure.anchor.isEmpty() && book.has(figure)) return figure;
        }
        for (const QString& name : names)
            if (book.has({place.page, name})) return {place.page, name};
        return place;
    }
    return {ManualBook::pageIds().first(), {}};
}

}  // namespace plumb::ui
