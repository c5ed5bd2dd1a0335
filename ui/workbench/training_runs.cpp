// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/training_runs.h"

#include "ui/theme/text.h"

#include <iterator>
#include <utility>

namespace plumb::ui {

namespace {

/// In the engine's words, since a file keeps it and endOf() reads it in any language.
QString stoppedOutcome() { return QStringLiteral("stopped"); }

void endAs(TrainingRun& run, TrainingEnd how, const QString& outcome) {
    run.end = how;
    run.outcome = outcome;
    if (const auto rate = meanStepsPerSecond(run)) run.stepsPerSecond = *rate;
}

}  // namespace

std::optional<double> meanStepsPerSecond(const TrainingRun& run) {
    if (run.history.empty() || !(run.history.last().seconds > 0)) return std::nullopt;
    return static_cast<double>(run.stepsDone) / run.history.last().seconds;
}

TrainingSeries seriesOf(const TrainingRun& run) {
    TrainingSeries series;
    series.steps = run.history.points();
    series.stepsDone = run.stepsDone;
    series.skippedSteps = run.skippedSteps;
    series.firstScales = run.firstScales;
    series.lastScales = run.lastScales;
    series.holdOut = run.holdOut;
    series.device = run.device;
    series.look = run.look;
    series.outcome = run.outcome.isEmpty() ? std::string(kStillRunning) : run.outcome.toStdString();
    return series;
}

QString runTitle(const RunConfig& config) { return toText(titleOf(config)); }

std::shared_ptr<const TrainingRun> TrainingRuns::active() const {
    if (m_all.empty() || !m_all.back()->outcome.isEmpty()) return nullptr;
    return m_all.back();
}

void TrainingRuns::beginRun(const RunConfig& config, std::int64_t stepsWanted,
                            const std::optional<Target>& target) {
    if (active()) endRun(TrainingEnd::Stopped, stoppedOutcome());
    auto run = std::make_shared<TrainingRun>();
    run->config = config;
    run->target = target.value_or(m_shown->whatIf.target);
    run->title = runTitle(config);
    run->stepsWanted = stepsWanted;
    if (config == m_shown->config() && run->target->traits == m_shown->whatIf.target.traits)
        run->step = m_shown->whatIf.plan;
    else if (Result<StepPlan> plan = planStep(config, run->target->traits); plan.has_value())
        run->step = std::make_shared<const StepPlan>(std::move(plan).value());
    m_all.push_back(std::move(run));
    emit changed();
}

void TrainingRuns::addLosses(const std::vector<StepMetrics>& points, std::int64_t stepsDone,
                             double stepsPerSecond, std::int64_t skippedSteps) {
    if (!active()) return;
    TrainingRun& run = *m_all.back();
    for (const StepMetrics& point : points) run.history.add(point);
    run.stepsDone = stepsDone;
    run.stepsPerSecond = stepsPerSecond;
    run.skippedSteps = skippedSteps;
    emit changed();
}

void TrainingRuns::addStatistics(const LayerStatistics& statistics) {
    if (!active()) return;
    TrainingRun& run = *m_all.back();
    if (!run.firstScales) run.firstScales = statistics;
    run.lastScales = statistics;
    emit changed();
}

void TrainingRuns::addHoldOut(const HoldOutLoss& loss) {
    if (!active()) return;
    m_all.back()->holdOut.push_back(loss);
    emit changed();
}

void TrainingRuns::addDevice(const DeviceMoment& moment) {
    if (!active()) return;
    m_all.back()->device.add(moment);
    emit changed();
}

void TrainingRuns::setNoDevice(const std::string& reason) {
    if (!active() || m_all.back()->device.none == reason) return;
    m_all.back()->device.none = reason;
    emit changed();
}

void TrainingRuns::endRun(TrainingEnd how, const QString& outcome) {
    if (!active()) return;
    endAs(*m_all.back(), how, outcome.isEmpty() ? QStringLiteral("finished") : outcome);
    emit changed();
}

void TrainingRuns::addRun(std::shared_ptr<TrainingRun> run) {
    if (!run) return;
    if (run->outcome.isEmpty()) run->outcome = toText(kFromFile);
    // A run that goes on stays the newest: its losses are added to the last one.
    m_all.insert(active() ? std::prev(m_all.end()) : m_all.end(), std::move(run));
    emit changed();
}

void TrainingRuns::setLook(std::size_t index, const RunLook& look) {
    TrainingRun& run = *m_all.at(index);
    if (run.look == look) return;
    if (look.isBaseline)
        for (const auto& other : m_all) other->look.isBaseline = false;
    run.look = look;
    emit changed();
}

void TrainingRuns::remove(std::size_t index) {
    m_all.erase(m_all.begin() + static_cast<std::ptrdiff_t>(index));
    emit changed();
}

void TrainingRuns::replace(const std::vector<std::shared_ptr<TrainingRun>>& opened, bool keeps) {
    if (!keeps) m_all.clear();
    for (const auto& run : m_all) {
        run->isGuest = true;
        if (run->outcome.isEmpty()) endAs(*run, TrainingEnd::Stopped, stoppedOutcome());
    }
    m_all.insert(m_all.end(), opened.begin(), opened.end());
    for (const auto& run : m_all)
        if (run->outcome.isEmpty()) run->outcome = toText(kFromFile);
}

}  // namespace plumb::ui
