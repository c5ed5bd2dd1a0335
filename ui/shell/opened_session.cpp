// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/opened_session.h"

#include "core/measure/filed_prediction.h"
#include "core/measure/training_series.h"
#include "core/opening/file_kind.h"
#include "ui/theme/text.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <memory>
#include <string>

namespace plumb::ui {
namespace {

// Shares of the time that the session of the deepest network takes, when these are done.
constexpr double kPlanned = 0.4, kPredicted = 0.8;

/// A training of a file; without a plan its seconds do not become rates.
std::shared_ptr<TrainingRun> runOf(const RunConfig& config, const Target& target,
                                   const TrainingSeries& series, std::shared_ptr<const StepPlan> plan,
                                   const QString& fileName) {
    auto run = std::make_shared<TrainingRun>();
    run->config = config;
    run->target = target;
    run->step = std::move(plan);
    run->title = tr("%1 (%2)").arg(runTitle(config), fileName);
    for (const StepMetrics& step : series.steps) run->history.add(step);
    run->stepsDone = series.stepsDone;
    run->skippedSteps = series.skippedSteps;
    run->firstScales = series.firstScales;
    run->lastScales = series.lastScales;
    run->holdOut = series.holdOut;
    run->device = series.device;
    run->look = series.look;
    run->stepsPerSecond = meanStepsPerSecond(*run).value_or(0);
    run->outcome = toText(series.outcome);
    run->end = endOf(series.outcome);
    return run;
}

/// All trainings of a file in the order in which they began; `plan` is that of its own one.
std::vector<std::shared_ptr<TrainingRun>>
runsOf(const Snapshot& snapshot, const std::shared_ptr<const StepPlan>& plan, const QString& fileName) {
    std::vector<std::shared_ptr<TrainingRun>> runs;
    const auto add = [&](bool newer) {
        for (const SessionRun& run : snapshot.runs)
            if (run.isNewer == newer)
                runs.push_back(runOf(run.config, run.target, run.series, nullptr, fileName));
    };
    add(false);
    if (snapshot.training)
        runs.push_back(runOf(snapshot.config, snapshot.target, *snapshot.training, plan, fileName));
    add(true);
    // Rates are shown of the newest one; to plan all of them would take long.
    if (!runs.empty() && !runs.back()->step)
        if (Result<StepPlan> planned = planStep(runs.back()->config, runs.back()->target->traits);
            planned.has_value())
            runs.back()->step = std::make_shared<const StepPlan>(std::move(planned).value());
    return runs;
}

/// A run that was started beside its data has relative paths: they are meant from where the file lies.
void findDataBeside(RunConfig& config, const QDir& folder) {
    for (std::string* file : {&config.data, &config.targets}) {
        const QString beside = folder.filePath(toText(*file));
        if (!file->empty() && *file != "synthetic" && QFileInfo::exists(beside))
            *file = QFileInfo(beside).absoluteFilePath().toStdString();
    }
}

void findDataBeside(Snapshot& snapshot, const QDir& folder) {
    const auto find = [&](auto& part) { findDataBeside(part.config, folder); };
    find(snapshot);
    std::ranges::for_each(snapshot.runs, find);
    std::ranges::for_each(snapshot.measurements, find);
    std::ranges::for_each(snapshot.curves, find);
}

/// `config` with what equals a default that follows another option left open. A file names every option; for
/// the sliders a micro-batch that is the batch follows the batch, and lr and weight-decay the optimizer.
RunConfig forSliders(RunConfig config) {
    if (config.microBatch == config.rankBatch()) config.microBatch = 0;
    RunConfig defaults;
    defaults.optimizer = config.optimizer;
    if (config.learningRate == defaults.effectiveLearningRate()) config.learningRate.reset();
    if (config.weightDecay == defaults.effectiveWeightDecay()) config.weightDecay.reset();
    for (const Setting setting : kEnumerators<Setting>)
        if (config.settings[setting] == settingDefault(config.optimizer, setting))
            config.settings[setting].reset();
    return config;
}

/// The prediction of a file where it is of this very step; empty: it is of other operations.
std::optional<FiledPrediction> filedBeside(const StepPlan& plan, Reading predicted, const Machine& machine,
                                           const QString& program) {
    std::optional<Prediction> filed = filedPrediction(plan, predicted, machine);
    if (!filed) return std::nullopt;
    return FiledPrediction{std::make_shared<const Prediction>(*std::move(filed)), std::move(predicted),
                           program};
}

}  // namespace

Result<OpenedSession> openedSession(const QString& name, Snapshot snapshot, const ReadControl& control) {
    snapshot.config = forSliders(std::move(snapshot.config));
    PLUMB_TRY(StepPlan planned, planStep(snapshot.config, snapshot.target.traits));
    const auto plan = std::make_shared<const StepPlan>(std::move(planned));
    if (control.isStopped()) return readingStopped(name.toStdString());
    control.tell(kPlanned);
    const QString program = toText(snapshot.predictedBy.empty() ? snapshot.program : snapshot.predictedBy);
    const bool holdsPrediction = snapshot.predicted.has_value();
    std::optional<FiledPrediction> filed =
        holdsPrediction ? filedBeside(*plan, *std::move(snapshot.predicted), snapshot.target.machine, program)
                        : std::nullopt;
    const bool isPredictedAnew = holdsPrediction && !filed;
    Predictions predictions;
    predictions.replace(std::move(filed), snapshot.config, snapshot.target);
    PlannedStep whatIf = predictions.predicted(snapshot.target, plan);
    if (control.isStopped()) return readingStopped(name.toStdString());
    control.tell(kPredicted);
    OpenedSession session{.scene = {std::move(predictions), std::move(whatIf)}};
    OpenedScene& scene = session.scene;
    if (snapshot.measured)
        scene.measured.emplace(scene.whatIf, std::make_shared<const Reading>(*std::move(snapshot.measured)));
    scene.runs = runsOf(snapshot, plan, name);
    for (SessionMeasurement& other : snapshot.measurements)
        (other.isNewer ? scene.later : scene.earlier)
            .push_back({forSliders(std::move(other.config)), std::move(other.target),
                        std::make_shared<const Reading>(std::move(other.measured)), nullptr});
    session.curves = std::move(snapshot.curves);
    for (SessionCurve& curve : session.curves) curve.config = forSliders(std::move(curve.config));
    if (!snapshot.recomputeCurve.empty())
        session.curves.push_back(
            {snapshot.config, snapshot.target.machine, std::move(snapshot.recomputeCurve)});
    session.proof = std::move(snapshot.fitProof);
    if (session.proof) session.proof->config = forSliders(std::move(session.proof->config));
    if (snapshot.data) session.data.emplace(snapshot.config, *std::move(snapshot.data));
    session.stepsWanted = snapshot.stepsWanted;
    session.marks = {std::move(snapshot.note), std::move(snapshot.bookmarks)};
    if (isPredictedAnew)
        session.notice = tr("The prediction in %1 (by %2) is of other operations than this version's: shown "
                            "is the prediction of this version")
                             .arg(name, program);
    if (control.isStopped()) return readingStopped(name.toStdString());
    return session;
}

Result<OpenedAny> readOpened(const QString& path, const ReadControl& control) {
    const std::string file = path.toStdString();
    PLUMB_TRY(const std::optional<FileKind> kind, fileKindAt(file));
    // What is empty is told as such by the reader.
    if (!kind && QFileInfo(path).size() > 0)
        return badInput(file + " is none of the files that can be opened",
                        "choose one of these: " + namesOfFileKinds() + "; plans (.plan.json)");
    if (kind == FileKind::RecordedStep) {
        PLUMB_TRY(StepFile step, readStepFile(file, control));
        return OpenedAny(std::move(step));
    }
    PLUMB_TRY(Snapshot snapshot, readSnapshot(file, control.part(0, kReadShare)));
    findDataBeside(snapshot, QFileInfo(path).absoluteDir());
    PLUMB_TRY(OpenedSession session,
              openedSession(QFileInfo(path).fileName(), std::move(snapshot), control.part(kReadShare, 1)));
    return OpenedAny(std::move(session));
}

}  // namespace plumb::ui
