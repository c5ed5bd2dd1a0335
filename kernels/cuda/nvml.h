// SPDX-License-Identifier: Apache-2.0
// The driver's management library, loaded while the program runs. Its header comes with the toolkit's samples
// alone, so what is used of its binary interface is declared here.
#pragma once

#include "core/base/result.h"

#include <string>

namespace plumb::cuda {

/// A device, or an instance of one (MIG).
using NvmlDevice = void*;

// Results of its functions.
inline constexpr int kNvmlSuccess = 0;
inline constexpr int kNvmlNotSupported = 3;
inline constexpr int kNvmlNoPermission = 4;
inline constexpr int kNvmlTooSmall = 7;
inline constexpr int kNvmlFunctionNotFound = 13;
inline constexpr int kNvmlDeviceLost = 15;

// Arguments of nvmlDeviceGetClockInfo() and nvmlDeviceGetTemperature().
inline constexpr int kNvmlSmClock = 1;
inline constexpr int kNvmlMemoryClock = 2;
inline constexpr int kNvmlDieTemperature = 0;
// What nvmlDeviceGetP2PStatus() is asked for, and its yes.
inline constexpr int kNvmlOverNvLink = 2;
inline constexpr int kNvmlPeersOk = 0;

struct NvmlMemory {
    unsigned long long total, free, used;
};
struct NvmlUtilization {
    unsigned gpu, memory;  ///< per cent of the time
};
struct NvmlProcess {
    unsigned pid;
    unsigned long long bytes;  ///< kNvmlNoBytes: not known
    unsigned gpuInstance, computeInstance;
};
inline constexpr unsigned long long kNvmlNoBytes = ~0ULL;

/// Functions by their own names; null where the library has none. The first three it always has.
struct NvmlApi {
    int (*nvmlInit_v2)() = nullptr;
    int (*nvmlShutdown)() = nullptr;
    int (*nvmlDeviceGetHandleByUUID)(const char* uuid, NvmlDevice* device) = nullptr;
    const char* (*nvmlErrorString)(int result) = nullptr;
    int (*nvmlDeviceGetDeviceHandleFromMigDeviceHandle)(NvmlDevice mig, NvmlDevice* card) = nullptr;
    int (*nvmlDeviceGetMemoryInfo)(NvmlDevice device, NvmlMemory* memory) = nullptr;
    int (*nvmlDeviceGetClockInfo)(NvmlDevice device, int clock, unsigned* megahertz) = nullptr;
    int (*nvmlDeviceGetPowerUsage)(NvmlDevice device, unsigned* milliwatts) = nullptr;
    int (*nvmlDeviceGetEnforcedPowerLimit)(NvmlDevice device, unsigned* milliwatts) = nullptr;
    int (*nvmlDeviceGetTotalEnergyConsumption)(NvmlDevice device, unsigned long long* millijoules) = nullptr;
    int (*nvmlDeviceGetTemperature)(NvmlDevice device, int sensor, unsigned* celsius) = nullptr;
    int (*nvmlDeviceGetP2PStatus)(NvmlDevice device, NvmlDevice peer, int way, int* status) = nullptr;
    int (*nvmlDeviceGetUtilizationRates)(NvmlDevice device, NvmlUtilization* rates) = nullptr;
    /// Its older name, nvmlDeviceGetCurrentClocksThrottleReasons, where the library has that alone.
    int (*nvmlDeviceGetCurrentClocksEventReasons)(NvmlDevice device, unsigned long long* reasons) = nullptr;
    int (*nvmlDeviceGetComputeRunningProcesses_v3)(NvmlDevice device, unsigned* count,
                                                   NvmlProcess* processes) = nullptr;
};

inline constexpr const char* kNvmlFile = "libnvidia-ml.so.1";

/// The library while it is in use; it stays loaded. Errors of open(): Unavailable with the reason and the
/// remedy: it is not there, lacks what is always there, or does not start.
class Nvml {
public:
    [[nodiscard]] static Result<Nvml> open(const std::string& file = kNvmlFile);
    Nvml(Nvml&& other) noexcept : m_api(other.m_api) { other.m_api.nvmlShutdown = nullptr; }
    Nvml& operator=(Nvml&&) = delete;
    ~Nvml() {
        if (m_api.nvmlShutdown != nullptr) m_api.nvmlShutdown();
    }

    [[nodiscard]] const NvmlApi& api() const { return m_api; }
    /// Why a function, known as `name`, did not answer.
    [[nodiscard]] Error refused(int result, const char* name) const;

private:
    explicit Nvml(const NvmlApi& api) : m_api(api) {}
    NvmlApi m_api;
};

/// A device of the CUDA runtime as the library knows it.
struct NvmlPlace {
    NvmlDevice device = nullptr;
    NvmlDevice card = nullptr;  ///< the same, or the card that an instance (MIG) is a part of
    [[nodiscard]] bool isInstance() const { return device != card; }
};
/// By GpuIdentity::uuid. The runtime gives an instance its own UUID, which the library has under "MIG-".
/// Errors: Unavailable.
[[nodiscard]] Result<NvmlPlace> findDevice(const Nvml& nvml, const std::string& uuid);

}  // namespace plumb::cuda
