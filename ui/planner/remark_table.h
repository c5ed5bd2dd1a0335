// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QTableWidget>

namespace plumb::ui {

class Theme;

/// A table of figures whose rows have a remark: a sentence, which has no room in a column beside a dozen
/// others. It stands below the figures of its row, over the whole width and in as many lines as it takes, and
/// stays there while the columns are moved sideways. The columns that it is from are hidden.
class RemarkTable final : public QTableWidget {
    Q_OBJECT
public:
    explicit RemarkTable(Theme& theme, QWidget* parent = nullptr);

    /// `wide` gets the width that the others leave; the remark is what stands in `remarks`. Shows all other
    /// columns.
    void setRemarks(int wide, QList<int> remarks);
    /// Widths and heights anew, after cells or columns have changed.
    void fit();
    [[nodiscard]] QString remark(int row) const;
    [[nodiscard]] QRect remarkRect(int row) const;  ///< in the viewport; empty where there is none

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void spread();

    Theme& m_theme;
    int m_wide = 0;
    QList<int> m_remarks;
    QList<int> m_needed;  ///< width of what is in each column
};

}  // namespace plumb::ui
