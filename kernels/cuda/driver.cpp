// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/driver.h"

#include "core/base/ascii.h"
#include "core/plan/step_plan.h"
#include "kernels/common/nvidia_driver.h"
#include "kernels/cuda/check.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <dlfcn.h>

namespace plumb::cuda {

namespace {

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

Machine machineOf(const GpuIdentity& gpu) {
    Machine machine;
    machine.id = "cuda-" + idOfName(fmt::format("{} {}", gpu.name, gpu.multiprocessors));
    machine.name = gpu.name;
    machine.backend = "cuda";
    machine.computeCapability = gpu.computeCapability;
    machine.memoryBytes = gpu.memoryBytes;
    machine.source = notCalibrated(machine.backend);
    return machine;
}

Result<std::vector<GpuIdentity>> listGpus() {
    PLUMB_CHECK(common::judgeDriver(common::probeDriver(), CUDART_VERSION));
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
