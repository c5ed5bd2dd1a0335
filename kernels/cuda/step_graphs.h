// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/capabilities.h"
#include "kernels/cuda/device.h"
#include "kernels/cuda/kernel_arguments.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace plumb::cuda {

/// Captures work of a stream as CUDA graphs and replays them, and keeps the ring into which the device writes
/// what each step was worth: pinned memory that the host reads without asking the runtime.
class StepGraphs {
public:
    static constexpr std::int64_t kRing = 256;
    /// Far fewer than the ring holds, so that a result is read before it is overwritten; and few enough that
    /// a failure is noticed soon.
    static constexpr std::int64_t kMostAhead = 32;

    [[nodiscard]] static Result<std::unique_ptr<StepGraphs>> create(cudaStream_t stream);

    /// Nothing is captured and no step was done.
    void reset();
    [[nodiscard]] StepResult* ring() const { return static_cast<StepResult*>(m_ring.get()); }

    [[nodiscard]] Result<void> begin();
    [[nodiscard]] Result<int> end();
    void cancel();
    [[nodiscard]] bool capturing() const { return m_capturing; }
    [[nodiscard]] Result<void> replay(int capture);
    [[nodiscard]] Result<void> endStep(std::int64_t step);
    [[nodiscard]] Result<std::optional<FinishedStep>> finished(std::int64_t step, bool waits);

private:
    explicit StepGraphs(cudaStream_t stream) : m_stream(stream) {}

    cudaStream_t m_stream;
    PinnedBlock m_ring;
    bool m_capturing = false;
    std::vector<Unique<cudaGraphExec_t>> m_graphs;
    std::vector<Unique<cudaEvent_t>> m_ends;  ///< end of step s: [s mod (2 * kMostAhead)]
    std::vector<std::int64_t> m_marked;       ///< whose end that is; -1: nobody's
};

}  // namespace plumb::cuda
