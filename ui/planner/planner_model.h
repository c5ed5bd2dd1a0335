// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/entry_at.h"
#include "core/planner/memory.h"
#include "core/planner/serving.h"
#include "core/planner/step_time.h"
#include "core/planner/verdict.h"
#include "ui/planner/planner_explorer.h"
#include "ui/planner/planner_inputs.h"
#include "ui/workbench/workbench.h"

#include <QObject>

#include <optional>
#include <string>
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
    std::optional<planner::DeviceMemory> memory;  ///< of what the charts of the question are of
    QString memoryProblem;
    std::optional<planner::StepTime> step;
    std::optional<planner::ForwardTime>
        token;            ///< the next one of every request, where a server is asked about
    QString stepProblem;  ///< why there is neither
    /// Sentences that judge the MFU of the answer, where the question is of a step or of an MFU.
    std::vector<std::string> judgement;
    std::optional<double> capacity;  ///< memory of a device
    /// Whether it fits, where the answer or a figure goes by that; empty too where it is not known.
    std::optional<planner::Verdict> verdict;
    QString verdictProblem;  ///< why there is none where the answer goes by one: the plan cannot run so
    /// What the answer takes for granted: one line.
    QString conventions;
    /// Whether an answer of this kind must not stand without the word.
    [[nodiscard]] bool lacksMemoryFor(planner::Output output) const {
        return verdict && !verdict->fits() && planner::needsMemory(output);
    }
};

/// The planner behind its view: holds the inputs and works out the results. Knows no widgets. While it is not
/// active it does nothing; it catches up when it becomes active.
class PlannerModel final : public QObject {
    Q_OBJECT
public:
    /// Both outlive it.
    PlannerModel(Workbench& workbench, DeviceLibrary& library, QObject* parent = nullptr);

    void setActive(bool active);
    [[nodiscard]] const PlannerInputs& inputs() const { return m_inputs; }
    [[nodiscard]] const PlannerQuestion& question() const {
        return entryAt(plannerQuestions(), m_inputs.question);
    }
    [[nodiscard]] const PlannerResults& results() const { return m_results; }
    /// The input that results().problem blames; empty: none.
    [[nodiscard]] std::optional<planner::Input> blamed() const { return m_blamed; }
    [[nodiscard]] const DeviceLibrary& library() const { return m_library; }
    /// What takes longer.
    [[nodiscard]] PlannerExplorer& explorer() { return m_explorer; }

    // None of these is a step to undo: those are made by PlannerEdits.
    void restore(const QByteArray& bytes);
    void setInputs(const PlannerInputs& inputs);
    void setMapOfMemory(bool memory);

signals:
    void changed();    ///< inputs and results
    void inputsSet();  ///< by an edit that was made, undone or made again
    void persistChanged(const QByteArray& bytes);

private:
    void refresh();
    void addCharts(PlannerResults& results) const;
    bool follow();

    Workbench& m_workbench;
    DeviceLibrary& m_library;
    PlannerInputs m_inputs;
    PlannerResults m_results;
    std::optional<planner::Input> m_blamed;
    PlannerExplorer m_explorer;
    bool m_active = false, m_dirty = true;
};

}  // namespace plumb::ui
