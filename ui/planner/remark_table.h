// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QTableWidget>

#include <utility>

namespace plumb::ui {

class Theme;

/// A table of figures whose rows have a remark: a sentence, which has no room in a column beside a dozen
/// others. It stands below the figures of its row, over the whole width and in as many lines as it takes. The
/// columns that it is from are hidden. Where there is not room for the others some give way in turn: their
/// figures stand before the remark then, with their titles.
class RemarkTable final : public QTableWidget {
    Q_OBJECT
public:
    explicit RemarkTable(Theme& theme, QWidget* parent = nullptr);

    /// `wide` gets the width that the others leave; the remark is what stands in `remarks`. Shows all other
    /// columns.
    void setRemarks(int wide, QList<int> remarks);
    /// Columns that give way, the first one first; after setRemarks().
    void setYielding(QList<int> columns) { m_yielding = std::move(columns); }
    /// Widths and heights anew, after cells or columns have changed.
    void fit();
    [[nodiscard]] QString remark(int row) const;
    [[nodiscard]] QRect remarkRect(int row) const;  ///< in the viewport; empty where there is none

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void spread();
    /// Hides as many of the columns that may go as must; returns the width that is left.
    int giveWay();

    Theme& m_theme;
    int m_wide = 0;
    QList<int> m_remarks;
    QList<int> m_yielding;
    QList<int> m_gone;    ///< those of them that have given way
    QList<int> m_needed;  ///< width of what is in each column
};

}  // namespace plumb::ui
