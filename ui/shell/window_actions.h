// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/run_config.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <optional>

namespace plumb::ui {

class ActionRegistry;
class FileActions;
struct Session;

/// The document and the window as a whole: New, Reload, another window, full screen, and back to the settings
/// of the run.
class WindowActions final : public QObject {
    Q_OBJECT
public:
    /// Starts the program at a path with arguments; false when it cannot.
    using Starter = std::function<bool(const QString&, const QStringList&)>;
    WindowActions(ActionRegistry& actions, Session& session, FileActions& files, QWidget& window);

    void setStarter(Starter start) { m_start = std::move(start); }

signals:
    void failed(const plumb::Error& error);

private:
    void leaveForeignDevice();
    void startNew();
    void reload();
    void openWindow();
    void setFullScreen(bool on);
    void returnToRun();
    void follow();  ///< what can be done now
    /// Files of the document; empty: it is in none.
    [[nodiscard]] QStringList openPaths() const;
    /// Settings of the run that goes on, of the measurement that is shown or of the newest training.
    [[nodiscard]] std::optional<RunConfig> runConfig() const;
    [[nodiscard]] bool isPristine() const;  ///< nothing was opened, measured or trained

    ActionRegistry& m_actions;
    Session& m_session;
    FileActions& m_files;
    QWidget& m_window;
    Starter m_start;
};

}  // namespace plumb::ui
