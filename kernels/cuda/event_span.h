// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantile.h"
#include "kernels/cuda/device.h"

#include <utility>
#include <vector>

namespace plumb::cuda {

/// Times what is put into a stream by two events around it.
class EventSpan {
public:
    /// Errors: those of the runtime.
    [[nodiscard]] static Result<EventSpan> create(cudaStream_t stream) {
        EventSpan span;
        span.m_stream = stream;
        PLUMB_TRY(span.m_begin, makeEvent(true));
        PLUMB_TRY(span.m_end, makeEvent(true));
        return span;
    }

    /// Seconds of what `enqueue` puts into the stream, waited for. Errors: its own, and those of the runtime.
    template <class Enqueue>
    [[nodiscard]] Result<Seconds> seconds(Enqueue&& enqueue) const {
        PLUMB_CUDA(cudaEventRecord(m_begin.get(), m_stream));
        PLUMB_CHECK(enqueue());
        PLUMB_CUDA(cudaEventRecord(m_end.get(), m_stream));
        PLUMB_CUDA(cudaEventSynchronize(m_end.get()));
        float milliseconds = 0;
        PLUMB_CUDA(cudaEventElapsedTime(&milliseconds, m_begin.get(), m_end.get()));
        return static_cast<double>(milliseconds) * 1e-3;
    }

private:
    cudaStream_t m_stream = nullptr;
    Unique<cudaEvent_t> m_begin, m_end;
};

/// The median of so many times, after once to warm up.
template <class Enqueue>
[[nodiscard]] Result<Seconds> medianSeconds(cudaStream_t stream, int times, const Enqueue& enqueue) {
    PLUMB_TRY(const EventSpan span, EventSpan::create(stream));
    PLUMB_CHECK(enqueue());
    std::vector<Seconds> seconds;
    for (int i = 0; i < times; ++i) {
        PLUMB_TRY(const Seconds one, span.seconds(enqueue));
        seconds.push_back(one);
    }
    return medianOf(std::move(seconds));
}

}  // namespace plumb::cuda
