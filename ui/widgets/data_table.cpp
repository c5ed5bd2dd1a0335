// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/data_table.h"

#include "ui/widgets/help_anchor.h"

#include <QHeaderView>
#include <QTableView>

namespace plumb::ui {

void setUpDataTable(QTableView& table) {
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setTabKeyNavigation(false);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setFrameShape(QFrame::NoFrame);
    table.viewport()->setAutoFillBackground(false);  // the card that it stands on shows
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->hide();
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 10);
    table.horizontalHeader()->setHighlightSections(false);
    hintAtHelp(*table.horizontalHeader());
}

}  // namespace plumb::ui
