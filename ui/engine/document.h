// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/snapshot.h"
#include "ui/engine/job_runner.h"
#include "ui/engine/run_controller.h"
#include "ui/workbench.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace plumb::ui {

class ConfigHistory;
class CurveMeasurer;

/// Files: opens a snapshot into the workbench and writes what is there. Reading happens on a worker, so that
/// 256 MB of anything do not freeze the window.
class Document final : public QObject {
    Q_OBJECT
public:
    Document(Workbench& workbench, RunController& controller, ConfigHistory& history, CurveMeasurer& measurer,
             QObject* parent = nullptr);

    /// Reads `path` after those that are still waiting. The last good file stays on screen, the runs of all
    /// of them in the training view; what could not be read is told once, at the end.
    void open(const QString& path);
    [[nodiscard]] bool opening() const { return m_reader.busy() || !m_waiting.isEmpty(); }
    [[nodiscard]] QString path() const { return m_path; }  ///< of the last opened or saved snapshot, or empty

    bool save(const QString& path);
    bool exportCsv(const QString& path);          ///< one row per operation
    bool exportTrainingCsv(const QString& path);  ///< one row per kept step of the newest run
    bool exportTimeline(const QString& path);     ///< toChromeTrace()
    /// What save() writes: what ran, when something did, else the prediction of the sliders.
    [[nodiscard]] Result<Snapshot> snapshot() const;

signals:
    void opened(const QString& path);
    void saved(const QString& path);
    void failed(const plumb::Error& error);
    void noticed(const QString& message);
    void changed();  ///< path or progress of opening

private:
    bool writeText(const QString& path, const std::string& text);
    void readNext();
    void show(const QString& path, Snapshot snapshot);

    Workbench& m_workbench;
    RunController& m_controller;
    ConfigHistory& m_history;
    CurveMeasurer& m_measurer;
    JobRunner m_reader;
    QStringList m_waiting;
    std::vector<Error> m_refused;  ///< of the files that are being opened now
    QString m_path;
};

}  // namespace plumb::ui
