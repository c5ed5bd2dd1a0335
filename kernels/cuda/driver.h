// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"

#include <optional>
#include <string>
#include <vector>

namespace plumb::cuda {

/// Identity of one GPU as the runtime reports it.
struct GpuIdentity {
    std::string name;
    std::string uuid;  ///< "GPU-8a1b...", as nvidia-smi writes it, also of an instance (MIG)
    int index = 0;     ///< in the runtime's order
    int computeCapability = 0;
    Bytes memoryBytes = 0;
    int multiprocessors = 0;
};
/// As a machine: its id holds the name and the multiprocessors ("cuda-nvidia-h200-132"), so that a
/// calibration serves every GPU of its kind, and a slice of one is another machine.
/// An instance, whose name says so, has a UUID that begins with "MIG-".
[[nodiscard]] Machine machineOf(const GpuIdentity& gpu);

/// Every GPU, in the runtime's order. Errors: those of judgeDriver(), and Unavailable with what the runtime
/// says.
[[nodiscard]] Result<std::vector<GpuIdentity>> listGpus();

/// Bytes that are free on a GPU (by GpuIdentity::uuid), asked without opening it; absent where the driver's
/// management library is missing or silent.
[[nodiscard]] std::optional<Bytes> freeDeviceMemory(const std::string& uuid);

/// Whether NVLink joins two GPUs (by GpuIdentity::uuid); absent where the driver's management library is
/// missing or silent.
[[nodiscard]] std::optional<bool> joinedByNvLink(const std::string& one, const std::string& other);

/// Errors: Unavailable for an architecture that this build has no kernels for.
[[nodiscard]] Result<void> checkArchitecture(const GpuIdentity& gpu);

}  // namespace plumb::cuda
