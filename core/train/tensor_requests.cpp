// SPDX-License-Identifier: Apache-2.0
#include "core/train/tensor_requests.h"

#include <vector>

namespace plumb {

TensorRequests::~TensorRequests() {
    const Error ended{ErrorCode::RunFailed, "the training ended before the tensor was written",
                      "ask while it runs"};
    take();
    for (const TensorRequest& request : m_waiting) answer(request, ended);
}

void TensorRequests::take() {
    if (!m_options.nextRequest) return;
    while (const std::optional<TensorRequest> request = m_options.nextRequest()) {
        if (request->role == TensorRole::Weight)
            answer(*request, m_executor.weight(request->layer));
        else
            m_waiting.push_back(*request);
    }
}

bool TensorRequests::beginStep() {
    while (!m_waiting.empty()) {
        const auto watching = m_executor.watch(m_waiting.front().role, m_waiting.front().layer);
        if (watching.has_value()) return true;
        answer(m_waiting.front(), watching.error());
        m_waiting.pop_front();
    }
    return false;
}

void TensorRequests::endStep() {
    if (m_waiting.empty()) return;
    auto watched = m_executor.takeWatched();
    // A step that writes the tensor always leaves a copy; watch() has made sure that it does.
    if (watched)
        answer(m_waiting.front(), std::move(*watched));
    else
        answer(m_waiting.front(), Error{ErrorCode::Internal, "the step did not write the tensor", ""});
    m_waiting.pop_front();
}

void TensorRequests::answer(const TensorRequest& request, const Result<WatchedTensor>& tensor) {
    if (!tensor.has_value()) {
        m_sink.onTensor(request.id, tensor.error());
        return;
    }
    const Tensor& shape = tensor->tensor;
    lab::TensorInspection inspection;
    inspection.role = request.role;
    inspection.layer = request.layer;
    inspection.steps = m_executor.stepsDone();
    inspection.dtype = shape.dtype;
    inspection.rows = shape.rows;
    inspection.columns = shape.columns;
    inspection.scale = tensor->scale;
    // A scale of 0 is that of an fp8 tensor without numbers so far.
    const double factor = tensor->scale > 0 ? 1 / tensor->scale : 1;
    const std::vector<float> values = lab::decodeValues(shape.dtype, tensor->bytes);
    inspection.histogram = lab::histogramOf(values, factor);
    inspection.grid = lab::gridOf(values, shape.rows, shape.columns, factor);
    m_sink.onTensor(request.id, inspection);
}

}  // namespace plumb
