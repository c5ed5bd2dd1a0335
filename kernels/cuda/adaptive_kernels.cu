// SPDX-License-Identifier: Apache-2.0
// Rules with two or three states: see optimizer_kernels.cu.
#include "kernels/cuda/bodies/dispatch_parameters.h"
#include "kernels/cuda/launch.cuh"

namespace plumb::cuda {

int launchAdaptive(const OptimizerArguments& arguments, cudaStream_t stream) {
    const DeviceLauncher launcher(stream);
    switch (kernelOf(arguments.rule)) {
    case Rule::RmsPropMomentum:
        return dispatchRule<Rule::RmsPropMomentum>(launcher, arguments);
    case Rule::RmsPropCentered:
        return dispatchRule<Rule::RmsPropCentered>(launcher, arguments);
    case Rule::RmsPropCenteredMomentum:
        return dispatchRule<Rule::RmsPropCenteredMomentum>(launcher, arguments);
    case Rule::Adam:
        return dispatchRule<Rule::Adam>(launcher, arguments);
    case Rule::AdamAmsgrad:
        return dispatchRule<Rule::AdamAmsgrad>(launcher, arguments);
    default:
        return kNoKernel;
    }
}

}  // namespace plumb::cuda
