// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/driver.h"

#include "core/base/ascii.h"
#include "core/engine/lost_device.h"
#include "core/plan/step_plan.h"
#include "kernels/common/nvidia_driver.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/nvml.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

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
    machine.index = gpu.index;
    machine.uuid = gpu.uuid;
    // The runtime's names of instances are "NVIDIA H200 MIG 1g.18gb".
    constexpr std::string_view kOfCard = "GPU-";
    if (gpu.name.find(" MIG ") != std::string::npos && gpu.uuid.starts_with(kOfCard))
        machine.uuid.replace(0, kOfCard.size(), "MIG-");
    machine.source = notCalibrated(machine.backend);
    return machine;
}

Result<std::vector<GpuIdentity>> listGpus() {
    PLUMB_CHECK(common::judgeDriver(common::probeDriver(), CUDART_VERSION));
    int count = 0;
    if (const cudaError_t result = cudaGetDeviceCount(&count); result != cudaSuccess) {
        const Error error = errorOf(result, "cudaGetDeviceCount");
        // A driver in disorder says so as well, and then nothing was there that could be lost.
        if (isLost(error) && result != cudaErrorUnknown) return error;
        return unavailable(fmt::format("the CUDA runtime does not start ({})", cudaGetErrorString(result)),
                           error.code == ErrorCode::Unavailable ? error.hint
                                                                : "see what nvidia-smi says, or use the CPU");
    }
    std::vector<GpuIdentity> gpus;
    for (int index = 0; index < count; ++index) {
        cudaDeviceProp properties{};
        PLUMB_CUDA(cudaGetDeviceProperties(&properties, index));
        GpuIdentity gpu;
        gpu.name = properties.name;
        gpu.uuid = uuidText(properties.uuid);
        gpu.index = index;
        gpu.computeCapability = properties.major * 10 + properties.minor;
        gpu.memoryBytes = static_cast<Bytes>(properties.totalGlobalMem);
        gpu.multiprocessors = properties.multiProcessorCount;
        gpus.push_back(std::move(gpu));
    }
    return gpus;
}

std::optional<Bytes> freeDeviceMemory(const std::string& uuid) {
    const auto nvml = Nvml::open();
    if (!nvml.has_value() || (*nvml).api().nvmlDeviceGetMemoryInfo == nullptr) return std::nullopt;
    const auto place = findDevice(*nvml, uuid);
    NvmlMemory memory{};
    if (!place.has_value() || (*nvml).api().nvmlDeviceGetMemoryInfo((*place).device, &memory) != kNvmlSuccess)
        return std::nullopt;
    return static_cast<Bytes>(memory.free);
}

std::optional<bool> joinedByNvLink(const std::string& one, const std::string& other) {
    const auto nvml = Nvml::open();
    if (!nvml.has_value() || (*nvml).api().nvmlDeviceGetP2PStatus == nullptr) return std::nullopt;
    const auto first = findDevice(*nvml, one);
    const auto second = findDevice(*nvml, other);
    if (!first.has_value() || !second.has_value()) return std::nullopt;
    int status = 0;
    if ((*nvml).api().nvmlDeviceGetP2PStatus((*first).card, (*second).card, kNvmlOverNvLink, &status) !=
        kNvmlSuccess)
        return std::nullopt;
    return status == kNvmlPeersOk;
}

Result<void> checkArchitecture(const GpuIdentity& gpu) {
    const auto traits = cudaTraits(gpu.computeCapability);
    if (!traits.has_value())
        return unavailable(fmt::format("{}: {}", gpu.name, traits.error().message), traits.error().hint);
    return {};
}

}  // namespace plumb::cuda
