// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "core/base/entry_at.h"
#include "core/opening/trace_files.h"
#include "ui/run/key_figures.h"
#include "ui/run/recording_panel.h"
#include "ui/run/run_panel.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/compare_actions.h"
#include "ui/shell/document_tab.h"
#include "ui/shell/edit_actions.h"
#include "ui/shell/engine_actions.h"
#include "ui/shell/export_actions.h"
#include "ui/shell/file_actions.h"
#include "ui/shell/finding_notice.h"
#include "ui/shell/help_actions.h"
#include "ui/shell/history_actions.h"
#include "ui/shell/host_actions.h"
#include "ui/shell/layout_actions.h"
#include "ui/shell/lessons.h"
#include "ui/shell/mark_actions.h"
#include "ui/shell/menu_keys.h"
#include "ui/shell/messages.h"
#include "ui/shell/opened_file_actions.h"
#include "ui/shell/palette_lookup.h"
#include "ui/shell/palette_sources.h"
#include "ui/shell/part_sizes.h"
#include "ui/shell/picture_exporter.h"
#include "ui/shell/planner_actions.h"
#include "ui/shell/preferences_actions.h"
#include "ui/shell/preset_actions.h"
#include "ui/shell/reading_actions.h"
#include "ui/shell/run_actions.h"
#include "ui/shell/side_panel.h"
#include "ui/shell/side_rail.h"
#include "ui/shell/status_strip.h"
#include "ui/shell/top_bar.h"
#include "ui/shell/view_actions.h"
#include "ui/shell/view_docks.h"
#include "ui/shell/welcome.h"
#include "ui/shell/window_actions.h"
#include "ui/shell/work_progress.h"
#include "ui/theme/text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button_keys.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/help_anchor.h"
#include "ui/widgets/screen_room.h"
#include "ui/widgets/wheel_guard.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <string>
#include <vector>

