// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/table_pages.h"

#include <QAbstractItemView>
#include <QFontMetricsF>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <functional>
#include <numeric>

namespace plumb::ui {

namespace {

constexpr qreal kCellSide = 5;        ///< left and right of a text
constexpr qreal kCellTop = 2;         ///< above and below it
constexpr qreal kIndent = 10;         ///< of a level of a tree
constexpr qreal kStripe = 0.04;       ///< how dark every other row is
constexpr qreal kNarrowLetters = 12;  ///< a column of texts is not made narrower

/// Between words where they fit, else anywhere.
int wrapOf(const QString& text, const QFontMetricsF& metrics, qreal width) {
    const QStringList words = text.split(QLatin1Char(' '));
    const bool doFit = std::ranges::all_of(
        words, [&](const QString& word) { return metrics.horizontalAdvance(word) <= width; });
    return doFit ? Qt::TextWordWrap : Qt::TextWrapAnywhere;
}

const QHeaderView* headerOf(const QAbstractItemView& view) {
    if (const auto* table = qobject_cast<const QTableView*>(&view)) return table->horizontalHeader();
    if (const auto* tree = qobject_cast<const QTreeView*>(&view)) return tree->header();
    return nullptr;
}

/// Columns in the order in which they stand, those that are hidden too.
QVector<int> columnsInOrder(const QHeaderView& header) {
    QVector<int> columns;
    for (int visual = 0; visual < header.count(); ++visual) columns << header.logicalIndex(visual);
    return columns;
}

/// The rows that are unfolded, from the top down.
void eachRow(const QAbstractItemView& view, const QModelIndex& parent, int depth,
             const std::function<void(const QModelIndex&, int)>& take) {
    const QAbstractItemModel& model = *view.model();
    const auto* tree = qobject_cast<const QTreeView*>(&view);
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        take(index, depth);
        if (tree && tree->isExpanded(index)) eachRow(view, index, depth + 1, take);
    }
}

bool isShortened(const QAbstractItemView& view, const QHeaderView& header) {
    // The rows that can be seen are enough to ask: of others more rows are missing anyway.
    const QFontMetrics metrics(view.font());
    const QAbstractItemModel& model = *view.model();
    for (int row = 0; row < std::min(model.rowCount(), 50); ++row)
        for (int column = 0; column < header.count(); ++column)
            if (!header.isSectionHidden(column) &&
                metrics.horizontalAdvance(model.index(row, column).data().toString()) >
                    header.sectionSize(column))
                return true;
    return false;
}

}  // namespace

QVector<QAbstractItemView*> clippedTables(const QWidget& widget) {
    QVector<QAbstractItemView*> tables;
    for (QAbstractItemView* view : widget.findChildren<QAbstractItemView*>()) {
        const QHeaderView* header = headerOf(*view);
        if (!header || !view->model() || !view->isVisibleTo(&widget) || view->model()->rowCount() == 0)
            continue;
        bool isHidden = false;  // a column that gave way
        for (int column = 0; column < header->count(); ++column)
            isHidden = isHidden || header->isSectionHidden(column);
        if (isHidden || view->verticalScrollBar()->maximum() > 0 ||
            view->horizontalScrollBar()->maximum() > 0 || isShortened(*view, *header))
            tables << view;
    }
    return tables;
}

