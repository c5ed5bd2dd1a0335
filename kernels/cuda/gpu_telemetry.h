// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/capabilities.h"
#include "kernels/cuda/nvml.h"

#include <optional>
#include <string>
#include <vector>

namespace plumb::cuda {

/// What a GPU tells of itself through the management library. Where that is missing or does not know the
/// device, each sample says so. Of an instance (MIG) the processes are its own, all else that of its card.
class GpuTelemetry final : public DeviceTelemetry {
public:
    /// By GpuIdentity::uuid. To be made before this program uses the device: see knowSelf().
    explicit GpuTelemetry(const std::string& uuid, const std::string& file = kNvmlFile);

    /// Called once this program uses the device. In a container the driver gives it a number that it does not
    /// have itself: that of the one process that came in the meantime.
    void knowSelf();

    DeviceSample sample() override;
    Result<double> energy() override;
    /// Errors: why the driver does not say who uses the device beside this program.
    [[nodiscard]] Result<std::vector<DeviceProcess>> otherProcesses() const;

private:
    /// All that use the device.
    [[nodiscard]] Result<std::vector<DeviceProcess>> processes() const;
    [[nodiscard]] Result<std::vector<Throttle>> throttles() const;
    /// Asks the card by a function of the library, known as `name`.
    template <class Number, class Function, class... Arguments>
    [[nodiscard]] Result<Number> ask(Function function, const char* name, Arguments... arguments) const;

    std::optional<Nvml> m_nvml;
    NvmlPlace m_place;
    Error m_missing;  ///< why the device is not known; no message: it is
    std::vector<DeviceProcess> m_before;
};

}  // namespace plumb::cuda
