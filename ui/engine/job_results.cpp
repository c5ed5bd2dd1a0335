// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/job_results.h"

#include "ui/theme/text.h"

#include <utility>

namespace plumb::ui {

namespace {

/// Rates of the plan's FLOPs, where the engine has no plan to count them: PyTorch's.
void addRates(Reading& reading, const StepPlan& plan, const Machine& machine) {
    if (reading.totals.flopPerSecond || !reading.totals.seconds) return;
    const Totals known = makeTotals(plan, machine, reading.totals.seconds);
    reading.totals.flopPerSecond = known.flopPerSecond;
    reading.totals.mfu = known.mfu;
}

}  // namespace

std::vector<StepMetrics> JobResults::newPoints(std::vector<StepMetrics> points) const {
    const auto run = m_workbench.runs().active();
    if (run && !run->history.empty())
        std::erase_if(points, [last = run->history.last().step](const StepMetrics& point) {
            return point.step <= last;
        });
    return points;
}

void JobResults::take(const protocol::Event& event, const EngineJob& job) {
    if (const auto* losses = std::get_if<protocol::LossBatch>(&event.body)) {
        setUnsaved();
        m_workbench.runs().addLosses(newPoints(losses->points), losses->stepsDone, losses->stepsPerSecond,
                                     losses->skippedSteps);
    } else if (const auto* statistics = std::get_if<protocol::StatisticsEvent>(&event.body)) {
        if (job.isTraining) m_workbench.runs().addStatistics(statistics->statistics);
    } else if (const auto* heldOut = std::get_if<protocol::HoldOutEvent>(&event.body)) {
        if (job.isTraining) m_workbench.runs().addHoldOut(heldOut->loss);
    } else if (const auto* device = std::get_if<protocol::DeviceEvent>(&event.body)) {
        if (job.isTraining) m_workbench.runs().addDevice(device->moment);
    } else if (const auto* reading = std::get_if<protocol::ReadingEvent>(&event.body)) {
        if (job.plan) takeReading(reading->measured, job);
    } else if (const auto* proof = std::get_if<protocol::Proved>(&event.body)) {
        setUnsaved();
        emit proved(proof->proof);
    }
}

void JobResults::setSaved() {
    if (std::exchange(m_unsaved, false)) emit changed();
}

void JobResults::setUnsaved() {
    if (!std::exchange(m_unsaved, true)) emit changed();
}

void JobResults::takeReading(Reading reading, const EngineJob& job) {
    setUnsaved();
    addRates(reading, *job.plan, job.machine);
    const auto shared = std::make_shared<const Reading>(std::move(reading));
    emit measured(shared, job);
    if (job.isAside) {
        emit measuredAside(*shared, job.machine);
        return;
    }
    if (job.isTraining) m_workbench.runs().setNoDevice(shared->telemetryAbsent);
    m_workbench.setMeasured(shared, job.plan, job.machine);
    if (!job.isTraining) emit profiled();
    if (job.counts && !shared->counterRun && !shared->countersAbsent.empty())
        emit noticed(tr("Profiled without counters: %1").arg(coreText(shared->countersAbsent)));
}

}  // namespace plumb::ui
