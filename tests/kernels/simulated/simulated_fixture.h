// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/gpu/gpu_fixture.h"
#include "tests/kernels/simulated/device.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>

namespace plumb::test::simulated {

class Simulated : public ::testing::Test {
protected:
    /// Ends with everything released, and nothing done that a device would not do.
    void TearDown() override { close(); }
    void close() {
        backend.reset();
        checkGpu();
    }
    Backend& open(const Options& options) {
        close();
        Device::get().restart(options);
        OpenedGpu opened = openGpu();
        EXPECT_NE(opened.backend, nullptr) << opened.absent;
        backend = std::move(opened.backend);
        return *backend;
    }
    static Options paced(Pace pace, std::uint64_t seed = 1) {
        Options options;
        options.pace = pace;
        options.seed = seed;
        return options;
    }
    std::unique_ptr<Backend> backend;
};

}  // namespace plumb::test::simulated
