// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/findings/findings.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb {

/// Some of the ops of a step together.
struct OpGroup {
    std::int64_t count = 0;
    Seconds seconds = 0;
    std::int64_t longest = -1;  ///< index of the op that takes longest
};

/// What is known of a step, as rules ask for it. Views what it is made of.
class Facts {
public:
    explicit Facts(const Findable& findable);

    [[nodiscard]] const Step& step() const { return *m_planned.step; }
    [[nodiscard]] const StepPlan* plan() const { return m_planned.plan.get(); }
    [[nodiscard]] const Machine& machine() const { return m_planned.target.machine; }
    [[nodiscard]] const Prediction& prediction() const { return *m_planned.prediction; }
    /// Null: nothing was measured.
    [[nodiscard]] const Reading* measured() const { return m_measured; }
    [[nodiscard]] const TrainingSeries* training() const { return m_training; }
    /// The measured entry of an op, or null.
    [[nodiscard]] const OpReading* measuredOp(std::int64_t op) const {
        return m_measuredOps.empty() ? nullptr : m_measuredOps[static_cast<std::size_t>(op)];
    }

    // Times of the ops: measured ones where one is, else predicted ones.
    [[nodiscard]] bool hasTimes() const { return m_all > 0; }
    [[nodiscard]] bool hasMeasuredTimes() const { return m_areMeasured && m_all > 0; }
    [[nodiscard]] Seconds seconds(std::int64_t op) const;
    [[nodiscard]] Seconds allSeconds() const { return m_all; }  ///< of all ops together
    [[nodiscard]] double share(Seconds seconds) const { return seconds / m_all; }
    [[nodiscard]] Basis timeBasis() const { return m_timeBasis; }
    [[nodiscard]] OpGroup groupOf(const std::function<bool(std::int64_t)>& isIn) const;
    void addTo(OpGroup& group, std::int64_t op) const;
    /// Predicted seconds of an op with what they are founded on.
    [[nodiscard]] std::optional<std::pair<Seconds, Basis>> predictedSeconds(std::int64_t op) const;

    /// The peak, the allocator's where that was measured.
    [[nodiscard]] Bytes peakBytes() const;
    [[nodiscard]] Basis peakBasis() const;

private:
    const PlannedStep& m_planned;
    const Reading* m_measured = nullptr;
    const TrainingSeries* m_training = nullptr;
    std::vector<const OpReading*> m_measuredOps;  ///< by op of the step; empty: nothing was measured
    std::vector<std::optional<Seconds>> m_seconds;
    bool m_areMeasured = false;
    Seconds m_all = 0;
    Basis m_timeBasis = Basis::DataSheet;

    friend class Trials;
};

using Changes = std::vector<std::pair<std::string, std::string>>;

/// A changed configuration, planned and predicted on the same target.
struct TriedPlan {
    Changes changes;
    Trial trial;
    std::shared_ptr<const StepPlan> plan;

    [[nodiscard]] bool fits() const { return !trial.memory || trial.peakAfter <= *trial.memory; }
    /// Samples a second after / before; absent where no time is predicted.
    [[nodiscard]] std::optional<double> gain() const;
};

/// Plans and predicts other configurations of the same step.
class Trials {
public:
    explicit Trials(const Facts& facts) : m_facts(facts) {}
    /// Empty where the step has no configuration, or the changed one is refused.
    [[nodiscard]] std::optional<TriedPlan> of(const Changes& changes) const;

private:
    const Facts& m_facts;
};

/// The options that make `rows` the rows of a micro-batch and leave the number of micro-batches as it is.
[[nodiscard]] Changes rowsChange(const RunConfig& config, std::int64_t rows);

}  // namespace plumb
