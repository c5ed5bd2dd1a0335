// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QPersistentModelIndex>
#include <QStyledItemDelegate>
#include <QTreeView>

#include <functional>
#include <optional>

namespace plumb::ui {

/// What the cells of trees have in common: the height of a row, text that ends where its title ends, bars.
class TreeCells : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr int kPadding = 12;  ///< left of a cell's text, but for the first column

    TreeCells(const Theme& theme, int rowHeight, QObject* parent);
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    /// A bar across the room, full to this share of it.
    void paintBar(QPainter& painter, const QRect& room, double share, ColorRole role) const;
    /// A dot at the left of the room; the room beside it is returned.
    [[nodiscard]] static QRect paintDot(QPainter& painter, const QRect& room, const QColor& color);
    /// The text of a cell as the painter has font and colour.
    static void paintText(QPainter& painter, const QStyleOptionViewItem& option, const QRect& room,
                          const QModelIndex& index, Qt::TextElideMode elide = Qt::ElideRight);

private:
    const Theme& m_theme;
    int m_rowHeight;
};

/// A tree with columns that lies on a card: rounded rows where the pointer or the selection is, flat carets,
/// quiet column titles, whole rows selected, nothing edited. What a cell looks like is the item delegate's,
/// which gets the table as the widget of its option; how wide columns are is the table's.
class TreeTable : public QTreeView {
    Q_OBJECT
public:
    explicit TreeTable(const Theme& theme, QWidget* parent = nullptr);

    /// Rows are all of one height and nothing is edited: what has changed is painted anew.
    void dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                     const QList<int>& roles = {}) override;

signals:
    void copyRequested();

protected:
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override;
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// Called when the room or the fonts have changed: sets the widths of the columns.
    virtual void layoutColumns() {}
    void resizeEvent(QResizeEvent* event) override;
    /// Gives columns their width, 0 for those that are not to be seen, and the first what is left. Columns
    /// give way in the order of `yielding` while the first has less than `least`; they come back with room.
    /// The header says how many are gone, for which the first gives way down to `shortest`, else to `least`.
    template <class Columns, class WidthOf>
    void fitColumns(int least, const Columns& yielding, const WidthOf& widthOf,
                    std::optional<int> shortest = {}) {
        QList<int> order;
        for (const auto column : yielding) order << static_cast<int>(column);
        fit(
            least, order, [&](int at) { return widthOf(static_cast<typename Columns::value_type>(at)); },
            shortest.value_or(least));
    }

    /// Width of a column that has room for texts of these widths, in logical pixels.
    [[nodiscard]] int widthForTexts(int content, int title) const;

    [[nodiscard]] const Theme& theme() const { return m_theme; }

private:
    void fit(int least, const QList<int>& yielding, const std::function<int(int)>& widthOf, int shortest);
    void restyle();
    void setHovered(const QModelIndex& index);

    const Theme& m_theme;
    QPersistentModelIndex m_hovered;
};

}  // namespace plumb::ui