PrintedTable printedTable(const QAbstractItemView& view) {
    const QAbstractItemModel& model = *view.model();
    const QVector<int> columns = columnsInOrder(*headerOf(view));
    PrintedTable all;
    all.title = view.accessibleName();
    QVector<bool> hasText(columns.size(), false), hasValue(columns.size(), false);
    eachRow(view, {}, 0, [&](const QModelIndex& index, int depth) {
        if (all.rows.size() >= PrintedTable::kMostRows) {
            ++all.left;
            return;
        }
        QStringList texts;
        for (int i = 0; i < columns.size(); ++i) {
            texts << index.siblingAtColumn(columns[i]).data().toString().simplified();
            hasText[i] = hasText[i] || !texts.back().isEmpty();
            hasValue[i] = hasValue[i] || (!texts.back().isEmpty() && texts.back() != QStringLiteral("–"));
        }
        all.rows << texts;
        all.depths << depth;
    });
    // Columns of bars have no text and would say on paper what the number beside them says; dashes alone say
    // nothing.
    PrintedTable kept = all;
    kept.rows.clear();
    for (int i = 0; i < columns.size(); ++i) {
        kept.blank += hasText[i] && !hasValue[i] ? 1 : 0;
        if (!hasValue[i]) continue;
        kept.heads << model.headerData(columns[i], Qt::Horizontal).toString().simplified();
        const int alignment = model.headerData(columns[i], Qt::Horizontal, Qt::TextAlignmentRole).toInt();
        kept.isRight << ((alignment & Qt::AlignRight) != 0);
    }
    for (const QStringList& row : all.rows) {
        QStringList texts;
        for (int i = 0; i < columns.size(); ++i)
            if (hasValue[i]) texts << row[i];
        kept.rows << texts;
    }
    return kept;
}

TablePages::TablePages(PrintedTable table, const QFont& font, const QSizeF& room)
    : m_table(std::move(table)), m_font(font), m_room(room) {
    if (m_table.columns() == 0) return;
    const qreal caption = QFontMetricsF(m_font).height() + 8;
    for (const TablePage& group : columnGroups()) {
        TablePage page = group;
        const qreal head = rowHeight(m_table.heads, -1, page);
        qreal left = m_room.height() - caption - head;
        for (int row = 0; row < m_table.rows.size(); ++row) {
            const qreal height = rowHeight(m_table.rows[row], row, page);
            if (height > left && row > page.firstRow) {
                page.endRow = row;
                m_pages << page;
                page.firstRow = row;
                left = m_room.height() - caption - head;
            }
            left -= height;
        }
        page.endRow = static_cast<int>(m_table.rows.size());
        m_pages << page;
    }
}

qreal TablePages::indentOf(int row, int column) const {
    return column == 0 && row >= 0 ? m_table.depths[row] * kIndent : 0;
}

qreal TablePages::natural(int column) const {
    const QFontMetricsF metrics(m_font);
    qreal width = metrics.horizontalAdvance(m_table.heads[column]);
    for (int row = 0; row < m_table.rows.size(); ++row)
        width = std::max(width, metrics.horizontalAdvance(m_table.rows[row][column]) + indentOf(row, column));
    return width + 2 * kCellSide + 1;
}

qreal TablePages::least(int column) const {
    const qreal letter = QFontMetricsF(m_font).averageCharWidth();
    const qreal natural = this->natural(column);
    // Numbers are not broken.
    if (m_table.isRight[column]) return natural;
    return std::min(natural, kNarrowLetters * letter + 2 * kCellSide);
}

QVector<TablePage> TablePages::columnGroups() const {
    QVector<qreal> wanted, narrow;
    for (int column = 0; column < m_table.columns(); ++column) {
        narrow << std::min(least(column), m_room.width() / 2);
        wanted << std::max(narrow.back(), natural(column));
    }
    QVector<TablePage> groups;
    int next = 0;
    while (next < m_table.columns()) {
        TablePage group;
        qreal used = 0;
        const auto take = [&](int column) {
            group.columns << column;
            used += narrow[column];
        };
        if (next > 0) take(0);
        do take(next++);
        while (next < m_table.columns() && used + narrow[next] <= m_room.width());
        // What is left of the width goes to columns by what they want.
        qreal missing = 0;
        for (const int column : group.columns) missing += wanted[column] - narrow[column];
        const qreal share = missing > 0 ? std::min(1.0, (m_room.width() - used) / missing) : 0;
        for (const int column : group.columns)
            group.widths << narrow[column] + share * (wanted[column] - narrow[column]);
        groups << group;
    }
    return groups;
}

