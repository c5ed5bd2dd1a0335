// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace plumb::ui {

/// A widget that follows what it shows only while somebody looks: while it is hidden it does nothing; it
/// catches up when it is shown or painted.
class LateView : public QWidget {
    Q_OBJECT
public:
    /// Brings the screen up to what is shown now, even while it is hidden.
    void refresh();

protected:
    using QWidget::QWidget;
    /// Puts what is shown on the screen.
    virtual void catchUp() = 0;
    /// What is shown has changed.
    void invalidate();
    /// What is on the screen is older than that.
    [[nodiscard]] bool isStale() const { return m_isStale; }
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_isStale = true;
};

}  // namespace plumb::ui
