// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QString>
#include <QVector>

class QHeaderView;
class QTableView;

namespace plumb::ui {

/// Says at the right end of the header how many columns have no room, and in its tool tip which. `room` is
/// the width of what is below the header, which gets it later: until then the sign would lie under a scroll
/// bar. Returns the width that it takes; 0 where none has gone.
int tellGoneColumns(QHeaderView& header, int room, const QList<int>& gone);

/// Keeps the columns of a table within its width: each as wide as what it shows, and one of them takes what
/// is left. Where there is too little room, those of long texts become narrower first and cut them, then some
/// columns give way in turn, so that nothing is moved sideways. A column that its owner hides stays hidden.
/// It belongs to the table.
class ColumnFit final : public QObject {
    Q_OBJECT
public:
    /// `wide` takes what is left; `yielding` go, the first one first; `shrinking` cut their texts before
    /// that, `wide` among them where one long text must not drive the others out.
    ColumnFit(QTableView& table, int wide, QList<int> yielding, QList<int> shrinking = {});
    /// Again, after the owner has shown or hidden a column.
    void fit();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fitTo(int room);
    [[nodiscard]] int widthOfCells(int column);
    [[nodiscard]] int neededBy(int column);

    QTableView& m_table;
    int m_wide;
    QList<int> m_yielding;
    QList<int> m_shrinking;
    QList<int> m_gone;      ///< of the yielding, those that are hidden here
    QVector<int> m_needed;  ///< at this width of the table, so that columns do not move with each row
    /// Widths of the texts that were in each column, in the font of the table.
    QVector<QHash<QString, int>> m_widths;
    bool m_isFitting = false;
};

}  // namespace plumb::ui