qreal TablePages::rowHeight(const QStringList& texts, int row, const TablePage& page) const {
    const QFontMetricsF metrics(m_font);
    qreal height = metrics.height();
    for (int i = 0; i < page.columns.size(); ++i) {
        const qreal width = page.widths[i] - 2 * kCellSide - indentOf(row, page.columns[i]);
        const QString& text = texts[page.columns[i]];
        const QRectF room(0, 0, width, 1e6);
        if (metrics.horizontalAdvance(text) > width)
            height =
                std::max(height, metrics.boundingRect(room, wrapOf(text, metrics, width), text).height());
    }
    return height + 2 * kCellTop;
}

QString TablePages::caption(const TablePage& page) const {
    QStringList parts{m_table.title};
    const auto rows = m_table.rows.size();
    if (page.firstRow > 0 || page.endRow < rows || m_table.left > 0)
        parts << QObject::tr("rows %1 to %2 of %3")
                     .arg(page.firstRow + 1)
                     .arg(page.endRow)
                     .arg(rows + m_table.left);
    if (page.columns.size() < m_table.columns())
        parts << QObject::tr("columns %1 to %2 of %3")
                     .arg(page.columns.value(page.columns.front() == 0 && page.columns.size() > 1 &&
                                                     page.columns[1] != 1
                                                 ? 1
                                                 : 0) +
                          1)
                     .arg(page.columns.back() + 1)
                     .arg(m_table.columns());
    if (m_table.blank > 0)
        parts << (m_table.blank == 1
                      ? QObject::tr("1 column without any value is left out")
                      : QObject::tr("%1 columns without any value are left out").arg(m_table.blank));
    if (m_table.left > 0 && page.endRow == rows)
        parts << QObject::tr("%1 more rows are left out: File > Export writes all of them as CSV")
                     .arg(m_table.left);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

void TablePages::paintRow(QPainter& painter, const QStringList& texts, int row, const TablePage& page,
                          qreal left, qreal top, qreal height) const {
    for (int i = 0; i < page.columns.size(); ++i) {
        const int column = page.columns[i];
        const QRectF cell = QRectF(left, top, page.widths[i], height)
                                .adjusted(kCellSide + indentOf(row, column), kCellTop, -kCellSide, -kCellTop);
        painter.drawText(cell,
                         static_cast<int>(m_table.isRight[column] ? Qt::AlignRight : Qt::AlignLeft) |
                             static_cast<int>(Qt::AlignTop) |
                             wrapOf(texts[column], QFontMetricsF(m_font), cell.width()),
                         texts[column]);
        left += page.widths[i];
    }
}

void TablePages::paint(QPainter& painter, const TablePage& page, const QPointF& at) const {
    const qreal width = std::accumulate(page.widths.begin(), page.widths.end(), 0.0);
    QFont strong = m_font;
    strong.setBold(true);
    painter.setPen(Qt::black);
    painter.setFont(strong);
    const qreal caption = QFontMetricsF(m_font).height() + 8;
    painter.drawText(QRectF(at, QSizeF(m_room.width(), caption)), Qt::AlignLeft | Qt::AlignTop,
                     this->caption(page));
    painter.setFont(m_font);
    qreal top = at.y() + caption;
    const qreal head = rowHeight(m_table.heads, -1, page);
    painter.setPen(Qt::darkGray);
    paintRow(painter, m_table.heads, -1, page, at.x(), top, head);
    top += head;
    painter.drawLine(QPointF(at.x(), top), QPointF(at.x() + width, top));
    for (int row = page.firstRow; row < page.endRow; ++row) {
        const qreal height = rowHeight(m_table.rows[row], row, page);
        if ((row - page.firstRow) % 2 == 1) {
            painter.setOpacity(kStripe);
            painter.fillRect(QRectF(at.x(), top, width, height), Qt::black);
            painter.setOpacity(1);
        }
        painter.setPen(Qt::black);
        paintRow(painter, m_table.rows[row], row, page, at.x(), top, height);
        top += height;
    }
}

}  // namespace plumb::ui
