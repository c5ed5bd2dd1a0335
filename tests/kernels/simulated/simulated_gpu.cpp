// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/gpu_fixture.h"
#include "tests/kernels/simulated/device.h"

namespace plumb {

OpenedGpu openGpu() {
    auto& device = test::simulated::Device::get();
    OpenedGpu opened;
    opened.gpu.name = "simulated";
    opened.gpu.uuid = "none";
    opened.gpu.computeCapability = device.options().computeCapability;
    opened.gpu.memoryBytes = static_cast<Bytes>(device.options().memoryBytes);
    opened.gpu.multiprocessors = 4;
    cuda::CudaBackendOptions options;
    options.keepsChoices = false;
    options.tunes = device.options().tunes;
    auto made = cuda::makeCudaBackend(cuda::machineOf(opened.gpu), opened.gpu, options);
    if (made.has_value())
        opened.backend = std::move(made).value();
    else
        opened.absent = made.error().text();
    return opened;
}

void checkGpu() {
    auto& device = test::simulated::Device::get();
    for (const std::string& fault : device.faults()) ADD_FAILURE() << fault;
    EXPECT_EQ(device.liveBlocks(), 0U) << "blocks of device memory were never released";
    device.restart({});
}

}  // namespace plumb
