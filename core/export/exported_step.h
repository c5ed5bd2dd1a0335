// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compare/compared_step.h"
#include "core/measure/planned_step.h"
#include "core/measure/training_series.h"
#include "core/recorded/step_file.h"
#include "core/snapshot/snapshot.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plumb {

/// What the writers of other formats are given: one step, wherever it is from, with what was predicted and
/// measured of it. Every part may be missing, and each format says which of them it needs.
struct ExportedStep {
    std::string title;              ///< "D 64 · L 8 · B 64 · fp32 · Adam"
    std::string created;            ///< ISO 8601, UTC; empty: not known
    std::string program;            ///< that wrote the file
    std::vector<StepFact> facts;    ///< its configuration, then its environment
    std::vector<std::string> said;  ///< what could not be recorded, and why, a sentence each
    /// The step on its target. Absent where this version cannot plan what a file asks for: see `notPlanned`.
    std::optional<PlannedStep> planned;
    /// Where it ran, if that was on another machine than that of `planned`, which is a what-if then.
    std::optional<PlannedStep> ranElsewhere;
    /// Whether the prediction of `planned` is that of `predicted`.
    bool hasSamePrediction = false;
    std::string notPlanned;
    std::shared_ptr<const Reading> predicted;        ///< null: nothing was predicted
    std::shared_ptr<const Reading> measured;         ///< null: it did not run
    std::shared_ptr<const TrainingSeries> training;  ///< null: there is none
    std::vector<std::string> passes;  ///< of each step of the training, where a recorder let them run
    std::string whyNoTraining;        ///< of a recorded step without losses; may be empty
    std::optional<std::int64_t> parameters;
    std::string data;  ///< what a training read, one line; empty: synthetic data, or not said

    [[nodiscard]] const Step* step() const { return planned ? planned->step.get() : nullptr; }
    /// Measured, or predicted where it did not run; null without both.
    [[nodiscard]] const Reading* reading() const { return measured ? measured.get() : predicted.get(); }
    /// "measured", "predicted": what reading() is.
    [[nodiscard]] std::string_view origin() const { return measured ? "measured" : "predicted"; }
    /// A value for each op of step(), of reading() where it has the op. Pre: step().
    [[nodiscard]] std::vector<std::optional<Seconds>> opSeconds() const;
};

[[nodiscard]] ExportedStep exportedStep(const Snapshot& snapshot);
/// `machine` is what the step is predicted for; one without ceilings where nothing is known of it.
[[nodiscard]] ExportedStep exportedStep(const StepFile& file, const Machine& machine);
/// A snapshot or a recorded step, by what the file says it is. `known`: the machines among which that of a
/// recorded step is looked for. Errors: those of readSnapshot() and readStepFile().
[[nodiscard]] Result<ExportedStep> readExportedStep(const std::string& path, std::span<const Machine> known);

}  // namespace plumb
