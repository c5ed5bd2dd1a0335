// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/file_pictures.h"

#include "ui/shell/file_actions.h"
#include "ui/shell/main_window.h"
#include "ui/shell/planner_actions.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"

#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {
constexpr int kEngineWaitMs = 2000;
}  // namespace

FilePictures::FilePictures(MainWindow& window, QString folder, QObject* parent)
    : QObject(parent),
      m_window(window),
      m_folder(std::move(folder)),
      m_exporter(window.views(), window.viewArea(), nullptr) {
    connect(&window.document(), &Document::failed, this, &FilePictures::refuse);
    connect(&window.openedFiles(), &OpenedFiles::failed, this, &FilePictures::refuse);
    // A plan is opened at once, by what the actions of the planner are.
    if (const auto* plans = window.findChild<PlannerActions*>())
        connect(plans, &PlannerActions::failed, this, &FilePictures::refuse);
    // Queued: first the window goes to the tab of the file, which it would else do amid the pictures.
    connect(&window.openedFiles(), &OpenedFiles::opened, this, &FilePictures::begin, Qt::QueuedConnection);
    connect(&window.document(), &Document::opened, this, &FilePictures::beginWithEngine);
    connect(&m_exporter, &PictureExporter::finished, this, &FilePictures::end);
}

void FilePictures::open(const QStringList& files) {
    m_exporter.setWithQuestions(std::ranges::any_of(files, FileActions::isPlan));
    if (!m_window.openFiles(files)) return end(m_window.bannerText(), 0);
    // Of plans alone nothing is read that would tell when it is.
    QTimer::singleShot(0, this, &FilePictures::begin);
}

/// The picture of the window shows it ready to run, where an engine is there; it is not waited for long.
void FilePictures::beginWithEngine() {
    EngineClient& engine = m_window.engine();
    if (!QFileInfo(engine.commandLine().value(0)).isExecutable()) return begin();
    connect(&engine, &EngineClient::eventArrived, this, &FilePictures::begin);
    connect(&engine, &EngineClient::ended, this, &FilePictures::begin);
    QTimer::singleShot(kEngineWaitMs, this, &FilePictures::begin);
    engine.start();
}

void FilePictures::begin() {
    // Of several files the last one that is read.
    if (m_ended || m_window.openedFiles().isReading() || m_window.document().opening()) return;
    if (!std::exchange(m_begun, true)) m_exporter.exportTo(m_folder);
}

void FilePictures::refuse(const Error& error) { end(errorSentence(error), 0); }

void FilePictures::end(const QString& error, int written) {
    if (!std::exchange(m_ended, true)) emit finished(error, written);
}

}  // namespace plumb::ui
