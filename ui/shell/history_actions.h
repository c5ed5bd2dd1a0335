// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history/history_entry.h"

#include <QObject>

#include <vector>

namespace plumb::ui {

class ActionRegistry;
class Banner;
class FileActions;
class Settings;
class ViewStack;
struct Session;

/// What the view of the history asks of the window: opens and compares what was kept, writes and reads files
/// of it.
class HistoryActions final : public QObject {
    Q_OBJECT
public:
    HistoryActions(ActionRegistry& actions, Session& session, ViewStack& views, FileActions& files,
                   Settings& settings, Banner& banner, QWidget& window);

    /// Opens what was kept of it as a document, after results that no file holds were asked for.
    void open(const HistoryEntry& entry);
    /// Lays them side by side, the first as the baseline.
    void compare(const std::vector<HistoryEntry>& entries);
    /// Empty: all.
    void exportTo(const std::vector<std::int64_t>& ids, const QString& path);
    void importFrom(const QString& path);

private:
    void connectView(int tab);  ///< that was made
    void askExport(const std::vector<std::int64_t>& ids);
    void askImport();
    void notice(const QString& text);

    Session& m_session;
    ViewStack& m_views;
    FileActions& m_files;
    Settings& m_settings;
    Banner& m_banner;
    QWidget& m_window;
};

}  // namespace plumb::ui
