// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/device_history.h"
#include "core/measure/layer_statistics.h"
#include "core/measure/step_metrics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// The loss over all samples that are held out, with the weights before this step (steps done: the last
/// ones).
struct HoldOutLoss {
    std::int64_t step = 0;
    double loss = 0;
    bool operator==(const HoldOutLoss&) const = default;
};

/// How a training ended.
enum class TrainingEnd : std::uint8_t { Unknown, Finished, Stopped, Failed };
/// Outcomes of trainings whose end nobody saw.
inline constexpr std::string_view kStillRunning = "running when it was saved", kFromFile = "from file",
                                  kRecorded = "recorded";
/// That of an outcome as the engine and files say it, which is in the same words in every language. A stop
/// that was asked for is no failure; of a training that went on when its file was saved nothing is known.
[[nodiscard]] TrainingEnd endOf(std::string_view outcome);

/// How a person tells a training from others.
struct RunLook {
    static constexpr std::int64_t kColors = 8;

    std::string name;             ///< empty: it is called by its configuration
    std::int64_t color = 0;       ///< 1 to kColors: in the order of the window's colours; 0: by its place
    std::optional<bool> isShown;  ///< absent: where it is one of the newest
    bool isBaseline = false;      ///< the others are compared with it
    bool operator==(const RunLook&) const = default;
};

/// The curves of a training, decimated with extremes kept (see LossHistory), and how it ended.
struct TrainingSeries {
    std::vector<StepMetrics> steps;              ///< in order
    std::optional<LayerStatistics> firstScales;  ///< tensor statistics of the first and of the newest ...
    std::optional<LayerStatistics> lastScales;   ///< ... step with statistics
    std::vector<HoldOutLoss> holdOut;            ///< empty where nothing is held out
    DeviceHistory device;                        ///< what the device told meanwhile
    std::int64_t skippedSteps = 0;               ///< fp16: of stepsDone, those that updated nothing
    std::int64_t stepsDone = 0;
    RunLook look;
    std::string outcome;  ///< see endOf(): "finished", "stopped ...", "diverged at step 12: ..."
};

}  // namespace plumb
