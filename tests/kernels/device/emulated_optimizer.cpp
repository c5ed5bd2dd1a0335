// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/device/any_rule.h"
#include "tests/kernels/device/emulated_runner.h"

namespace plumb::test {

int emulateOptimizer(const cuda::HostLauncher& launcher, const cuda::OptimizerArguments& arguments) {
    return dispatchOptimizer(launcher, arguments);
}

}  // namespace plumb::test
