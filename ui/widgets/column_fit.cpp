// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/column_fit.h"

#include "ui/theme/list_text.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr int kCellRoom = 14;  // between a column and the next, with what a delegate draws before a text
constexpr int kLookedAt = 50;  // rows from the first in view on; more would take longer than a frame
constexpr qsizetype kMostKept = 1000;  // texts of a column whose widths are remembered
constexpr int kBeforeSign = 6;         // between the last column and what says which have no room
constexpr int kLeastWideShare = 4;  // the wide column asks for no more than one part in so many of the table
constexpr int kLeastShrunkShare = 6;  // a column that shrinks has one part in so many, and its title

}  // namespace

int tellGoneColumns(QHeaderView& header, int room, const QList<int>& gone) {
    auto* more = header.findChild<QLabel*>(QStringLiteral("goneColumns"), Qt::FindDirectChildrenOnly);
    if (gone.isEmpty()) {
        if (more != nullptr) more->hide();
        return 0;
    }
    if (more == nullptr) {
        more = new QLabel(&header);
        more->setObjectName(QStringLiteral("goneColumns"));
        more->setForegroundRole(QPalette::PlaceholderText);
    }
    QStringList titles;
    for (const int column : gone)
        titles << header.model()->headerData(column, Qt::Horizontal).toString().trimmed();
    more->setText(QStringLiteral("+%1").arg(gone.size()));
    more->setToolTip(ColumnFit::tr("There is no room for %1").arg(listText(titles)));
    more->setAccessibleName(more->toolTip());
    more->resize(more->sizeHint().width(), header.height());
    more->move(room - more->width(), 0);
    more->show();
    return more->width() + kBeforeSign;
}

ColumnFit::ColumnFit(QTableView& table, int wide, QList<int> yielding, QList<int> shrinking)
    : QObject(&table),
      m_table(table),
      m_wide(wide),
      m_yielding(std::move(yielding)),
      m_shrinking(std::move(shrinking)) {
    QHeaderView& header = *table.horizontalHeader();
    header.setStretchLastSection(false);
    header.setSectionResizeMode(QHeaderView::Interactive);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.viewport()->installEventFilter(this);
    connect(table.model(), &QAbstractItemModel::modelReset, this, &ColumnFit::fit);
    connect(table.model(), &QAbstractItemModel::layoutChanged, this, &ColumnFit::fit);
    connect(table.model(), &QAbstractItemModel::rowsInserted, this, &ColumnFit::fit);
}

// A text is measured once: a column of formats or categories has few of them, and another number of layers
// leaves most names as they are.
int ColumnFit::widthOfCells(int column) {
    const QAbstractItemModel& model = *m_table.model();
    const int first = std::max(0, m_table.rowAt(0));
    const int end = std::min(model.rowCount(), first + kLookedAt);
    QHash<QString, int>& widths = m_widths[column];
    if (widths.size() > kMostKept) widths.clear();
    int widest = 0;
    for (int row = first; row < end; ++row) {
        const QModelIndex cell = model.index(row, column);
        const QString text = cell.data().toString();
        auto known = widths.constFind(text);
        if (known == widths.constEnd()) known = widths.insert(text, m_table.sizeHintForIndex(cell).width());
        widest = std::max(widest, *known);
    }
    return widest;
}

int ColumnFit::neededBy(int column) {
    const int now =
        std::max(m_table.horizontalHeader()->sectionSizeHint(column), widthOfCells(column) + kCellRoom);
    int& kept = m_needed[column];
    kept = std::max(kept, now);
    return kept;
}

// Columns that are shown for a moment bring scroll bars, which change the room and ask for another fit.
void ColumnFit::fit() {
    constexpr int kRounds = 3;
    if (m_isFitting) return;
    const QScopedValueRollback<bool> guard(m_isFitting, true);
    int room = -1;
    for (int round = 0; round < kRounds && room != m_table.viewport()->width(); ++round)
        fitTo(room = m_table.viewport()->width());
}

void ColumnFit::fitTo(int room) {
    QHeaderView& header = *m_table.horizontalHeader();
    m_needed.resize(header.count());
    m_widths.resize(header.count());
    if (room <= 0 || header.count() <= m_wide) return;
    for (const int column : std::exchange(m_gone, {})) m_table.setColumnHidden(column, false);
    int left = room;
    QVector<int> widths(header.count());
    for (int column = 0; column < header.count(); ++column) {
        if (header.isSectionHidden(column)) continue;
        widths[column] = neededBy(column);
        left -= widths[column];
    }
    for (const int column : m_shrinking) {
        if (left >= 0 || header.isSectionHidden(column)) continue;
        const int share = column == m_wide ? kLeastWideShare : kLeastShrunkShare;
        const int least = std::max(header.sectionSizeHint(column), room / share);
        const int given = std::clamp(widths[column] - least, 0, -left);
        widths[column] -= given;
        left += given;
    }
    for (const int column : m_yielding) {
        if (left >= 0) break;
        if (header.isSectionHidden(column)) continue;
        left += widths[column];
        m_gone << column;
        m_table.setColumnHidden(column, true);
    }
    // The last one that went may have left more room than was needed.
    for (const int column : m_shrinking) {
        if (left <= 0 || header.isSectionHidden(column)) continue;
        const int back = std::min(left, m_needed[column] - widths[column]);
        widths[column] += back;
        left -= back;
    }
    for (int column = 0; column < header.count(); ++column)
        if (column != m_wide && !header.isSectionHidden(column))
            m_table.setColumnWidth(column, widths[column]);
    const int rest = widths[m_wide] + left - tellGoneColumns(header, room, m_gone);
    m_table.setColumnWidth(m_wide, left >= 0 ? rest : std::max(room / kLeastWideShare, rest));
}

bool ColumnFit::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_table.viewport()) return QObject::eventFilter(watched, event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) m_widths.clear();
    if (event->type() == QEvent::Resize) {
        m_needed.clear();
        fit();
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace plumb::ui
