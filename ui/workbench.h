// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/account/reading.h"
#include "core/plan/step_plan.h"
#include "core/train/loss_history.h"

namespace plumb::ui {

/// Everything that the views show of one step; immutable and shared, a new one replaces it.
///
/// The prediction is of `plan->config` (the sliders). The measurement is of `measuredConfig` (what ran), which
/// may differ while the user asks what-if during a run; `sameConfig()` says so, and views label it.
struct Scene {
    Machine machine;
    std::shared_ptr<const StepPlan> plan;                ///< never null
    std::shared_ptr<const Prediction> prediction;        ///< never null; same op order as plan->ops
    std::shared_ptr<const Reading> measured;             ///< null: nothing measured yet
    std::shared_ptr<const StepPlan> measuredPlan;        ///< of what ran; null as `measured`
    std::shared_ptr<const Prediction> measuredPrediction;///< prediction of what ran, to compare against

    [[nodiscard]] const RunConfig& config() const { return plan->config; }
    [[nodiscard]] bool sameConfig() const { return measuredPlan && measuredPlan->config == plan->config; }
    /// Measured entry of the op with this id, or null.
    [[nodiscard]] const OpReading* measuredOp(const std::string& id) const;
};
using ScenePtr = std::shared_ptr<const Scene>;

/// One training run of this session.
struct RunRecord {
    RunConfig config;
    QString title;           ///< "D 256 · L 4 · B 256 · fp32 · AdamW"
    LossHistory history;
    double stepsPerSecond = 0;
    std::int64_t stepsDone = 0;
    std::int64_t stepsWanted = 0;  ///< 0: until stopped
    QString outcome;         ///< empty while it runs
};

/// The window's document: the configuration, the scene made from it, the runs and the one selection.
/// Views read it and listen; they never know each other. GUI thread only.
class Workbench final : public QObject {
    Q_OBJECT
public:
    explicit Workbench(QObject* parent = nullptr);
    ~Workbench() override;

    [[nodiscard]] ScenePtr scene() const { return m_scene; }
    [[nodiscard]] const RunConfig& config() const { return m_scene->plan->config; }
    [[nodiscard]] const std::vector<std::shared_ptr<RunRecord>>& runs() const { return m_runs; }  ///< newest last
    [[nodiscard]] QString selectedOp() const { return m_selectedOp; }  ///< opId(), or empty

    /// Plans and predicts at once. An invalid configuration leaves the scene and emits configRejected().
    void setConfig(const RunConfig& config);
    void setMachine(const Machine& machine, const BackendTraits& traits);
    void setMeasured(std::shared_ptr<const Reading> measured, std::shared_ptr<const StepPlan> plan);
    void clearMeasured();

    void beginRun(const RunConfig& config, std::int64_t stepsWanted);
    void addLosses(const std::vector<LossPoint>& points, std::int64_t stepsDone, double stepsPerSecond);
    void endRun(const QString& outcome);
    void addRun(std::shared_ptr<RunRecord> run);  ///< a run that was opened from a file

    void selectOp(const QString& id);

signals:
    void sceneChanged();
    void trainingChanged();  ///< at most as often as addLosses() is called; views coalesce to frames
    void selectionChanged(const QString& id);
    void configRejected(const QString& message);

private:
    void rebuild(const RunConfig& config);
    ScenePtr m_scene;
    BackendTraits m_traits;
    std::vector<std::shared_ptr<RunRecord>> m_runs;
    QString m_selectedOp;
};

}  // namespace plumb::ui
