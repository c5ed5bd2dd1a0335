// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/tensor_memory.h"

#include "core/base/dtype.h"
#include "core/plan/control_tensors.h"
#include "core/plan/optimizer_rule.h"
#include "kernels/common/storage.h"

namespace plumb::common {

namespace {

constexpr Bytes kFp32 = 4;
constexpr Bytes kFp64 = 8;

}  // namespace

Category categoryOf(TensorRole role) {
    switch (role) {
    case TensorRole::Weight:
    case TensorRole::GatheredWeight:
        return Category::Parameters;
    case TensorRole::Master:
        return Category::MasterParameters;
    case TensorRole::Moment1:
    case TensorRole::Moment2:
    case TensorRole::Moment3:
        return Category::OptimizerState;
    case TensorRole::Gradient:
    case TensorRole::WholeGradient:
        return Category::Gradients;
    case TensorRole::Features:
    case TensorRole::Targets:
    case TensorRole::Staging:
        return Category::Data;
    case TensorRole::Activation:
    case TensorRole::ChainBuffer:
    case TensorRole::ReluMask:
        return Category::Activations;
    case TensorRole::ActivationGradient:
        return Category::ActivationGradients;
    case TensorRole::HeadOutput:
    case TensorRole::HeadGradient:
    case TensorRole::Loss:
    case TensorRole::Statistics:
    case TensorRole::LossScale:
    case TensorRole::Scales:
    case TensorRole::StepControl:
    case TensorRole::SharedScratch:
    case TensorRole::TransposedWeight:
    case TensorRole::CastA:
    case TensorRole::CastB:
    case TensorRole::CastResult:
    case TensorRole::LibraryScratch:
        break;
    case TensorRole::ExchangeBuffer:
        return Category::Communication;
    }
    return Category::Workspace;
}

Storage storageOf(Dtype dtype) {
    switch (dtype) {
    case Dtype::Tf32:
        return Storage::Tf32;
    case Dtype::Bf16:
        return Storage::Bf16;
    case Dtype::Fp16:
        return Storage::Fp16;
    case Dtype::Fp8E4M3:
        return Storage::Fp8E4M3;
    case Dtype::Fp8E5M2:
        return Storage::Fp8E5M2;
    case Dtype::Fp64:
    case Dtype::Fp32:
    case Dtype::Fp4E2M1:
        break;
    }
    return Storage::Fp32;
}

namespace {

/// Elements of a matrix that a rank stores: all, or its slice of what ranks share; counted here and not taken
/// from the plan.
std::int64_t storedElements(const RunConfig& config, TensorRole role, std::int64_t matrix) {
    const Zero zero = config.parallel.zero;
    const std::int64_t ranks = config.parallel.data;
    if (zero == Zero::Off) return matrix;
    constexpr std::int64_t kLine = 64;
    const std::int64_t lines = (matrix + kLine - 1) / kLine;
    const std::int64_t slice = (lines + ranks - 1) / ranks * kLine;
    const bool isWhole = role == TensorRole::GatheredWeight || role == TensorRole::WholeGradient ||
                         (role == TensorRole::Weight && zero != Zero::Weights) ||
                         (role == TensorRole::Gradient && zero == Zero::States);
    return isWhole ? ranks * slice : slice;
}

/// Columns of h of a layer, and of its gradient: ranks that divide matrices divide those of each odd one.
std::int64_t storedWidth(const RunConfig& config, std::int32_t layer) {
    return layer % 2 == 1 && layer <= config.layers ? config.dim / config.parallel.tensor : config.dim;
}

}  // namespace

std::optional<Bytes> storedBytes(const RunConfig& config, const Tensor& tensor) {
    const Bytes columns = config.columnsOf(tensor.layer);
    const bool isWholeHead = tensor.layer > config.layers && config.layers % 2 == 0;
    const Bytes parts = isWholeHead ? 1 : config.parallel.tensor;
    const Bytes matrix = storedElements(config, tensor.role, config.dim * columns / parts);
    const Bytes rows = config.microBatchSize();
    const Bytes width = storedWidth(config, tensor.layer);
    const Bytes slots = 4 * (config.matrices() + 1);
    const auto state = [&] {
        switch (optimizerStates(config).kind[stateIndex(tensor.role)]) {
        case OptimizerState::RowMeanSquare:
            return config.dim * kFp32;
        case OptimizerState::ColumnMeanSquare:
            return columns * kFp32;
        default:
            return matrix * kFp32;
        }
    };
    switch (tensor.role) {
    case TensorRole::Weight:
    case TensorRole::GatheredWeight:
    case TensorRole::TransposedWeight:
        return matrix * dtypeSize(config.weightDtype());
    case TensorRole::Gradient:
    case TensorRole::WholeGradient:
        return matrix * dtypeSize(config.parameterGradientDtype());
    case TensorRole::Master:
        return matrix * kFp32;
    case TensorRole::Moment1:
    case TensorRole::Moment2:
    case TensorRole::Moment3:
        return state();
    case TensorRole::Features:
    case TensorRole::Activation:
    case TensorRole::ChainBuffer:
        return rows * width * dtypeSize(config.activationDtype());
    case TensorRole::ActivationGradient:
        return rows * width * dtypeSize(config.activationGradientDtype());
    case TensorRole::HeadGradient:
        return rows * config.outputWidth() * dtypeSize(config.activationGradientDtype());
    case TensorRole::Targets:
    case TensorRole::HeadOutput:
        return rows * config.outputWidth() * kFp32;
    case TensorRole::Loss:
        return static_cast<Bytes>(kLossColumns) * kFp64;
    case TensorRole::Statistics:
        return slots * kStatisticCount * kFp64;
    case TensorRole::LossScale:
        return static_cast<Bytes>(kLossScaleColumns) * kFp64;
    case TensorRole::Scales:
        return slots * kScalesColumns * kFp32;
    case TensorRole::Staging:
        return 2 * rows * (config.dim + config.outputWidth()) * kFp32;
    case TensorRole::ExchangeBuffer:  // the exchange itself refuses one that is too small
        return tensor.bytes();
    case TensorRole::StepControl:
    case TensorRole::SharedScratch:
    case TensorRole::ReluMask:
    case TensorRole::CastA:
    case TensorRole::CastB:
    case TensorRole::CastResult:
    case TensorRole::LibraryScratch:
        break;
    }
    return std::nullopt;
}

Dtype storedAs(const RunConfig& config, TensorRole role) {
    switch (role) {
    case TensorRole::Weight:
        return config.weightDtype();
    case TensorRole::Gradient:
        return config.parameterGradientDtype();
    case TensorRole::ActivationGradient:
    case TensorRole::HeadGradient:
        return config.activationGradientDtype();
    default:
        return config.activationDtype();
    }
}

}  // namespace plumb::common
