// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/device_choice.h"
#include "core/planner/explore.h"
#include "core/planner/sweep.h"
#include "ui/engine/job_runner.h"
#include "ui/planner/planner_inputs.h"
#include "ui/workbench/device_library.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <stop_token>
#include <vector>

namespace plumb::ui {

/// What takes longer: worked out off the GUI thread, a moment after the last change.
struct PlannerExplored {
    planner::Output output{};  ///< what the bars are of
    double expected = 0;       ///< its value
    std::vector<planner::Bar> bars;
    QString barsProblem;
    planner::Sweep sweep;  ///< the answer over the first input of the map
    planner::ShardingSearch shardings;
    std::vector<planner::BatchOption> batches;
    std::vector<planner::DeviceOption> devices;
    QString tableProblem;
};

/// The long work of the planner: what matters most, what could be done instead, the map, and where the
/// question is of devices, which of the candidates is the best. It begins a moment after the last change, so
/// that a field that is being typed in starts it once.
class PlannerExplorer final : public QObject {
    Q_OBJECT
public:
    /// `library` outlives it.
    explicit PlannerExplorer(const DeviceLibrary& library, QObject* parent = nullptr);
    ~PlannerExplorer() override;

    /// Works for these inputs from now on; what went on for others is cancelled.
    void begin(const PlannerInputs& inputs);
    void cancel();

    [[nodiscard]] const PlannerExplored& explored() const { return m_explored; }
    [[nodiscard]] const std::optional<planner::Map>& map() const { return m_map; }
    [[nodiscard]] QString mapProblem() const { return m_mapProblem; }
    /// The candidates in their order; empty until they are worked out.
    [[nodiscard]] const std::optional<planner::DeviceChoice>& choice() const { return m_choice; }
    [[nodiscard]] QString choiceProblem() const { return m_choiceProblem; }
    /// Share of the candidates that are worked out; empty when that does not go on.
    [[nodiscard]] std::optional<double> choiceProgress() const { return m_choiceProgress; }
    /// Share of the work that is done; empty when none goes on.
    [[nodiscard]] std::optional<double> progress() const { return m_progress; }

signals:
    void changed();  ///< begun, done or cancelled
    void progressed();

private:
    void explore();
    void startMap();
    void startChoice();
    [[nodiscard]] bool wantsChoice() const;
    /// Called by each part of the work that is done.
    void partDone();

    const DeviceLibrary& m_library;
    PlannerInputs m_inputs;
    PlannerExplored m_explored;
    std::optional<planner::Map> m_map;
    QString m_mapProblem;
    std::optional<planner::DeviceChoice> m_choice;
    QString m_choiceProblem;
    std::optional<double> m_progress, m_choiceProgress;
    std::stop_source m_stop;
    QTimer m_settle;
    JobRunner m_explorer, m_mapper, m_chooser;
};

}  // namespace plumb::ui
