// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/nvidia_driver.h"

#include <fmt/format.h>

#include <dlfcn.h>

namespace plumb::common {

namespace {

// Of CUresult in cuda.h, which only the toolkit has.
constexpr int kStubLibrary = 34, kNoDevice = 100, kSystemNotReady = 802, kSystemDriverMismatch = 803;

std::string versionText(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

Error unavailable(std::string message, std::string hint) {
    return Error{ErrorCode::Unavailable, std::move(message), std::move(hint)};
}

}  // namespace

DriverProbe probeDriver() {
    DriverProbe probe;
    // Stays loaded: the runtime uses it as well.
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* const reason = dlerror();
        const std::string told = reason != nullptr ? reason : "";
        // What most machines say needs no more words.
        const bool missing = told.empty() || told.find("No such file") != std::string::npos;
        probe.loadError = missing ? "libcuda.so.1 not found" : told;
        return probe;
    }
    probe.found = true;
    const auto find = [&]<class Function>(Function*& function, const char* name) {
        function = reinterpret_cast<Function*>(dlsym(library, name));
        return function != nullptr;
    };
    int (*version)(int*) = nullptr;
    int (*init)(unsigned) = nullptr;
    int (*count)(int*) = nullptr;
    int (*errorString)(int, const char**) = nullptr;
    if (!find(version, "cuDriverGetVersion") || !find(init, "cuInit") || !find(count, "cuDeviceGetCount")) {
        probe.initResult = kStubLibrary;
        probe.initError = "the library lacks the driver's functions";
        return probe;
    }
    const auto describe = [&](int result) {
        const char* text = nullptr;
        if (find(errorString, "cuGetErrorString") && errorString(result, &text) == 0 && text != nullptr)
            probe.initError = text;
        else
            probe.initError = fmt::format("error {}", result);
        probe.initResult = result;
    };
    // The version is known before anything is started; a stub says nothing of use.
    if (version(&probe.version) != 0) probe.version = 0;
    if (const int result = init(0); result != 0) {
        describe(result);
        return probe;
    }
    if (const int result = count(&probe.devices); result != 0) describe(result);
    return probe;
}

Result<void> judgeDriver(const DriverProbe& probe, int runtimeVersion) {
    if (!probe.found)
        return unavailable(fmt::format("no NVIDIA driver is installed ({})", probe.loadError),
                           "install the driver of the GPU, or use the CPU");
    if (probe.initResult == kStubLibrary)
        return unavailable("the NVIDIA driver that was found is a stub for linking (libcuda.so.1)",
                           "remove the toolkit's folder stubs from LD_LIBRARY_PATH");
    // Within a major version every driver serves every runtime.
    if (probe.version / 1000 < runtimeVersion / 1000)
        return unavailable(
            fmt::format("the NVIDIA driver is too old (it serves CUDA {}, this program needs {})",
                        versionText(probe.version), versionText(runtimeVersion)),
            "update the driver, or use the CPU");
    if (probe.initResult == kSystemDriverMismatch)
        return unavailable(
            fmt::format("the NVIDIA driver's library and kernel module differ ({})", probe.initError),
            "restart the machine after an update of the driver");
    if (probe.initResult == kSystemNotReady)
        return unavailable(fmt::format("the NVIDIA driver waits for its system ({})", probe.initError),
                           "start the service nvidia-fabricmanager, which machines with NVSwitch need");
    if (probe.initResult != 0 && probe.initResult != kNoDevice)
        return unavailable(fmt::format("the NVIDIA driver does not start ({})", probe.initError),
                           "see what nvidia-smi says");
    if (probe.initResult == kNoDevice || probe.devices == 0)
        return unavailable("the NVIDIA driver finds no GPU (0 devices)",
                           "check nvidia-smi and CUDA_VISIBLE_DEVICES, or use the CPU");
    return {};
}

}  // namespace plumb::common
