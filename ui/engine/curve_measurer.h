// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/snapshot/snapshot.h"
#include "ui/engine/run_controller.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plumb::ui {

/// Profiles one configuration with several recompute policies, one after another, and keeps what they gave
/// for as long as the document is shown. Beside the document: sliders, scene and runs stay as they are.
/// GUI thread only.
class CurveMeasurer final : public QObject {
    Q_OBJECT
public:
    static constexpr std::int64_t kSteps = 10;  ///< steps of each policy; enough for a median

    explicit CurveMeasurer(RunController& controller, QObject* parent = nullptr);

    /// Empty when start() would work; else why not, as a sentence.
    [[nodiscard]] QString whyNot() const;
    /// Nothing when it goes on already or cannot work.
    void start(const RunConfig& config, const std::vector<RecomputePolicy>& policies);
    void cancel();  ///< what was measured until now is kept
    [[nodiscard]] bool running() const { return m_running; }
    /// "measuring every 8 · 3 of 11"; empty when nothing goes on.
    [[nodiscard]] QString progressText() const;

    /// The newest measurement of `config` with `policy` on this machine, or null. Policies with the same
    /// schedule are the same: `sqrt` of 16 layers is `every 4`.
    [[nodiscard]] const MeasuredPolicy* find(RunConfig config, const RecomputePolicy& policy,
                                             const std::string& machineId) const;
    /// All that is known of `config` with any policy on this machine, the newest last: for a snapshot.
    [[nodiscard]] std::vector<MeasuredPolicy> curveOf(RunConfig config, const std::string& machineId) const;
    /// All that is known besides that, a curve for each configuration and machine: for a snapshot.
    [[nodiscard]] std::vector<SessionCurve> curvesBeside(RunConfig config,
                                                         const std::string& machineId) const;
    /// What a snapshot brings along takes the place of all that is known.
    void replace(const std::vector<SessionCurve>& curves);

signals:
    void changed();  ///< progress, or whether it may start
    void measured();

private:
    struct Result {
        RunConfig config;  ///< with the policy
        std::shared_ptr<const Machine> machine;
        MeasuredPolicy measured;
    };
    void begin(std::size_t at);
    void take(const Reading& reading, const Machine& machine);

    RunController& m_controller;
    std::vector<Result> m_results;
    RunConfig m_config;  ///< with the policy in turn
    std::vector<RecomputePolicy> m_policies;
    std::size_t m_at = 0;
    bool m_running = false;
    bool m_took = false;  ///< the policy in turn has its reading
};

/// The policy in a form that is equal for equal schedules: `every k` wherever it is one, 1 for all.
[[nodiscard]] RecomputePolicy canonicalPolicy(const RecomputePolicy& policy, std::int64_t layers);
/// "every 8", "all", "sqrt", "none", "fit 1.20 GB".
[[nodiscard]] QString policyLabel(const RecomputePolicy& policy);

}  // namespace plumb::ui
