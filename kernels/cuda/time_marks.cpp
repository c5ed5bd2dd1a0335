// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/time_marks.h"

#include "core/base/entry_at.h"

#include <utility>

namespace plumb::cuda {

Result<std::unique_ptr<TimeMarks>> TimeMarks::create(cudaStream_t stream) {
    auto marks = std::unique_ptr<TimeMarks>(new TimeMarks(stream));
    PLUMB_TRY(marks->m_clockEvent, makeEvent(true));
    PLUMB_TRY(marks->m_clockNext, makeEvent(true));
    PLUMB_CUDA(cudaEventRecord(marks->m_clockEvent.get(), stream));
    return marks;
}

// From event to event, since the resolution of one long interval would be that of a float.
Result<Seconds> TimeMarks::clock() {
    m_hold.endEarly();
    PLUMB_CUDA(cudaEventRecord(m_clockNext.get(), m_stream));
    PLUMB_CUDA(cudaEventSynchronize(m_clockNext.get()));
    PLUMB_TRY(const Seconds since, elapsedSeconds(m_clockEvent.get(), m_clockNext.get()));
    m_clockSeconds += since;
    std::swap(m_clockEvent, m_clockNext);
    return m_clockSeconds;
}

Result<int> TimeMarks::mark() {
    if (m_marks == m_markEvents.size()) {
        PLUMB_TRY(auto event, makeEvent(true));
        m_markEvents.push_back(std::move(event));
    }
    PLUMB_CUDA(cudaEventRecord(m_markEvents[m_marks].get(), m_stream));
    return static_cast<int>(m_marks++);
}

Result<Seconds> TimeMarks::secondsBetween(int from, int to) {
    m_hold.endEarly();
    const auto event = [&](int index) { return entryAt(m_markEvents, index).get(); };
    PLUMB_CUDA(cudaEventSynchronize(event(to)));
    return elapsedSeconds(event(from), event(to));
}

}  // namespace plumb::cuda
