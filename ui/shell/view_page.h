// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace plumb::ui {

/// The place of one view in the window. A view fills it; where it needs more height than there is, it keeps
/// its least height and is scrolled, so that nothing is cut and no view makes the window larger.
class ViewPage final : public QScrollArea {
    Q_OBJECT
public:
    /// Takes the view.
    explicit ViewPage(QWidget& view, QWidget* parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();
};

}  // namespace plumb::ui
