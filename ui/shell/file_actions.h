// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QObject>
#include <QStringList>

#include <functional>

class QMenu;

namespace plumb::ui {

class ActionRegistry;
class Settings;
struct Session;

/// Opens and saves snapshots, and asks before results leave the screen that no file holds.
class FileActions final : public QObject {
    Q_OBJECT
public:
    FileActions(ActionRegistry& actions, Session& session, Settings& settings, QWidget& window);

    /// Lists the recent files in `recent`, which follows them, and the samples in `samples`.
    void setMenus(QMenu& recent, QMenu& samples);
    /// All of them, one after the other; asks first when unsaved results would leave the screen.
    void open(const QStringList& paths);
    /// Puts them first into the list of recent files, as one entry.
    void remember(const QStringList& paths);
    void forget(const QStringList& paths);
    /// Whether a file is a plan of the planner.
    [[nodiscard]] static bool isPlan(const QString& path);
    /// What would be lost now, for people; empty when nothing would.
    [[nodiscard]] QString wouldBeLost() const;
    /// Runs `proceed` at once when nothing would be lost, else when the user has saved or let it go.
    void afterUnsavedResults(const std::function<void()>& proceed);
    /// The same of what goes with the document's tab: device records that were typed, too.
    [[nodiscard]] bool wouldLoseByClosing() const;
    void beforeClosing(const std::function<void()>& proceed);

signals:
    void plansWanted(const QStringList& paths);  ///< plans among the files to open
    void notSaved();                             ///< the document has said why: another file may do
    /// What could not be opened is not there any more, and in the list of recent files.
    void gone(const QStringList& paths);

private:
    void askOpen();
    void tellGone(const Error& error);
    /// Saves to the file of the document, or asks for one; `afterwards` runs when it was saved.
    void save(const std::function<void()>& afterwards = {});
    void askSave(const std::function<void()>& afterwards = {});
    void saveTo(const QString& path, const std::function<void()>& afterwards);
    void fillRecent();
    void fillSamples(QMenu& menu);

    Session& m_session;
    Settings& m_settings;
    QWidget& m_window;
    QMenu* m_recent = nullptr;
};

}  // namespace plumb::ui
