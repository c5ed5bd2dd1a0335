// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/run_controller.h"
#include "ui/widgets/slider_row.h"
#include "ui/workbench/workbench.h"

#include <QString>
#include <QStringList>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace plumb::ui {

/// One entry of the device chooser.
struct DeviceItem {
    QString text;
    QString toolTip;
    bool enabled = true;
    int choice = 0;          ///< index into the choices of devices ...
    std::int64_t ranks = 1;  ///< ... and how many ranks share it
    bool operator==(const DeviceItem&) const = default;
};

/// Everything that the run panel shows, as plain data: the widgets copy it to the screen.
struct RunPanelState {
    SliderState dim, layers, outputs, batch, microBatch, recomputeEvery;
    bool head = true;  ///< without one the outputs are as many as the width
    Activation activation{};
    RecomputePolicy::Kind recompute{};
    QString recomputeBudget;  ///< "24Gi"; empty unless a budget is asked for
    Precision precision{};
    QString precisionNote;  ///< "fp8 emulated on the CPU: ..."; empty when the device computes in it
    bool masterWeights = true;
    bool fp32Gradients = true;
    bool narrow = false;  ///< weights narrower than fp32: the two above are a choice
    Optimizer optimizer{};
    QString learningRate;
    QString learningRateHint;  ///< "default of AdamW"
    QString data, targets;     ///< paths; empty: synthetic
    QString seed, steps;
    std::vector<DeviceItem> devices;
    int currentDevice = 0;  ///< index into them
    QString deviceNote;     ///< why a device is not available or only predicts; empty when all can run

    QString memoryUsed;  ///< "15.8 GB of 141 GB", or "15.8 GB" when the size is not known
    QString memoryToolTip;
    std::optional<double> memoryShare;

    int counters = 0;  ///< 0: none, then the amounts in the order of kAllCounterDetails
    bool canCount = false;
    QString countersNote;  ///< what the choice costs, or why there is none; never empty
    std::array<QString, 1 + kAllCounterDetails.size()> countersToolTips;

    QString runText;  ///< "Run", "Pause", "Resume"
    QString runToolTip;
    QString profileToolTip;
    bool canRun = false;
    bool canStop = false;
    bool canProfile = false;
    bool showApply = false;
    bool isPaused = false;
};

struct RunPanelInput {
    ScenePtr scene;
    std::optional<RunConfig> running;  ///< configuration of the training that goes on
    protocol::EngineState engine{};
    QString whyNotRun;
    bool canTrain = false;  ///< also where there is no engine, and one is started first
    bool canApply = false;
    const std::vector<DeviceChoice>* devices = nullptr;  ///< not null
    int currentDevice = 0;
    std::int64_t stepsWanted = 0;
    std::optional<CounterDetail> counters;  ///< that the next profile reads
    QString whyNoCounters;
    /// Further steps of each amount, in the order of kAllCounterDetails; empty where that is not known.
    std::array<std::optional<std::int64_t>, kAllCounterDetails.size()> countingSteps{};
};

/// The policies in the order in which the panel offers them.
inline constexpr std::array kRecomputeKinds{RecomputePolicy::Kind::All, RecomputePolicy::Kind::Every,
                                            RecomputePolicy::Kind::Sqrt, RecomputePolicy::Kind::None,
                                            RecomputePolicy::Kind::Fit};
/// Where a policy that was just chosen begins: k near sqrt(L), where memory is least; the memory of the
/// device as the budget, or the present peak where that is not known.
[[nodiscard]] RecomputePolicy startOf(RecomputePolicy::Kind kind, const Scene& scene);

/// `config` with another optimizer; settings that this one does not have are given up.
[[nodiscard]] RunConfig withOptimizer(RunConfig config, Optimizer optimizer);

/// The shortest text that reads back as exactly this size: "24Gi", "16G", "1234567".
[[nodiscard]] QString sizeText(std::int64_t size);
/// What the command line says about an option: one text for both.
[[nodiscard]] QString optionHelp(std::string_view option);

/// Pure function of its input.
[[nodiscard]] RunPanelState makeRunPanelState(const RunPanelInput& input);

/// `config` with another batch: the micro-batch stays what it was if it still divides, else becomes the
/// largest divisor below it; a micro-batch equal to the batch follows it.
[[nodiscard]] RunConfig withBatch(RunConfig config, std::int64_t batch);

}  // namespace plumb::ui
