// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opened/opened_file.h"

#include <QFileInfo>

namespace plumb::ui {
namespace {
constexpr int kTickMs = 100;  // how often progress is told
}

OpenedFile::OpenedFile(Read read, QObject* parent) : QObject(parent), m_read(std::move(read)) {
    m_ticks.setInterval(kTickMs);
    connect(&m_ticks, &QTimer::timeout, this, &OpenedFile::progressed);
}

// The worker is told to stop before its runner waits for it.
OpenedFile::~OpenedFile() { m_stop.request_stop(); }

void OpenedFile::open(const QStringList& paths) {
    m_stop.request_stop();
    m_stop = {};
    m_share = std::make_shared<std::atomic<double>>(0);
    m_reading.clear();
    std::vector<std::string> files;
    for (const QString& path : paths) {
        m_reading << QFileInfo(path).absoluteFilePath();
        files.push_back(m_reading.back().toStdString());
    }
    const ReadControl control{m_stop.get_token(), [share = m_share](double done) { share->store(done); }};
    m_runner.run([read = m_read, files = std::move(files), control] { return read(files, control); },
                 [this](Result<std::shared_ptr<const void>> content) {
                     const QStringList read = m_reading;
                     endReading();
                     if (!content.has_value()) return emit failed(content.error());
                     m_content = std::move(content).value();
                     m_paths = read;
                     emit changed();
                     emit opened(path());
                 });
    m_ticks.start();
    emit progressed();
}

void OpenedFile::cancel() {
    if (!isReading()) return;
    m_stop.request_stop();
    m_runner.cancel();
    endReading();
}

void OpenedFile::close() {
    cancel();
    if (!isOpen()) return;
    m_content.reset();
    m_paths.clear();
    emit changed();
}

void OpenedFile::endReading() {
    m_ticks.stop();
    m_reading.clear();
    emit progressed();
}

}  // namespace plumb::ui
