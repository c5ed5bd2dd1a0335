// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/planned_step.h"
#include "core/measure/reading.h"
#include "core/plan/step_plan.h"

#include <QString>

#include <memory>
#include <optional>

namespace plumb::ui {

/// A prediction that was read from a file, and by which program it was made.
struct FiledPrediction {
    std::shared_ptr<const Prediction> prediction;  ///< laid beside this program's plan
    Reading reading;                               ///< as it stood in the file
    QString program;                               ///< "plumbline 0.1.0 (abc1234)"
};

/// Where predictions come from: the opened file, where it holds one of this very step and that is shown, else
/// this program, which makes one now.
class Predictions final {
public:
    /// Another file, with a prediction of `config` on `target` or with none. It is shown.
    void replace(std::optional<FiledPrediction> filed, const RunConfig& config, const Target& target);
    /// False when nothing changes.
    bool setShown(bool shown);

    /// That of the file, shown or not; null when it holds none of this step.
    [[nodiscard]] const FiledPrediction* filed(const RunConfig& config, const Target& target) const;
    /// The same, where it is shown.
    [[nodiscard]] const FiledPrediction* shown(const RunConfig& config, const Target& target) const;
    /// The step of `config`, planned and predicted. Errors: those of planStep().
    [[nodiscard]] Result<PlannedStep> planned(const RunConfig& config, const Target& target) const;
    /// The step with its prediction.
    [[nodiscard]] PlannedStep predicted(Target target, std::shared_ptr<const StepPlan> plan) const;

private:
    std::optional<FiledPrediction> m_filed;
    RunConfig m_config;  ///< step of m_filed ...
    Target m_target;     ///< ... and where
    bool m_isShown = true;
};

/// The same device with the same ceilings: what is predicted for one holds for the other.
[[nodiscard]] bool sameCeilings(const Machine& a, const Machine& b);

}  // namespace plumb::ui
