// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/bodies/dispatch.h"
#include "kernels/cuda/launch.cuh"

namespace plumb::cuda {

int launchFill(const FillArguments& arguments, cudaStream_t stream) {
    return dispatchFill(DeviceLauncher(stream), arguments, false);
}
int launchFillFirstScale(const FillArguments& arguments, cudaStream_t stream) {
    return dispatchFill(DeviceLauncher(stream), arguments, true);
}
int launchConstant(float* out, std::int64_t count, float value, cudaStream_t stream) {
    return DeviceLauncher(stream).launch<ConstantBody>(ConstantArguments{out, count, value});
}
int launchSynthesise(const SynthesiseArguments& arguments, cudaStream_t stream) {
    return dispatchSynthesise(DeviceLauncher(stream), arguments, false);
}
int launchSynthesiseFirstScale(const SynthesiseArguments& arguments, cudaStream_t stream) {
    return dispatchSynthesise(DeviceLauncher(stream), arguments, true);
}
int launchLoad(const LoadArguments& arguments, cudaStream_t stream) {
    return dispatchLoad(DeviceLauncher(stream), arguments, false);
}
int launchLoadFirstScale(const LoadArguments& arguments, cudaStream_t stream) {
    return dispatchLoad(DeviceLauncher(stream), arguments, true);
}

int launchEncode(const EncodeArguments& arguments, cudaStream_t stream) {
    return dispatchEncode(DeviceLauncher(stream), arguments, false);
}
int launchEncodeFirstScale(const EncodeArguments& arguments, cudaStream_t stream) {
    return dispatchEncode(DeviceLauncher(stream), arguments, true);
}
int launchTranspose(const TransposeArguments& arguments, cudaStream_t stream) {
    return DeviceLauncher(stream).launch<TransposeBody>(arguments);
}
int launchTransposeWeights(const TransposeWeightsArguments& arguments, cudaStream_t stream) {
    return DeviceLauncher(stream).launch<TransposeWeightsBody>(arguments);
}

int launchHeadForward(const HeadArguments& arguments, cudaStream_t stream) {
    return dispatchHeadForward(DeviceLauncher(stream), arguments);
}
int launchHeadWeightGradient(const HeadArguments& arguments, cudaStream_t stream) {
    return dispatchHeadWeightGradient(DeviceLauncher(stream), arguments);
}
int launchHeadInputGradient(const HeadArguments& arguments, cudaStream_t stream) {
    return dispatchHeadInputGradient(DeviceLauncher(stream), arguments, false);
}
int launchHeadInputGradientFirstScale(const HeadArguments& arguments, cudaStream_t stream) {
    return dispatchHeadInputGradient(DeviceLauncher(stream), arguments, true);
}
int launchHeadPass(const HeadPassArguments& arguments, cudaStream_t stream) {
    return dispatchHeadPass(DeviceLauncher(stream), arguments);
}
int launchLoss(const LossArguments& arguments, cudaStream_t stream) {
    return dispatchLoss(DeviceLauncher(stream), arguments, false);
}
int launchLossFirstScale(const LossArguments& arguments, cudaStream_t stream) {
    return dispatchLoss(DeviceLauncher(stream), arguments, true);
}

}  // namespace plumb::cuda
