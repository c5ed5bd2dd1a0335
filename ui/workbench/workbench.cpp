// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/workbench.h"

#include "core/machine/local_cpu.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace plumb::ui {

namespace {

/// `measurement`, planned already. Its prediction is taken from `before` where that is of the same step.
MeasuredStep measuredStep(const Measurement& measurement, const Predictions& predictions,
                          const std::optional<MeasuredStep>& before) {
    // A reading of the same plan arrives twice a second; its prediction is made once.
    const bool isSame = before && before->plan == measurement.plan &&
                        sameCeilings(before->machine(), measurement.target.machine);
    return {isSame ? PlannedStep(*before) : predictions.predicted(measurement.target, measurement.plan),
            measurement.reading};
}

/// `reading` with its share of the peak, which may be known only now.
std::shared_ptr<const Reading> atPeakOf(const Machine& machine, const StepPlan& plan,
                                        std::shared_ptr<const Reading> reading) {
    const std::optional<double> mfu = makeTotals(plan, machine, reading->totals.seconds).mfu;
    if (!mfu || mfu == reading->totals.mfu) return reading;
    Reading known = *reading;
    known.totals.mfu = mfu;
    return std::make_shared<const Reading>(std::move(known));
}

/// A range is one of the ops of the step that was shown: it goes where others come.
void forgetOtherOps(OpRange& range, const Scene& before, const Scene& now) {
    if (range.isChosen() && !now.whatIf.step->hasSameOps(*before.whatIf.step)) range.clear();
}

}  // namespace

Workbench::Workbench(QObject* parent) : QObject(parent) {
    // The default configuration is valid by definition.
    m_scene = std::make_shared<const Scene>(
        Scene{m_predictions.planned(RunConfig{}, {localCpu(), cpuTraits()}).value(), {}});
    m_shown = m_scene;
}

Workbench::~Workbench() = default;

void Workbench::put(Scene scene) {
    const ScenePtr before = m_shown;
    m_scene = std::make_shared<const Scene>(std::move(scene));
    // The target of the sliders is that of a recorded step too. It is predicted anew where that changes, and
    // not with each reading of a run that goes on behind it.
    if (!m_recording)
        m_shown = m_scene;
    else if (m_shown->dataSheets != m_scene->dataSheets ||
             !sameCeilings(m_shown->whatIf.machine(), m_scene->whatIf.machine()))
        m_shown = shownRecording();
    forgetOtherOps(m_selection.range(), *before, *m_shown);
    emit sceneChanged();
}

ScenePtr Workbench::shownRecording() const {
    return std::make_shared<const Scene>(sceneOf(*m_recording, m_scene->whatIf.target, m_scene->dataSheets));
}

std::span<const std::shared_ptr<TrainingRun>> shownTrainings(const Workbench& workbench) {
    if (const Recording* const recording = workbench.recording()) return {&recording->run, 1};
    return workbench.runs().all();
}

void Workbench::open(std::optional<Recording> recording) {
    if (!recording && !m_recording) return;
    const ScenePtr before = m_shown;
    m_recording = std::move(recording);
    if (m_recording) m_recording->run = runOf(*m_recording->file);
    m_shown = m_recording ? shownRecording() : m_scene;
    m_selection.select({});
    forgetOtherOps(m_selection.range(), *before, *m_shown);
    emit sceneChanged();
}

Result<void> Workbench::show(const RunConfig& config) {
    if (m_scene->config() == config) return {};
    PLUMB_TRY(PlannedStep step, m_predictions.planned(config, m_scene->whatIf.target));
    Scene scene = *m_scene;
    scene.whatIf = std::move(step);
    put(std::move(scene));
    return {};
}

Result<void> Workbench::show(const Target& target, std::optional<std::vector<Machine>> dataSheets) {
    Scene scene = *m_scene;
    const bool others = dataSheets && !std::ranges::equal(*dataSheets, *scene.dataSheets, sameCeilings);
    if (others) scene.dataSheets = std::make_shared<const std::vector<Machine>>(*std::move(dataSheets));
    Result<PlannedStep> step = m_predictions.planned(m_scene->config(), target);
    if (!step.has_value()) {
        if (others) put(std::move(scene));
        return step.error();
    }
    scene.whatIf = std::move(step).value();
    if (scene.measured && scene.measured->machine().id == target.machine.id) {
        // New ceilings of the machine that measured: what ran is compared with the better prediction.
        Target measuredOn{target.machine, scene.measured->target.traits};
        // It may be another card of its kind.
        measuredOn.machine.index = scene.measured->machine().index;
        measuredOn.machine.uuid = scene.measured->machine().uuid;
        std::shared_ptr<const Reading> reading =
            atPeakOf(measuredOn.machine, *scene.measured->plan, scene.measured->reading);
        scene.measured.emplace(m_predictions.predicted(std::move(measuredOn), scene.measured->plan),
                               std::move(reading));
        if (m_shownMeasurement) {
            m_measurements[*m_shownMeasurement].target = scene.measured->target;
            m_measurements[*m_shownMeasurement].reading = scene.measured->reading;
        }
    }
    put(std::move(scene));
    return {};
}

void Workbench::open(OpenedScene opened, bool keepsRuns) {
    m_recording.reset();
    m_predictions = std::move(opened.predictions);
    Scene scene{std::move(opened.whatIf), std::move(opened.measured), m_scene->dataSheets};
    m_measurements = std::move(opened.earlier);
    m_shownMeasurement.reset();
    m_beginsMeasurement = true;
    if (const std::optional<MeasuredStep>& shown = scene.measured) {
        m_shownMeasurement = m_measurements.size();
        m_measurements.push_back({shown->config(), shown->target, shown->reading, shown->plan});
    }
    m_measurements.insert(m_measurements.end(), std::make_move_iterator(opened.later.begin()),
                          std::make_move_iterator(opened.later.end()));
    m_runs.replace(opened.runs, keepsRuns);
    put(std::move(scene));
    emit m_runs.changed();
}

void Workbench::showFiledPrediction(bool shown) {
    if (!m_predictions.setShown(shown)) return;
    Scene scene = *m_scene;
    scene.whatIf = m_predictions.predicted(scene.whatIf.target, scene.whatIf.plan);
    if (scene.measured)
        scene.measured.emplace(m_predictions.predicted(scene.measured->target, scene.measured->plan),
                               scene.measured->reading);
    put(std::move(scene));
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
    scene.measured = measuredStep(m_measurements.back(), m_predictions, m_scene->measured);
    put(std::move(scene));
}

Result<void> Workbench::show(MeasurementAt place) {
    Measurement& measurement = m_measurements.at(place.index);
    if (!measurement.plan) {
        PLUMB_TRY(StepPlan plan, planStep(measurement.config, measurement.target.traits));
        measurement.plan = std::make_shared<const StepPlan>(std::move(plan));
    }
    m_shownMeasurement = place.index;
    Scene scene = *m_scene;
    scene.measured = measuredStep(measurement, m_predictions, m_scene->measured);
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

}  // namespace plumb::ui
