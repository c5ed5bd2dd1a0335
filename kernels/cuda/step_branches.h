// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "kernels/cuda/device.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace plumb::cuda {

/// Memory that an op touches.
struct MemoryUse {
    const std::byte* begin = nullptr;
    const std::byte* end = nullptr;
    bool writes = false;
};
/// All that an op names: what it reads and what it writes, its scratch included. Control tensors are open to
/// every op and are not among it.
[[nodiscard]] std::vector<MemoryUse> memoryUsesOf(const Op& op, std::span<const Buffer> tensors);
/// The same of the update of one layer's matrix by the optimizer's op.
[[nodiscard]] std::vector<MemoryUse> memoryUsesOfUpdate(const StepPlan& plan, const Op& optimizer,
                                                        std::int32_t layer, std::span<const Buffer> tensors);
/// Whether one of two ops has to wait for the other: both touch some memory, and one of them writes there.
[[nodiscard]] bool meet(const std::vector<MemoryUse>& some, const std::vector<MemoryUse>& others);

/// The two branches of a step while it is captured. What runs beside begins after all that was enqueued on
/// the main branch before it, and in its own order. An op of the main branch waits for those beside it whose
/// memory it touches, and for those before them: memory that the plan gave away because the steps' order
/// allowed it is not used before it is free.
class StepBranches {
public:
    /// `main` outlives it.
    [[nodiscard]] static Result<std::unique_ptr<StepBranches>> create(cudaStream_t main);
    StepBranches(const StepBranches&) = delete;
    StepBranches& operator=(const StepBranches&) = delete;

    /// A capture of the main branch begins.
    void begin() { m_beside.clear(); }
    /// The next op of the main branch touches `uses`.
    [[nodiscard]] Result<void> enterMain(const std::vector<MemoryUse>& uses);
    /// The stream of the next op beside it ...
    [[nodiscard]] Result<cudaStream_t> enterSide();
    /// ... which was enqueued there, and touches `uses`.
    [[nodiscard]] Result<void> leaveSide(std::vector<MemoryUse> uses);
    /// The main branch waits for all that is beside it, as it has to before its capture ends.
    [[nodiscard]] Result<void> join();

private:
    explicit StepBranches(cudaStream_t main) : m_main(main) {}
    [[nodiscard]] Result<void> waitFor(std::size_t count);

    /// An op that the main branch has not waited for.
    struct Beside {
        std::vector<MemoryUse> uses;
        Unique<cudaEvent_t> end;
    };
    cudaStream_t m_main;
    Unique<cudaStream_t> m_side;
    Unique<cudaEvent_t> m_fork;
    std::vector<Beside> m_beside;               ///< in their order
    std::vector<Unique<cudaEvent_t>> m_events;  ///< for the next ones
};

}  // namespace plumb::cuda
