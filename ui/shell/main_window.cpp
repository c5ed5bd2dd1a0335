// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "ui/lab/lesson_panel.h"
#include "ui/run/key_figures.h"
#include "ui/run/run_panel.h"
#include "ui/settings/samples.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/picture_exporter.h"
#include "ui/shell/status_strip.h"
#include "ui/shell/top_bar.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/size_field.h"

#include <QAbstractButton>
#include <QAction>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QMimeData>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kViewMargin = 14;
constexpr int kSpacing = 10;

QStringList droppedFiles(const QMimeData* data) {
    QStringList files;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile() && url.toLocalFile().endsWith(QStringLiteral(".plumb"), Qt::CaseInsensitive))
            files << url.toLocalFile();
    return files;
}

}  // namespace

MainWindow::MainWindow(Settings& settings, Theme& theme, QWidget* parent)
    : QMainWindow(parent),
      m_settings(settings),
      m_theme(theme),
      m_controller(m_workbench, m_engine),
      m_labEngine(m_controller, m_engine),
      m_measurer(m_controller),
      m_history(m_workbench),
      m_document(m_workbench, m_controller, m_history, m_measurer),
      m_actions(new ActionRegistry(this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    m_engine.setCommand(settings.engineCommand());
    buildLayout();
    m_exporter = new PictureExporter(*this, this);
    buildActions();
    buildMenus();
    m_palette = new CommandPalette(*m_actions, this);
    connectParts();
    resize(1600, 1000);
    restoreGeometry(settings.windowGeometry());
    goToTab(std::max(0, tabOf(settings.currentView())));
    refresh();
}

MainWindow::~MainWindow() {
    m_settings.onFailure(nullptr);
    // The panel says when it is hidden, which it will be once this class is gone and only QWidget is left.
    if (m_lessons) m_lessons->disconnect(this);
}

void MainWindow::buildLayout() {
    m_topBar = new TopBar(m_theme, this);
    for (const ViewSpec& view : views())
        m_topBar->addTab(QString::fromLatin1(view.id), tr(view.title).remove(QLatin1Char('&')));
    m_views.assign(views().size(), nullptr);
    const ViewContext context{m_workbench, m_theme};
    m_panel = new RunPanel(context, m_controller, m_history, this);
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
    m_viewArea = new QWidget(this);
    m_viewArea->setObjectName(QStringLiteral("viewArea"));
    m_banner = new Banner(m_theme, this);
    m_stack = new QStackedWidget(m_viewArea);
    auto* viewLayout = new QVBoxLayout(m_viewArea);
    viewLayout->setContentsMargins(kViewMargin, 12, kViewMargin, kViewMargin);
    viewLayout->setSpacing(kSpacing);
    m_keyFigures = new KeyFigures(context, m_viewArea);
    viewLayout->addWidget(m_keyFigures);
    viewLayout->addWidget(m_stack, 1);

    auto* right = new QWidget(this);
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(0, 0, 0, 0);
    rightLayout->setSpacing(0);
    auto* bannerFrame = new QHBoxLayout;
    bannerFrame->setContentsMargins(kViewMargin, 0, kViewMargin, 0);
    bannerFrame->addWidget(m_banner);
    rightLayout->addLayout(bannerFrame);
    rightLayout->addWidget(m_viewArea, 1);

    m_middle = new QHBoxLayout;
    m_middle->setSpacing(0);
    m_middle->addWidget(m_panel);
    m_middle->addWidget(right, 1);
    auto* central = new QWidget(this);
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_topBar);
    layout->addLayout(m_middle, 1);
    layout->addWidget(new StatusStrip(context, m_controller, m_document, central));
    setCentralWidget(central);
}

void MainWindow::connectParts() {
    connect(m_topBar, &TopBar::tabChosen, this, &MainWindow::goToTab);
    connect(m_topBar, &TopBar::searchRequested, m_palette, &CommandPalette::popUp);
    connect(&m_controller, &RunController::changed, this, &MainWindow::refresh);
    connect(&m_library, &DeviceLibrary::changed, &m_controller, &RunController::reloadRecords);
    connect(&m_measurer, &CurveMeasurer::changed, this, &MainWindow::refresh);
    connect(&m_workbench, &Workbench::sceneChanged, this, &MainWindow::refresh);
    connect(&m_controller, &RunController::failed, this, &MainWindow::showError);
    connect(&m_document, &Document::failed, this, &MainWindow::showError);
    m_settings.onFailure([this](const Error& error) { showError(error); });
    const auto notice = [this](const QString& text) { m_banner->showMessage(Banner::Kind::Notice, text); };
    connect(&m_controller, &RunController::noticed, this, notice);
    connect(&m_document, &Document::noticed, this, notice);
    const auto offerRestart = [this](const QString& message) {
        m_banner->showMessage(Banner::Kind::Error, message + QLatin1Char('.'), tr("Restart"),
                              [this] { m_controller.restartEngine(); });
    };
    connect(&m_controller, &RunController::engineLost, this, offerRestart);
    connect(&m_controller, &RunController::engineSilent, this, offerRestart);
    const auto remember = [this](const QString& path) {
        m_settings.addRecentFile(path);
        if (!isSampleFile(path)) m_settings.setLastFolder(QFileInfo(path).absolutePath());
        fillRecentFiles();
        refresh();
    };
    connect(&m_document, &Document::opened, this, remember);
    connect(&m_document, &Document::saved, this, remember);
}

