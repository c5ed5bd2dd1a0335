// SPDX-License-Identifier: Apache-2.0
// Rules with a state or none, and what else works on all parameters; the others are in adaptive_kernels.cu,
// so that the two compile side by side.
#include "kernels/cuda/bodies/dispatch_parameters.h"
#include "kernels/cuda/launch.cuh"

namespace plumb::cuda {

int launchAdaptive(const OptimizerArguments& arguments, cudaStream_t stream);

int launchTick(const TickArguments& arguments, cudaStream_t stream) {
    return DeviceLauncher(stream).launch<TickBody>(arguments);
}
int launchGradients(const GradientArguments& arguments, cudaStream_t stream) {
    return dispatchGradients(DeviceLauncher(stream), arguments);
}

int launchOptimizer(const OptimizerArguments& arguments, cudaStream_t stream) {
    const DeviceLauncher launcher(stream);
    if (arguments.adafactor != nullptr) return dispatchAdafactor(launcher, arguments);
    switch (kernelOf(arguments.rule)) {
    case Rule::Sgd:
        return dispatchRule<Rule::Sgd>(launcher, arguments);
    case Rule::Momentum:
        return dispatchRule<Rule::Momentum>(launcher, arguments);
    case Rule::Adagrad:
        return dispatchRule<Rule::Adagrad>(launcher, arguments);
    case Rule::RmsProp:
        return dispatchRule<Rule::RmsProp>(launcher, arguments);
    case Rule::Lion:
        return dispatchRule<Rule::Lion>(launcher, arguments);
    default:
        return launchAdaptive(arguments, stream);
    }
}

}  // namespace plumb::cuda
