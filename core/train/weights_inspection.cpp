// SPDX-License-Identifier: Apache-2.0
#include "core/train/weights_inspection.h"

#include "core/base/entry_at.h"
#include "core/model/synthetic_task.h"

#include <utility>

namespace plumb {

namespace {

/// The name of a matrix as writeWeights() knows it.
std::string nameOf(const RunConfig& config, std::int32_t layer) {
    if (layer == 0) return "product";
    return layer > config.layers ? "head" : std::to_string(layer);
}

void lookAt(TensorInspection& inspection, const std::vector<float>& values, double factor) {
    inspection.histogram = histogramOf(values, factor);
    inspection.grid = gridOf(values, inspection.rows, inspection.columns, factor);
}

void lookAtProduct(TensorInspection& inspection, const RunConfig& config, const LearnedWeights& weights) {
    const std::vector<double> map = linearMap(config, weights);
    inspection.rows = config.dim;
    inspection.columns = config.outputWidth();
    if (!config.readsFiles()) inspection.scale = syntheticScale(config.dim);
    lookAt(inspection, std::vector<float>(map.begin(), map.end()), 1 / inspection.scale);
    auto task = recoveredTask(config, weights, RecoveredNumbers::kMost);
    if (!task) return;
    inspection.recovered = RecoveredNumbers{std::move(task->expected), std::move(task->first),
                                            task->largestError, task->meanError};
}

}  // namespace

Result<LearnedWeights> weightsOf(const Executor& executor) {
    const RunConfig& config = executor.plan().config;
    LearnedWeights weights;
    for (std::int32_t matrix = 1; matrix <= config.matrices(); ++matrix) {
        PLUMB_TRY(const TensorCopy weight, executor.tensors().collectWeight(matrix));
        LearnedMatrix learned{matrix, weight.tensor.rows, weight.tensor.columns,
                              decodeValues(weight.tensor.dtype, weight.bytes)};
        // A scale of 1 but in fp8, where it is what the stored numbers are multiplied by.
        const auto factor = static_cast<float>(weight.scale > 0 ? 1 / weight.scale : 1);
        if (factor != 1)
            for (float& value : learned.values) value *= factor;
        weights.push_back(std::move(learned));
    }
    return weights;
}

Result<TensorInspection> inspectWeights(const RunConfig& config, const LearnedWeights& weights,
                                        std::int32_t layer, std::int64_t steps, const std::string& saveTo) {
    if (layer < 0 || static_cast<std::size_t>(layer) > weights.size())
        return Error{ErrorCode::BadInput, "the step has no weight of layer " + std::to_string(layer),
                     "weights are numbered 1 to " + std::to_string(weights.size())};
    if (layer == 0 && !hasShortLinearMap(config))
        return Error{ErrorCode::BadInput,
                     config.activation == Activation::None
                         ? "the product of all weights would take too long here"
                         : "with an activation function the layers have no product",
                     "look at one of the layers"};
    if (!saveTo.empty())
        PLUMB_CHECK(writeWeights(saveTo, saveTo.ends_with(".npy") ? nameOf(config, layer) : std::string(),
                                 config, weights));
    TensorInspection inspection{
        .role = TensorRole::Weight, .layer = layer, .steps = steps, .savedTo = saveTo};
    if (layer == 0) {
        lookAtProduct(inspection, config, weights);
        return inspection;
    }
    const LearnedMatrix& matrix = entryAt(weights, layer - 1);
    inspection.dtype = config.weightDtype();
    inspection.rows = matrix.rows;
    inspection.columns = matrix.columns;
    lookAt(inspection, matrix.values, 1);
    return inspection;
}

}  // namespace plumb
