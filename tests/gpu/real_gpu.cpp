// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/gpu_fixture.h"

namespace plumb {

OpenedGpu openGpu() {
    OpenedGpu opened;
    auto gpus = cuda::listGpus();
    if (!gpus.has_value()) {
        opened.absent = gpus.error().text();
        return opened;
    }
    opened.gpu = gpus->front();
    auto made = cuda::makeCudaBackend(cuda::machineOf(opened.gpu), opened.gpu);
    if (made.has_value())
        opened.backend = std::move(made).value();
    else
        opened.absent = made.error().text();
    return opened;
}

void checkGpu() {}

}  // namespace plumb
