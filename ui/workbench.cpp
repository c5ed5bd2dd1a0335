// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench.h"

#include "core/machine/local_cpu.h"
#include "core/measure/training_series.h"

#include <QStringList>

#include <algorithm>
#include <iterator>
#include <utility>

namespace plumb::ui {
namespace {

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::shared_ptr<const std::unordered_map<std::string_view, std::size_t>> indexById(const Reading& reading) {
    auto index = std::make_shared<std::unordered_map<std::string_view, std::size_t>>();
    index->reserve(reading.ops.size());
    for (std::size_t i = 0; i < reading.ops.size(); ++i) index->emplace(reading.ops[i].id, i);
    return index;
}

}  // namespace

QString runTitle(const RunConfig& config) {
    const auto size = [](std::int64_t value) { return QString::number(value); };
    QStringList parts{QStringLiteral("D ") + size(config.dim), QStringLiteral("L ") + size(config.layers),
                      QStringLiteral("B ") + size(config.batch)};
    parts << fromView(name(config.precision));
    parts << fromView(optimizerLabel(config.optimizer));
    return parts.join(QStringLiteral(" · "));
}

bool sameCeilings(const Machine& a, const Machine& b) {
    return a.id == b.id && a.source == b.source && a.backend == b.backend &&
           a.peakFlopPerSecond == b.peakFlopPerSecond &&
           a.bandwidthBytesPerSecond == b.bandwidthBytesPerSecond && a.perOpOverhead == b.perOpOverhead &&
           a.costs == b.costs;
}

Workbench::Workbench(QObject* parent) : QObject(parent), m_traits(cpuTraits()) {
    rebuild(RunConfig{}, localCpu(), m_traits);
    Q_ASSERT(m_scene);  // the default configuration is valid by definition
}

Workbench::~Workbench() = default;

bool Workbench::Filed::isOf(const RunConfig& step, const BackendTraits& with, const Machine& where) const {
    return step == config && with == traits && sameCeilings(machine, where);
}

const FiledPrediction* Workbench::shownPrediction(const RunConfig& config, const BackendTraits& traits,
                                                  const Machine& machine) const {
    return m_filed && m_filed->isShown && m_filed->isOf(config, traits, machine) ? &m_filed->predicted
                                                                                 : nullptr;
}

const FiledPrediction* Workbench::filedPrediction() const {
    return m_filed && m_filed->isOf(config(), m_traits, m_scene->machine) ? &m_filed->predicted : nullptr;
}

std::shared_ptr<const Prediction> Workbench::predictionOf(const StepPlan& plan,
                                                          const Machine& machine) const {
    if (const FiledPrediction* filed = shownPrediction(plan.config, plan.traits, machine))
        return filed->prediction;
    return std::make_shared<const Prediction>(predict(plan, machine));
}

bool Workbench::rebuild(const RunConfig& config, const Machine& machine, const BackendTraits& traits) {
    Result<StepPlan> plan = planStep(config, traits);
    if (!plan.has_value()) {
        emit configRejected(QString::fromStdString(plan.error().text()));
        return false;
    }
    auto scene = m_scene ? std::make_shared<Scene>(*m_scene) : std::make_shared<Scene>();
    scene->machine = machine;
    scene->plan = std::make_shared<const StepPlan>(std::move(plan).value());
    scene->prediction = predictionOf(*scene->plan, machine);
    scene->predictionOfFile = shownPrediction(config, traits, machine) != nullptr;
    m_scene = std::move(scene);
    m_traits = traits;
    emit sceneChanged();
    return true;
}

void Workbench::show(OpenedScene opened, bool keepsRuns) {
    m_filed.reset();
    if (opened.predicted)
        m_filed = Filed{*std::move(opened.predicted), opened.plan->config, opened.plan->traits,
                        opened.machine, true};
    auto scene = std::make_shared<Scene>();
    scene->records = m_scene->records;
    scene->machine = opened.machine;
    scene->plan = opened.plan;
    scene->prediction = predictionOf(*opened.plan, opened.machine);
    scene->predictionOfFile = m_filed.has_value();
    m_measurements = std::move(opened.earlier);
    m_shownMeasurement.reset();
    m_beginsMeasurement = true;
    if (opened.measured) {
        m_shownMeasurement = m_measurements.size();
        m_measurements.push_back({std::move(opened.measured), opened.plan->config, opened.machine,
                                  opened.plan->traits, opened.plan});
        putMeasured(*scene, m_measurements.back());
    }
    m_measurements.insert(m_measurements.end(), std::make_move_iterator(opened.later.begin()),
                          std::make_move_iterator(opened.later.end()));
    if (!keepsRuns) m_runs.clear();
    for (const auto& run : m_runs) {
        run->isGuest = true;
        if (run->outcome.isEmpty()) run->outcome = tr("stopped");
    }
    m_runs.insert(m_runs.end(), opened.runs.begin(), opened.runs.end());
    for (const auto& run : m_runs)
        if (run->outcome.isEmpty()) run->outcome = tr("from file");
    m_traits = opened.plan->traits;
    m_scene = std::move(scene);
    emit sceneChanged();
    emit trainingChanged();
}

void Workbench::setRecords(std::vector<Machine> records) {
    if (std::ranges::equal(records, *m_scene->records, sameCeilings)) return;
    auto scene = std::make_shared<Scene>(*m_scene);
    scene->records = std::make_shared<const std::vector<Machine>>(std::move(records));
    m_scene = std::move(scene);
    emit sceneChanged();
}

void Workbench::showFiledPrediction(bool shown) {
    if (!m_filed || m_filed->isShown == shown) return;
    m_filed->isShown = shown;
    auto scene = std::make_shared<Scene>(*m_scene);
    scene->prediction = predictionOf(*scene->plan, scene->machine);
    scene->predictionOfFile = shownPrediction(scene->config(), m_traits, scene->machine) != nullptr;
    if (scene->measured)
        scene->measuredPrediction = predictionOf(*scene->measuredPlan, scene->measuredMachine);
    m_scene = std::move(scene);
    emit sceneChanged();
}

void Workbench::setConfig(const RunConfig& config) {
    if (m_scene->plan->config == config) return;
    rebuild(config, m_scene->machine, m_traits);
}

bool Workbench::setMachine(const Machine& machine, const BackendTraits& traits) {
    const ScenePtr before = m_scene;
    if (m_scene->measured && m_scene->measuredMachine.id == machine.id) {
        // New ceilings of the machine that measured: what ran is compared with the better prediction.
        auto scene = std::make_shared<Scene>(*m_scene);
        scene->measuredMachine = machine;
        scene->measuredPrediction = predictionOf(*scene->measuredPlan, machine);
        m_scene = std::move(scene);
    }
    if (!rebuild(m_scene->plan->config, machine, traits)) {
        m_scene = before;
        return false;
    }
    if (m_shownMeasurement) m_measurements[*m_shownMeasurement].machine = m_scene->measuredMachine;
    return true;
}

void Workbench::setMeasured(std::shared_ptr<const Reading> measured, std::shared_ptr<const StepPlan> plan,
                            std::optional<Machine> machine) {
    if (!measured || !plan) return clearMeasured();
    Measurement made{std::move(measured), plan->config, machine ? *std::move(machine) : m_scene->machine,
                     plan->traits, std::move(plan)};
    if (std::exchange(m_beginsMeasurement, false) || m_measurements.empty())
        m_measurements.push_back(std::move(made));
    else
        m_measurements.back() = std::move(made);
    m_shownMeasurement = m_measurements.size() - 1;
    auto scene = std::make_shared<Scene>(*m_scene);
    putMeasured(*scene, m_measurements.back());
    m_scene = std::move(scene);
    emit sceneChanged();
}

void Workbench::putMeasured(Scene& scene, const Measurement& measurement) const {
    // A reading of the same plan arrives twice a second; its prediction is made once.
    if (!scene.measuredPrediction || scene.measuredPlan != measurement.plan ||
        !sameCeilings(scene.measuredMachine, measurement.machine))
        scene.measuredPrediction = predictionOf(*measurement.plan, measurement.machine);
    scene.measuredMachine = measurement.machine;
    scene.measuredPlan = measurement.plan;
    scene.measuredIndex = indexById(*measurement.reading);
    scene.measured = measurement.reading;
}

Result<void> Workbench::showMeasurement(std::size_t index) {
    Measurement& measurement = m_measurements.at(index);
    if (!measurement.plan) {
        PLUMB_TRY(StepPlan plan, planStep(measurement.config, measurement.traits));
        measurement.plan = std::make_shared<const StepPlan>(std::move(plan));
    }
    auto scene = std::make_shared<Scene>(*m_scene);
    putMeasured(*scene, measurement);
    m_scene = std::move(scene);
    m_shownMeasurement = index;
    emit sceneChanged();
    return {};
}

void Workbench::clearMeasured() {
    m_beginsMeasurement = true;
    m_shownMeasurement.reset();
    if (!m_scene->measured) return;
    auto scene = std::make_shared<Scene>(*m_scene);
    scene->measured = nullptr;
    scene->measuredPlan = nullptr;
    scene->measuredPrediction = nullptr;
    scene->measuredIndex = nullptr;
    scene->measuredMachine = Machine{};
    m_scene = std::move(scene);
    emit sceneChanged();
}

std::shared_ptr<const RunRecord> Workbench::activeRun() const {
    if (m_runs.empty() || !m_runs.back()->outcome.isEmpty()) return nullptr;
    return m_runs.back();
}

void Workbench::beginRun(const RunConfig& config, std::int64_t stepsWanted,
                         const std::optional<Machine>& machine, const std::optional<BackendTraits>& traits) {
    if (activeRun()) endRun(tr("stopped"));
    auto run = std::make_shared<RunRecord>();
    run->config = config;
    run->machine = machine.value_or(m_scene->machine);
    run->traits = traits.value_or(m_traits);
    run->title = runTitle(config);
    run->stepsWanted = stepsWanted;
    if (config == m_scene->config() && run->traits == m_traits)
        run->plan = m_scene->plan;
    else if (Result<StepPlan> plan = planStep(config, run->traits); plan.has_value())
        run->plan = std::make_shared<const StepPlan>(std::move(plan).value());
    m_runs.push_back(std::move(run));
    emit trainingChanged();
}

void Workbench::addLosses(const std::vector<StepMetrics>& points, std::int64_t stepsDone, double stepsPerSecond,
                          std::int64_t skippedSteps) {
    if (!activeRun()) return;
    RunRecord& run = *m_runs.back();
    for (const StepMetrics& point : points) run.history.add(point);
    run.stepsDone = stepsDone;
    run.stepsPerSecond = stepsPerSecond;
    run.skippedSteps = skippedSteps;
    emit trainingChanged();
}

void Workbench::addStatistics(const LayerStatistics& statistics) {
    if (!activeRun()) return;
    RunRecord& run = *m_runs.back();
    if (!run.firstScales) run.firstScales = statistics;
    run.lastScales = statistics;
    emit trainingChanged();
}

void Workbench::addHoldOut(const HoldOutLoss& loss) {
    if (!activeRun()) return;
    m_runs.back()->holdOut.push_back(loss);
    emit trainingChanged();
}

void Workbench::endRun(const QString& outcome) {
    if (!activeRun()) return;
    m_runs.back()->outcome = outcome.isEmpty() ? tr("finished") : outcome;
    emit trainingChanged();
}

void Workbench::addRun(std::shared_ptr<RunRecord> run) {
    if (!run) return;
    if (run->outcome.isEmpty()) run->outcome = tr("from file");
    // A run that goes on stays the newest: its losses are added to the last record.
    m_runs.insert(activeRun() ? std::prev(m_runs.end()) : m_runs.end(), std::move(run));
    emit trainingChanged();
}

void Workbench::selectOp(const QString& id) {
    if (m_selectedOp == id) return;
    m_selectedOp = id;
    emit selectionChanged(id);
}

}  // namespace plumb::ui
