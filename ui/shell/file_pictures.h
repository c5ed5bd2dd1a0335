// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/shell/picture_exporter.h"

#include <QObject>
#include <QString>
#include <QStringList>

namespace plumb::ui {

class MainWindow;

/// Opens files in a window and draws every view of them when they are read: snapshots, recorded steps, files
/// of other profilers, and plans, of which every question of the planner is drawn. What is there of other
/// views without a run is drawn as it is.
class FilePictures final : public QObject {
    Q_OBJECT
public:
    /// The window outlives it.
    FilePictures(MainWindow& window, QString folder, QObject* parent = nullptr);

    /// finished() follows, perhaps at once. Called once.
    void open(const QStringList& files);

signals:
    /// An empty error: so many pictures are in the folder. Otherwise one sentence without a full stop.
    void finished(const QString& error, int written);

private:
    void begin();
    void beginWithEngine();
    void refuse(const Error& error);
    void end(const QString& error, int written);

    MainWindow& m_window;
    QString m_folder;
    PictureExporter m_exporter;
    bool m_begun = false, m_ended = false;
};

}  // namespace plumb::ui
