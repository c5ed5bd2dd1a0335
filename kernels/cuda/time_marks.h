// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "kernels/cuda/device.h"
#include "kernels/cuda/work_hold.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace plumb::cuda {

/// Time as a stream sees it, by events.
class TimeMarks {
public:
    /// `stream` must outlive this.
    [[nodiscard]] static Result<std::unique_ptr<TimeMarks>> create(cudaStream_t stream);

    /// Since this was made. Waits for the stream.
    [[nodiscard]] Result<Seconds> clock();
    /// Marks the point in the stream that was reached so far, without waiting, and returns its number, from
    /// 0.
    [[nodiscard]] Result<int> mark();
    /// Seconds between two marks. Waits for the later one.
    [[nodiscard]] Result<Seconds> secondsBetween(int from, int to);
    /// The next mark is number 0 again; the events serve again.
    void forget() {
        m_marks = 0;
        m_hold.forget();
    }
    [[nodiscard]] WorkHold& hold() { return m_hold; }
    [[nodiscard]] const WorkHold& hold() const { return m_hold; }

private:
    explicit TimeMarks(cudaStream_t stream) : m_stream(stream), m_hold(stream) {}

    cudaStream_t m_stream;
    WorkHold m_hold;
    Unique<cudaEvent_t> m_clockEvent;
    Unique<cudaEvent_t> m_clockNext;
    Seconds m_clockSeconds = 0;
    std::vector<Unique<cudaEvent_t>> m_markEvents;
    std::size_t m_marks = 0;
};

}  // namespace plumb::cuda
