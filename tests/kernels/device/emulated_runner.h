// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/bodies/launcher.h"
#include "tests/kernels/device/kernel_runner.h"

namespace plumb::test {

// The rules' bodies are many: they are compiled in a file of their own.
int emulateOptimizer(const cuda::HostLauncher& launcher, const cuda::OptimizerArguments& arguments);

}  // namespace plumb::test
