// SPDX-License-Identifier: Apache-2.0
// What works on all parameters of a step, as the .cu files of kernels/cuda have it.
#include "kernels/cuda/device_kernels.h"
#include "tests/kernels/device/any_rule.h"
#include "tests/kernels/simulated/launcher.h"

namespace plumb::cuda {

using test::simulated::StreamLauncher;

int launchTick(const TickArguments& arguments, cudaStream_t stream) {
    return StreamLauncher(stream).launch<TickBody>(arguments);
}
int launchGradients(const GradientArguments& arguments, cudaStream_t stream) {
    return dispatchGradients(StreamLauncher(stream), arguments);
}
int launchOptimizer(const OptimizerArguments& arguments, cudaStream_t stream) {
    return test::dispatchOptimizer(StreamLauncher(stream), arguments);
}

}  // namespace plumb::cuda
