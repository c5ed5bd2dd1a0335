// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/start_values.h"

#include "core/base/entry_at.h"
#include "core/base/philox.h"
#include "core/model/initial_weights.h"
#include "core/plan/control_tensors.h"
#include "kernels/common/tensor_memory.h"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/step_memory.h"

#include <fmt/format.h>

namespace plumb::cuda {

namespace {

Result<void> writeWeight(const StepPlan& plan, std::size_t id, std::span<const Buffer> tensors,
                         std::uint64_t seed, cudaStream_t stream) {
    const RunConfig& config = plan.config;
    const Tensor& weight = plan.tensors[id];
    const bool head = weight.layer > config.layers;
    const InitialWeights weights = initialWeights(config, weight.layer);
    const auto data = [&](TensorId of) { return of < 0 ? nullptr : entryAt(tensors, of).data; };
    const StepControlView control = stepControlView(config, data(plan.stepControl));
    FillArguments fill;
    fill.seed = seed;
    fill.stream = static_cast<std::uint32_t>(head ? RandomStream::Head : RandomStream::Weights);
    fill.sub = static_cast<std::uint32_t>(weight.layer);
    fill.truncated = weights.distribution == InitialWeights::Distribution::TruncatedNormal;
    fill.uniform = weights.distribution == InitialWeights::Distribution::Uniform;
    fill.factor = static_cast<float>(weights.factor);
    fill.out.data = tensors[id].data;
    fill.out.storage = storageOf(config.weightDtype());
    fill.count = weight.elements();
    for (std::size_t other = 0; other < plan.tensors.size(); ++other)
        if (plan.tensors[other].role == TensorRole::Master && plan.tensors[other].layer == weight.layer)
            fill.master = static_cast<float*>(tensors[other].data);
    // With statistics, so that the scale of the weights is known before the first step.
    Report& report = fill.report;
    report.tally = report.writesStatistics = true;
    report.slot = statisticsSlot(config, TensorRole::Weight, weight.layer);
    report.statistics = static_cast<double*>(data(plan.statistics));
    report.scales = static_cast<float*>(data(plan.scales));
    report.clock = Clock{control.state, 0};
    report.sums = Sums{data(plan.sharedScratch), control.ticket};
    if (dtypeSize(config.weightDtype()) == 1) {
        fill.out.scale = report.scales + report.slot * kScalesColumns;
        PLUMB_CHECK(checkLaunch(launchFillFirstScale(fill, stream), "launchFillFirstScale"));
    }
    return checkLaunch(launchFill(fill, stream), "launchFill");
}

/// The batch that stays: that of the first step, with statistics, which no step writes again.
Result<void> writeBatch(const StepPlan& plan, std::span<const Buffer> tensors, cudaStream_t stream) {
    const RunConfig& config = plan.config;
    const auto data = [&](TensorId of) { return of < 0 ? nullptr : entryAt(tensors, of).data; };
    const StepControlView control = stepControlView(config, data(plan.stepControl));
    SynthesiseArguments make = synthesisOf(config);
    make.clock = Clock{control.state, 0};
    make.x = {data(plan.residentFeatures), storageOf(config.activationDtype()), nullptr};
    make.t = static_cast<float*>(data(plan.residentTargets));
    Report& report = make.report;
    report.tally = report.writesStatistics = report.fresh = report.firstMicroBatch = true;
    report.slot = statisticsSlot(config, TensorRole::Features, 0);
    report.statistics = static_cast<double*>(data(plan.statistics));
    report.scales = static_cast<float*>(data(plan.scales));
    report.clock = make.clock;
    report.sums = Sums{data(plan.sharedScratch), control.ticket};
    if (dtypeSize(config.activationDtype()) == 1) {
        make.x.scale = report.scales + report.slot * kScalesColumns;
        PLUMB_CHECK(checkLaunch(launchSynthesiseFirstScale(make, stream), "launchSynthesiseFirstScale"));
    }
    return checkLaunch(launchSynthesise(make, stream), "launchSynthesise");
}

}  // namespace

Result<void> writeStartValues(const StepPlan& plan, const BackendTraits& traits,
                              std::span<const Buffer> tensors, std::uint64_t seed, cudaStream_t stream) {
    for (std::size_t id = 0; id < plan.tensors.size(); ++id) {
        const Tensor& tensor = plan.tensors[id];
        if (!tensor.persistent()) continue;
        const Bytes bytes = tensorBytes(plan.config, traits, tensor);
        if (id >= tensors.size() || tensors[id].data == nullptr || tensors[id].bytes < bytes)
            return internalError(
                fmt::format(R"(the tensor "{}" was to be initialised, but is not resident or too small)",
                            tensorName(plan, tensor)));
        PLUMB_CUDA(cudaMemsetAsync(tensors[id].data, 0, static_cast<std::size_t>(tensors[id].bytes), stream));
    }
    const auto start = static_cast<float>(plan.config.setting(Setting::InitialAccumulator));
    const bool sums = stateIndex(plan.config, OptimizerState::SumOfSquares) == 0 && start != 0;
    for (std::size_t id = 0; id < plan.tensors.size(); ++id) {
        const TensorRole role = plan.tensors[id].role;
        if (role == TensorRole::Moment1 && sums)
            PLUMB_CHECK(checkLaunch(launchConstant(static_cast<float*>(tensors[id].data),
                                                   plan.tensors[id].elements(), start, stream),
                                    "launchConstant"));
    }
    // Pageable memory: copied aside before the call returns.
    if (plan.lossScale >= 0) {
        const double initial = plan.config.lossScaling.initial;
        PLUMB_CUDA(cudaMemcpyAsync(entryAt(tensors, plan.lossScale).data, &initial, sizeof(initial),
                                   cudaMemcpyHostToDevice, stream));
    }
    const RateSchedule schedule = rateSchedule(plan.config);
    const StepControlView control = stepControlView(plan.config, entryAt(tensors, plan.stepControl).data);
    PLUMB_CUDA(
        cudaMemcpyAsync(control.schedule, &schedule, sizeof(schedule), cudaMemcpyHostToDevice, stream));
    for (std::size_t id = 0; id < plan.tensors.size(); ++id)
        if (plan.tensors[id].role == TensorRole::Weight)
            PLUMB_CHECK(writeWeight(plan, id, tensors, seed, stream));
    return plan.residentFeatures < 0 ? Result<void>() : writeBatch(plan, tensors, stream);
}

}  // namespace plumb::cuda
