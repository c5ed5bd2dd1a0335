// SPDX-License-Identifier: Apache-2.0
// The device's own kernels on the simulated device: the same bodies, as the .cu files of kernels/cuda have
// them.
#include "core/plan/control_tensors.h"
#include "kernels/cuda/bodies/dispatch.h"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/inverse_scales.h"
#include "kernels/cuda/traffic.h"
#include "tests/kernels/simulated/launcher.h"

namespace plumb::cuda {

using test::simulated::StreamLauncher;

int launchFill(const FillArguments& arguments, cudaStream_t stream) {
    return dispatchFill(StreamLauncher(stream), arguments, false);
}
int launchFillFirstScale(const FillArguments& arguments, cudaStream_t stream) {
    return dispatchFill(StreamLauncher(stream), arguments, true);
}
int launchConstant(float* out, std::int64_t count, float value, cudaStream_t stream) {
    return StreamLauncher(stream).launch<ConstantBody>(ConstantArguments{out, count, value});
}
int launchSynthesise(const SynthesiseArguments& arguments, cudaStream_t stream) {
    return dispatchSynthesise(StreamLauncher(stream), arguments, false);
}
int launchSynthesiseFirstScale(const SynthesiseArguments& arguments, cudaStream_t stream) {
    return dispatchSynthesise(StreamLauncher(stream), arguments, true);
}
int launchLoad(const LoadArguments& arguments, cudaStream_t stream) {
    return dispatchLoad(StreamLauncher(stream), arguments, false);
}
int launchLoadFirstScale(const LoadArguments& arguments, cudaStream_t stream) {
    return dispatchLoad(StreamLauncher(stream), arguments, true);
}
int launchEncode(const EncodeArguments& arguments, cudaStream_t stream) {
    return dispatchEncode(StreamLauncher(stream), arguments, false);
}
int launchEncodeFirstScale(const EncodeArguments& arguments, cudaStream_t stream) {
    return dispatchEncode(StreamLauncher(stream), arguments, true);
}
int launchTranspose(const TransposeArguments& arguments, cudaStream_t stream) {
    return StreamLauncher(stream).launch<TransposeBody>(arguments);
}
int launchTransposeWeights(const TransposeWeightsArguments& arguments, cudaStream_t stream) {
    return StreamLauncher(stream).launch<TransposeWeightsBody>(arguments);
}
int launchHeadForward(const HeadArguments& arguments, cudaStream_t stream) {
    return dispatchHeadForward(StreamLauncher(stream), arguments);
}
int launchHeadWeightGradient(const HeadArguments& arguments, cudaStream_t stream) {
    return dispatchHeadWeightGradient(StreamLauncher(stream), arguments);
}
int launchHeadInputGradient(const HeadArguments& arguments, cudaStream_t stream) {
    return dispatchHeadInputGradient(StreamLauncher(stream), arguments, false);
}
int launchHeadInputGradientFirstScale(const HeadArguments& arguments, cudaStream_t stream) {
    return dispatchHeadInputGradient(StreamLauncher(stream), arguments, true);
}
int launchHeadPass(const HeadPassArguments& arguments, cudaStream_t stream) {
    return dispatchHeadPass(StreamLauncher(stream), arguments);
}
int launchLoss(const LossArguments& arguments, cudaStream_t stream) {
    return dispatchLoss(StreamLauncher(stream), arguments, false);
}
int launchLossFirstScale(const LossArguments& arguments, cudaStream_t stream) {
    return dispatchLoss(StreamLauncher(stream), arguments, true);
}

// These are plain CUDA, and written here once more.

int launchInverseScales(const float* scales, float* inverses, std::int64_t slots, cudaStream_t stream) {
    struct Arguments {
        const float* scales;
        float* inverses;
        std::int64_t slots;
    };
    if (slots <= 0) return cudaSuccess;
    return StreamLauncher(stream).enqueue(Arguments{scales, inverses, slots}, "inverseScales",
                                          [](const Arguments& a) {
                                              for (std::int64_t slot = 0; slot < a.slots; ++slot) {
                                                  const float scale = a.scales[slot * kScalesColumns];
                                                  a.inverses[slot] = scale > 0 ? 1 / scale : 1;
                                              }
                                          });
}

int launchTraffic(Traffic traffic, const float* in, float* inOut, std::int64_t count, cudaStream_t stream) {
    struct Arguments {
        const float* in;
        float* inOut;
        std::int64_t count;
    };
    if (count < 4) return cudaSuccess;
    return StreamLauncher(stream).enqueue(
        Arguments{in, inOut, count}, "traffic", [traffic](const Arguments& a) {
            for (std::int64_t i = 0; i < a.count && traffic != Traffic::Read; ++i)
                a.inOut[i] = traffic == Traffic::Copy ? a.in[i] : a.inOut[i] + 1e-3F * a.in[i];
        });
}

int launchPasses(float* at, std::int64_t passes, cudaStream_t stream) {
    struct Arguments {
        float* at;
        std::int64_t passes;
    };
    constexpr std::int64_t kNanoseconds = 40;
    return StreamLauncher(stream).enqueue(
        Arguments{at, passes}, "passes",
        [](const Arguments& a) {
            for (int i = 0; i < 32; ++i) a.at[i] += static_cast<float>(a.passes);
        },
        kNanoseconds * passes);
}

}  // namespace plumb::cuda
