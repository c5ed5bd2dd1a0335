// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/measure/scene.h"
#include "core/plan/step_plan.h"
#include "core/snapshot/snapshot.h"
#include "ui/workbench/document_marks.h"
#include "ui/workbench/op_selection.h"
#include "ui/workbench/predictions.h"
#include "ui/workbench/recording.h"
#include "ui/workbench/training_runs.h"

#include <QObject>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace plumb::ui {

/// One measurement of this session.
struct Measurement {
    RunConfig config;
    Target target;                           ///< where it was measured
    std::shared_ptr<const Reading> reading;  ///< never null
    std::shared_ptr<const StepPlan> plan;    ///< plan of the step; null until it is shown for the first time
};

/// What a file holds: what the workbench shows of it, all at once.
struct OpenedScene {
    Predictions predictions;               ///< of the file, where it holds one of this step
    PlannedStep whatIf;                    ///< its step, of our model, with one of these
    std::optional<MeasuredStep> measured;  ///< the same step where it ran; absent: nothing was measured
    std::vector<std::shared_ptr<TrainingRun>> runs;
    std::vector<Measurement> earlier;  ///< measurements before `measured` ...
    std::vector<Measurement> later;    ///< ... and after it
};

/// The place of one of Workbench::measurements().
struct MeasurementAt {
    std::size_t index = 0;
};

/// What is open: the configuration, the scene made from it, the measurements, the runs and the one selection.
/// Views read it and listen; they never know each other. What is to be shown is one show(); each change of
/// the scene is one sceneChanged(). GUI thread only.
class Workbench final : public QObject {
    Q_OBJECT
public:
    explicit Workbench(QObject* parent = nullptr);
    ~Workbench() override;

    DocumentMarks marks;  ///< note and bookmarks of the document

    /// What the views show: the session, or a recorded step in front of it, of which there is no plan.
    [[nodiscard]] ScenePtr scene() const { return m_shown; }
    /// The step of the sliders and what was measured of it, shown or not. Never without a plan.
    [[nodiscard]] ScenePtr session() const { return m_scene; }
    [[nodiscard]] const RunConfig& config() const { return m_scene->config(); }
    [[nodiscard]] const BackendTraits& traits() const { return m_scene->whatIf.target.traits; }
    [[nodiscard]] TrainingRuns& runs() { return m_runs; }
    [[nodiscard]] const TrainingRuns& runs() const { return m_runs; }
    [[nodiscard]] OpSelection& selection() { return m_selection; }

    /// Shows the step of `config`, planned and predicted at once, far below a frame at any depth that a
    /// slider offers. Errors of this and of the next two: those of planStep(); the scene stays as it is then.
    [[nodiscard]] Result<void> show(const RunConfig& config);
    /// Shows the same for another target, with the data sheets that are known from now on, where there are
    /// others: they are taken over also where the step cannot be planned.
    [[nodiscard]] Result<void> show(const Target& target,
                                    std::optional<std::vector<Machine>> dataSheets = std::nullopt);
    /// Shows that one beside what is predicted; one of a file is planned now for the first time.
    [[nodiscard]] Result<void> show(MeasurementAt place);
    /// The scene and the runs of a file in the place of all there is, in one change that cannot fail: its
    /// step is planned. With `keepsRuns` those that are there stay to be compared with, as guests.
    void open(OpenedScene opened, bool keepsRuns = false);

    /// Shows a recorded step in front of the session, which stays as it is. An empty one takes it away.
    void open(std::optional<Recording> recording);
    /// The recorded step that is shown; null: the session is.
    [[nodiscard]] const Recording* recording() const { return m_recording ? &*m_recording : nullptr; }

    [[nodiscard]] const Predictions& predictions() const { return m_predictions; }
    /// The prediction in the opened file of what the sliders ask for, shown or not; null when it holds none.
    [[nodiscard]] const FiledPrediction* filedPrediction() const {
        return m_predictions.filed(config(), m_scene->whatIf.target);
    }
    /// Shows that prediction (the default) or makes one anew.
    void showFiledPrediction(bool shown);

    /// The newest reading of the measurement that goes on, which it replaces. `machine` is where it was
    /// measured; without it, the scene's own.
    void setMeasured(std::shared_ptr<const Reading> measured, std::shared_ptr<const StepPlan> plan,
                     std::optional<Machine> machine = std::nullopt);
    /// Another measurement begins: the first reading of it is added to measurements() and replaces none.
    void beginMeasurement() { m_beginsMeasurement = true; }
    /// Shows none; what was measured is kept.
    void clearMeasured();
    /// All of the document, the newest last; the scene shows at most one of them.
    [[nodiscard]] const std::vector<Measurement>& measurements() const { return m_measurements; }
    [[nodiscard]] std::optional<std::size_t> shownMeasurement() const { return m_shownMeasurement; }

signals:
    void sceneChanged();

private:
    /// Replaces the scene: the one place where it changes.
    void put(Scene scene);
    [[nodiscard]] ScenePtr shownRecording() const;

    ScenePtr m_scene;
    ScenePtr m_shown;
    std::optional<Recording> m_recording;
    Predictions m_predictions;
    TrainingRuns m_runs{m_scene};
    std::vector<Measurement> m_measurements;
    std::optional<std::size_t> m_shownMeasurement;
    bool m_beginsMeasurement = true;
    OpSelection m_selection;
};

/// What the views of trainings show, newest last: the runs, or the steps of the recording in front of them.
[[nodiscard]] std::span<const std::shared_ptr<TrainingRun>> shownTrainings(const Workbench& workbench);

}  // namespace plumb::ui
