// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/calibration_watch.h"

#include "core/io/data_folder.h"
#include "ui/theme/text.h"

#include <QDateTime>
#include <QDir>

#include <chrono>
#include <utility>

namespace plumb::ui {
namespace {

using namespace std::chrono_literals;
// The folder holds the history, too, which is written in bursts.
constexpr auto kSettle = 300ms;

QMap<QString, qint64> keptCalibrations() {
    QMap<QString, qint64> kept;
    if (dataFolder().empty()) return kept;
    const QDir folder(toText(dataFolder()));
    for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("calibration-*.json")}, QDir::Files))
        kept.insert(file.fileName(), file.lastModified().toMSecsSinceEpoch());
    return kept;
}

}  // namespace

CalibrationWatch::CalibrationWatch() {
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettle);
    connect(&m_settle, &QTimer::timeout, this, &CalibrationWatch::look);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_settle, qOverload<>(&QTimer::start));
    know();
}

void CalibrationWatch::know() {
    // Calibrating may have made the folder.
    const QString folder = toText(dataFolder());
    if (m_watcher.directories().isEmpty() && QDir(folder).exists() && !folder.isEmpty())
        m_watcher.addPath(folder);
    m_known = keptCalibrations();
}

void CalibrationWatch::look() {
    QMap<QString, qint64> kept = keptCalibrations();
    if (std::exchange(m_known, std::move(kept)) != m_known) emit changed();
}

}  // namespace plumb::ui
