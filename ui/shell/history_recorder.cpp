// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/history_recorder.h"

#include "ui/engine/curve_measurer.h"
#include "ui/engine/run_controller.h"
#include "ui/history/history.h"
#include "ui/shell/document.h"
#include "ui/workbench/workbench.h"

#include <QDateTime>
#include <QUuid>

#include <utility>

namespace plumb::ui {
namespace {

std::int64_t nowMilliseconds() { return QDateTime::currentMSecsSinceEpoch(); }

FinishedWork begun(HistoryKind kind, const RunConfig& config, const Target& target) {
    FinishedWork work;
    work.kind = kind;
    work.uid = QUuid::createUuid().toString(QUuid::WithoutBraces);
    work.config = config;
    work.target = target;
    work.began = nowMilliseconds();
    return work;
}

}  // namespace

HistoryRecorder::HistoryRecorder(History& history, Workbench& workbench, RunController& controller,
                                 CurveMeasurer& measurer, Document& document)
    : m_history(history), m_workbench(workbench), m_controller(controller), m_measurer(measurer) {
    connect(&workbench.runs(), &TrainingRuns::changed, this, &HistoryRecorder::followTraining);
    // A document that takes the place ends the run without a word of the runs.
    connect(&workbench, &Workbench::sceneChanged, this, &HistoryRecorder::followTraining);
    connect(&controller.work().results(), &JobResults::measured, this, &HistoryRecorder::take);
    connect(&controller.work(), &EngineWork::changed, this, &HistoryRecorder::endProfile);
    connect(&measurer, &CurveMeasurer::changed, this, &HistoryRecorder::endCurve);
    connect(&document, &Document::opened, this, &HistoryRecorder::forgetDocument);
    connect(&document, &Document::saved, this, [this](const QString& path) {
        m_history.change([ids = m_kept, path](HistoryStore& store) {
            return store.say(*ids, HistoryStore::Said::Path, path);
        });
    });
    m_clock.setInterval(kKeepMilliseconds);
    connect(&m_clock, &QTimer::timeout, this, &HistoryRecorder::keepTraining);
}

HistoryRecorder::~HistoryRecorder() { keepTraining(); }

void HistoryRecorder::followTraining() {
    const auto active = m_workbench.runs().active();
    if (active == m_run) return;
    endTraining();
    if (!active || !active->target) return;
    m_run = active;
    m_training = begun(HistoryKind::Training, active->config, *active->target);
    m_clock.start();
}

void HistoryRecorder::keepTraining() {
    // One that said nothing yet has nothing to be kept.
    if (!m_run || m_run->history.empty()) return;
    FinishedWork work = m_training;
    work.training = seriesOf(*m_run);
    work.stepsPerSecond = m_run->stepsPerSecond;
    keep(std::move(work));
}

void HistoryRecorder::endTraining() {
    m_clock.stop();
    m_training.ended = nowMilliseconds();
    keepTraining();
    m_run.reset();
}

void HistoryRecorder::take(const std::shared_ptr<const Reading>& reading, const EngineJob& job) {
    const Target target{job.machine, job.plan->traits};
    if (job.isTraining) {
        if (m_run) m_training.measured = reading;
        return;
    }
    if (job.isAside && m_measurer.running()) {
        if (!m_curve) m_curve = begun(HistoryKind::Curve, job.config, target);
        m_curve->curve.push_back({job.config.recompute,
                                  reading->memory ? std::optional(reading->memory->peakBytes) : std::nullopt,
                                  reading->totals.seconds, reading->stepsMeasured});
        return;
    }
    // A profile tells its reading once more with counters: the last one is kept.
    if (!m_profile) m_profile = begun(HistoryKind::Profile, job.config, target);
    m_profile->measured = reading;
}

void HistoryRecorder::endProfile() {
    if (!m_profile || m_controller.work().busy()) return;
    m_profile->ended = nowMilliseconds();
    keep(*std::exchange(m_profile, std::nullopt));
}

void HistoryRecorder::endCurve() {
    if (!m_curve || m_measurer.running()) return;
    m_curve->ended = nowMilliseconds();
    keep(*std::exchange(m_curve, std::nullopt));
}

void HistoryRecorder::keep(FinishedWork work) {
    m_history.change([work = std::move(work), ids = m_kept](HistoryStore& store) -> Result<std::int64_t> {
        PLUMB_TRY(const KeptWork made, kept(work));
        PLUMB_TRY(const std::int64_t id, store.put(made.entry, made.packed));
        ids->push_back(id);
        return id;
    });
}

}  // namespace plumb::ui
