// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/workbench/workbench.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>

namespace plumb::ui {

/// One command that the engine works on.
struct EngineJob {
    RunConfig config;
    std::shared_ptr<const StepPlan> plan;  ///< null: it is of the machine, not of the document
    Machine machine;
    bool isTraining = false;
    bool isAside = false;  ///< its reading is not the scene's
    bool counts = false;   ///< counters were asked for
    std::int64_t id = 0;
};

/// What the jobs of the engine measure, which goes to the workbench, and whether a file holds all of it.
class JobResults final : public QObject {
    Q_OBJECT
public:
    explicit JobResults(Workbench& workbench) : m_workbench(workbench) {}

    [[nodiscard]] bool areUnsaved() const { return m_unsaved; }
    void setSaved();
    /// Another document takes the place.
    void forget() { m_unsaved = false; }

    /// `event`: of `job`. What is no result changes nothing.
    void take(const protocol::Event& event, const EngineJob& job);

signals:
    void changed();  ///< whether they are unsaved
    /// Each reading of a step, whatever it is for.
    void measured(const std::shared_ptr<const plumb::Reading>& reading, const plumb::ui::EngineJob& job);
    void measuredAside(const plumb::Reading& reading, const plumb::Machine& machine);
    void noticed(const QString& message);
    void proved(const plumb::FitProof& proof);
    void profiled();  ///< the scene has a reading of a profile

private:
    /// Those that the run does not have: what a connection lost is sent again as a whole.
    [[nodiscard]] std::vector<StepMetrics> newPoints(std::vector<StepMetrics> points) const;
    void takeReading(Reading reading, const EngineJob& job);
    void setUnsaved();

    Workbench& m_workbench;
    bool m_unsaved = false;
};

}  // namespace plumb::ui