void MainWindow::refresh() {
    const Machine& machine = m_workbench.scene()->whatIf.machine();
    QString device = QString::fromStdString(machine.name);
    if (machine.memoryBytes)
        device += QStringLiteral(" · ") +
                  QString::fromStdString(formatQuantity(static_cast<double>(*machine.memoryBytes), "B"));
    m_topBar->setDevice(device, tr("%1\nCeilings: %2").arg(device, QString::fromStdString(machine.source)));

    const bool canStart = !m_controller.busy() && m_controller.whyNotRun().isEmpty();
    const auto enable = [this](const char* id, bool on) {
        m_actions->action(QString::fromLatin1(id))->setEnabled(on);
    };
    enable("run.run", canStart);
    enable("run.pause", m_controller.training());
    enable("run.stop", m_controller.busy());
    enable("run.profile", canStart);
    enable("run.measureCurve", m_measurer.running() || m_measurer.whyNot().isEmpty());
    enable("run.calibrate", m_controller.engineReady() && !m_controller.busy());
    enable("run.apply", m_controller.canApply());
    const bool paused = m_controller.engineState() == protocol::EngineState::Paused;
    m_actions->action(QStringLiteral("run.pause"))->setText(paused ? tr("Resu&me") : tr("&Pause"));
    const std::size_t measured = m_workbench.measurements().size();
    const std::size_t shown = m_workbench.shownMeasurement().value_or(measured);
    enable("run.earlierMeasurement", shown > 0 && !m_controller.busy());
    enable("run.laterMeasurement", shown + 1 < measured && !m_controller.busy());
    const bool filed = m_workbench.filedPrediction() != nullptr;
    enable("run.predictAgain", filed);
    m_actions->action(QStringLiteral("run.predictAgain"))
        ->setText(filed && !m_workbench.scene()->whatIf.isFiled ? tr("Show the prediction of the &file")
                                                                : tr("Predict again with this &version"));
    const QString file = m_document.path().isEmpty() ? QString() : QFileInfo(m_document.path()).fileName();
    const bool modified = m_document.isModified();
    setWindowTitle(!file.isEmpty() ? tr("%1[*] – Plumbline").arg(file)
                   : modified      ? tr("Not saved[*] – Plumbline")
                                   : QStringLiteral("Plumbline[*]"));
    setWindowModified(modified);
}

QString MainWindow::bannerText() const { return m_banner->isHidden() ? QString() : m_banner->text(); }

void MainWindow::showError(const Error& error) {
    m_banner->showMessage(Banner::Kind::Error, QString::fromStdString(error.text()) + QLatin1Char('.'));
}

QString MainWindow::wouldBeLost() const {
    QStringList sentences;
    const QString path = m_document.path();
    if (m_document.isModified())
        sentences << (path.isEmpty() ? tr("What was measured and trained is in no file yet.")
                                     : tr("What was measured and trained since is not in %1.")
                                           .arg(QFileInfo(path).fileName()));
    if (const auto run = m_workbench.activeRun(); run && m_controller.runningConfig()) {
        const QString wanted =
            run->stepsWanted > 0 ? tr(" of %1").arg(groupedDigits(run->stepsWanted)) : QString();
        sentences << tr("The training %1 goes on (step %2%3); it would end here.")
                         .arg(run->title, groupedDigits(run->stepsDone), wanted);
    }
    return sentences.join(QLatin1Char('\n'));
}

void MainWindow::afterUnsavedResults(const std::function<void()>& proceed) {
    const QString lost = wouldBeLost();
    if (lost.isEmpty()) return proceed();
    const bool modified = m_document.isModified();
    QMessageBox::StandardButtons buttons = QMessageBox::Discard | QMessageBox::Cancel;
    if (modified) buttons |= QMessageBox::Save;
    auto* question = new QMessageBox(QMessageBox::Question, tr("Plumbline"), lost, buttons, this);
    question->setTextFormat(Qt::PlainText);  // it names files
    question->setDefaultButton(modified ? QMessageBox::Save : QMessageBox::Cancel);
    question->button(QMessageBox::Discard)->setText(modified ? tr("Do not save") : tr("End the training"));
    question->setObjectName(QStringLiteral("unsavedQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &QMessageBox::buttonClicked, this, [this, question, proceed](QAbstractButton* button) {
        const auto answer = question->standardButton(button);
        if (answer == QMessageBox::Save) save(proceed);
        if (answer == QMessageBox::Discard) proceed();
    });
    question->open();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_closeConfirmed && !wouldBeLost().isEmpty()) {
        event->ignore();
        afterUnsavedResults([this] {
            m_closeConfirmed = true;
            close();
        });
        return;
    }
    if (m_engine.keepsCheckpoints()) m_engine.end();
    if (m_engine.saving()) {
        event->ignore();
        closeWhenSaved();
        return;
    }
    m_settings.setWindowGeometry(saveGeometry());
    QMainWindow::closeEvent(event);
}

void MainWindow::closeWhenSaved() {
    m_closeConfirmed = true;
    connect(&m_engine, &EngineClient::saved, this, &MainWindow::close,
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::UniqueConnection));
    setAcceptDrops(false);
    for (QWidget* part : {static_cast<QWidget*>(m_topBar), static_cast<QWidget*>(m_panel), m_viewArea})
        part->setEnabled(false);
    for (QAction* action : m_actions->all()) action->setEnabled(false);
    m_banner->showMessage(
        Banner::Kind::Ongoing,
        tr("The engine saves the last state of the training; the window closes when it is done."),
        tr("Close without it"), [this] { m_engine.killSaving(); });
}

// What is there goes when the file takes its place, and stays when the file cannot be read.
void MainWindow::openFiles(const QStringList& paths) {
    afterUnsavedResults([this, paths] { m_document.open(paths); });
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