namespace plumb::ui {
namespace {

constexpr int kViewMargin = 14;
constexpr int kSpacing = 10;

QStringList droppedFiles(const QMimeData* data) {
    QStringList files;
    for (const QUrl& url : data->urls())
        if (const QFileInfo file(url.toLocalFile()); url.isLocalFile() && (file.isFile() || file.isDir()))
            files << url.toLocalFile();
    return files;
}

}  // namespace

MainWindow::MainWindow(Settings& settings, Theme& theme, QWidget* parent, MainWindow* old)
    : QMainWindow(parent),
      m_settings(settings),
      m_theme(theme),
      m_ownedSession(old != nullptr ? old->m_ownedSession
                                    : std::make_shared<Session>(settings.engine().command)),
      m_session(*m_ownedSession),
      m_actions(new ActionRegistry(this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    installAccessibleRoles();
    new WheelGuard(*qApp, this);
    new ScreenFit(*qApp, this);
    new ButtonKeys(*qApp, this);
    new FocusRing(m_theme, *this);
    buildLayout();
    buildActions();
    buildMenus();
    connectParts();
    if (old != nullptr) {
        restoreGeometry(old->saveGeometry());
        resize(old->size());
        // A view that was used has a part in what can be undone.
        for (int tab = 0; tab < ViewStack::tabCount(); ++tab)
            if (old->m_views->viewAt(tab) != nullptr) (void)m_views->madeViewAt(tab);
        m_lessons->takePlaceOf(*old->m_lessons);  // before the view, to another of which its step may lead
        m_docks->restoreFrom(*old->m_docks);
        m_views->goToTab(old->m_views->currentTab());
        m_help->takeManualOf(*old->m_help);
        old->m_replaced = true;
    } else {
        m_session.controller.engineDevices().lookForPyTorch(settings.engine().pyTorchInterpreter);
        resize(1600, 1000);
        restoreGeometry(settings.windowGeometry());
        const QString current = settings.currentView();
        m_docks->restore();
        m_views->goToTab(std::max(0, ViewStack::tabOf(current)));
    }
    refresh();
}

MainWindow::~MainWindow() {
    hide();  // views that are hidden ask once more for what they show: the session, gone before the widget
    if (!m_replaced && m_tab->isHearing()) m_settings.onFailure(nullptr);
}

void MainWindow::buildLayout() {
    m_topBar = new TopBar(m_theme, this);
    for (const ViewStack::Spec& view : ViewStack::views())
        m_topBar->addTab(QString::fromLatin1(view.id), withoutMnemonic(ViewStack::tr(view.title)));
    const ViewContext context{m_session.workbench, m_theme};
    m_panel = new RunPanel(context, m_session.controller, m_session.history, this);
    m_recordingPanel = new RecordingPanel(context, m_session.controller, this);
    m_viewArea = new QWidget(this);
    m_viewArea->setObjectName(QStringLiteral("viewArea"));
    m_banner = new Banner(m_theme, this);
    m_messages = new Messages(m_session, *m_banner, *this);
    m_views = new ViewStack(m_session, m_theme, m_settings, m_viewArea);
    new PartSizes(*m_views, m_settings, this);
    auto* viewLayout = new QVBoxLayout(m_viewArea);
    viewLayout->setContentsMargins(kViewMargin, 12, kViewMargin, kViewMargin);
    viewLayout->setSpacing(kSpacing);
    m_keyFigures = new KeyFigures(context, m_viewArea);
    setHelpAnchor(*m_topBar, QStringLiteral("window#tabs"));
    setHelpAnchor(*m_panel, QStringLiteral("run-panel"));
    setHelpAnchor(*m_recordingPanel, QStringLiteral("run-panel#recorded"));
    setHelpAnchor(*m_banner, QStringLiteral("window#notices"));
    setHelpAnchor(*m_keyFigures, QStringLiteral("figures"));
    auto* figuresFrame = new QHBoxLayout;
    figuresFrame->addWidget(m_keyFigures);
    viewLayout->addLayout(figuresFrame);
    viewLayout->addWidget(m_views, 1);

    m_middle = new QHBoxLayout;
    m_middle->setSpacing(0);
    auto* central = new QWidget(this);
    m_docks = new ViewDocks(*m_views, *m_viewArea, m_settings, central);
    m_side = new SidePanel(*m_panel, *m_recordingPanel, m_theme, m_settings, central);
    m_side->rail().addSection(Glyph::Sliders, tr("Model"), QStringLiteral("modelHeading"));
    m_side->rail().addSection(Glyph::Step, tr("Step"), QStringLiteral("stepHeading"));
    m_side->rail().addSection(Glyph::Chip, tr("Device and run"), QStringLiteral("runHeading"));
    m_side->rail().addSection(Glyph::Gear, tr("Advanced"), QStringLiteral("advancedButton"));
    // A notice stands below the views, which give it their room: it covers nothing, and what is above the
    // lower end stays where somebody is about to click.
    auto* views = new QVBoxLayout;
    auto* noticeFrame = new QHBoxLayout;
    noticeFrame->addWidget(m_banner);
    views->addWidget(m_docks, 1);
    views->addLayout(noticeFrame);
    m_middle->addWidget(m_side);
    m_middle->addLayout(views, 1);
    // A panel that lies over the views leaves what is read while it is used: the key figures, which change
    // with its sliders, stand beside it, as the notice does.
    const auto arrange = [this, figuresFrame, noticeFrame] {
        figuresFrame->setContentsMargins(m_side->covered(), 0, 0, 0);
        noticeFrame->setContentsMargins(kViewMargin + m_side->covered(), 0, kViewMargin, kSpacing);
    };
    connect(m_side, &SidePanel::foldingChanged, this, arrange);
    arrange();
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_topBar);
    layout->addLayout(m_middle, 1);
    m_progress = new WorkProgress(m_session, this);
    auto* status = new StatusStrip(context, m_session.controller, m_session.document, *m_progress, central);
    setHelpAnchor(*status, QStringLiteral("window#status"));
    layout->addWidget(status);
    setCentralWidget(central);
}

// In the order of the palette and of the list of shortcuts.
void MainWindow::buildActions() {
    m_palette = new CommandPalette(m_theme, this);
    auto* pictures = new PictureExporter(*m_views, *m_viewArea, this);
    m_files = new FileActions(*m_actions, m_session, m_settings, *this);
    m_tab = new DocumentTab(*m_actions, m_settings, *m_files, *this);
    auto* windows = new WindowActions(*m_actions, m_session, *m_files, *this);
    connect(windows, &WindowActions::failed, m_messages, &Messages::showError);
    m_compare = new CompareActions(*m_actions, m_session, *m_views, m_settings, *m_banner, *this);
    auto* kept = new HistoryActions(*m_actions, m_session, *m_views, *m_files, m_settings, *m_banner, *this);
    new OpenedFileActions(*m_actions, m_session, *m_views, *m_banner, *m_tab, *this);
    new ExportActions(*m_actions, {m_session.document, *pictures, m_settings, m_theme, *m_banner, *this});
    m_actions->add(
        {QStringLiteral("file.quit"), tr("&Quit"), tr("Close the window and end the engine"), keys("Ctrl+Q")},
        [this] { window()->close(); });
    auto* edits = new EditActions(
        *m_actions, m_session.history.stack(), *m_views, [this] { return m_panel->isVisibleTo(this); },
        *this);
    connect(edits, &EditActions::noticed, m_messages, &Messages::showNotice);
    auto* marks = new MarkActions(*m_actions, m_session, *m_views, *this);
    connect(marks, &MarkActions::noticed, &m_session.controller, &RunController::noticed);
    new RunActions(*m_actions, m_session, *m_panel, *m_views, m_theme, *this);
    m_readings = new ReadingActions(*m_actions, m_session, *this);
    new EngineActions(*m_actions, m_session, m_settings, *this);
    auto* hosts = new HostActions(*m_actions, m_session, m_settings, *this);
    connect(hosts, &HostActions::fileFetched, this, &MainWindow::openFile);
    connect(hosts, &HostActions::failed, m_messages, &Messages::showError);
    connect(hosts, &HostActions::noticed, &m_session.controller, &RunController::noticed);
    connect(&m_session.controller, &RunController::recorded, hosts, &HostActions::openRecorded);
    new ViewActions(*m_actions, *m_views, m_theme, m_settings, *this);
    new LayoutActions(*m_actions, *m_views, *m_docks, *m_topBar, m_settings, *this);
    new PreferencesActions(*m_actions, m_settings, m_theme, *this);
    m_actions
        ->add({QStringLiteral("view.search"), tr("&Find anything…"),
               tr("Find actions, views, settings, operations, findings, runs, files and pages of the manual "
                  "by name"),
               keys("Ctrl+K")},
              [this] { m_palette->popUp(); })
        ->setShortcuts({keys("Ctrl+K"), keys("Ctrl+Shift+P")});
    new PanelActions(*m_actions, *m_side, *m_panel, *this);
    auto* presets = new PresetActions(*m_actions, m_session, m_settings, m_theme, *m_panel, *this);
    connect(presets, &PresetActions::failed, m_messages, &Messages::showError);
    connect(presets, &PresetActions::noticed, &m_session.controller, &RunController::noticed);
    auto* plans = new PlannerActions(*m_actions, m_session, *m_views, m_theme, m_settings, *this);
    connect(m_files, &FileActions::plansWanted, plans, &PlannerActions::openPlans);
    connect(plans, &PlannerActions::used, m_files, &FileActions::remember);
    connect(plans, &PlannerActions::used, m_banner, [this] { m_banner->end(MessageSubject::Document); });
    connect(plans, &PlannerActions::noticed, &m_session.controller, &RunController::noticed);
    connect(plans, &PlannerActions::failed, m_tab, &DocumentTab::failed);
    new LabActions(*m_actions, *m_views, *this);
    m_lessons = std::make_unique<Lessons>(
        *m_actions, *m_views, m_theme, m_settings,
        Lessons::Places{*this, *m_topBar, *m_side, *m_panel, *m_keyFigures, *m_middle});
    new WelcomeActions(
        {*m_actions, m_session, *m_views, *m_files, *presets, m_settings, m_theme, *m_progress, *this});
    m_help = new HelpActions(*m_actions, *m_views, m_settings, m_theme, *this);
    auto* lookup = new PaletteLookup(m_session, *m_views, *kept, this);
    connect(m_palette, &CommandPalette::poppedUp, lookup, &PaletteLookup::lookAgain);
    connect(lookup, &PaletteLookup::found, m_palette, &CommandPalette::refresh);
    m_palette->setSources(paletteSources({*m_actions, m_session, *m_panel, *m_views, *m_files, *m_lessons,
                                          *presets, m_settings, *marks, *m_help, *lookup, *m_tab}));
    new CalibrationNotice(m_session, *m_views, *m_banner, this);
    new FindingNotice(
        m_session, *m_views, *m_banner, [this] { return m_recordingPanel->isVisibleTo(this); }, this);
}

void MainWindow::buildMenus() {
    QMenuBar* bar = m_topBar->menuBar();
    const auto fill = [this](QMenu* menu, std::initializer_list<const char*> ids) {
        for (const char* id : ids) {
            if (QLatin1String(id).isEmpty())
                menu->addSeparator();
            else
                menu->addAction(m_actions->action(QLatin1String(id)));
        }
    };
    QMenu* file = bar->addMenu(tr("&File"));
    fill(file, {"file.new", "file.newTab", "file.newWindow", "file.open", "file.openInTab", "file.reload",
                "file.compare"});
    QMenu* recent = file->addMenu(tr("Open &recent"));
    m_files->setMenus(*recent, *file->addMenu(tr("Sa&mples")));
    fill(file, {"file.close", "file.compareClear", "", "file.nextTab", "file.previousTab", "file.tabToWindow",
                "file.restoreTabs", "", "file.save", "file.saveAs", ""});
    fill(file, {"file.export", "file.exportReport", "file.exportCsv", "file.exportTrainingCsv",
                "file.exportTimeline", "file.exportPictures", "lab.exportTensor", "lab.exportWeights", "",
                "history.import", "history.export", "", "file.quit"});
    fill(bar->addMenu(tr("&Edit")),
         {"edit.undo", "edit.redo", "run.returnToRun", "", "edit.find", "", "notes.add", "notes.next",
          "notes.previous", "", "run.presets", "run.savePreset", "", "lab.copy", "", "edit.preferences"});
    QMenu* run = bar->addMenu(tr("&Run"));
    fill(run, {"run.run", "run.pause", "run.stop", "run.apply", "", "run.profile", "run.measureCurve",
               "run.prove"});
    m_readings->setMenu(*run->addMenu(tr("Meas&urements")));
    fill(run, {"run.predictAgain", "run.calibrate", "planner.devices", "", "run.rescanDevices",
               "run.restartEngine", "run.engineCommand", "run.hosts", "run.fetchCheckpoint",
               "run.pyTorchInterpreter"});
    QMenu* view = bar->addMenu(tr("&View"));
    for (const ViewStack::Spec& spec : ViewStack::views())
        view->addAction(m_actions->action(QStringLiteral("view.") + QLatin1String(spec.id)));
    fill(view, {"", "lab.dtypes", "lab.tensors", "lab.einsum", "lab.collectives", ""});
    fill(view->addMenu(tr("La&yout")), {"view.panel", "", "view.detach", "view.dockRight", "view.dockBelow",
                                        "view.putBack", "", "view.resetLayout"});
    fill(view, {"view.themeSystem", "view.themeLight", "view.themeDark", ""});
    QMenu* language = view->addMenu(tr("Lan&guage"));
    for (const QString& id : ViewActions::languages()) language->addAction(m_actions->action(id));
    fill(view, {"", "view.fullScreen", "view.search"});
    fill(bar->addMenu(tr("&Planner")),
         {"planner.next", "planner.previous", "planner.solve", "planner.evidence", "", "planner.openPlan",
          "planner.savePlan", "planner.useMeasurement", "planner.comparePlans", "", "planner.loadConfig",
          "planner.devices", "", "planner.copyText", "planner.copyJson"});
    fill(bar->addMenu(tr("&Help")),
         {"help.welcome", "help.manual", "help.lessons", "help.numbers", "help.shortcuts", "help.about"});
    giveEachKeyOnce(*bar);
}

void MainWindow::connectParts() {
    connect(m_topBar, &TopBar::tabChosen, m_views, &ViewStack::goToTab);
    connect(m_views, &ViewStack::tabShown, this, &MainWindow::followTab);
    connect(m_docks, &ViewDocks::changed, m_topBar,
            [this] { m_topBar->setCurrentTab(m_docks->tabInWindow()); });
    const auto showTabs = [this] {
        for (int tab = 0; tab < ViewStack::tabCount(); ++tab)
            m_topBar->setTabVisible(tab, m_views->isThere(tab));
    };
    connect(m_views, &ViewStack::tabsChanged, this, showTabs);
    showTabs();
    connect(m_panel, &RunPanel::fileWanted, this, [this](const QString& title, const RunPanel::UsePath& use) {
        askOpenPath(*this, tr("Choose %1").arg(title), m_settings.lastFolder(),
                    tr("Arrays and tables (*.npy *.npz *.csv);;Token ids (*.u16 *.i32 *.npy);;All files (*)"),
                    use);
    });
    connect(m_panel, &RunPanel::folderWanted, this,
            [this](const QString& title, const RunPanel::UsePath& use) {
                askFolder(*this, tr("Choose a %1").arg(title), m_settings.lastFolder(), use);
            });
    connect(m_panel, &RunPanel::checkpointWanted, this,
            [this](const QString& title, const RunPanel::UsePath& use) {
                askOpenPath(*this, tr("Choose a %1").arg(title), m_settings.lastFolder(),
                            tr("Training checkpoints (*.safetensors)"), use);
            });
    connect(m_panel, &RunPanel::refusedUnseen, m_messages, &Messages::showStepError);
    connect(m_panel, &RunPanel::entryRefused, this, [this](QWidget* field) { m_side->reveal(*field); });
    connect(m_recordingPanel, &RecordingPanel::closeWanted, this,
            [this] { m_session.workbench.open(std::optional<Recording>()); });
    connect(m_recordingPanel, &RecordingPanel::wanted, m_views, &ViewStack::goTo);
    connect(m_topBar, &TopBar::searchRequested, m_palette, &CommandPalette::popUp);
    connect(&m_session.controller, &RunController::changed, this, &MainWindow::refresh);
    connect(&m_session.workbench, &Workbench::sceneChanged, this, &MainWindow::refresh);
    connect(m_readings, &ReadingActions::failed, m_messages, &Messages::showError);
    connect(m_files, &FileActions::notSaved, m_messages, &Messages::offerSaveAs);
    connect(m_files, &FileActions::gone, m_messages, [this](const QStringList& paths) {
        m_messages->offerToForget([this, paths] { m_files->forget(paths); });
    });
    connect(m_messages, &Messages::saveAsWanted, m_actions->action(QStringLiteral("file.saveAs")),
            &QAction::trigger);
    connect(m_tab, &DocumentTab::failed, m_messages, &Messages::showError);
    m_tab->setHearing(true);
    connect(&m_session.document, &Document::opened, this, &MainWindow::refresh);
    connect(&m_session.document, &Document::saved, this, &MainWindow::refresh);
    connect(&m_session.workbench.marks, &DocumentMarks::changed, this, &MainWindow::refresh);
    connect(&m_session.openedFiles, &OpenedFiles::changed, this, &MainWindow::refresh);
    connect(&m_session.compared, &ComparedSteps::changed, this, &MainWindow::showPanels);
}

void MainWindow::refresh() {
    const Machine& machine = m_session.workbench.scene()->whatIf.machine();
    const QString name = deviceText(machine);
    const QString device =
        machine.memoryBytes ? name + QStringLiteral(" · ") + bytesText(*machine.memoryBytes) : name;
    m_topBar->setDevice(device, name, tr("%1\nCeilings: %2").arg(device, coreText(machine.source)));

    const Recording* const recording = m_session.workbench.recording();
    showPanels();
    if (recording != nullptr) {
        setWindowTitle(tr("%1 – Plumbline").arg(m_tab->name()));
        setWindowModified(false);
        emit m_tab->changed();
        return;
    }
    const QString opened = m_tab->name();
    const bool modified = m_session.document.isModified();
    setWindowTitle(!opened.isEmpty() ? tr("%1[*] – Plumbline").arg(opened)
                   : modified        ? tr("Not saved[*] – Plumbline")
                                     : QStringLiteral("Plumbline[*]"));
    setWindowModified(modified);
    emit m_tab->changed();
}

void MainWindow::showPanels() {
    using Subject = SidePanel::Subject;
    const bool isRecording = m_session.workbench.recording() != nullptr;
    m_side->setSubject(!isOfStep() ? Subject::None : isRecording ? Subject::Recording : Subject::Run);
    m_actions->enable("view.panel", isOfStep());
}

// Planner, Lab, History, Notes, comparisons and opened files say nothing of the step that the panel and the
// key figures are of, and need the room.
bool MainWindow::isOfStep() const {
    const int tab = m_views->shownTab();
    return tab != ViewStack::tabOf(QStringLiteral("lab")) &&
           tab != ViewStack::tabOf(QStringLiteral("planner")) &&
           tab != ViewStack::tabOf(QStringLiteral("history")) &&
           tab != ViewStack::tabOf(QStringLiteral("notes")) &&
           entryAt(ViewStack::views(), tab).close == nullptr;
}

void MainWindow::followTab() {
    m_topBar->setCurrentTab(m_docks->tabInWindow());
    m_side->uncoverViews();
    showPanels();
    m_keyFigures->setVisible(isOfStep());
}

QString MainWindow::bannerText() const { return m_banner->isHidden() ? QString() : m_banner->text(); }

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_closeConfirmed && !m_tab->isAgreed() && m_files->wouldLoseByClosing()) {
        event->ignore();
        m_files->beforeClosing([this] {
            m_closeConfirmed = true;
            close();
        });
        return;
    }
    if (m_session.engine.keepsCheckpoints()) m_session.engine.end();
    if (m_session.engine.endedEngines().saving()) {
        event->ignore();
        closeWhenSaved();
        return;
    }
    if (isWindow()) m_settings.setWindowGeometry(saveGeometry());
    QMainWindow::closeEvent(event);
    emit m_tab->closed();
}

