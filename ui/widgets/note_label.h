// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QLabel>
#include <QString>

namespace plumb::ui {

/// Sentences of plain text that wrap, in a column of widgets: as wide as the column, and as high as the text
/// is at that width. For each other text Qt's own label lays it out a dozen times, for heights at widths that
/// nobody asks for.
class NoteLabel final : public QLabel {
    Q_OBJECT
public:
    explicit NoteLabel(QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
    [[nodiscard]] bool hasHeightForWidth() const override { return false; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int m_width = 0;  ///< of the text; 0: not laid out yet
    // What m_height is of.
    mutable QString m_text;
    mutable QFont m_font;
    mutable int m_heightAt = -1;
    mutable int m_height = 0;
};

}  // namespace plumb::ui
