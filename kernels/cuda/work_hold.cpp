// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/work_hold.h"

#include <chrono>

namespace plumb::cuda {

WorkHold::~WorkHold() {
    end();
    // The stream may still come to a hold, and to this object.
    if (m_begun > 0) cudaStreamSynchronize(m_stream);
}

Result<void> WorkHold::begin() {
    PLUMB_CUDA(cudaLaunchHostFunc(m_stream, waitForEnd, this));
    const std::scoped_lock lock(m_mutex);
    ++m_begun;
    return {};
}

void WorkHold::end() {
    {
        const std::scoped_lock lock(m_mutex);
        m_over = m_begun;
    }
    m_ended.notify_all();
}

void WorkHold::endEarly() {
    {
        const std::scoped_lock lock(m_mutex);
        if (m_over == m_begun) return;
        m_lasted = false;
    }
    end();
}

bool WorkHold::lasted() const {
    const std::scoped_lock lock(m_mutex);
    return m_lasted;
}

void WorkHold::forget() {
    const std::scoped_lock lock(m_mutex);
    m_lasted = true;
}

// Runs on a thread of the runtime, once for each hold and in their order. Makes no call of the runtime.
void WorkHold::waitForEnd(void* hold) {
    auto& self = *static_cast<WorkHold*>(hold);
    std::unique_lock lock(self.m_mutex);
    const std::uint64_t number = ++self.m_waited;
    const auto limit = std::chrono::duration<double>(kLongest);
    if (!self.m_ended.wait_for(lock, limit, [&] { return self.m_over >= number; })) self.m_lasted = false;
}

}  // namespace plumb::cuda
