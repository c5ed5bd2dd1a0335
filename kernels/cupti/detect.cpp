// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/detect.h"

#include "kernels/cupti/metric_config.h"
#include "kernels/cupti/metric_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace plumb::cupti {

namespace {

/// CUPTI 13 answers NOT_INITIALIZED with older drivers.
constexpr int kLeastDriver = 13000;
/// CUPTI 13.0 before its first update has crashes that this program would meet.
constexpr std::uint32_t kLeastCupti = 130001;
constexpr std::uint32_t kCuptiMajor = 10000;  // 130001 is major 13

struct Question {
    Detection& found;

    /// Ends the questions.
    bool no(ProfilingState state, std::string message, std::string hint) const {
        found.state = state;
        found.error = {ErrorCode::Unavailable, std::move(message), std::move(hint)};
        return false;
    }
    bool no(ProfilingState state, Error error) const {
        error.code = ErrorCode::Unavailable;
        found.state = state;
        found.error = std::move(error);
        return false;
    }

    bool driverStarts(const Libraries& libraries) const {
        const auto driver = libraries.driver();
        if (!driver.has_value()) return no(ProfilingState::NoDriver, driver.error());
        found.device.driver = *driver;
        const CUresult result = (*driver)->cuInit(0);
        if (result == CUDA_ERROR_STUB_LIBRARY)
            return no(ProfilingState::StubDriver,
                      "the CUDA stub library is loaded in place of the driver (libcuda.so.1)",
                      "take the toolkit's stubs folder out of LD_LIBRARY_PATH");
        if (result == CUDA_ERROR_NO_DEVICE)
            return no(ProfilingState::NoDevice, "the NVIDIA driver finds no GPU",
                      "use the CPU and saved snapshots");
        if (result == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)
            return no(ProfilingState::DriverBroken, "the NVIDIA driver and its library differ in version",
                      "restart the machine after the update of the driver");
        if (result != CUDA_SUCCESS)
            return no(ProfilingState::DriverBroken,
                      fmt::format("the NVIDIA driver does not start (error {})", static_cast<int>(result)),
                      "check it with nvidia-smi");
        return true;
    }

    bool driverIsNewEnough() const {
        const CUresult result = found.device.driver->cuDriverGetVersion(&found.device.driverVersion);
        if (result == CUDA_SUCCESS && found.device.driverVersion >= kLeastDriver) return true;
        return no(ProfilingState::DriverTooOld,
                  fmt::format("the NVIDIA driver is too old for CUPTI 13 ({})", found.device.driverText()),
                  "update it to 580 or newer");
    }

    /// The device of the context that is current: what profiling is about is what runs there.
    bool deviceIsThere() const {
        Device& device = found.device;
        int count = 0;
        if (device.driver->cuDeviceGetCount(&count) != CUDA_SUCCESS || count < 1)
            return no(ProfilingState::NoDevice, "the NVIDIA driver finds no GPU",
                      "use the CPU and saved snapshots");
        if (device.driver->cuCtxGetCurrent(&device.context) != CUDA_SUCCESS || device.context == nullptr ||
            device.driver->cuCtxGetDevice(&device.device) != CUDA_SUCCESS)
            return no(ProfilingState::NoContext, "CUDA was not started on this thread",
                      "please report it with the command line");
        device.smClockHz = 1e3 * attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
        device.memoryClockHz = 1e3 * attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
        return true;
    }

    [[nodiscard]] int attribute(CUdevice_attribute name) const {
        int value = 0;
        const Device& device = found.device;
        return device.driver->cuDeviceGetAttribute(&value, name, device.device) == CUDA_SUCCESS ? value : 0;
    }

