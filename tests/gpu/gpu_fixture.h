// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/cuda_backend.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace plumb {

/// A test on the first GPU; skipped, with the reason, where there is none.
class OnGpu : public ::testing::Test {
protected:
    void SetUp() override {
        auto gpus = cuda::listGpus();
        if (!gpus.has_value()) GTEST_SKIP() << gpus.error().text();
        gpu = gpus->front();
        auto made = cuda::makeCudaBackend(cuda::machineOf(gpu), gpu);
        if (!made.has_value()) GTEST_SKIP() << made.error().text();
        backend = std::move(made).value();
    }

    cuda::GpuIdentity gpu;
    std::unique_ptr<Backend> backend;
};

}  // namespace plumb
