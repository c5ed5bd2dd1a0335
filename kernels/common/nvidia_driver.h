// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>

namespace plumb::common {

/// What the NVIDIA driver says of itself, asked before the CUDA runtime, which has one error for three
/// causes, and before its libraries are loaded, which are some hundred megabytes.
struct DriverProbe {
    bool found = false;     ///< libcuda.so.1 could be loaded
    std::string loadError;  ///< why not
    int version = 0;        ///< newest CUDA that it serves: 13000 for 13.0; 0: it does not say
    int initResult = 0;     ///< result of cuInit(); 0 is success
    std::string initError;  ///< what the driver calls that
    int devices = 0;
};

/// Loads the driver and asks; never fails.
[[nodiscard]] DriverProbe probeDriver();

/// Tells judgeDriver() that a driver of any version will do.
inline constexpr int kAnyRuntime = 0;

/// Whether a program that was built with CUDA `runtimeVersion` (13000 for 13.0) can use this driver. Errors:
/// Unavailable with one sentence for each: no driver, driver too old, driver that does not start, no GPU.
[[nodiscard]] Result<void> judgeDriver(const DriverProbe& probe, int runtimeVersion);

}  // namespace plumb::common
