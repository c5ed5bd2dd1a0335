// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/validation.h"
#include "ui/planner/planner_model.h"
#include "ui/workbench/workbench.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace plumb::ui {

/// What the user changes in the planner, each as one step to undo, and why it was refused.
class PlannerEdits final : public QObject {
    Q_OBJECT
public:
    /// All three outlive it.
    PlannerEdits(PlannerModel& model, const Workbench& workbench, QUndoStack& stack);
    ~PlannerEdits() override;

    /// No step to undo: what is asked changes nothing that is planned.
    void setQuestion(int index);
    void setModel(const QString& key);
    void loadConfig(const QString& path);
    /// Takes everything from a plan. Errors: those of readScenario(); the inputs stay as they are then.
    [[nodiscard]] Result<void> openPlan(const QString& path);
    /// Plans what was measured: the scenario of a snapshot, or of a recorded step with the model and recipe
    /// that are planned with. Changes of it are answered from there. Errors: those of readFiledStep() and
    /// measure(); the inputs stay as they are then.
    [[nodiscard]] Result<void> useMeasurement(const QString& path);
    void setDevice(const std::string& id);
    void setRecipe(const QString& key);
    /// What is trained of the model, or why what was typed of it cannot be read.
    void setAdaptation(const Result<planner::Adaptation>& adaptation);
    void setParallel(const planner::ParallelLayout& layout);
    void enter(planner::Input input, const QString& text);
    /// Takes what fixOf() says.
    void fix(planner::Input input, double value);
    /// Takes the default of one input; of none named, of all assumptions and facts, without the measurement.
    void reset(std::optional<planner::Input> input = {});
    /// Changes `unknown` until the answer is `target`. The sentence that says what came of it.
    [[nodiscard]] QString solve(planner::Input unknown, const QString& target);
    void setMapAxes(planner::Input x, planner::Input y);
    void takeCell(int x, int y);
    void takeSharding(int index);
    /// Plans a published training: everything that its source says, asked for the figure.
    void takeTraining(const planner::PublishedTraining& training, planner::Figure figure);
    /// Takes these inputs as one step to undo, which is called `what`.
    void change(PlannerInputs inputs, const QString& what);

    /// What is wrong with an input as it was typed or as it stands; empty: nothing.
    [[nodiscard]] QString inputProblem(planner::Input input) const;
    /// The number with which that goes away; empty: none is near.
    [[nodiscard]] std::optional<double> fixOf(planner::Input input) const;
    /// True when what stands in the field is not what is in force.
    [[nodiscard]] bool wasRefused(planner::Input input) const { return m_typed.contains(input); }
    void forgetTyped(planner::Input input);
    /// Why a model, a recipe or a way to train it was not taken; empty: it was.
    [[nodiscard]] QString modelProblem() const { return m_modelProblem; }

signals:
    void refused();  ///< the inputs stay as they are; also when a refusal is forgotten

private:
    class Change;

    PlannerModel& m_model;
    const Workbench& m_workbench;
    QUndoStack& m_stack;
    QString m_modelProblem;
    struct Refused {
        QString problem;
        std::optional<double> nearest;  ///< that would have been taken
    };
    std::map<planner::Input, Refused> m_typed;
    /// Whom the commands of the stack change. They outlive the view: null then, until there is another on the
    /// stack.
    std::shared_ptr<PlannerEdits*> m_self;
};

}  // namespace plumb::ui
