// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/job_results.h"
#include "ui/history/history_record.h"
#include "ui/history/history_store.h"
#include "ui/workbench/training_runs.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace plumb::ui {

class CurveMeasurer;
class Document;
class History;
class RunController;
class Workbench;

/// Puts into the history what the engine does for this window: trainings, profiles and measured curves, each
/// when it ends. A training that goes on is kept every half minute too, so that a power cut takes little of
/// it.
class HistoryRecorder final : public QObject {
    Q_OBJECT
public:
    static constexpr int kKeepMilliseconds = 30'000;

    /// All outlive it.
    HistoryRecorder(History& history, Workbench& workbench, RunController& controller,
                    CurveMeasurer& measurer, Document& document);
    ~HistoryRecorder() override;

    /// Another document takes the place: what is saved from now on is not what was kept until now.
    void forgetDocument() { m_kept = std::make_shared<HistoryStore::Ids>(); }
    /// Keeps the training that goes on as it is now.
    void keepTraining();

private:
    void followTraining();
    void endTraining();
    void take(const std::shared_ptr<const Reading>& reading, const EngineJob& job);
    void endProfile();
    void endCurve();
    void keep(FinishedWork work);

    History& m_history;
    Workbench& m_workbench;
    RunController& m_controller;
    CurveMeasurer& m_measurer;
    std::shared_ptr<const TrainingRun> m_run;  ///< the training that goes on; null: none
    FinishedWork m_training;                   ///< what is known of it beside the run
    std::optional<FinishedWork> m_profile;
    std::optional<FinishedWork> m_curve;
    /// Entries of the document; read and written on the history's thread alone.
    std::shared_ptr<HistoryStore::Ids> m_kept = std::make_shared<HistoryStore::Ids>();
    QTimer m_clock;
};

}  // namespace plumb::ui
