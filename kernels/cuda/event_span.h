// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantile.h"
#include "kernels/cuda/device.h"

#include <optional>
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
        const auto works = [&]() -> Result<bool> {
            PLUMB_CHECK(enqueue());
            return true;
        };
        PLUMB_TRY(const std::optional<Seconds> taken, secondsIfItWorks(works));
        return *taken;
    }

    /// The same of something that may fail without an error: `enqueue` returns whether it worked, and where
    /// it did not there are no seconds.
    template <class Enqueue>
    [[nodiscard]] Result<std::optional<Seconds>> secondsIfItWorks(Enqueue&& enqueue) const {
        PLUMB_CUDA(cudaEventRecord(m_begin.get(), m_stream));
        PLUMB_TRY(const bool works, enqueue());
        if (!works) return std::optional<Seconds>();
        PLUMB_CUDA(cudaEventRecord(m_end.get(), m_stream));
        PLUMB_CUDA(cudaEventSynchronize(m_end.get()));
        PLUMB_TRY(const Seconds taken, elapsedSeconds(m_begin.get(), m_end.get()));
        return std::optional(taken);
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
