// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/gpu/gpu_fixture.h"
#include "tests/kernels/simulated/device.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <utility>

namespace plumb::test::simulated {

/// The fake management library, for as long as this lives: loaded, it is what the backend finds by its name.
/// It cannot be unloaded, so afterwards it refuses to start, and the tests that follow in the same process
/// see a device about which only the runtime tells.
class FakeNvml {
public:
    FakeNvml() {
        EXPECT_NE(dlopen(FAKE_NVML, RTLD_NOW), nullptr) << dlerror();
        unsetenv("FAKE_NVML_FAIL");
    }
    ~FakeNvml() {
        for (const char* variable : {"FAKE_NVML_REASONS", "FAKE_NVML_PROCESSES"}) unsetenv(variable);
        setenv("FAKE_NVML_FAIL", "nvmlInit_v2=9", 1);
    }
    FakeNvml(const FakeNvml&) = delete;
    FakeNvml& operator=(const FakeNvml&) = delete;
};

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
