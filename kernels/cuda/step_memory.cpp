// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step_memory.h"

#include "core/base/entry_at.h"
#include "core/plan/control_tensors.h"
#include "kernels/common/tensor_memory.h"

namespace plumb::cuda {

namespace {

constexpr Bytes kFp32 = 4;
constexpr Bytes kFp64 = 8;
constexpr StepControlColumns kColumns;

static_assert(sizeof(StepState) <= (kColumns.schedule - kColumns.state) * kFp64);
static_assert(sizeof(RateSchedule) <= (kColumns.tickets - kColumns.schedule) * kFp64);
static_assert(sizeof(DeviceMatrix) == StepControlColumns::kPerMatrix * kFp64);

}  // namespace

Bytes tensorBytes(const RunConfig& config, const BackendTraits& traits, const Tensor& tensor) {
    if (const auto bytes = common::storedBytes(config, tensor)) return *bytes;
    const Bytes rows = config.microBatchSize();
    switch (tensor.role) {
    case TensorRole::StepControl:
        return stepControlColumns(config).count * kFp64;
    case TensorRole::SharedScratch:
        return adafactorScratchOffset(config, traits) + adafactorScratchBytes(config);
    case TensorRole::ReluMask:
        return rows * ((config.dim + 127) / 128 * 16);
    // fp8 alone: transposed operands and the result before its scale is known.
    case TensorRole::CastA:
    case TensorRole::CastB:
        return config.dim * rows;
    case TensorRole::CastResult:
        return rows * config.dim * dtypeSize(Dtype::Bf16);
    default:  // library scratch: shared by all
        return 0;
    }
}

TensorRole activationRole(std::int32_t layer) {
    return layer == 0 ? TensorRole::Features : TensorRole::Activation;
}

StepControlView stepControlView(const RunConfig& config, void* memory) {
    const StepControlColumns columns = stepControlColumns(config);
    auto* const base = static_cast<double*>(memory);
    StepControlView view;
    view.state = reinterpret_cast<StepState*>(base + columns.state);
    view.schedule = reinterpret_cast<RateSchedule*>(base + columns.schedule);
    view.ticket = reinterpret_cast<std::uint32_t*>(base + columns.tickets);
    view.matrices = reinterpret_cast<DeviceMatrix*>(base + columns.matrices);
    view.inverses = reinterpret_cast<float*>(base + columns.inverses);
    view.amaxes = reinterpret_cast<float*>(base + columns.amaxes);
    view.headTickets = reinterpret_cast<std::uint32_t*>(base + columns.headTickets);
    return view;
}

std::int64_t headTicketWords(const RunConfig& config) {
    const StepControlColumns columns = stepControlColumns(config);
    return (columns.count - columns.headTickets) * 2;
}

Parameters parametersOf(const RunConfig& config, const DeviceMatrix* matrices) {
    Parameters parameters;
    parameters.matrices = matrices;
    parameters.layers = config.matrices() - 1;  // the last one stands for the head
    parameters.dim = config.dim;
    parameters.outputs = config.outputWidth();
    parameters.weight = storageOf(config.weightDtype());
    parameters.gradient = storageOf(config.parameterGradientDtype());
    parameters.masters = config.hasMasterCopy();
    return parameters;
}

std::vector<DeviceMatrix> matrixTable(const StepPlan& plan, std::span<const Buffer> tensors) {
    std::vector<DeviceMatrix> table(static_cast<std::size_t>(plan.config.matrices()));
    for (std::size_t id = 0; id < plan.tensors.size(); ++id) {
        const Tensor& tensor = plan.tensors[id];
        if (tensor.layer < 1) continue;
        DeviceMatrix& matrix = entryAt(table, tensor.layer - 1);
        void* const data = tensors[id].data;
        switch (tensor.role) {
        case TensorRole::Weight:
            matrix.weight = data;
            break;
        case TensorRole::TransposedWeight:
            matrix.transposed = data;
            break;
        case TensorRole::Master:
            matrix.master = static_cast<float*>(data);
            break;
        case TensorRole::Gradient:
            matrix.gradient = data;
            break;
        case TensorRole::Moment1:
            matrix.states[0] = static_cast<float*>(data);
            break;
        case TensorRole::Moment2:
            matrix.states[1] = static_cast<float*>(data);
            break;
        case TensorRole::Moment3:
            matrix.states[2] = static_cast<float*>(data);
            break;
        default:
            break;
        }
    }
    return table;
}

}  // namespace plumb::cuda
