// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/device_history.h"
#include "core/measure/layer_statistics.h"
#include "core/measure/loss_history.h"
#include "core/measure/scene.h"
#include "core/measure/training_series.h"
#include "core/plan/step_plan.h"
#include "core/snapshot/snapshot.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace plumb::ui {

/// One training run of this session.
struct TrainingRun {
    RunConfig config;
    std::optional<Target> target;  ///< where it ran; absent: not known
    QString title;                 ///< "D 256 · L 4 · B 256 · fp32 · AdamW"
    LossHistory history;
    double stepsPerSecond = 0;
    std::int64_t stepsDone = 0;
    std::int64_t skippedSteps = 0;               ///< fp16: of stepsDone, those that updated nothing
    std::optional<LayerStatistics> firstScales;  ///< scale of the tensors in the first ...
    std::optional<LayerStatistics> lastScales;   ///< ... and in the newest step with statistics
    DeviceHistory device;                        ///< what the device told meanwhile
    std::vector<HoldOutLoss> holdOut;            ///< losses of samples that are not trained on
    std::int64_t stepsWanted = 0;                ///< 0: until stopped
    QString outcome;                             ///< empty while it runs
    TrainingEnd end = TrainingEnd::Unknown;      ///< what the outcome says
    /// Its step, from which seconds become rates; null: not known.
    std::shared_ptr<const StepPlan> plan;
    bool isGuest =
        false;  ///< whether it came from another file, opened to compare with: the document does not hold it
};

/// One measurement of this session.
struct Measurement {
    RunConfig config;
    Target target;                           ///< where it was measured
    std::shared_ptr<const Reading> reading;  ///< never null
    std::shared_ptr<const StepPlan> plan;    ///< plan of the step; null until it is shown for the first time
};

/// A prediction that was read from a file, and by which program it was made.
struct FiledPrediction {
    std::shared_ptr<const Prediction> prediction;  ///< laid beside this program's plan
    Reading reading;                               ///< as it stood in the file
    QString program;                               ///< "plumbline 0.1.0 (abc1234)"
};

/// What a file holds: what the workbench shows of it, all at once.
struct OpenedScene {
    Target target;
    std::shared_ptr<const StepPlan> plan;      ///< never null
    std::optional<FiledPrediction> predicted;  ///< empty: this program predicts
    std::shared_ptr<const Reading> measured;   ///< reading of `plan` on `target`; null: nothing was measured
    std::vector<std::shared_ptr<TrainingRun>> runs;
    std::vector<Measurement> earlier;  ///< measurements before `measured` ...
    std::vector<Measurement> later;    ///< ... and after it
};

/// What is open: the configuration, the scene made from it, the runs and the one selection.
/// Views read it and listen; they never know each other. GUI thread only.
class Workbench final : public QObject {
    Q_OBJECT
public:
    explicit Workbench(QObject* parent = nullptr);
    ~Workbench() override;

    [[nodiscard]] ScenePtr scene() const { return m_scene; }
    [[nodiscard]] const RunConfig& config() const { return m_scene->config(); }
    [[nodiscard]] const std::vector<std::shared_ptr<TrainingRun>>& runs() const {
        return m_runs;
    }                                                                  ///< newest last
    [[nodiscard]] QString selectedOp() const { return m_selectedOp; }  ///< opId(), or empty
    [[nodiscard]] const BackendTraits& traits() const { return m_scene->whatIf.target.traits; }
    /// The run that goes on, or null.
    [[nodiscard]] std::shared_ptr<const TrainingRun> activeRun() const;

    /// Plans and predicts at once, far below a frame at any depth that a slider offers. An invalid
    /// configuration leaves the scene and emits configRejected().
    void setConfig(const RunConfig& config);
    /// Plans and predicts the same for another target. False where that cannot be planned, which
    /// configRejected() says; the scene stays as it is then.
    bool setTarget(const Target& target);
    /// The data sheets that are known from now on.
    void setDataSheets(std::vector<Machine> dataSheets);
    /// The scene and the runs of a file in the place of all there is, in one change. With `keepsRuns` those
    /// that are there stay to be compared with, as guests.
    void show(OpenedScene opened, bool keepsRuns = false);
    /// The prediction in the opened file of what the sliders ask for, shown or not; null when it holds none.
    [[nodiscard]] const FiledPrediction* filedPrediction() const;
    /// The same for any step, where that prediction is shown.
    [[nodiscard]] const FiledPrediction* shownPrediction(const RunConfig& config, const Target& target) const;
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
    /// Errors: those of planStep(), for one of a file that this version cannot plan.
    [[nodiscard]] Result<void> showMeasurement(std::size_t index);

    /// `target` is where it runs; without it, the scene's own.
    void beginRun(const RunConfig& config, std::int64_t stepsWanted,
                  const std::optional<Target>& target = std::nullopt);
    void addLosses(const std::vector<StepMetrics>& points, std::int64_t stepsDone, double stepsPerSecond,
                   std::int64_t skippedSteps = 0);
    /// The first of a run stays, every later one replaces the newest.
    void addStatistics(const LayerStatistics& statistics);
    void addHoldOut(const HoldOutLoss& loss);
    void addDevice(const DeviceMoment& moment);
    /// The device of the run tells nothing, and why.
    void setNoDevice(const std::string& reason);
    void endRun(TrainingEnd how, const QString& outcome);
    void addRun(std::shared_ptr<TrainingRun> run);  ///< one that did not begin here

    void selectOp(const QString& id);

signals:
    void sceneChanged();
    void trainingChanged();  ///< at most as often as the engine reports; views coalesce to frames
    void selectionChanged(const QString& id);
    void configRejected(const QString& message);

private:
    /// Absent where it cannot be planned, which configRejected() says.
    std::optional<PlannedStep> planned(const RunConfig& config, const Target& target);
    /// Replaces the scene: the one place where it changes.
    void put(Scene scene);
    /// The step with the prediction of the opened file, where that is shown, or one made now.
    [[nodiscard]] PlannedStep predicted(Target target, std::shared_ptr<const StepPlan> plan) const;
    /// `measurement`, planned already. Its prediction is taken from `before` where that is of the same step.
    [[nodiscard]] MeasuredStep measuredStep(const Measurement& measurement,
                                            const std::optional<MeasuredStep>& before) const;
    struct Filed {
        FiledPrediction predicted;
        RunConfig config;
        Target target;
        bool isShown = true;
        [[nodiscard]] bool isOf(const RunConfig& step, const Target& where) const;
    };
    std::optional<Filed> m_filed;
    ScenePtr m_scene;

    std::vector<std::shared_ptr<TrainingRun>> m_runs;
    std::vector<Measurement> m_measurements;
    std::optional<std::size_t> m_shownMeasurement;
    bool m_beginsMeasurement = true;
    QString m_selectedOp;
};

/// The same device with the same ceilings: what is predicted for one holds for the other.
[[nodiscard]] bool sameCeilings(const Machine& a, const Machine& b);

/// "D 256 · L 4 · B 256 · fp32 · AdamW": how a run is called in legends.
[[nodiscard]] QString runTitle(const RunConfig& config);

}  // namespace plumb::ui
