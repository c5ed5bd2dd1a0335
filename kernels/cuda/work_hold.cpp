// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/work_hold.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace plumb::cuda {

struct WorkHold::State {
    std::mutex mutex;
    std::condition_variable ended;
    std::uint64_t begun = 0;   ///< holds that were enqueued
    std::uint64_t over = 0;    ///< of those, in their order, that need not last any longer
    std::uint64_t waited = 0;  ///< that the stream has come to
    bool lasted = true;
};

namespace {

/// Keeps what a thread of the runtime may still look at until the program ends.
template <class Kept>
void keepForGood(std::unique_ptr<Kept> what) {
    static std::mutex mutex;
    static auto* const all = new std::vector<std::unique_ptr<Kept>>;
    const std::scoped_lock lock(mutex);
    all->push_back(std::move(what));
}

}  // namespace

WorkHold::WorkHold(cudaStream_t stream) : m_stream(stream), m_state(std::make_unique<State>()) {}

WorkHold::~WorkHold() {
    end();
    // The stream may still come to a hold, and to its state. That of a device that is lost cannot be waited
    // for.
    if (m_state->begun > 0 && cudaStreamSynchronize(m_stream) != cudaSuccess) keepForGood(std::move(m_state));
}

Result<void> WorkHold::begin() {
    PLUMB_CUDA(cudaLaunchHostFunc(m_stream, waitForEnd, m_state.get()));
    const std::scoped_lock lock(m_state->mutex);
    ++m_state->begun;
    return {};
}

void WorkHold::end() {
    {
        const std::scoped_lock lock(m_state->mutex);
        m_state->over = m_state->begun;
    }
    m_state->ended.notify_all();
}

void WorkHold::endEarly() {
    {
        const std::scoped_lock lock(m_state->mutex);
        if (m_state->over == m_state->begun) return;
        m_state->lasted = false;
    }
    end();
}

bool WorkHold::lasted() const {
    const std::scoped_lock lock(m_state->mutex);
    return m_state->lasted;
}

void WorkHold::forget() {
    const std::scoped_lock lock(m_state->mutex);
    m_state->lasted = true;
}

// Runs on a thread of the runtime, once for each hold and in their order. Makes no call of the runtime.
void WorkHold::waitForEnd(void* state) {
    auto& self = *static_cast<State*>(state);
    std::unique_lock lock(self.mutex);
    const std::uint64_t number = ++self.waited;
    const auto limit = std::chrono::duration<double>(kLongest);
    if (!self.ended.wait_for(lock, limit, [&] { return self.over >= number; })) self.lasted = false;
}

}  // namespace plumb::cuda
