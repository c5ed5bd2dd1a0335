// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
    /// What would be lost now, for people; empty when nothing would.
    [[nodiscard]] QString wouldBeLost() const;
    /// Runs `proceed` at once when nothing would be lost, else when the user has saved or let it go.
    void afterUnsavedResults(const std::function<void()>& proceed);

private:
    void askOpen();
    /// Saves to the file of the document, or asks for one; `afterwards` runs when it was saved.
    void save(const std::function<void()>& afterwards = {});
    void askSave(const std::function<void()>& afterwards = {});
    void remember(const QStringList& paths);
    void fillRecent();
    void fillSamples(QMenu& menu);

    Session& m_session;
    Settings& m_settings;
    QWidget& m_window;
    QMenu* m_recent = nullptr;
};

}  // namespace plumb::ui