void MainWindow::closeWhenSaved() {
    m_closeConfirmed = true;
    connect(&m_session.engine.endedEngines(), &EndedEngines::saved, this, &MainWindow::close,
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::UniqueConnection));
    setAcceptDrops(false);
    for (QWidget* part :
         {static_cast<QWidget*>(m_topBar), static_cast<QWidget*>(m_panel), static_cast<QWidget*>(m_docks)})
        part->setEnabled(false);
    for (QAction* action : m_actions->all()) action->setEnabled(false);
    m_banner->showMessage(
        Banner::Kind::Ongoing,
        tr("The engine saves the last state of the training; the window closes when it is done."),
        tr("Close without it"), [this] { m_session.engine.endedEngines().killSaving(); });
}

bool MainWindow::openFiles(const QStringList& given) {
    // A folder stands for the traces in it, as on the command line.
    std::vector<std::string> named;
    for (const QString& path : given) named.push_back(path.toStdString());
    const Result<std::vector<std::string>> files = traceFilesOf(named);
    if (!files.has_value()) {
        emit m_tab->failed(files.error());
        return false;
    }
    QStringList paths;
    for (const std::string& file : *files) paths << QString::fromStdString(file);
    QStringList steps;  // the ranks of a job are one document, and no steps to compare
    for (const QString& path : paths)
        if (!FileActions::isPlan(path) && !m_session.openedFiles.knows(path)) steps << path;
    m_compare->offer(steps);
    m_files->open(paths);
    return true;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!droppedFiles(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QStringList files = droppedFiles(event->mimeData());
    if (files.isEmpty()) return;
    openFiles(files);
    event->acceptProposedAction();
}

}  // namespace plumb::ui
