// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/session.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/theme.h"

#include <QMainWindow>

#include <memory>

class QHBoxLayout;

namespace plumb::ui {

class Banner;
class CommandPalette;
class CompareActions;
class DocumentTab;
class FileActions;
class HelpActions;
class KeyFigures;
class Lessons;
class Messages;
class ReadingActions;
class RecordingPanel;
class RunPanel;
class SidePanel;
class TopBar;
class ViewDocks;
class WorkProgress;

/// The window: puts session, views and actions together, each of which does its part by itself.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    /// With an `old` window: on its session, and in its place, where it stands and what it shows. `old` is to
    /// go then.
    MainWindow(Settings& settings, Theme& theme, QWidget* parent = nullptr, MainWindow* old = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Workbench& workbench() { return m_session.workbench; }
    [[nodiscard]] EngineClient& engine() { return m_session.engine; }
    [[nodiscard]] RunController& controller() { return m_session.controller; }
    [[nodiscard]] OpenedFiles& openedFiles() { return m_session.openedFiles; }
    [[nodiscard]] Document& document() { return m_session.document; }
    [[nodiscard]] ComparedSteps& compared() { return m_session.compared; }
    [[nodiscard]] Session& session() { return m_session; }  ///< and the rest of it
    [[nodiscard]] const ActionRegistry& actions() const { return *m_actions; }
    [[nodiscard]] ViewStack& views() { return *m_views; }
    /// Key figures and view: what pictures show.
    [[nodiscard]] QWidget& viewArea() { return *m_viewArea; }
    [[nodiscard]] QString bannerText() const;
    [[nodiscard]] Messages& messages() { return *m_messages; }
    [[nodiscard]] DocumentTab& tab() { return *m_tab; }

    void openFile(const QString& path) { (void)openFiles({path}); }
    /// All of them, one after the other, and for a folder the traces in it; asks first when unsaved results
    /// would leave the screen. False: a folder holds none, which the banner says.
    bool openFiles(const QStringList& given);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildLayout();
    void buildActions();
    void buildMenus();
    void connectParts();
    /// The device above, and the title.
    void refresh();
    void followTab();
    [[nodiscard]] bool isOfStep() const;  ///< the current view
    void showPanels();                    ///< at the left, which comparisons and opened files have no need of
    /// Says that the last state of a training is being saved, and closes the window when it is.
    void closeWhenSaved();

    Settings& m_settings;
    Theme& m_theme;
    std::shared_ptr<Session> m_ownedSession;  ///< goes with the last window on it
    Session& m_session;
    ActionRegistry* m_actions;
    TopBar* m_topBar = nullptr;
    Banner* m_banner = nullptr;
    Messages* m_messages = nullptr;
    SidePanel* m_side = nullptr;
    RunPanel* m_panel = nullptr;
    RecordingPanel* m_recordingPanel = nullptr;  ///< in its place while a recorded step is shown
    QWidget* m_viewArea = nullptr;
    KeyFigures* m_keyFigures = nullptr;
    ViewStack* m_views = nullptr;
    ViewDocks* m_docks = nullptr;
    WorkProgress* m_progress = nullptr;
    QHBoxLayout* m_middle = nullptr;  ///< run panel, views, lessons
    CommandPalette* m_palette = nullptr;
    FileActions* m_files = nullptr;
    CompareActions* m_compare = nullptr;
    ReadingActions* m_readings = nullptr;
    HelpActions* m_help = nullptr;
    DocumentTab* m_tab = nullptr;
    /// Gone before the panel of the lessons, which speaks to it when it is hidden.
    std::unique_ptr<Lessons> m_lessons;
    bool m_closeConfirmed = false;
    bool m_replaced = false;  ///< by another window, which hears of failures now
};

}  // namespace plumb::ui
