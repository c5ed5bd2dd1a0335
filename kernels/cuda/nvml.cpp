// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nvml.h"

#include "core/engine/lost_device.h"

#include <fmt/format.h>

#include <dlfcn.h>

namespace plumb::cuda {

namespace {

Error notToBeHad(std::string message, std::string hint) {
    return Error{ErrorCode::Unavailable, std::move(message), std::move(hint)};
}

template <class Function>
bool look(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    return function != nullptr;
}

}  // namespace

Result<Nvml> Nvml::open(const std::string& file) {
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return notToBeHad("the management library of the NVIDIA driver is not there (" + file + ")",
                          "install the whole driver; a container needs NVIDIA_DRIVER_CAPABILITIES=all");
    NvmlApi api;
    const char* missing = nullptr;
#define PLUMB_LOOK(name)                                                                                     \
    if (!look(library, #name, api.name) && missing == nullptr) missing = #name;
    PLUMB_LOOK(nvmlInit_v2)
    PLUMB_LOOK(nvmlShutdown)
    PLUMB_LOOK(nvmlDeviceGetHandleByUUID)
    if (missing != nullptr)
        return notToBeHad(fmt::format("the management library of the NVIDIA driver lacks {}", missing),
                          "update the driver");
    PLUMB_LOOK(nvmlErrorString)
    PLUMB_LOOK(nvmlDeviceGetDeviceHandleFromMigDeviceHandle)
    PLUMB_LOOK(nvmlDeviceGetMemoryInfo)
    PLUMB_LOOK(nvmlDeviceGetClockInfo)
    PLUMB_LOOK(nvmlDeviceGetPowerUsage)
    PLUMB_LOOK(nvmlDeviceGetEnforcedPowerLimit)
    PLUMB_LOOK(nvmlDeviceGetTotalEnergyConsumption)
    PLUMB_LOOK(nvmlDeviceGetTemperature)
    PLUMB_LOOK(nvmlDeviceGetP2PStatus)
    PLUMB_LOOK(nvmlDeviceGetUtilizationRates)
    PLUMB_LOOK(nvmlDeviceGetComputeRunningProcesses_v3)
#undef PLUMB_LOOK
    if (!look(library, "nvmlDeviceGetCurrentClocksEventReasons", api.nvmlDeviceGetCurrentClocksEventReasons))
        look(library, "nvmlDeviceGetCurrentClocksThrottleReasons",
             api.nvmlDeviceGetCurrentClocksEventReasons);
    // Those that do not start are not ended either.
    if (const int result = api.nvmlInit_v2(); result != kNvmlSuccess) {
        api.nvmlShutdown = nullptr;
        return Nvml(api).refused(result, "nvmlInit_v2");
    }
    return Nvml(api);
}

Error Nvml::refused(int result, const char* name) const {
    switch (result) {
    case kNvmlNotSupported:
        return notToBeHad("this device does not tell it", "see what nvidia-smi -q lists of it");
    case kNvmlNoPermission:
        return notToBeHad("the NVIDIA driver refuses it to this user (no permission)",
                          "ask whoever runs this machine");
    case kNvmlFunctionNotFound:
        return notToBeHad(fmt::format("the NVIDIA driver lacks {}", name), "update the driver");
    case kNvmlDeviceLost:
        return lostDevice("NVML_ERROR_GPU_IS_LOST, the driver cannot reach it any more");
    default:
        break;
    }
    const char* const text = m_api.nvmlErrorString != nullptr ? m_api.nvmlErrorString(result) : nullptr;
    return notToBeHad(fmt::format("the NVIDIA driver does not answer {} ({})", name,
                                  text != nullptr ? text : fmt::format("error {}", result)),
                      "see what nvidia-smi says");
}

Result<NvmlPlace> findDevice(const Nvml& nvml, const std::string& uuid) {
    const NvmlApi& api = nvml.api();
    NvmlPlace place;
    const int asCard = api.nvmlDeviceGetHandleByUUID(uuid.c_str(), &place.device);
    place.card = place.device;
    if (asCard == kNvmlSuccess) return place;
    const std::size_t dash = uuid.find('-');
    const std::string instance = "MIG-" + (dash == std::string::npos ? uuid : uuid.substr(dash + 1));
    if (api.nvmlDeviceGetHandleByUUID(instance.c_str(), &place.device) != kNvmlSuccess)
        return nvml.refused(asCard, "nvmlDeviceGetHandleByUUID");
    constexpr const char* kToCard = "nvmlDeviceGetDeviceHandleFromMigDeviceHandle";
    if (api.nvmlDeviceGetDeviceHandleFromMigDeviceHandle == nullptr)
        return nvml.refused(kNvmlFunctionNotFound, kToCard);
    if (const int result = api.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(place.device, &place.card);
        result != kNvmlSuccess)
        return nvml.refused(result, kToCard);
    return place;
}

}  // namespace plumb::cuda
