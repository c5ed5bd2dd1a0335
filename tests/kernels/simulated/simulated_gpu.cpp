// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/gpu_fixture.h"
#include "tests/kernels/simulated/device.h"
#include "tests/kernels/simulated/gpu.h"

namespace plumb {

OpenedGpu openGpu() {
    OpenedGpu opened;
    opened.gpu = test::simulated::identity();
    auto made = test::simulated::makeBackend(cuda::machineOf(opened.gpu));
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
