// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/entry_at.h"
#include "core/planner/explore.h"
#include "core/planner/memory.h"
#include "core/planner/step_time.h"
#include "ui/engine/job_runner.h"
#include "ui/planner/planner_inputs.h"
#include "ui/workbench/workbench.h"

#include <QObject>
#include <QTimer>
#include <QUndoStack>

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace plumb::ui {

/// What the inputs give at once; made anew at every change.
struct PlannerResults {
    std::optional<planner::Answer> answer;
    QString problem;                                           ///< why there is no answer, one sentence
    std::vector<std::pair<planner::Output, QString>> figures;  ///< those that can be worked out
    std::vector<planner::Input>
        choices;  ///< those of the question, and what else has an effect on the answer
    std::vector<planner::Input> numbers;  ///< facts and assumptions that the answer and the figures depend on
    std::optional<planner::DeviceMemory> memory;
    QString memoryProblem;
    std::optional<planner::StepTime> step;
    QString stepProblem;
    /// Sentences that judge the MFU of the answer, where the question is of a step or of an MFU.
    std::vector<std::string> judgement;
    std::optional<double> capacity;  ///< memory of a device
};

/// What takes longer: worked out off the GUI thread, a moment after the last change.
struct PlannerExplored {
    planner::Output output{};  ///< what the bars are of
    double expected = 0;       ///< its value
    std::vector<planner::Bar> bars;
    QString barsProblem;
    std::vector<planner::ShardingOption> shardings;
    std::vector<planner::BatchOption> batches;
    std::vector<planner::DeviceOption> devices;
    QString tableProblem;
};

/// The planner behind its view: holds the inputs, changes them as steps that can be undone, and works out the
/// results. Knows no widgets. While it is not active it does nothing; it catches up when it becomes active.
class PlannerModel final : public QObject {
    Q_OBJECT
public:
    /// All three outlive it.
    PlannerModel(Workbench& workbench, DeviceLibrary& library, QUndoStack& stack, QObject* parent = nullptr);
    ~PlannerModel() override;

    void setActive(bool active);
    [[nodiscard]] const PlannerInputs& inputs() const { return m_inputs; }
    [[nodiscard]] const PlannerQuestion& question() const {
        return entryAt(plannerQuestions(), m_inputs.question);
    }
    [[nodiscard]] const PlannerResults& results() const { return m_results; }
    [[nodiscard]] const PlannerExplored& explored() const { return m_explored; }
    [[nodiscard]] const std::optional<planner::Map>& map() const { return m_map; }
    [[nodiscard]] QString mapProblem() const { return m_mapProblem; }
    /// Share of the long work that is done; empty when none goes on.
    [[nodiscard]] std::optional<double> progress() const { return m_progress; }
    /// What is wrong with an input as it was typed or as it stands; empty: nothing.
    [[nodiscard]] QString inputProblem(planner::Input input) const;
    /// True when what stands in the field is not what is in force.
    [[nodiscard]] bool wasRefused(planner::Input input) const { return m_typed.contains(input); }
    void forgetTyped(planner::Input input);
    [[nodiscard]] QString modelProblem() const { return m_modelProblem; }
    [[nodiscard]] const DeviceLibrary& library() const { return m_library; }

    void restore(const QByteArray& bytes);  ///< no step to undo
    void setQuestion(int index);
    void setModel(const QString& key);
    void loadConfig(const QString& path);
    void setDevice(const std::string& id);
    void setRecipe(const QString& key);
    void setRecompute(planner::Recompute recompute);
    void setSequenceParallel(bool on);
    void setZero(int stage);
    void enter(planner::Input input, const QString& text);
    void reset(planner::Input input);
    void resetAll();  ///< assumptions and facts only
    /// Changes `unknown` until the answer is `target`. The sentence that says what came of it.
    [[nodiscard]] QString solve(planner::Input unknown, const QString& target);
    void setMapAxes(planner::Input x, planner::Input y);
    void setMapOfMemory(bool memory);
    void takeCell(int x, int y);
    void takeSharding(int index);
    void cancel();  ///< the long work that goes on

    [[nodiscard]] QString asText() const;
    [[nodiscard]] QByteArray asJson() const;

signals:
    void changed();          ///< inputs and results
    void exploredChanged();  ///< what takes longer: begun, done or cancelled
    void progressed();
    void persistChanged(const QByteArray& bytes);

private:
    class Change;
    void change(PlannerInputs inputs, const QString& what);
    void refresh();
    void explore();
    bool follow();
    void startMap();
    [[nodiscard]] std::optional<planner::Input> inputNamedIn(const QString& sentence) const;

    Workbench& m_workbench;
    DeviceLibrary& m_library;
    QUndoStack& m_stack;
    PlannerInputs m_inputs;
    PlannerResults m_results;
    PlannerExplored m_explored;
    std::optional<planner::Map> m_map;
    QString m_mapProblem, m_modelProblem;
    std::map<planner::Input, QString> m_typed;  ///< problems of what was typed
    std::optional<planner::Input> m_blamed;     ///< input that results().problem blames
    std::optional<double> m_progress;
    std::stop_source m_stop;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);  ///< commands outlive the view at exit
    QTimer m_settle;
    JobRunner m_explorer, m_mapper;
    bool m_active = false, m_dirty = true;
};

}  // namespace plumb::ui
