// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/file_actions.h"

#include "core/io/file.h"
#include "core/planner/scenario_file.h"
#include "ui/devices/unsaved_devices.h"
#include "ui/settings/samples.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/session.h"
#include "ui/theme/text.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/size_field.h"

#include <QAbstractButton>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>

namespace plumb::ui {

FileActions::FileActions(ActionRegistry& actions, Session& session, Settings& settings, QWidget& window)
    : QObject(&window), m_session(session), m_settings(settings), m_window(window) {
    actions.add({QStringLiteral("file.open"), tr("&Open…"),
                 tr("Open a snapshot, a step that was recorded, or a file of another profiler"),
                 QKeySequence::Open},
                [this] { askOpen(); });
    actions.add({QStringLiteral("file.save"), tr("&Save"),
                 tr("Save what was predicted, measured and trained"), QKeySequence::Save},
                [this] { save(); });
    actions.add(
        {QStringLiteral("file.saveAs"), tr("Save &as…"), tr("Save under another name"), keys("Ctrl+Shift+S")},
        [this] { askSave(); });
    const auto rememberOne = [this](const QString& path) { remember({path}); };
    connect(&session.document, &Document::opened, this, rememberOne);
    connect(&session.document, &Document::saved, this, rememberOne);
    connect(&session.document, &Document::failed, this, &FileActions::tellGone);
    connect(&session.openedFiles, &OpenedFiles::failed, this, &FileActions::tellGone);
    connect(&session.openedFiles, &OpenedFiles::opened, this,
            [this](const QString&, const QStringList& paths) { remember(paths); });
}

void FileActions::setMenus(QMenu& recent, QMenu& samples) {
    m_recent = &recent;
    fillRecent();
    fillSamples(samples);
}

void FileActions::remember(const QStringList& paths) {
    m_settings.addRecentFiles(paths);
    if (!isSampleFile(paths.front())) m_settings.setLastFolder(QFileInfo(paths.front()).absolutePath());
    fillRecent();
}

void FileActions::forget(const QStringList& paths) {
    m_settings.forgetRecentFiles(paths);
    fillRecent();
}

void FileActions::tellGone(const Error& error) {
    const QString said = toText(error.message);
    for (const QStringList& paths : m_settings.recentFiles())
        for (const QString& path : paths)
            if (said.contains(path) && !QFileInfo::exists(path)) return emit gone(paths);
}

void FileActions::fillRecent() {
    m_recent->clear();
    const QList<QStringList> entries = m_settings.recentFiles();
    m_recent->setEnabled(!entries.isEmpty());
    for (const QStringList& paths : entries) {
        QString title = QFileInfo(paths.front()).fileName();
        if (paths.size() > 1)
            title = tr("%1 and %n more", nullptr, static_cast<int>(paths.size()) - 1).arg(title);
        QAction* entry = m_recent->addAction(title, this, [this, paths] { open(paths); });
        entry->setStatusTip(paths.join(QStringLiteral(", ")));
        entry->setToolTip(paths.join(QLatin1Char('\n')));
    }
    if (entries.isEmpty()) return;
    m_recent->addSeparator();
    m_recent->addAction(tr("Clear the list"), this, [this] { forget({}); });
}

void FileActions::fillSamples(QMenu& menu) {
    const QStringList files = sampleFiles();
    menu.setObjectName(QStringLiteral("samplesMenu"));
    menu.menuAction()->setVisible(!files.isEmpty());
    for (const QString& path : files) {
        QAction* entry = menu.addAction(sampleTitle(path), this, [this, path] { open({path}); });
        entry->setStatusTip(tr("Open a snapshot that was recorded on real hardware: %1").arg(path));
    }
}

bool FileActions::isPlan(const QString& path) {
    constexpr std::size_t kStart = 4096;
    if (path.endsWith(QString::fromLatin1(planner::kPlanSuffix.data(), planner::kPlanSuffix.size())))
        return true;
    if (!path.endsWith(QStringLiteral(".json"))) return false;
    const auto start = readFileStart(path.toStdString(), kStart);
    return start.has_value() && planner::looksLikeScenario(*start);
}

// What is there goes when the file takes its place, and stays when the file cannot be read.
void FileActions::open(const QStringList& files) {
    QStringList given, plans;
    for (const QString& path : files) (isPlan(path) ? plans : given) << path;
    if (!plans.isEmpty()) emit plansWanted(plans);
    if (given.isEmpty()) return;
    // Files of other profilers stand beside the step, which stays.
    const QStringList paths = m_session.openedFiles.open(given);
    if (paths.isEmpty()) return;
    // A recorded step stands in front of what there is, which stays.
    m_session.document.open(paths, [this](const auto& proceed) { afterUnsavedResults(proceed); });
}

void FileActions::askOpen() {
    askOpenPaths(
        m_window, tr("Open files"), m_settings.lastFolder(),
        tr("Files that can be opened (*.plumb *.json *.json.gz *.gz *.sqlite *.pickle *.pkl *.csv);;"
           "Snapshots and recorded steps (*.plumb);;Traces (*.json *.json.gz *.gz *.sqlite);;"
           "Memory snapshots (*.pickle *.pkl);;Kernels of Nsight Compute (*.csv);;Plans (*.plan.json);;"
           "All files (*)"),
        [this](const QStringList& paths) { open(paths); });
}

void FileActions::save(const std::function<void()>& afterwards) {
    // What came with the program stays as it is.
    const QString path = m_session.document.path();
    if (path.isEmpty() || isSampleFile(path)) return askSave(afterwards);
    saveTo(path, afterwards);
}

void FileActions::saveTo(const QString& path, const std::function<void()>& afterwards) {
    if (!m_session.document.save(path)) return emit notSaved();
    if (afterwards) afterwards();
}

void FileActions::askSave(const std::function<void()>& afterwards) {
    const QString file = m_session.document.path();
    const QDir folder(m_settings.lastFolder());
    const QString proposal = file.isEmpty()       ? folder.filePath(QStringLiteral("run.plumb"))
                             : isSampleFile(file) ? folder.filePath(QFileInfo(file).fileName())
                                                  : file;
    askSavePath(m_window, tr("Save the snapshot"), proposal, tr("Snapshots (*.plumb)"),
                QStringLiteral("plumb"),
                [this, afterwards](const QString& path) { saveTo(path, afterwards); });
}

QString FileActions::wouldBeLost() const {
    QStringList sentences;
    const QString path = m_session.document.path();
    if (m_session.controller.work().results().areUnsaved())
        sentences << (path.isEmpty() ? tr("What was measured and trained is in no file yet.")
                                     : tr("What was measured and trained since is not in %1.")
                                           .arg(QFileInfo(path).fileName()));
    else if (m_session.document.isModified())
        sentences << (path.isEmpty() ? tr("The note and the bookmarks are in no file yet.")
                                     : tr("What was changed of the note and the bookmarks is not in %1.")
                                           .arg(QFileInfo(path).fileName()));
    if (const auto run = m_session.workbench.runs().active();
        run && m_session.controller.work().runningConfig()) {
        const QString done = groupedDigits(run->stepsDone);
        sentences
            << (run->stepsWanted > 0
                    ? tr("The training %1 goes on (step %2 of %3); it would end here.")
                          .arg(run->title, done, groupedDigits(run->stepsWanted))
                    : tr("The training %1 goes on (step %2); it would end here.").arg(run->title, done));
    }
    return sentences.join(QLatin1Char('\n'));
}

bool FileActions::wouldLoseByClosing() const {
    return !wouldBeLost().isEmpty() || !unsavedDevices(m_session.library).isEmpty();
}

void FileActions::beforeClosing(const std::function<void()>& proceed) {
    afterUnsavedDevices(m_window, m_session.library, [this, proceed] { afterUnsavedResults(proceed); });
}

void FileActions::afterUnsavedResults(const std::function<void()>& proceed) {
    const QString lost = wouldBeLost();
    if (lost.isEmpty()) return proceed();
    const bool modified = m_session.document.isModified();
    QMessageBox::StandardButtons buttons = QMessageBox::Discard | QMessageBox::Cancel;
    if (modified) buttons |= QMessageBox::Save;
    auto* question = new QMessageBox(QMessageBox::Question, tr("Plumbline"), lost, buttons, &m_window);
    question->setTextFormat(Qt::PlainText);  // it names files
    question->setDefaultButton(modified ? QMessageBox::Save : QMessageBox::Cancel);
    // Qt's own names of buttons have no letters.
    if (modified) question->button(QMessageBox::Save)->setText(tr("&Save"));
    question->button(QMessageBox::Discard)->setText(modified ? tr("&Do not save") : tr("&End the training"));
    question->button(QMessageBox::Cancel)->setText(tr("&Cancel"));
    question->setObjectName(QStringLiteral("unsavedQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &QMessageBox::buttonClicked, this, [this, question, proceed](QAbstractButton* button) {
        const auto answer = question->standardButton(button);
        if (answer == QMessageBox::Save) save(proceed);
        if (answer == QMessageBox::Discard) proceed();
    });
    ask(*question);
}

}  // namespace plumb::ui
