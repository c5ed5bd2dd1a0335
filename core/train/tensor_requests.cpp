// SPDX-License-Identifier: Apache-2.0
#include "core/train/tensor_requests.h"

#include "core/train/weights_inspection.h"

#include <vector>

namespace plumb {

namespace {

/// What is no weight, as .npy.
Result<void> save(const std::string& path, const TensorInspection& shape, std::vector<float> values,
                  double factor) {
    if (!path.ends_with(".npy"))
        return Error{ErrorCode::BadInput, "a tensor that is no weight is written as .npy (" + path + ")",
                     "end the name with .npy"};
    for (float& value : values) value = static_cast<float>(value * factor);
    return writeNpy(path, shape.rows, shape.columns, values);
}

}  // namespace

TensorRequests::~TensorRequests() {
    const Error ended{ErrorCode::RunFailed, "the training ended before the tensor was written",
                      "ask while it runs"};
    take();
    for (const TensorRequest& request : m_waiting) answer(request, ended);
}

void TensorRequests::take() {
    if (!m_options.nextRequest) return;
    while (const std::optional<TensorRequest> request = m_options.nextRequest()) {
        if (request->role == TensorRole::Weight && (request->layer == 0 || !request->saveTo.empty()))
            m_sink.onTensor(request->id, ofAllWeights(*request));
        else if (request->role == TensorRole::Weight)
            answer(*request, m_executor.tensors().weight(request->layer));
        else
            m_waiting.push_back(*request);
    }
}

bool TensorRequests::beginStep() {
    while (!m_waiting.empty()) {
        const auto watching = m_executor.watch().begin(m_waiting.front().role, m_waiting.front().layer);
        if (watching.has_value()) return true;
        answer(m_waiting.front(), watching.error());
        m_waiting.pop_front();
    }
    return false;
}

void TensorRequests::endStep() {
    if (m_waiting.empty()) return;
    auto watched = m_executor.watch().take();
    // A step that writes the tensor always leaves a copy; watch() has made sure that it does.
    if (watched)
        answer(m_waiting.front(), std::move(*watched));
    else
        answer(m_waiting.front(), internalError("the step did not write the tensor"));
    m_waiting.pop_front();
}

Result<TensorInspection> TensorRequests::ofAllWeights(const TensorRequest& request) const {
    // The other ranks do not know that they are asked for.
    const Parallel& parallel = m_executor.plan().config.parallel;
    if (parallel.shares(Zero::Weights) || parallel.tensor > 1)
        if (const auto weight = m_executor.tensors().weight(1); !weight.has_value()) return weight.error();
    PLUMB_TRY(const LearnedWeights weights, weightsOf(m_executor));
    return inspectWeights(m_executor.plan().config, weights, request.layer, m_executor.stepsDone(),
                          request.saveTo);
}

void TensorRequests::answer(const TensorRequest& request, const Result<TensorCopy>& tensor) {
    if (!tensor.has_value()) {
        m_sink.onTensor(request.id, tensor.error());
        return;
    }
    const Tensor& shape = tensor->tensor;
    TensorInspection inspection;
    inspection.role = request.role;
    inspection.layer = request.layer;
    inspection.steps = m_executor.stepsDone();
    inspection.dtype = shape.dtype;
    inspection.rows = shape.rows;
    inspection.columns = shape.columns;
    inspection.scale = tensor->scale;
    // A scale of 0 is that of an fp8 tensor without numbers so far.
    const double factor = tensor->scale > 0 ? 1 / tensor->scale : 1;
    const std::vector<float> values = decodeValues(shape.dtype, tensor->bytes);
    inspection.histogram = histogramOf(values, factor);
    inspection.grid = gridOf(values, shape.rows, shape.columns, factor);
    if (!request.saveTo.empty()) {
        if (const auto saved = save(request.saveTo, inspection, values, factor); !saved.has_value())
            return m_sink.onTensor(request.id, saved.error());
        inspection.savedTo = request.saveTo;
    }
    m_sink.onTensor(request.id, inspection);
}

}  // namespace plumb
