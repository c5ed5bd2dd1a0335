// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>

namespace plumb::ui {

class ViewPage;

/// One view outside the stack, docked or a window of its own. Closing it asks for the view to be put back.
class ViewDock final : public QDockWidget {
    Q_OBJECT
public:
    /// Takes the page.
    ViewDock(int tab, const QString& id, const QString& title, ViewPage& page, QWidget* parent);

    [[nodiscard]] int tab() const { return m_tab; }

signals:
    void putBackWanted();

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    int m_tab;
};

}  // namespace plumb::ui
