// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/device_history.h"
#include "core/measure/layer_statistics.h"
#include "core/measure/loss_history.h"
#include "core/measure/scene.h"
#include "core/measure/training_series.h"
#include "core/plan/step_plan.h"
#include "core/recorded/step_file.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plumb::ui {

/// One training run of this session.
struct TrainingRun {
    RunConfig config;
    std::optional<Target> target;  ///< where it ran; absent: not known
    QString title;                 ///< "D 256 · L 4 · B 256 · fp32 · AdamW"
    RunLook look;                  ///< what the user made of it
    LossHistory history;
    double stepsPerSecond =
        0;  ///< of the last second or so while it goes on, then of all of it; 0: not known
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
    std::shared_ptr<const Step> step;
    /// The losses of a recorded step, of which there is no configuration; null: a run of our own model.
    std::shared_ptr<const RecordedLosses> recorded;
    bool isGuest =
        false;  ///< whether it came from another file, opened to compare with: the document does not hold it

    /// What the user called it, else its title.
    [[nodiscard]] QString name() const {
        return look.name.empty() ? title : QString::fromStdString(look.name);
    }
};

/// The training runs of what is open. Losses and what else the engine reports go to the one that goes on and
/// are dropped where none does. GUI thread only.
class TrainingRuns final : public QObject {
    Q_OBJECT
public:
    /// `shown` outlives it: the scene of which a run is when nothing else is said.
    explicit TrainingRuns(const ScenePtr& shown) : m_shown(shown) {}

    [[nodiscard]] const std::vector<std::shared_ptr<TrainingRun>>& all() const {
        return m_all;
    }  ///< newest last
    /// The run that goes on, or null.
    [[nodiscard]] std::shared_ptr<const TrainingRun> active() const;

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
    /// What the user makes of the run at an index of all(). At most one is the baseline: the newest choice.
    void setLook(std::size_t index, const RunLook& look);
    /// Forgets the run at an index of all(). Pre: it is not the one that goes on.
    void remove(std::size_t index);
    /// Those of a file in the place of all there are, or with `keeps` beside them, which are guests then.
    /// Says nothing: it is part of a larger change.
    void replace(const std::vector<std::shared_ptr<TrainingRun>>& opened, bool keeps);

signals:
    void changed();  ///< at most as often as the engine reports; views coalesce to frames

private:
    const ScenePtr& m_shown;
    std::vector<std::shared_ptr<TrainingRun>> m_all;
};

/// Steps done over the seconds that they took, with everything between them; nothing before the first one.
[[nodiscard]] std::optional<double> meanStepsPerSecond(const TrainingRun& run);
/// The run as files have it: of one that goes on, what there is until now.
[[nodiscard]] TrainingSeries seriesOf(const TrainingRun& run);

/// "D 256 · L 4 · B 256 · fp32 · AdamW": how a run is called in legends.
[[nodiscard]] QString runTitle(const RunConfig& config);

}  // namespace plumb::ui
