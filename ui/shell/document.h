// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/formats.h"
#include "core/snapshot/snapshot.h"
#include "ui/engine/job_runner.h"
#include "ui/engine/run_controller.h"
#include "ui/shell/opened_session.h"
#include "ui/workbench/workbench.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace plumb::ui {

class ConfigHistory;
class CurveMeasurer;

/// What is open as a file: opens a snapshot into the workbench and writes what is there. Reading happens on a
/// worker, and so do plan and prediction of the step, so that neither 256 MB of anything nor the deepest
/// network freeze the window.
///
/// A document is one configuration with its prediction, what was measured of it, its recompute curve, and
/// every other training, measurement and recompute curve of the session, whatever its configuration.
/// holdingOf() says so in words.
class Document final : public QObject {
    Q_OBJECT
public:
    Document(Workbench& workbench, RunController& controller, ConfigHistory& history, CurveMeasurer& measurer,
             QObject* parent = nullptr);
    ~Document() override;

    /// Goes on with `proceed`, now or later, once somebody has said what becomes of what is there; or never.
    using Guard = std::function<void(const std::function<void()>& proceed)>;
    /// Reads these after those that are still waiting. The last good one takes the place of all there is; the
    /// runs of the others stay beside it, to be compared with, and are no part of it. What could not be read
    /// is told once, at the end. `beforeReplacing` is asked when the first good one was
    /// read: for a file that cannot be, nobody has to decide anything.
    void open(const QStringList& paths, const Guard& beforeReplacing = {});
    /// Shows one that is in no file in the place of all there is; `name` may be empty.
    void showKept(OpenedSession session, const QString& name);
    [[nodiscard]] bool opening() const { return m_reader.busy() || !m_waiting.empty(); }
    /// Gives up what is being read and what waits; what is open stays.
    void cancelOpening();
    [[nodiscard]] QString readingPath() const { return m_reading; }     ///< of what is being read
    [[nodiscard]] double readShare() const { return m_share->load(); }  ///< read of it so far
    [[nodiscard]] QString path() const {
        return m_path;
    }  ///< path of the last opened or saved snapshot, or empty
    /// What it is called: the name of its file, or that of showKept(); may be empty.
    [[nodiscard]] QString name() const { return m_name; }
    /// It has results, a note or bookmarks that its file has not.
    [[nodiscard]] bool isModified() const {
        return m_controller.work().results().areUnsaved() || m_workbench.marks.areUnsaved();
    }

    bool save(const QString& path);
    /// Writes what exportedStep() gives in that format.
    bool exportAs(const ExportFormat& format, const QString& path);
    /// The step that is shown, with the curves of the newest run: what save() writes, or the recorded step
    /// that stands in front of it.
    [[nodiscard]] Result<ExportedStep> exportedStep() const;
    /// What save() writes: what ran, when something did, else the prediction of the sliders.
    [[nodiscard]] Result<Snapshot> snapshot() const;

signals:
    void opened(const QString& path);  ///< a snapshot, or a recorded step in front of what there is
    void saved(const QString& path);
    void failed(const plumb::Error& error);
    void noticed(const QString& message);
    void changed();     ///< path or progress of opening
    void progressed();  ///< reading takes long, and went on, or is over

private:
    struct Waiting {
        QString path;
        bool isFirst = false;  ///< whether it is the first of those that are opened together
        Guard guard{};         ///< there with the first one alone
    };
    void readNext();
    void endReading();
    void show(const QString& path, OpenedSession session);
    void put(const QString& path, OpenedSession session);  ///< `path` may be empty
    void show(const QString& path, StepFile file);

    Workbench& m_workbench;
    RunController& m_controller;
    ConfigHistory& m_history;
    CurveMeasurer& m_measurer;
    std::deque<Waiting> m_waiting;
    QString m_reading;
    std::stop_source m_stop;
    std::shared_ptr<std::atomic<double>> m_share = std::make_shared<std::atomic<double>>(0);
    QTimer m_ticks;
    std::vector<Error> m_refused;  ///< errors of the files that are being opened now
    Guard m_guard;                 ///< of the files that are opened together; empty once it was asked
    bool m_isBeside = false;       ///< one of the files that are opened together is shown already
    QString m_path;
    QString m_name;
    /// What the opened file says of the data of its configuration.
    std::optional<std::pair<RunConfig, DataProvenance>> m_data;
    JobRunner m_reader;  // last: its destructor waits for the worker
};

/// What a snapshot holds, in words: "prediction, measurement of 20 steps and 1 other, 2 trainings".
[[nodiscard]] QString holdingOf(const Snapshot& snapshot);
/// What of a session a file does not take, as the end of a sentence; empty when it takes all.
[[nodiscard]] QString leftOutOf(const SessionLoss& loss);

}  // namespace plumb::ui
