// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/settings.h"

#include <QMainWindow>
#include <QTimer>

#include <vector>

namespace plumb::ui {

class ViewDock;
class ViewStack;

/// The room of the views: the stack with what stands above it, and around it the views that the user took
/// out, beside it, below it or as windows of their own. What stands where is remembered.
class ViewDocks final : public QMainWindow {
    Q_OBJECT
public:
    enum class Place { Window, Right, Below };

    /// `middle` holds the stack. Settings and views outlive it.
    ViewDocks(ViewStack& views, QWidget& middle, Settings& settings, QWidget* parent = nullptr);

    /// Takes the view out, or moves it when it is out already; it is the current one then.
    void take(int tab, Place place);
    /// Brings the view back among the tabs.
    void putBack(int tab);
    void putAllBack();
    /// Null: the view is among the tabs.
    [[nodiscard]] ViewDock* dockOf(int tab) const;
    /// The current view, or in place of one in a window of its own the one among the tabs.
    [[nodiscard]] int tabInWindow() const;
    /// As the settings remember it.
    void restore();
    /// As in another page of the same document, which is to go; as at first where the settings remember
    /// nothing any more.
    void restoreFrom(ViewDocks& old);

signals:
    void changed();  ///< a view went or came back

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    ViewDock& dock(int tab);
    void bringBack(ViewDock& dock);
    void show(int tab);
    void gather();
    void scatter();
    void follow(const QWidget& used);
    void followTabs();
    [[nodiscard]] LayoutSettings layoutNow() const;
    void restore(const LayoutSettings& layout);
    void keepSoon();
    void keep();  ///< what changed a moment ago
    void place(ViewDock& dock, Place at);
    void showWindows();

    ViewStack& m_views;
    Settings& m_settings;
    std::vector<ViewDock*> m_docks;  ///< in the order in which they were taken out
    QTimer m_keeping;
    LayoutSettings m_gathered;
    bool m_isQuiet = false;  ///< what changes is not the user's wish
};

}  // namespace plumb::ui
