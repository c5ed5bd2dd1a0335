// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window_actions.h"

#include "core/snapshot/snapshot.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/file_actions.h"
#include "ui/shell/session.h"

#include <QCoreApplication>
#include <QProcess>
#include <QWidget>

namespace plumb::ui {

WindowActions::WindowActions(ActionRegistry& actions, Session& session, FileActions& files, QWidget& window)
    : QObject(&window),
      m_actions(actions),
      m_session(session),
      m_files(files),
      m_window(window),
      m_start([](const QString& program, const QStringList& arguments) {
          return QProcess::startDetached(program, arguments);
      }) {
    setObjectName(QStringLiteral("windowActions"));
    actions.add({QStringLiteral("file.new"), tr("&New"),
                 tr("Begin with the settings that the program comes with, and with nothing measured"),
                 QKeySequence::New},
                [this] { startNew(); });
    actions.add({QStringLiteral("file.newWindow"), tr("New &window"),
                 tr("Open another window, with an engine of its own"), keys("Ctrl+Shift+N")},
                [this] { openWindow(); });
    actions.add({QStringLiteral("file.reload"), tr("&Reload"),
                 tr("Read the file of the document again, as it is on the disk now"), keys("Ctrl+R")},
                [this] { reload(); });
    actions.add({QStringLiteral("run.returnToRun"), tr("&Return to the run's settings"),
                 tr("Give the panel the settings of the run that goes on, or that was measured last"),
                 keys("Ctrl+Shift+R")},
                [this] { returnToRun(); });
    QAction* full = actions.add({QStringLiteral("view.fullScreen"), tr("&Full screen"),
                                 tr("Give the window the whole screen, or take it back"), keys("F11"), true},
                                [this] { setFullScreen(!m_window.window()->isFullScreen()); });
    full->setChecked(window.window()->isFullScreen());
    connect(&session.document, &Document::changed, this, &WindowActions::follow);
    connect(&session.document, &Document::opened, this, &WindowActions::follow);
    connect(&session.workbench, &Workbench::sceneChanged, this, &WindowActions::follow);
    connect(&session.controller, &RunController::changed, this, &WindowActions::follow);
    follow();
}

QStringList WindowActions::openPaths() const {
    if (const Recording* const recording = m_session.workbench.recording()) return {recording->path};
    const QString path = m_session.document.path();
    return path.isEmpty() ? QStringList() : QStringList{path};
}

std::optional<RunConfig> WindowActions::runConfig() const {
    const Workbench& workbench = m_session.workbench;
    if (const auto running = m_session.controller.work().runningConfig()) return *running;
    if (const auto shown = workbench.shownMeasurement()) return workbench.measurements().at(*shown).config;
    for (auto run = workbench.runs().all().rbegin(); run != workbench.runs().all().rend(); ++run)
        if (!(*run)->recorded) return (*run)->config;
    return std::nullopt;
}

bool WindowActions::isPristine() const {
    const Workbench& workbench = m_session.workbench;
    return openPaths().isEmpty() && workbench.measurements().empty() && workbench.runs().all().empty() &&
           workbench.marks.all() == Marks();
}

void WindowActions::follow() {
    m_actions.enable("file.reload", !openPaths().isEmpty());
    const std::optional<RunConfig> wanted = runConfig();
    m_actions.enable("run.returnToRun", wanted && m_session.workbench.recording() == nullptr &&
                                            !(*wanted == m_session.workbench.config()));
}

/// What a device was only planned for is no beginning: a new document is of one that runs, where there is
/// one.
// What is new is of a device that is here: no planned one, and none of a file.
void WindowActions::leaveForeignDevice() {
    DeviceChoices& devices = m_session.controller.devices();
    if (devices.runnable() != nullptr && devices.current().ofEngine) return;
    const auto runs = std::ranges::find_if(devices.all(), [](const DeviceChoice& choice) {
        return choice.ofEngine && choice.canRun && choice.enabled;
    });
    if (runs != devices.all().end()) devices.choose(static_cast<int>(runs - devices.all().begin()));
}

void WindowActions::startNew() {
    if (isPristine()) {  // nothing goes but settings, which can be taken back
        leaveForeignDevice();
        if (const auto changed = m_session.history.change(RunConfig{}, tr("new", "configuration"));
            !changed.has_value())
            emit failed(changed.error());
        return;
    }
    m_files.afterUnsavedResults([this] {
        m_session.document.cancelOpening();
        m_session.workbench.open(std::optional<Recording>());
        leaveForeignDevice();
        Result<Snapshot> fresh = makeSnapshot(RunConfig{}, m_session.workbench.session()->whatIf.target);
        if (!fresh.has_value()) return emit failed(fresh.error());
        fresh->predicted.reset();  // this program predicts
        Result<OpenedSession> opened = openedSession(QString(), std::move(fresh).value());
        if (!opened.has_value()) return emit failed(opened.error());
        m_session.document.showKept(std::move(opened).value(), {});
    });
}

void WindowActions::reload() {
    if (const QStringList paths = openPaths(); !paths.isEmpty()) m_files.open(paths);
}

void WindowActions::openWindow() {
    const QString program = QCoreApplication::applicationFilePath();
    if (!m_start(program, {}))
        emit failed({ErrorCode::Io,
                     "another window cannot be opened: " + program.toStdString() + " does not start",
                     "start plumbline once more by hand"});
}

void WindowActions::setFullScreen(bool on) {
    QWidget& whole = *m_window.window();
    whole.setWindowState(on ? whole.windowState() | Qt::WindowFullScreen
                            : whole.windowState() & ~Qt::WindowFullScreen);
    m_actions.action(QStringLiteral("view.fullScreen"))->setChecked(on);
}

void WindowActions::returnToRun() {
    const std::optional<RunConfig> wanted = runConfig();
    if (!wanted) return;
    if (const auto changed = m_session.history.change(*wanted, tr("the run's settings"));
        !changed.has_value())
        emit failed(changed.error());
}

}  // namespace plumb::ui