    bool cuptiFits(const Libraries& libraries) const {
        const auto cupti = libraries.cupti();
        if (!cupti.has_value()) return no(ProfilingState::CuptiMissing, cupti.error());
        Device& device = found.device;
        device.cupti = *cupti;
        const CUptiResult result = (*cupti)->cuptiGetVersion(&device.cuptiVersion);
        if (result != CUPTI_SUCCESS)
            return no(ProfilingState::Failed, cuptiError(**cupti, result, "cuptiGetVersion"));
        if (const auto fits = checkVersion(**cupti); !fits.has_value())
            return no(device.cuptiVersion < kLeastCupti ? ProfilingState::CuptiTooOld
                                                        : ProfilingState::CuptiTooNew,
                      fits.error());
        return true;
    }

    /// Answered by CUPTI's own list, which needs no driver.
    bool deviceIsSupported() const {
        const int major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        const int minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        if (const auto is = checkCapability(*found.device.cupti, major, minor); !is.has_value())
            return no(ProfilingState::DeviceTooOld, is.error());
        return true;
    }

    bool configurationAllows() const {
        const Device& device = found.device;
        auto initialise = PLUMB_PARAMS(CUpti_Profiler_Initialize_Params);
        if (const CUptiResult result = device.cupti->cuptiProfilerInitialize(&initialise);
            result != CUPTI_SUCCESS)
            return refused(result, "cuptiProfilerInitialize");
        auto params = PLUMB_PARAMS(CUpti_Profiler_DeviceSupported_Params);
        params.cuDevice = device.device;
        params.api = CUPTI_PROFILER_RANGE_PROFILING;
        if (const CUptiResult result = device.cupti->cuptiProfilerDeviceSupported(&params);
            result != CUPTI_SUCCESS)
            return refused(result, "cuptiProfilerDeviceSupported");
        if (params.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return true;
        return no(ProfilingState::ConfigurationRefused,
                  fmt::format("this GPU does not allow counters as it is set up ({})", culprit(params)),
                  "change that, or go on with timing only");
    }

    static const char* culprit(const CUpti_Profiler_DeviceSupported_Params& params) {
        const std::pair<CUpti_Profiler_Support_Level, const char*> features[] = {
            {params.architecture, "architecture"}, {params.sli, "SLI"},
            {params.vGpu, "virtual GPU"},          {params.confidentialCompute, "confidential computing"},
            {params.cmp, "mining card"},           {params.wsl, "WSL"}};
        for (const auto& [level, name] : features)
            if (level != CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return name;
        return "unknown reason";
    }

    bool chipIsKnown() const {
        Device& device = found.device;
        auto params = PLUMB_PARAMS(CUpti_Device_GetChipName_Params);
        params.deviceIndex = static_cast<std::size_t>(device.device);
        if (const CUptiResult result = device.cupti->cuptiDeviceGetChipName(&params);
            result != CUPTI_SUCCESS || params.pChipName == nullptr)
            return refused(result, "cuptiDeviceGetChipName");
        device.chip = params.pChipName;
        const auto chips = supportedChips(*device.cupti);
        if (!chips.has_value()) return no(ProfilingState::CuptiMissing, chips.error());
        if (std::find(chips->begin(), chips->end(), device.chip) == chips->end())
            return no(ProfilingState::UnknownChip,
                      fmt::format("this GPU is newer than the CUPTI that is installed ({})", device.chip),
                      "install a newer CUDA Toolkit 13");
        if (const auto family = familyOf(device.chip); !family.has_value())
            return no(ProfilingState::UnknownChip, family.error());
        return true;
    }

    /// The first call that the driver refuses where only administrators may count. Its answer is also what
    /// the host library wants to know of this very device. Never with a null context: that crashes.
    bool permissionIsGiven() const {
        Device& device = found.device;
        auto params = PLUMB_PARAMS(CUpti_Profiler_GetCounterAvailability_Params);
        params.ctx = device.context;
        CUptiResult result = device.cupti->cuptiProfilerGetCounterAvailability(&params);
        if (result == CUPTI_SUCCESS) {
            device.availability.assign(params.counterAvailabilityImageSize, 0);
            params.pCounterAvailabilityImage = device.availability.data();
            result = device.cupti->cuptiProfilerGetCounterAvailability(&params);
        }
        return result == CUPTI_SUCCESS || refused(result, "cuptiProfilerGetCounterAvailability");
    }

    bool refused(CUptiResult result, const char* call) const {
        ProfilingState state = ProfilingState::Failed;
        switch (result) {
        case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
            state = ProfilingState::PermissionRefused;
            break;
        case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
            state = ProfilingState::AnotherProfiler;
            break;
        case CUPTI_ERROR_HARDWARE_BUSY:
            state = ProfilingState::HardwareBusy;
            break;
        case CUPTI_ERROR_INVALID_CHIP_NAME:
            state = ProfilingState::UnknownChip;
            break;
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
        case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
            state = ProfilingState::ConfigurationRefused;
            break;
        case CUPTI_ERROR_NOT_INITIALIZED:
            return no(ProfilingState::DriverTooOld, "the NVIDIA driver is too old for this CUPTI",
                      "update it to 580 or newer");
        default:
            break;
        }
        return no(state, cuptiError(*found.device.cupti, result, call));
    }

    bool forActivity(const Libraries& libraries) const {
        return driverStarts(libraries) && driverIsNewEnough() && deviceIsThere() && cuptiFits(libraries) &&
               deviceIsSupported();
    }
};

}  // namespace

Result<void> checkVersion(const CuptiApi& api) {
    std::uint32_t version = 0;
    PLUMB_CUPTI(api, cuptiGetVersion, &version);
    if (version / kCuptiMajor > CUPTI_API_VERSION / kCuptiMajor)
        return Error{ErrorCode::Unavailable,
                     fmt::format("CUPTI is newer than this version of Plumbline ({})", version),
                     "install CUPTI 13 beside it, or update Plumbline"};
    if (version < kLeastCupti)
        return Error{ErrorCode::Unavailable, fmt::format("CUPTI is too old ({})", version),
                     "install CUDA Toolkit 13.0 Update 1 or newer"};
    return {};
}

Result<void> checkCapability(const CuptiApi& api, int major, int minor) {
    int supported = 0;
    const CUptiResult result = api.cuptiComputeCapabilitySupported(major, minor, &supported);
    if (result == CUPTI_SUCCESS && supported != 0) return {};
    return Error{ErrorCode::Unavailable,
                 fmt::format("CUPTI 13 does not profile this GPU (compute capability {}.{})", major, minor),
                 "7.5 and newer ones can be profiled, go on with timing only"};
}

const char* stateName(ProfilingState state) {
    constexpr std::array kNames{"ready",          "no driver",     "stub driver",   "driver broken",
                                "driver too old", "no device",     "no context",    "device too old",
                                "CUPTI missing",  "CUPTI too old", "CUPTI too new", "another profiler",
                                "unknown chip",   "configuration", "no permission", "hardware busy",
                                "failed"};
    return kNames.at(static_cast<std::size_t>(state));
}

std::string Device::driverText() const {
    return driverVersion == 0 ? "unknown version"
                              : fmt::format("CUDA {}.{}", driverVersion / 1000, driverVersion % 1000 / 10);
}

Detection detectActivity(const Libraries& libraries) {
    Detection found;
    if (Question{found}.forActivity(libraries)) found.state = ProfilingState::Ready;
    return found;
}

Detection detectCounters(const Libraries& libraries, CallbackSink* sink,
                         std::unique_ptr<Subscription>& subscription) {
    Detection found;
    const Question question{found};
    if (!question.forActivity(libraries)) return found;
    CUptiResult code = CUPTI_SUCCESS;
    auto subscribed = Subscription::open(*found.device.cupti, sink, &code);
    if (!subscribed.has_value()) {
        const bool owned = code == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
        question.no(owned ? ProfilingState::AnotherProfiler : ProfilingState::Failed, subscribed.error());
        return found;
    }
    if (question.configurationAllows() && question.chipIsKnown() && question.permissionIsGiven()) {
        found.state = ProfilingState::Ready;
        subscription = std::move(subscribed).value();
    }
    return found;
}

}  // namespace plumb::cupti
