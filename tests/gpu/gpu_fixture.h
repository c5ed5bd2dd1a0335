// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/cuda_backend.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace plumb {

struct OpenedGpu {
    cuda::GpuIdentity gpu;
    std::unique_ptr<Backend> backend;
    std::string absent;  ///< why there is no backend
};

/// The first GPU, or the simulated one: each test program is linked with one of the two.
[[nodiscard]] OpenedGpu openGpu();
/// After a test, when its backend is gone.
void checkGpu();

/// A test on a GPU; skipped, with the reason, where there is none.
class OnGpu : public ::testing::Test {
protected:
    void SetUp() override {
        OpenedGpu opened = openGpu();
        if (opened.backend == nullptr) GTEST_SKIP() << opened.absent;
        gpu = std::move(opened.gpu);
        backend = std::move(opened.backend);
    }
    void TearDown() override {
        backend.reset();
        checkGpu();
    }

    cuda::GpuIdentity gpu;
    std::unique_ptr<Backend> backend;
};

}  // namespace plumb
