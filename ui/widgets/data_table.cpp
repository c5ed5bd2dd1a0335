// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/data_table.h"

#include "ui/widgets/help_anchor.h"

#include <QFocusEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>

namespace plumb::ui {
namespace {

class RowAtFocus final : public QObject {
public:
    explicit RowAtFocus(QTableView& table) : QObject(&table), m_table(table) {
        table.installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::FocusIn && !m_table.selectionModel()->hasSelection() &&
            m_table.model()->rowCount() > 0 && isByKey(static_cast<QFocusEvent*>(event)->reason()))
            m_table.selectRow(std::max(0, m_table.currentIndex().row()));
        return QObject::eventFilter(watched, event);
    }

private:
    /// A click chooses by itself, and a window that comes back has been left as it was.
    static bool isByKey(Qt::FocusReason reason) {
        return reason != Qt::MouseFocusReason && reason != Qt::PopupFocusReason &&
               reason != Qt::ActiveWindowFocusReason;
    }

    QTableView& m_table;
};

/// Keeps a text that follows a right-aligned number away from it.
class IndentedDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(kIndent, 0);
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem indented = option;
        if (option.widget)
            option.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter,
                                                  option.widget);
        indented.rect.setLeft(option.rect.left() + kIndent);
        QStyledItemDelegate::paint(painter, indented, index);
    }

private:
    static constexpr int kIndent = 14;
};

}  // namespace

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

void indentColumn(QTableView& table, int column) {
    table.setItemDelegateForColumn(column, new IndentedDelegate(&table));
}

void chooseRowAtFocus(QTableView& table) { new RowAtFocus(table); }

}  // namespace plumb::ui
