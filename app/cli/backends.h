// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/engine/protocol.h"
#include "kernels/cuda/module.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

namespace plumb::cli {

/// Every device that this program knows, the best available one first; an unavailable one says why.
[[nodiscard]] std::vector<protocol::DeviceEntry> listDevices();

/// The backend that `choice` names; `auto` is the best available one.
/// Errors: Unavailable with the reason that listDevices() gives; BadInput for Tuning::Off on the CPU.
[[nodiscard]] Result<std::unique_ptr<Backend>> makeBackend(BackendChoice choice,
                                                           cuda::Tuning tuning = cuda::Tuning::On);

/// Errors: BadInput for a name that is not on or off.
[[nodiscard]] Result<cuda::Tuning> tuningFromName(std::string_view text);

/// How much is measured in calibrating: a minute's worth, or a few seconds' for rougher predictions.
enum class CalibrationSize : std::uint8_t { Full, Quick };

/// Measures what the device behind `choice` can do; saves nothing.
/// Errors: Unavailable as makeBackend(); RunFailed when stopped.
[[nodiscard]] Result<Machine>
calibrate(BackendChoice choice,
          const std::function<void(std::string_view what, int done, int total)>& progress,
          std::stop_token stop, CalibrationSize size = CalibrationSize::Full);

/// Errors: BadInput for a name that is not auto, cpu or cuda.
[[nodiscard]] Result<BackendChoice> backendFromName(std::string_view text);

/// The local device that `choice` means for a prediction, with its calibration when there is one.
/// Errors: Unavailable.
[[nodiscard]] Result<protocol::DeviceEntry> localDevice(BackendChoice choice);
/// Its machine alone.
[[nodiscard]] Result<Machine> localMachine(BackendChoice choice);

}  // namespace plumb::cli
