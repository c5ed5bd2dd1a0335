// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/engine/backend.h"
#include "core/engine/protocol.h"
#include "kernels/cuda/module.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::cli {

/// Every device that this program knows, the best available one first; an unavailable one says why.
[[nodiscard]] std::vector<protocol::DeviceEntry> listDevices();

/// Those of `devices` on which this process runs steps itself say that they were lost to it, where they were.
[[nodiscard]] std::vector<protocol::DeviceEntry> withLoss(std::vector<protocol::DeviceEntry> devices,
                                                          const std::optional<Error>& loss);

/// The machines of this computer, then the data sheets that none of them is.
[[nodiscard]] std::vector<Machine> knownMachines();

/// What is asked for with --backend and --device.
struct DeviceWish {
    BackendChoice backend = BackendChoice::Auto;
    /// Number of a GPU, or the beginning of its UUID ("GPU-...", "MIG-..."); empty: the first that is usable.
    std::string device = {};
};

/// --device of the commands that run steps.
[[nodiscard]] OptionSpec deviceOption();
/// Whether `text` can be one, rather than the name of a data sheet.
[[nodiscard]] bool namesGpu(std::string_view text);

/// The backend that `wish` names; `auto` is the best available one.
/// Errors: Unavailable with the reason that listDevices() gives, or with the GPUs that are there; BadInput
/// for Tuning::Off or a GPU's number on the CPU, and for what is neither number nor UUID.
[[nodiscard]] Result<std::unique_ptr<Backend>> makeBackend(const DeviceWish& wish,
                                                           cuda::Tuning tuning = cuda::Tuning::On);

/// What runs the ranks of a training: the backend of the first, which has its share of the cores, and what
/// makes one like it for each of the others (TrainOptions::rankBackend); empty where there is one rank, and
/// on GPUs.
struct RunBackends {
    std::unique_ptr<Backend> first;
    std::function<Result<std::unique_ptr<Backend>>()> others;
};
/// Errors: as makeBackend().
[[nodiscard]] Result<RunBackends> makeRunBackends(const RunConfig& config, const DeviceWish& wish,
                                                  cuda::Tuning tuning = cuda::Tuning::On);
/// The backend of one of so many ranks of this computer, the others of which are other processes.
[[nodiscard]] Result<RunBackends> makeRunBackends(const DeviceWish& wish, cuda::Tuning tuning,
                                                  std::int64_t ranksHere);

/// Errors: BadInput for a name that is not on or off.
[[nodiscard]] Result<cuda::Tuning> tuningFromName(std::string_view text);

/// How much is measured in calibrating: a minute's worth, or a few seconds' for rougher predictions.
enum class CalibrationSize : std::uint8_t { Full, Quick };

using CalibrationProgress = std::function<void(std::string_view what, int done, int total)>;

/// Measures what the device behind `wish` can do; saves nothing.
/// Errors: as makeBackend(); RunFailed when stopped.
[[nodiscard]] Result<Machine> calibrate(const DeviceWish& wish, const CalibrationProgress& progress,
                                        std::stop_token stop, CalibrationSize size = CalibrationSize::Full);

/// Refuses ranks on a machine whose steps are of one, and more than a training may have. Errors: BadInput.
[[nodiscard]] Result<void> checkCanShare(const Machine& machine, std::int64_t ranks);
/// The same of so many ranks that share the processor. Pre: checkCanShare(). Errors: as above.
[[nodiscard]] Result<RankCosts> calibrateRanks(std::int64_t ranks, const CalibrationProgress& progress,
                                               std::stop_token stop,
                                               CalibrationSize size = CalibrationSize::Full);

/// Errors: BadInput for a name that is not auto, cpu or cuda.
[[nodiscard]] Result<BackendChoice> backendFromName(std::string_view text);

/// The local device that `wish` means for a prediction, with its calibration when there is one.
/// Errors: as makeBackend().
[[nodiscard]] Result<protocol::DeviceEntry> localDevice(const DeviceWish& wish);
/// Its machine alone.
[[nodiscard]] Result<Machine> localMachine(const DeviceWish& wish);

}  // namespace plumb::cli
