// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/workbench.h"

#include "core/machine/local_cpu.h"
#include "core/measure/training_series.h"
#include "ui/theme/text.h"

#include <QStringList>

#include <algorithm>
#include <iterator>
#include <utility>

namespace plumb::ui {
namespace {

/// In the engine's words, since a file keeps it and endOf() reads it in any language.
QString stoppedOutcome() { return QStringLiteral("stopped"); }

void endAs(TrainingRun& run, TrainingEnd how, const QString& outcome) {
    run.end = how;
    run.outcome = outcome;
}

}  // namespace

QString runTitle(const RunConfig& config) { return toText(titleOf(config)); }

bool sameCeilings(const Machine& a, const Machine& b) {
    return a.id == b.id && !areTwoCards(a, b) && a.source == b.source && a.backend == b.backend &&
           a.peakFlopPerSecond == b.peakFlopPerSecond &&
           a.bandwidthBytesPerSecond == b.bandwidthBytesPerSecond && a.perOpOverhead == b.perOpOverhead &&
           a.costs == b.costs;
}

Workbench::Workbench(QObject* parent) : QObject(parent) {
    // The default configuration is valid by definition.
    m_scene = std::make_shared<const Scene>(Scene{*planned(RunConfig{}, {localCpu(), cpuTraits()}), {}});
}

Workbench::~Workbench() = default;

bool Workbench::Filed::isOf(const RunConfig& step, const Target& where) const {
    return step == config && where.traits == target.traits && sameCeilings(target.machine, where.machine);
}

const FiledPrediction* Workbench::shownPrediction(const RunConfig& config, const Target& target) const {
    return m_filed && m_filed->isShown && m_filed->isOf(config, target) ? &m_filed->predicted : nullptr;
}

const FiledPrediction* Workbench::filedPrediction() const {
    return m_filed && m_filed->isOf(config(), m_scene->whatIf.target) ? &m_filed->predicted : nullptr;
}

PlannedStep Workbench::predicted(Target target, std::shared_ptr<const StepPlan> plan) const {
    const FiledPrediction* filed = shownPrediction(plan->config, target);
    auto prediction =
        filed ? filed->prediction : std::make_shared<const Prediction>(predict(*plan, target.machine));
    PlannedStep planned(std::move(target), std::move(plan), std::move(prediction));
    planned.isFiled = filed != nullptr;
    return planned;
}

MeasuredStep Workbench::measuredStep(const Measurement& measurement,
                                     const std::optional<MeasuredStep>& before) const {
    // A reading of the same plan arrives twice a second; its prediction is made once.
    const bool isSame = before && before->plan == measurement.plan &&
                        sameCeilings(before->machine(), measurement.target.machine);
    return {isSame ? PlannedStep(*before) : predicted(measurement.target, measurement.plan),
            measurement.reading};
}

void Workbench::put(Scene scene) {
    m_scene = std::make_shared<const Scene>(std::move(scene));
    emit sceneChanged();
}

std::optional<PlannedStep> Workbench::planned(const RunConfig& config, const Target& target) {
    Result<StepPlan> plan = planStep(config, target.traits);
    if (plan.has_value()) return predicted(target, std::make_shared<const StepPlan>(std::move(plan).value()));
    emit configRejected(toText(plan.error().text()));
    return std::nullopt;
}

void Workbench::show(OpenedScene opened, bool keepsRuns) {
    m_filed.reset();
    if (opened.predicted)
        m_filed = Filed{*std::move(opened.predicted), opened.plan->config, opened.target, true};
    Scene scene{predicted(opened.target, opened.plan), {}, m_scene->dataSheets};
    m_measurements = std::move(opened.earlier);
    m_shownMeasurement.reset();
    m_beginsMeasurement = true;
    if (opened.measured) {
        m_shownMeasurement = m_measurements.size();
        m_measurements.push_back(
            {opened.plan->config, opened.target, std::move(opened.measured), opened.plan});
        scene.measured = measuredStep(m_measurements.back(), std::nullopt);
    }
    m_measurements.insert(m_measurements.end(), std::make_move_iterator(opened.later.begin()),
                          std::make_move_iterator(opened.later.end()));
    if (!keepsRuns) m_runs.clear();
    for (const auto& run : m_runs) {
        run->isGuest = true;
        if (run->outcome.isEmpty()) endAs(*run, TrainingEnd::Stopped, stoppedOutcome());
    }
    m_runs.insert(m_runs.end(), opened.runs.begin(), opened.runs.end());
    for (const auto& run : m_runs)
        if (run->outcome.isEmpty()) run->outcome = toText(kFromFile);
    put(std::move(scene));
    emit trainingChanged();
}

void Workbench::setDataSheets(std::vector<Machine> dataSheets) {
    if (std::ranges::equal(dataSheets, *m_scene->dataSheets, sameCeilings)) return;
    Scene scene = *m_scene;
    scene.dataSheets = std::make_shared<const std::vector<Machine>>(std::move(dataSheets));
    put(std::move(scene));
}

void Workbench::showFiledPrediction(bool shown) {
    if (!m_filed || m_filed->isShown == shown) return;
    m_filed->isShown = shown;
    Scene scene = *m_scene;
    scene.whatIf = predicted(scene.whatIf.target, scene.whatIf.plan);
    if (scene.measured)
        scene.measured.emplace(predicted(scene.measured->target, scene.measured->plan),
                               scene.measured->reading);
    put(std::move(scene));
}

void Workbench::setConfig(const RunConfig& config) {
    if (m_scene->config() == config) return;
    std::optional<PlannedStep> step = planned(config, m_scene->whatIf.target);
    if (!step) return;
    Scene scene = *m_scene;
    scene.whatIf = *std::move(step);
    put(std::move(scene));
}

bool Workbench::setTarget(const Target& target) {
    std::optional<PlannedStep> step = planned(m_scene->config(), target);
    if (!step) return false;
    Scene scene = *m_scene;
    scene.whatIf = *std::move(step);
    if (scene.measured && scene.measured->machine().id == target.machine.id) {
        // New ceilings of the machine that measured: what ran is compared with the better prediction.
        Target measuredOn{target.machine, scene.measured->target.traits};
        // It may be another card of its kind.
        measuredOn.machine.index = scene.measured->machine().index;
        measuredOn.machine.uuid = scene.measured->machine().uuid;
        scene.measured.emplace(predicted(std::move(measuredOn), scene.measured->plan),
                               scene.measured->reading);
        if (m_shownMeasurement) m_measurements[*m_shownMeasurement].target = scene.measured->target;
    }
    put(std::move(scene));
    return true;
}

void Workbench::setMeasured(std::shared_ptr<const Reading> measured, std::shared_ptr<const StepPlan> plan,
                            std::optional<Machine> machine) {
    if (!measured || !plan) return clearMeasured();
    Target target{machine ? *std::move(machine) : m_scene->whatIf.machine(), plan->traits};
    Measurement made{plan->config, std::move(target), std::move(measured), std::move(plan)};
    if (std::exchange(m_beginsMeasurement, false) || m_measurements.empty())
        m_measurements.push_back(std::move(made));
    else
        m_measurements.back() = std::move(made);
    m_shownMeasurement = m_measurements.size() - 1;
    Scene scene = *m_scene;
    scene.measured = measuredStep(m_measurements.back(), m_scene->measured);
    put(std::move(scene));
}

Result<void> Workbench::showMeasurement(std::size_t index) {
    Measurement& measurement = m_measurements.at(index);
    if (!measurement.plan) {
        PLUMB_TRY(StepPlan plan, planStep(measurement.config, measurement.target.traits));
        measurement.plan = std::make_shared<const StepPlan>(std::move(plan));
    }
    m_shownMeasurement = index;
    Scene scene = *m_scene;
    scene.measured = measuredStep(measurement, m_scene->measured);
    put(std::move(scene));
    return {};
}

void Workbench::clearMeasured() {
    m_beginsMeasurement = true;
    m_shownMeasurement.reset();
    if (!m_scene->measured) return;
    Scene scene = *m_scene;
    scene.measured.reset();
    put(std::move(scene));
}

std::shared_ptr<const TrainingRun> Workbench::activeRun() const {
    if (m_runs.empty() || !m_runs.back()->outcome.isEmpty()) return nullptr;
    return m_runs.back();
}

void Workbench::beginRun(const RunConfig& config, std::int64_t stepsWanted,
                         const std::optional<Target>& target) {
    if (activeRun()) endRun(TrainingEnd::Stopped, stoppedOutcome());
    auto run = std::make_shared<TrainingRun>();
    run->config = config;
    run->target = target.value_or(m_scene->whatIf.target);
    run->title = runTitle(config);
    run->stepsWanted = stepsWanted;
    if (config == m_scene->config() && run->target->traits == traits())
        run->plan = m_scene->whatIf.plan;
    else if (Result<StepPlan> plan = planStep(config, run->target->traits); plan.has_value())
        run->plan = std::make_shared<const StepPlan>(std::move(plan).value());
    m_runs.push_back(std::move(run));
    emit trainingChanged();
}

void Workbench::addLosses(const std::vector<StepMetrics>& points, std::int64_t stepsDone,
                          double stepsPerSecond, std::int64_t skippedSteps) {
    if (!activeRun()) return;
    TrainingRun& run = *m_runs.back();
    for (const StepMetrics& point : points) run.history.add(point);
    run.stepsDone = stepsDone;
    run.stepsPerSecond = stepsPerSecond;
    run.skippedSteps = skippedSteps;
    emit trainingChanged();
}

void Workbench::addStatistics(const LayerStatistics& statistics) {
    if (!activeRun()) return;
    TrainingRun& run = *m_runs.back();
    if (!run.firstScales) run.firstScales = statistics;
    run.lastScales = statistics;
    emit trainingChanged();
}

void Workbench::addHoldOut(const HoldOutLoss& loss) {
    if (!activeRun()) return;
    m_runs.back()->holdOut.push_back(loss);
    emit trainingChanged();
}

void Workbench::addDevice(const DeviceMoment& moment) {
    if (!activeRun()) return;
    m_runs.back()->device.add(moment);
    emit trainingChanged();
}

void Workbench::setNoDevice(const std::string& reason) {
    if (!activeRun() || m_runs.back()->device.none == reason) return;
    m_runs.back()->device.none = reason;
    emit trainingChanged();
}

void Workbench::endRun(TrainingEnd how, const QString& outcome) {
    if (!activeRun()) return;
    endAs(*m_runs.back(), how, outcome.isEmpty() ? QStringLiteral("finished") : outcome);
    emit trainingChanged();
}

void Workbench::addRun(std::shared_ptr<TrainingRun> run) {
    if (!run) return;
    if (run->outcome.isEmpty()) run->outcome = toText(kFromFile);
    // A run that goes on stays the newest: its losses are added to the last one.
    m_runs.insert(activeRun() ? std::prev(m_runs.end()) : m_runs.end(), std::move(run));
    emit trainingChanged();
}

void Workbench::selectOp(const QString& id) {
    if (m_selectedOp == id) return;
    m_selectedOp = id;
    emit selectionChanged(id);
}

}  // namespace plumb::ui
