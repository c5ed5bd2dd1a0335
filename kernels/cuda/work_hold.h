// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/device.h"

#include <memory>

namespace plumb::cuda {

/// Holds a stream back until the host has enqueued what is to be timed: a function of the host in the stream
/// that comes back when it is told to, or after kLongest, since the host itself may wait for the device (a
/// queue that is full, a module that is loaded).
class WorkHold {
public:
    static constexpr double kLongest = 0.2;  ///< seconds

    /// `stream` must outlive this.
    explicit WorkHold(cudaStream_t stream);
    ~WorkHold();
    WorkHold(const WorkHold&) = delete;
    WorkHold& operator=(const WorkHold&) = delete;

    /// What is enqueued from here on waits for end().
    [[nodiscard]] Result<void> begin();
    void end();
    /// The host waits for the stream now: ends what is held, which then did not last.
    void endEarly();
    /// Whether all holds since forget() lasted until end(). Pre: what was held is done.
    [[nodiscard]] bool lasted() const;
    void forget();

private:
    struct State;

    static void waitForEnd(void* state);

    cudaStream_t m_stream;
    std::unique_ptr<State> m_state;  ///< what the functions in the stream use
};

}  // namespace plumb::cuda
