// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/curve_measurer.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/lab_engine.h"
#include "ui/engine/run_controller.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/document.h"
#include "ui/theme/theme.h"
#include "ui/workbench/config_history.h"
#include "ui/workbench/device_library.h"
#include "ui/workbench/view.h"
#include "ui/workbench/workbench.h"

#include <QMainWindow>

#include <functional>
#include <span>
#include <vector>

class QHBoxLayout;
class QMenu;
class QStackedWidget;

namespace plumb::ui {

class Banner;
class CommandPalette;
class DevicesDialog;
class HighlightRing;
class KeyFigures;
class LabView;
class LessonPanel;
class PictureExporter;
class PlannerView;
class RunPanel;
class TopBar;

/// The window: puts the parts together and owns the actions. It knows views only by their constructors.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    /// One tab. A view is added by one line in views() (ui/shell/main_window_views.cpp): tab, menu entry,
    /// shortcut and picture follow from it.
    struct ViewSpec {
        const char* id;     ///< "memory": of the tab, of the action "view.memory" and of the picture
        const char* title;  ///< to be translated, with mnemonic
        QWidget* (MainWindow::*make)();
    };
    /// In the order of the tabs; the first is the Overview.
    [[nodiscard]] static std::span<const ViewSpec> views();
    [[nodiscard]] static int tabCount() { return static_cast<int>(views().size()); }

    MainWindow(Settings& settings, Theme& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Workbench& workbench() { return m_workbench; }
    [[nodiscard]] EngineClient& engine() { return m_engine; }
    [[nodiscard]] RunController& controller() { return m_controller; }
    [[nodiscard]] Document& document() { return m_document; }
    [[nodiscard]] CurveMeasurer& measurer() { return m_measurer; }
    [[nodiscard]] DeviceLibrary& devices() { return m_library; }
    [[nodiscard]] ConfigHistory& history() { return m_history; }
    [[nodiscard]] const ActionRegistry& actions() const { return *m_actions; }
    [[nodiscard]] QWidget* viewArea() const {
        return m_viewArea;
    }  ///< key figures and view: what pictures show
    [[nodiscard]] QString bannerText() const;

    void setCurrentTab(int index);
    /// The control, action button or tab of this name, as lessons name them; null when there is none.
    [[nodiscard]] QWidget* controlOf(const QString& name);
    /// Of a tab by its id; -1 for an unknown one.
    [[nodiscard]] static int tabOf(const QString& id);
    [[nodiscard]] int currentTab() const;
    [[nodiscard]] QWidget* currentView() const;
    /// Shows the view with this id and returns it; null for one that there is not.
    QWidget* showView(const QString& id);
    void openFile(const QString& path) { openFiles({path}); }
    /// All of them, one after the other; asks first when unsaved results would leave the screen.
    void openFiles(const QStringList& paths);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildLayout();
    void buildActions();
    void buildFileActions();
    void buildRunActions();
    void buildViewActions();
    void buildPlannerActions();
    void buildLabActions();
    void measureCurve();
    void buildMenus();
    void connectParts();
    template <class View>
    [[nodiscard]] QWidget* makeFull();
    [[nodiscard]] QWidget* makeOverview();
    [[nodiscard]] QWidget* makeRoofline();
    [[nodiscard]] QWidget* makeTimeline();
    [[nodiscard]] QWidget* makeCheckpoint();
    [[nodiscard]] QWidget* makePlanner();
    [[nodiscard]] QWidget* makeLab();
    PlannerView& planner();
    LabView& lab();
    void showLessons();
    void pointAt(const QStringList& controls);
    void refresh();
    void fillRecentFiles();
    void fillSamples(QMenu& menu);
    void fillMeasurements();
    void showMeasurement(std::size_t index);
    /// That many measurements later than the one that is shown; none shown counts as after the last.
    void showMeasurementBeside(int steps);
    /// setCurrentTab() by the user, who wants to use the keyboard there at once.
    void goToTab(int index);
    void showError(const Error& error);
    void askOpen();
    void askSave(const std::function<void()>& afterwards = {});
    /// Runs `proceed` at once when nothing would be lost, else when the user has saved or let it go.
    void afterUnsavedResults(const std::function<void()>& proceed);
    /// Says that the last state of a training is being saved, and closes the window when it is.
    void closeWhenSaved();
    /// What would be lost now, for people; empty when nothing would.
    [[nodiscard]] QString wouldBeLost() const;
    /// To the file of the document, or asks for one; `afterwards` runs when it was saved.
    void save(const std::function<void()>& afterwards = {});
    void predictAgain();
    void askExportCsv();
    void askExportTrainingCsv();
    void askExportTimeline();
    void askExportPictures();
    void askEngineCommand();
    void showDevices();
    void askModelConfig();
    void showShortcuts();
    void showNumbersHelp();
    void showAbout();
    void setThemeMode(Theme::Mode mode);

    Settings& m_settings;
    Theme& m_theme;
    Workbench m_workbench;
    EngineClient m_engine;
    RunController m_controller;
    LabEngine m_labEngine;
    CurveMeasurer m_measurer;
    ConfigHistory m_history;
    DeviceLibrary m_library;
    Document m_document;
    ActionRegistry* m_actions;
    TopBar* m_topBar = nullptr;
    Banner* m_banner = nullptr;
    RunPanel* m_panel = nullptr;
    QWidget* m_viewArea = nullptr;
    KeyFigures* m_keyFigures = nullptr;
    QHBoxLayout* m_middle = nullptr;   ///< run panel, views, lessons
    LessonPanel* m_lessons = nullptr;  ///< made when first asked for
    HighlightRing* m_ring = nullptr;
    QStackedWidget* m_stack = nullptr;
    std::vector<QWidget*> m_views;  ///< by tab; made when first shown
    CommandPalette* m_palette = nullptr;
    PictureExporter* m_exporter = nullptr;
    DevicesDialog* m_devicesDialog = nullptr;  ///< made when first shown; keeps what was typed
    QMenu* m_recentMenu = nullptr;
    QMenu* m_measurementsMenu = nullptr;
    bool m_closeConfirmed = false;
};

}  // namespace plumb::ui
