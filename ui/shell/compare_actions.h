// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include <cstddef>

namespace plumb::ui {

class ActionRegistry;
class Banner;
class Settings;
class ViewStack;
struct Session;

/// Brings steps into the comparison: files, what is open, the measurements of the session.
class CompareActions final : public QObject {
    Q_OBJECT
public:
    CompareActions(ActionRegistry& actions, Session& session, ViewStack& views, Settings& settings,
                   Banner& banner, QWidget& window);

    /// Offers to compare files that are being opened, once they are open, where there are several.
    void offer(const QStringList& paths);

private:
    void connectView(int tab);  ///< that was made
    void askFiles();
    void askBudget();
    void askExport();
    /// What the window shows becomes the baseline where nothing is compared yet.
    void addShown();
    void compareMeasurements();
    void refresh();

    ActionRegistry& m_actions;
    Session& m_session;
    ViewStack& m_views;
    Settings& m_settings;
    Banner& m_banner;
    QWidget& m_window;
    std::size_t m_count = 0;  ///< of steps that are compared
    QStringList m_offered;
};

}  // namespace plumb::ui
