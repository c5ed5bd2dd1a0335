// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/driver.h"

#include "core/plan/step_plan.h"
#include "kernels/cuda/check.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <dlfcn.h>

namespace plumb::cuda {

namespace {

std::string versionText(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

Error unavailable(std::string message, std::string hint) {
    return Error{ErrorCode::Unavailable, std::move(message), std::move(hint)};
}

std::string uuidText(const cudaUUID_t& uuid) {
    std::string text = "GPU-";
    for (std::size_t i = 0; i < sizeof(uuid.bytes); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
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
        probe.initResult = cudaErrorStubLibrary;
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
    if (probe.initResult == cudaErrorStubLibrary)
        return unavailable("the NVIDIA driver that was found is a stub for linking (libcuda.so.1)",
                           "remove the toolkit's folder stubs from LD_LIBRARY_PATH");
    // Within a major version every driver serves every runtime.
    if (probe.version / 1000 < runtimeVersion / 1000)
        return unavailable(
            fmt::format("the NVIDIA driver is too old (it serves CUDA {}, this program needs {})",
                        versionText(probe.version), versionText(runtimeVersion)),
            "update the driver, or use the CPU");
    if (probe.initResult == cudaErrorSystemDriverMismatch)
        return unavailable(
            fmt::format("the NVIDIA driver's library and kernel module differ ({})", probe.initError),
            "restart the machine after an update of the driver");
    if (probe.initResult != 0 && probe.initResult != cudaErrorNoDevice)
        return unavailable(fmt::format("the NVIDIA driver does not start ({})", probe.initError),
                           "see what nvidia-smi says");
    if (probe.initResult == cudaErrorNoDevice || probe.devices == 0)
        return unavailable("the NVIDIA driver finds no GPU (0 devices)",
                           "check nvidia-smi and CUDA_VISIBLE_DEVICES, or use the CPU");
    return {};
}

Machine machineOf(const GpuIdentity& gpu) {
    Machine machine;
    machine.id = "cuda-";
    for (const char c : gpu.name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            machine.id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (machine.id.back() != '-')
            machine.id += '-';
    }
    if (machine.id.back() != '-') machine.id += '-';
    machine.id += std::to_string(gpu.multiprocessors);
    machine.name = gpu.name;
    machine.backend = "cuda";
    machine.computeCapability = gpu.computeCapability;
    machine.memoryBytes = gpu.memoryBytes;
    machine.source = notCalibrated(machine.backend);
    return machine;
}

Result<std::vector<GpuIdentity>> listGpus() {
    PLUMB_CHECK(judgeDriver(probeDriver(), CUDART_VERSION));
    int count = 0;
    if (const cudaError_t result = cudaGetDeviceCount(&count); result != cudaSuccess)
        return unavailable(fmt::format("the CUDA runtime does not start ({})", cudaGetErrorString(result)),
                           "see what nvidia-smi says, or use the CPU");
    std::vector<GpuIdentity> gpus;
    for (int index = 0; index < count; ++index) {
        cudaDeviceProp properties{};
        PLUMB_CUDA(cudaGetDeviceProperties(&properties, index));
        GpuIdentity gpu;
        gpu.name = properties.name;
        gpu.uuid = uuidText(properties.uuid);
        gpu.computeCapability = properties.major * 10 + properties.minor;
        gpu.memoryBytes = static_cast<Bytes>(properties.totalGlobalMem);
        gpu.multiprocessors = properties.multiProcessorCount;
        gpus.push_back(std::move(gpu));
    }
    return gpus;
}

std::optional<Bytes> freeDeviceMemory(const std::string& uuid) {
    // As nvml.h declares it; the library comes with the driver, its header with the toolkit alone.
    struct MemoryInfo {
        unsigned long long total, free, used;
    };
    void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::nullopt;
    const auto init = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
    const auto find =
        reinterpret_cast<int (*)(const char*, void**)>(dlsym(library, "nvmlDeviceGetHandleByUUID"));
    const auto read =
        reinterpret_cast<int (*)(void*, MemoryInfo*)>(dlsym(library, "nvmlDeviceGetMemoryInfo"));
    const auto end = reinterpret_cast<int (*)()>(dlsym(library, "nvmlShutdown"));
    if (init == nullptr || find == nullptr || read == nullptr || end == nullptr || init() != 0)
        return std::nullopt;
    void* device = nullptr;
    MemoryInfo info{};
    const bool known = find(uuid.c_str(), &device) == 0 && read(device, &info) == 0;
    end();
    if (!known) return std::nullopt;
    return static_cast<Bytes>(info.free);
}

Result<void> checkArchitecture(const GpuIdentity& gpu) {
    const auto traits = cudaTraits(gpu.computeCapability);
    if (!traits.has_value())
        return unavailable(fmt::format("{}: {}", gpu.name, traits.error().message), traits.error().hint);
    return {};
}

}  // namespace plumb::cuda
