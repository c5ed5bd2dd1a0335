// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/document.h"

#include "core/io/chrome_trace.h"
#include "core/io/file.h"
#include "core/train/training_series.h"
#include "ui/actions/config_history.h"
#include "ui/engine/curve_measurer.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

TrainingSeries seriesOf(const RunRecord& run) {
    TrainingSeries series = plumb::seriesOf(run.history.points());
    series.stepsDone = run.stepsDone;
    series.skippedSteps = run.skippedSteps;
    series.firstScales = run.firstScales;
    series.lastScales = run.lastScales;
    series.outcome = run.outcome.isEmpty() ? "running when it was saved" : run.outcome.toStdString();
    return series;
}

std::shared_ptr<RunRecord> runOf(const Snapshot& snapshot, std::shared_ptr<const StepPlan> plan,
                                 const QString& fileName) {
    auto run = std::make_shared<RunRecord>();
    run->config = snapshot.config;
    run->machine = snapshot.machine;
    run->traits = snapshot.traits;
    run->plan = std::move(plan);
    run->title = Document::tr("%1 (%2)").arg(runTitle(snapshot.config), fileName);
    const TrainingSeries& series = *snapshot.training;
    for (const LossPoint& point : pointsOf(series)) run->history.add(point);
    run->stepsDone = series.stepsDone;
    run->skippedSteps = series.skippedSteps;
    run->firstScales = series.firstScales;
    run->lastScales = series.lastScales;
    if (!series.seconds.empty() && series.seconds.back() > 0)
        run->stepsPerSecond = static_cast<double>(series.stepsDone) / series.seconds.back();
    run->outcome = QString::fromStdString(series.outcome);
    return run;
}

/// `config` with what equals a default that follows another option left open. A file names every option; for
/// the sliders a micro-batch that is the batch follows the batch, and lr and weight-decay the optimizer.
RunConfig forSliders(RunConfig config) {
    if (config.microBatch == config.batch) config.microBatch = 0;
    RunConfig defaults;
    defaults.optimizer = config.optimizer;
    if (config.learningRate == defaults.effectiveLearningRate()) config.learningRate.reset();
    if (config.weightDecay == defaults.effectiveWeightDecay()) config.weightDecay.reset();
    for (std::size_t i = 0; i < kSettingCount; ++i)
        if (config.settings[i] == settingDefault(config.optimizer, static_cast<Setting>(i)))
            config.settings[i].reset();
    return config;
}

}  // namespace

Document::Document(Workbench& workbench, RunController& controller, ConfigHistory& history,
                   CurveMeasurer& measurer, QObject* parent)
    : QObject(parent),
      m_workbench(workbench),
      m_controller(controller),
      m_history(history),
      m_measurer(measurer) {}

void Document::open(const QString& path) {
    m_waiting << QFileInfo(path).absoluteFilePath();
    if (!m_reader.busy()) readNext();
}

void Document::readNext() {
    if (m_waiting.isEmpty()) {
        const std::vector<Error> refused = std::exchange(m_refused, {});
        if (refused.empty()) return;
        Error all = refused.front();
        for (std::size_t i = 1; i < refused.size(); ++i) all.hint += ". " + refused[i].text();
        emit failed(all);
        return;
    }
    const QString path = m_waiting.takeFirst();
    m_reader.run([file = path.toStdString()] { return readSnapshot(file); },
                 [this, path](Result<Snapshot> snapshot) {
                     if (snapshot.has_value())
                         show(path, std::move(snapshot).value());
                     else
                         m_refused.push_back(snapshot.error());
                     emit changed();
                     readNext();
                 });
    emit changed();
}

