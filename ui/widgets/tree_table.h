// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPersistentModelIndex>
#include <QTreeView>

namespace plumb::ui {

class Theme;

/// A tree with columns that lies on a card: rounded rows where the pointer or the selection is, flat carets,
/// quiet column titles, whole rows selected, nothing edited. What a cell looks like is the item delegate's,
/// which gets the table as the widget of its option; how wide columns are is the owner's.
class TreeTable : public QTreeView {
    Q_OBJECT
public:
    explicit TreeTable(const Theme& theme, QWidget* parent = nullptr);

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

    [[nodiscard]] const Theme& theme() const { return m_theme; }

private:
    void restyle();
    void setHovered(const QModelIndex& index);

    const Theme& m_theme;
    QPersistentModelIndex m_hovered;
};

}  // namespace plumb::ui
