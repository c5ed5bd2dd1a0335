// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_menu.h"

#include "ui/operations/operations_model.h"
#include "ui/operations/operations_table.h"

#include <QHeaderView>
#include <QMenu>

#include <array>
#include <utility>

namespace plumb::ui {

namespace {

struct MenuText {
    Q_DECLARE_TR_FUNCTIONS(OperationsMenu)
};

/// Views that show the chosen operation, by the names of their tabs.
constexpr std::array<std::pair<const char*, const char*>, 4> kViewsOfOp{
    {{"memory", QT_TRANSLATE_NOOP("OperationsMenu", "Show in Memory")},
     {"timeline", QT_TRANSLATE_NOOP("OperationsMenu", "Show in Timeline")},
     {"roofline", QT_TRANSLATE_NOOP("OperationsMenu", "Show in Roofline")},
     {"modules", QT_TRANSLATE_NOOP("OperationsMenu", "Show in Modules")}}};

}  // namespace

QMenu* makeOperationsMenu(const QModelIndex& cell, const OperationsTable& table,
                          const OperationsMenuActs& acts, QWidget* parent) {
    auto* menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("operationsMenu"));
    const auto column = static_cast<OperationColumn>(cell.column());
    if (column != OperationColumn::Name) {
        menu->addAction(MenuText::tr("Why this number…"), parent, [why = acts.why, column] { why(column); })
            ->setObjectName(QStringLiteral("operationsWhy"));
    } else {
        // Keys choose rows: which figure is meant is asked.
        QMenu* figures = menu->addMenu(MenuText::tr("Why this number"));
        figures->setObjectName(QStringLiteral("operationsWhyOf"));
        for (int visual = 1; visual < table.header()->count(); ++visual) {
            const int shown = table.header()->logicalIndex(visual);
            if (shown == 0 || table.isColumnHidden(shown)) continue;
            const auto of = static_cast<OperationColumn>(shown);
            figures->addAction(
                MenuText::tr("%1: %2").arg(table.model()->headerData(shown, Qt::Horizontal).toString(),
                                           cell.siblingAtColumn(shown).data().toString()),
                parent, [why = acts.why, of] { why(of); });
        }
    }
    if (acts.show) {
        menu->addSeparator();
        const bool isOfOp = !cell.siblingAtColumn(0).data(OperationsModel::OpIdRole).toString().isEmpty() ||
                            cell.model()->hasChildren(cell.siblingAtColumn(0));
        for (const auto& [view, text] : kViewsOfOp) {
            QAction* action = menu->addAction(MenuText::tr(text), parent,
                                              [show = acts.show, view = view] { show(QLatin1String(view)); });
            action->setObjectName(QStringLiteral("operationsShow.") + QLatin1String(view));
            action->setEnabled(isOfOp);
        }
    }
    menu->addSeparator();
    menu->addAction(MenuText::tr("Copy rows with tabs"), parent, acts.copyRows)
        ->setObjectName(QStringLiteral("operationsCopyRows"));
    menu->addAction(MenuText::tr("Copy the table with tabs"), parent, acts.copyTable)
        ->setObjectName(QStringLiteral("operationsCopyTable"));
    return menu;
}

}  // namespace plumb::ui
