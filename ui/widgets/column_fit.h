// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QString>
#include <QVector>

class QTableView;

namespace plumb::ui {

/// Keeps the columns of a table within its width: each as wide as what it shows, one of them takes what is
/// left, and where there is too little room some give way in turn, so that nothing is moved sideways. A
/// column that its owner hides stays hidden. It belongs to the table.
class ColumnFit final : public QObject {
    Q_OBJECT
public:
    /// `wide` takes what is left; `yielding` go, the first one first.
    ColumnFit(QTableView& table, int wide, QList<int> yielding);
    /// Again, after the owner has shown or hidden a column.
    void fit();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] int widthOfCells(int column);
    [[nodiscard]] int neededBy(int column);

    QTableView& m_table;
    int m_wide;
    QList<int> m_yielding;
    QList<int> m_gone;      ///< of the yielding, those that are hidden here
    QVector<int> m_needed;  ///< at this width of the table, so that columns do not move with each row
    /// Widths of the texts that were in each column, in the font of the table.
    QVector<QHash<QString, int>> m_widths;
};

}  // namespace plumb::ui
