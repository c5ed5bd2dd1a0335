// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/program_version.h"
#include "core/snapshot/snapshot.h"
#include "ui/checkpoint/checkpoint_view.h"
#include "ui/lab/lab_view.h"
#include "ui/run/run_panel.h"
#include "ui/settings/samples.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/shell/picture_exporter.h"
#include "ui/shell/top_bar.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/dialogs.h"
#include "ui/workbench/prediction_difference.h"

#include <QActionGroup>
#include <QDir>
#include <QFileInfo>
#include <QMenuBar>
#include <QStackedWidget>

#include <functional>

namespace plumb::ui {
namespace {

using Keys = QKeySequence;

Keys keys(const char* text) { return {QLatin1String(text)}; }

}  // namespace

void MainWindow::buildActions() {
    buildFileActions();
    // QUndoStack's own actions would change their text outside the registry: these two mirror its state.
    QUndoStack& stack = m_history.stack();
    QAction* undo = m_actions->add({QStringLiteral("edit.undo"), tr("&Undo"),
                                    tr("Take back the last change of a setting"), Keys(Keys::Undo)},
                                   [&stack] { stack.undo(); });
    QAction* redo = m_actions->add({QStringLiteral("edit.redo"), tr("&Redo"),
                                    tr("Make the change again that was taken back"), keys("Ctrl+Shift+Z")},
                                   [&stack] { stack.redo(); });
    undo->setEnabled(false);
    redo->setEnabled(false);
    connect(&stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(&stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    connect(&stack, &QUndoStack::undoTextChanged, undo, [undo](const QString& what) {
        undo->setText(what.isEmpty() ? tr("&Undo") : tr("&Undo %1").arg(what));
    });
    connect(&stack, &QUndoStack::redoTextChanged, redo, [redo](const QString& what) {
        redo->setText(what.isEmpty() ? tr("&Redo") : tr("&Redo %1").arg(what));
    });
    buildRunActions();
    buildViewActions();
    buildPlannerActions();
    buildLabActions();
    m_actions->add({QStringLiteral("help.lessons"), tr("&Lessons"),
                    tr("Short lessons that use the live program"), keys("Shift+F1")},
                   [this] { showLessons(); });
    m_actions->add({QStringLiteral("help.numbers"), tr("&What the numbers mean"),
                    tr("Explain predicted, measured and where each number comes from"),
                    Keys(Keys::HelpContents)},
                   [this] { showNumbersHelp(); });
    m_actions->add({QStringLiteral("help.shortcuts"), tr("&Keyboard shortcuts"), tr("List every shortcut"),
                    keys("Ctrl+/")},
                   [this] { showShortcuts(); });
    m_actions->add({QStringLiteral("help.about"), tr("&About Plumbline"), tr("Version and licence"), {}},
                   [this] { showAbout(); });
}

void MainWindow::buildFileActions() {
    m_actions->add({QStringLiteral("file.open"), tr("&Open…"), tr("Open a snapshot"), Keys(Keys::Open)},
                   [this] { askOpen(); });
    m_actions->add({QStringLiteral("file.save"), tr("&Save"),
                    tr("Save what was predicted, measured and trained"), Keys(Keys::Save)},
                   [this] { save(); });
    m_actions->add(
        {QStringLiteral("file.saveAs"), tr("Save &as…"), tr("Save under another name"), keys("Ctrl+Shift+S")},
        [this] { askSave(); });
    m_actions->add({QStringLiteral("file.exportCsv"), tr("Export &CSV…"),
                    tr("Write one row per operation as CSV"), keys("Ctrl+E")},
                   [this] { askExportCsv(); });
    m_actions->add({QStringLiteral("file.exportTrainingCsv"), tr("Export &training CSV…"),
                    tr("Write one row per step of the newest run as CSV"), keys("Ctrl+Alt+E")},
                   [this] { askExportTrainingCsv(); });
    m_actions->add({QStringLiteral("file.exportTimeline"), tr("Export t&imeline…"),
                    tr("Write the timeline for Perfetto or chrome://tracing"), keys("Ctrl+Alt+T")},
                   [this] { askExportTimeline(); });
    m_actions->add({QStringLiteral("file.exportPictures"), tr("Export &pictures…"),
                    tr("Write every view as a PNG"), keys("Ctrl+Shift+E")},
                   [this] { askExportPictures(); });
    m_actions->add(
        {QStringLiteral("file.quit"), tr("&Quit"), tr("Close the window and end the engine"), keys("Ctrl+Q")},
        [this] { close(); });
}

void MainWindow::buildRunActions() {
    // What is typed in the panel and not yet entered counts: what runs is what the window shows.
    const auto start = [this](void (RunController::*action)()) {
        return [this, action] {
            // Not (m_controller.*action)(): with -fsanitize=vptr GCC 12 sets `this` for virtual ones only.
            if (m_panel->commitEntries()) std::invoke(action, m_controller);
        };
    };
    m_actions
        ->add({QStringLiteral("run.run"), tr("&Run"), tr("Train with the settings of the panel"), keys("F5")},
              start(&RunController::run))
        ->setShortcuts({keys("F5"), keys("Ctrl+R")});
    m_actions->add(
        {QStringLiteral("run.pause"), tr("&Pause"), tr("Pause the run, or go on with it"), keys("Ctrl+P")},
        [this] { m_controller.pauseOrResume(); });
    m_actions->add({QStringLiteral("run.stop"), tr("&Stop"), tr("End the run; what it measured is kept"),
                    keys("Ctrl+.")},
                   [this] { m_controller.stop(); });
    m_actions->add({QStringLiteral("run.profile"), tr("Pro&file"),
                    tr("Measure every operation over some steps"), keys("Ctrl+Shift+P")},
                   start(&RunController::profile));
    m_actions->add({QStringLiteral("run.measureCurve"),
                    tr("&Measure the checkpoint curve"),
                    tr("Profile several checkpoint policies one after another, or cancel that"),
                    {}},
                   [this] {
                       if (m_panel->commitEntries()) measureCurve();
                   });
    m_actions->add({QStringLiteral("run.apply"), tr("&Apply and restart"),
                    tr("Restart the run with the settings of the panel"), keys("Ctrl+Return")},
                   start(&RunController::apply));
    m_actions->add({QStringLiteral("run.calibrate"),
                    tr("&Calibrate this machine"),
                    tr("Measure peak and bandwidth, so that times can be predicted"),
                    {}},
                   [this] { m_controller.calibrate(); });
    m_actions->add({QStringLiteral("run.predictAgain"),
                    tr("Predict again with this &version"),
                    tr("Lay this version's prediction beside the one that was read from the file"),
                    {}},
                   [this] { predictAgain(); });
    m_actions->add({QStringLiteral("run.earlierMeasurement"), tr("Show the earlier m&easurement"),
                    tr("Show what was measured before; nothing is lost by a new measurement"),
                    keys("Ctrl+Alt+Left")},
                   [this] { showMeasurementBeside(-1); });
    m_actions->add({QStringLiteral("run.laterMeasurement"), tr("Show the &later measurement"),
                    tr("Show what was measured after it"), keys("Ctrl+Alt+Right")},
                   [this] { showMeasurementBeside(1); });
    m_actions->add({QStringLiteral("run.rescanDevices"),
                    tr("Look for &devices again"),
                    tr("Ask the engine again which devices it can run on"),
                    {}},
                   [this] { m_controller.rescanDevices(); });
    m_actions->add({QStringLiteral("run.restartEngine"),
                    tr("Restart the &engine"),
                    tr("End the engine process and start a new one"),
                    {}},
                   [this] { m_controller.restartEngine(); });
    m_actions->add({QStringLiteral("run.engineCommand"),
                    tr("Engine co&mmand…"),
                    tr("Use another engine, for example one on a server through ssh"),
                    {}},
                   [this] { askEngineCommand(); });
}

void MainWindow::buildViewActions() {
    for (int i = 0; i < tabCount(); ++i) {
        const ViewSpec& view = views()[static_cast<std::size_t>(i)];
        const QString title = tr(view.title);
        // Ten digits; a view beyond them has the palette.
        m_actions->add({QStringLiteral("view.") + QLatin1String(view.id), title,
                        tr("Show the view %1").arg(QString(title).remove(QLatin1Char('&'))),
                        i < 10 ? Keys(QStringLiteral("Ctrl+%1").arg((i + 1) % 10)) : Keys()},
                       [this, i] { goToTab(i); });
    }
    auto* group = new QActionGroup(this);
    const auto addTheme = [&](const char* id, const QString& text, const QString& tip, Theme::Mode mode) {
        QAction* action =
            m_actions->add({QLatin1String(id), text, tip, {}, true}, [this, mode] { setThemeMode(mode); });
        action->setActionGroup(group);
        action->setChecked(m_settings.themeMode() == mode);
    };
    addTheme("view.themeSystem", tr("Theme of the &system"), tr("Light or dark as the desktop is"),
             Theme::Mode::System);
    addTheme("view.themeLight", tr("&Light theme"), tr("Always light"), Theme::Mode::Light);
    addTheme("view.themeDark", tr("&Dark theme"), tr("Always dark"), Theme::Mode::Dark);
    m_actions->add({QStringLiteral("view.search"), tr("&Find an action…"),
                    tr("Find and run any action by its name"), keys("Ctrl+K")},
                   [this] { m_palette->popUp(); });
}

void MainWindow::measureCurve() {
    if (auto* view = qobject_cast<CheckpointView*>(showView(QStringLiteral("checkpoint"))))
        view->measureOrCancel();
}

void MainWindow::buildLabActions() {
    m_actions->add({QStringLiteral("lab.dtypes"),
                    tr("Lab: &number formats"),
                    tr("See what every number format makes of a value"),
                    {}},
                   [this] { lab().setPage(0); });
    m_actions->add({QStringLiteral("lab.tensors"),
                    tr("Lab: &tensors in memory"),
                    tr("See what slices, views and copies do to a tensor's memory"),
                    {}},
                   [this] { lab().setPage(1); });
    m_actions->add({QStringLiteral("lab.einsum"),
                    tr("Lab: &expressions"),
                    tr("See what an expression over named dimensions costs, and its gradients"),
                    {}},
                   [this] { lab().setPage(2); });
    m_actions->add({QStringLiteral("lab.copy"), tr("&Copy from the Lab"),
                    tr("Copy what the page of the Lab shows as text"), keys("Ctrl+Shift+C")},
                   [this] { lab().copy(); });
    m_actions->add({QStringLiteral("lab.exportTensor"),
                    tr("Export the live &tensor…"),
                    tr("Have the engine write the weight, gradient or activation that the Lab shows as .npy"),
                    {}},
                   [this] { lab().exportLive(false); });
    m_actions->add({QStringLiteral("lab.exportWeights"),
                    tr("Export all learned &weights…"),
                    tr("Have the engine write the weights of the training as .safetensors"),
                    {}},
                   [this] { lab().exportLive(true); });
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
    fill(file, {"file.open"});
    m_recentMenu = file->addMenu(tr("Open &recent"));
    fillSamples(*file->addMenu(tr("Sa&mples")));
    fill(file,
         {"file.save", "file.saveAs", "", "file.exportCsv", "file.exportTrainingCsv", "file.exportTimeline",
          "file.exportPictures", "lab.exportTensor", "lab.exportWeights", "", "file.quit"});
    fill(bar->addMenu(tr("&Edit")), {"edit.undo", "edit.redo", "", "lab.copy"});
    QMenu* run = bar->addMenu(tr("&Run"));
    fill(run, {"run.run", "run.pause", "run.stop", "run.apply", "", "run.profile", "run.measureCurve"});
    m_measurementsMenu = run->addMenu(tr("Meas&urements"));
    m_measurementsMenu->setObjectName(QStringLiteral("measurementsMenu"));
    connect(m_measurementsMenu, &QMenu::aboutToShow, this, &MainWindow::fillMeasurements);
    fill(run, {"run.predictAgain", "run.calibrate", "planner.devices", "", "run.rescanDevices",
               "run.restartEngine", "run.engineCommand"});
    QMenu* view = bar->addMenu(tr("&View"));
    for (const ViewSpec& spec : views())
        view->addAction(m_actions->action(QStringLiteral("view.") + QLatin1String(spec.id)));
    fill(view, {"", "lab.dtypes", "lab.tensors", "lab.einsum", "", "view.themeSystem", "view.themeLight",
                "view.themeDark", "", "view.search"});
    fill(bar->addMenu(tr("&Planner")),
         {"planner.next", "planner.previous", "planner.solve", "", "planner.loadConfig", "planner.devices",
          "", "planner.copyText", "planner.copyJson"});
    fill(bar->addMenu(tr("&Help")), {"help.lessons", "help.numbers", "help.shortcuts", "help.about"});
    fillRecentFiles();
}

void MainWindow::fillRecentFiles() {
    m_recentMenu->clear();
    const QStringList files = m_settings.recentFiles();
    m_recentMenu->setEnabled(!files.isEmpty());
    for (const QString& path : files) {
        QAction* entry =
            m_recentMenu->addAction(QFileInfo(path).fileName(), this, [this, path] { openFile(path); });
        entry->setStatusTip(path);
        entry->setToolTip(path);
    }
    if (files.isEmpty()) return;
    m_recentMenu->addSeparator();
    m_recentMenu->addAction(tr("Clear the list"), this, [this] {
        m_settings.clearRecentFiles();
        fillRecentFiles();
    });
}

void MainWindow::fillSamples(QMenu& menu) {
    const QStringList files = sampleFiles();
    menu.setObjectName(QStringLiteral("samplesMenu"));
    menu.menuAction()->setVisible(!files.isEmpty());
    for (const QString& path : files) {
        QAction* entry = menu.addAction(sampleTitle(path), this, [this, path] { openFile(path); });
        entry->setStatusTip(tr("Open a snapshot that was recorded on real hardware: %1").arg(path));
    }
}

void MainWindow::askOpen() {
    askOpenPath(*this, tr("Open a snapshot"), m_settings.lastFolder(),
                tr("Snapshots (*.plumb);;All files (*)"), [this](const QString& path) { openFile(path); });
}

void MainWindow::save(const std::function<void()>& afterwards) {
    // What came with the program stays as it is.
    if (m_document.path().isEmpty() || isSampleFile(m_document.path())) return askSave(afterwards);
    if (m_document.save(m_document.path()) && afterwards) afterwards();
}

void MainWindow::askSave(const std::function<void()>& afterwards) {
    const QString file = m_document.path();
    const QDir folder(m_settings.lastFolder());
    const QString proposal = file.isEmpty()       ? folder.filePath(QStringLiteral("run.plumb"))
                             : isSampleFile(file) ? folder.filePath(QFileInfo(file).fileName())
                                                  : file;
    askSavePath(*this, tr("Save the snapshot"), proposal, tr("Snapshots (*.plumb)"), QStringLiteral("plumb"),
                [this, afterwards](const QString& path) {
                    if (m_document.save(path) && afterwards) afterwards();
                });
}

void MainWindow::askExportCsv() {
    askSavePath(*this, tr("Export CSV"),
                QDir(m_settings.lastFolder()).filePath(QStringLiteral("operations.csv")),
                tr("Comma-separated values (*.csv)"), QStringLiteral("csv"), [this](const QString& path) {
                    if (m_document.exportCsv(path))
                        m_banner->showMessage(Banner::Kind::Notice, tr("Exported to %1").arg(path));
                });
}

void MainWindow::askExportTrainingCsv() {
    askSavePath(*this, tr("Export training CSV"),
                QDir(m_settings.lastFolder()).filePath(QStringLiteral("training.csv")),
                tr("Comma-separated values (*.csv)"), QStringLiteral("csv"), [this](const QString& path) {
                    if (m_document.exportTrainingCsv(path))
                        m_banner->showMessage(Banner::Kind::Notice, tr("Exported to %1").arg(path));
                });
}

void MainWindow::askExportTimeline() {
    askSavePath(*this, tr("Export the timeline"),
                QDir(m_settings.lastFolder()).filePath(QStringLiteral("timeline.json")),
                tr("Trace events (*.json)"), QStringLiteral("json"), [this](const QString& path) {
                    if (m_document.exportTimeline(path))
                        m_banner->showMessage(Banner::Kind::Notice, tr("Exported to %1").arg(path));
                });
}

void MainWindow::askExportPictures() {
    askFolder(*this, tr("Folder for the pictures"), m_settings.lastFolder(), [this](const QString& folder) {
        connect(
            m_exporter, &PictureExporter::finished, this,
            [this, folder](const QString& error, int written) {
                if (error.isEmpty())
                    m_banner->showMessage(Banner::Kind::Notice,
                                          tr("%1 pictures in %2").arg(written).arg(folder));
                else
                    m_banner->showMessage(Banner::Kind::Error, error + QLatin1Char('.'));
            },
            Qt::SingleShotConnection);
        m_exporter->exportTo(folder);
    });
}

void MainWindow::askEngineCommand() {
    askText(*this, tr("Engine command"),
            tr("Program and arguments, for example: ssh host plumbline-cli engine\nEmpty: the engine of this "
               "computer"),
            m_settings.engineCommand(), [this](const QString& command) {
                m_settings.setEngineCommand(command);
                m_engine.setCommand(command);
                m_engine.restart();
            });
}

void MainWindow::setThemeMode(Theme::Mode mode) {
    m_settings.setThemeMode(mode);
    m_theme.setMode(mode);
}

void MainWindow::showShortcuts() {
    QString rows;
    for (const QAction* action : m_actions->all())
        if (!action->shortcut().isEmpty())
            rows += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;&nbsp;</td><td>%2</td></tr>")
                        .arg(action->shortcut().toString(QKeySequence::NativeText).toHtmlEscaped(),
                             action->statusTip().toHtmlEscaped());
    showPage(*this, tr("Keyboard shortcuts"),
             QStringLiteral("<table cellpadding='4'>") + rows + QStringLiteral("</table>"));
}

void MainWindow::showNumbersHelp() {
    showPage(
        *this, tr("What the numbers mean"),
        tr("<h3>Every number twice</h3>"
           "<p><b>Predicted</b> is computed from the settings alone: the list of operations and tensors of "
           "one step, and "
           "the ceilings of the machine. Nothing runs for it.</p>"
           "<p><b>Measured</b> comes from a run: seconds from the clock (median of repeated steps), bytes "
           "from an allocator "
           "that counts what it really handed out. What was not measured is shown as –, never filled in.</p>"
           "<h3>Memory</h3><p>Bytes that are alive while an operation runs, by category. Predicted and "
           "measured must agree "
           "to the byte.</p>"
           "<h3>FLOP and bytes</h3><p>One multiply, add, compare, divide or square root is one FLOP; a fused "
           "multiply-add is "
           "two. Bytes of an operation are the compulsory traffic: every distinct input read once, every "
           "output written "
           "once.</p>"
           "<h3>Time</h3><p>Of an operation: the larger of FLOP / peak and bytes / bandwidth, plus an "
           "overhead. The ceilings "
           "are of a data sheet, or of this machine after <i>Calibrate</i>.</p>"
           "<h3>MFU</h3><p>Model FLOP utilisation: FLOP of the matrix products without recomputation, per "
           "second, as a share "
           "of the peak.</p>"
           "<h3>Timeline</h3><p>When each operation of the last profiled steps ran, by the clock before and "
           "after it; below it, hollow, its predicted time. The wheel or W and S zoom, A and D or dragging "
           "pan, F fits what is selected, 0 shows all, Shift with dragging selects a range whose sums stand "
           "below, arrows go to the neighbouring bar, Esc clears.</p>"
           "<h3>What-if</h3><p>Settings may be moved while a run goes on. The predictions follow at once; "
           "the measured "
           "numbers stay those of the run, and the difference says <i>what-if</i>. <i>Apply</i> restarts the "
           "run.</p>"
           "<p>Point at any number for its exact value, its formula and its source. Prefixes are decimal: 1 "
           "GB is 10⁹ "
           "bytes.</p>"));
}

void MainWindow::predictAgain() {
    const FiledPrediction* filed = m_workbench.filedPrediction();
    if (!filed) return;
    const bool again = m_workbench.scene()->whatIf.isFiled;
    const FiledPrediction before = *filed;
    m_workbench.showFiledPrediction(!again);
    if (!again) return;
    const Scene& scene = *m_workbench.scene();
    showPage(
        *this, tr("The prediction of the file and that of this version"),
        differencePage(comparePredictions(*scene.whatIf.plan, *before.prediction, *scene.whatIf.prediction),
                       before.program, QString::fromStdString(programVersion())));
}

void MainWindow::showAbout() {
    showPage(*this, tr("About Plumbline"),
             tr("<h2>Plumbline</h2><p>%1</p><p>Shows what a training step costs before it runs, runs it, and "
                "shows what it "
                "really cost.</p><p>This window is free software under the GNU General Public License, "
                "version 3 or later; "
                "the parts below it are under the Apache License 2.0.</p><p>Built with Qt %2.</p>")
                 .arg(QString::fromStdString(programVersion()).toHtmlEscaped(), QLatin1String(qVersion())));
}

}  // namespace plumb::ui