void Document::show(const QString& path, Snapshot snapshot) {
    // A run that was started beside its data has relative paths: they are meant from where the file lies.
    const QDir folder = QFileInfo(path).absoluteDir();
    for (std::string* file : {&snapshot.config.data, &snapshot.config.targets}) {
        const QString beside = folder.filePath(QString::fromStdString(*file));
        if (!file->empty() && *file != "synthetic" && QFileInfo::exists(beside))
            *file = QFileInfo(beside).absoluteFilePath().toStdString();
    }
    Result<StepPlan> planned = planStep(snapshot.config, snapshot.traits);
    if (!planned.has_value()) {
        m_refused.push_back(planned.error());
        return;
    }
    const auto plan = std::make_shared<const StepPlan>(std::move(planned).value());
    m_controller.chooseMachineOfFile(snapshot.machine, snapshot.traits);
    const RunConfig config = forSliders(snapshot.config);
    m_measurer.add(config, snapshot.machine.id, snapshot.checkpointCurve);
    m_workbench.setConfig(config);
    m_history.clear();
    if (!m_controller.busy()) {
        // A run that goes on keeps measuring into its own reading; the file's would be replaced at once.
        if (snapshot.measured)
            m_workbench.setMeasured(std::make_shared<const Reading>(*snapshot.measured), plan,
                                    snapshot.machine);
        else
            m_workbench.clearMeasured();
    }
    if (snapshot.training) m_workbench.addRun(runOf(snapshot, plan, QFileInfo(path).fileName()));
    m_path = path;
    emit opened(path);
}

Result<Snapshot> Document::snapshot() const {
    const Scene& scene = *m_workbench.scene();
    const auto& runs = m_workbench.runs();
    RunConfig config = scene.config();
    Machine machine = scene.machine;
    BackendTraits traits = m_workbench.traits();
    if (scene.measured) {
        config = scene.measuredPlan->config;
        machine = scene.measuredMachine;
        traits = scene.measuredPlan->traits;
    } else if (!runs.empty()) {
        config = runs.back()->config;
        if (runs.back()->machine) {
            machine = *runs.back()->machine;
            traits = runs.back()->traits;
        }
    }
    PLUMB_TRY(Snapshot result, makeSnapshot(config, machine, traits));
    if (scene.measured) result.measured = *scene.measured;
    result.checkpointCurve = m_measurer.curveOf(config, machine.id);
    const auto run =
        std::find_if(runs.rbegin(), runs.rend(), [&](const auto& r) { return r->config == config; });
    if (run != runs.rend() && !(*run)->history.empty()) result.training = seriesOf(**run);
    return result;
}

bool Document::save(const QString& path) {
    const Result<Snapshot> made = snapshot();
    if (!made.has_value()) {
        emit failed(made.error());
        return false;
    }
    if (const Result<void> written = writeSnapshot(path.toStdString(), made.value()); !written.has_value()) {
        emit failed(written.error());
        return false;
    }
    m_path = QFileInfo(path).absoluteFilePath();
    m_controller.setSaved();
    emit saved(m_path);
    if (!(made.value().config == m_workbench.config()))
        emit noticed(tr("Saved what ran (%1); the what-if of the sliders is not part of it")
                         .arg(runTitle(made.value().config)));
    emit changed();
    return true;
}

bool Document::writeText(const QString& path, const std::string& text) {
    if (const Result<void> written = writeFileAtomically(path.toStdString(), text); !written.has_value()) {
        emit failed(written.error());
        return false;
    }
    return true;
}

bool Document::exportCsv(const QString& path) {
    const Result<Snapshot> made = snapshot();
    if (made.has_value()) return writeText(path, toCsv(made.value()));
    emit failed(made.error());
    return false;
}

bool Document::exportTimeline(const QString& path) {
    const Result<Snapshot> made = snapshot();
    const Result<std::string> trace = made.has_value() ? toChromeTrace(made.value()) : made.error();
    if (trace.has_value()) return writeText(path, trace.value());
    Error error = trace.error();
    if (made.has_value()) error.hint = tr("profile first, or calibrate this machine").toStdString();
    emit failed(error);
    return false;
}

bool Document::exportTrainingCsv(const QString& path) {
    const auto& runs = m_workbench.runs();
    if (!runs.empty() && !runs.back()->history.empty())
        return writeText(path, trainingToCsv(seriesOf(*runs.back())));
    emit failed(Error{ErrorCode::BadInput, tr("There is no training to export").toStdString(),
                      tr("run one first").toStdString()});
    return false;
}

}  // namespace plumb::ui
