// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step_graphs.h"

#include <fmt/format.h>

#include <atomic>

namespace plumb::cuda {

namespace {

constexpr auto kEnds = static_cast<std::size_t>(2 * StepGraphs::kMostAhead);

}  // namespace

Result<std::unique_ptr<StepGraphs>> StepGraphs::create(cudaStream_t stream) {
    auto graphs = std::unique_ptr<StepGraphs>(new StepGraphs(stream));
    PLUMB_TRY(graphs->m_ring, allocatePinned(kRing * static_cast<Bytes>(sizeof(StepResult)), true));
    for (std::size_t i = 0; i < kEnds; ++i) {
        PLUMB_TRY(auto event, makeEvent(true));
        graphs->m_ends.push_back(std::move(event));
    }
    graphs->reset();
    return graphs;
}

void StepGraphs::reset() {
    cancel();
    m_graphs.clear();
    m_marked.assign(kEnds, -1);
    for (std::int64_t i = 0; i < kRing; ++i) ring()[i] = StepResult{};
}

Result<void> StepGraphs::begin() {
    // Calls of other threads (a file that is read, a window that asks for devices) may go on meanwhile.
    PLUMB_CUDA(cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeThreadLocal));
    m_capturing = true;
    return {};
}

Result<int> StepGraphs::end() {
    m_capturing = false;
    cudaGraph_t noted = nullptr;
    PLUMB_CUDA(cudaStreamEndCapture(m_stream, &noted));
    const Unique<cudaGraph_t> graph(noted);
    cudaGraphExec_t made = nullptr;
    PLUMB_CUDA(cudaGraphInstantiate(&made, noted, 0));
    m_graphs.emplace_back(made);
    // The first launch then costs no more than the others.
    PLUMB_CUDA(cudaGraphUpload(made, m_stream));
    return static_cast<int>(m_graphs.size()) - 1;
}

void StepGraphs::cancel() {
    if (!m_capturing) return;
    m_capturing = false;
    cudaGraph_t noted = nullptr;
    // A capture that failed ends with an error and without a graph.
    if (cudaStreamEndCapture(m_stream, &noted) == cudaSuccess && noted != nullptr) cudaGraphDestroy(noted);
    static_cast<void>(cudaGetLastError());
}

Result<void> StepGraphs::replay(int capture) {
    const auto index = static_cast<std::size_t>(capture);
    if (capture < 0 || index >= m_graphs.size())
        return internalError(fmt::format("capture {} was never made", capture));
    PLUMB_CUDA(cudaGraphLaunch(m_graphs[index].get(), m_stream));
    return {};
}

Result<void> StepGraphs::endStep(std::int64_t step) {
    const std::size_t at = static_cast<std::size_t>(step) % kEnds;
    PLUMB_CUDA(cudaEventRecord(m_ends[at].get(), m_stream));
    m_marked[at] = step;
    return {};
}

Result<std::optional<FinishedStep>> StepGraphs::finished(std::int64_t step, bool waits) {
    auto* const end = m_ends[static_cast<std::size_t>(step) % kEnds].get();
    const cudaError_t state = waits ? cudaEventSynchronize(end) : cudaEventQuery(end);
    if (state == cudaErrorNotReady) return std::optional<FinishedStep>();
    const StepResult& written = ring()[step % kRing];
    // The step number was written last.
    const std::int64_t number = *static_cast<const volatile std::int64_t*>(&written.step);
    std::atomic_thread_fence(std::memory_order_acquire);
    // What the device wrote before it was lost counts.
    if (state != cudaSuccess && number != step)
        return errorOf(state, waits ? "cudaEventSynchronize" : "cudaEventQuery");
    if (state != cudaSuccess) static_cast<void>(cudaGetLastError());
    if (number != step)
        return internalError(fmt::format("the GPU finished step {} and told of step {}", step, number));
    FinishedStep done;
    done.step = step;
    done.loss = written.loss;
    done.gradientSquares = written.gradientSquares;
    done.updateSquares = written.updateSquares;
    done.weightSquares = written.weightSquares;
    done.lossScale = written.lossScale;
    done.skipped = written.skipped != 0;
    // Between two steps that both were replayed; those in between that ran op by op mark no end.
    const std::size_t before = static_cast<std::size_t>(step + static_cast<std::int64_t>(kEnds) - 1) % kEnds;
    if (step > 0 && m_marked[before] == step - 1)
        if (const Result<Seconds> taken = elapsedSeconds(m_ends[before].get(), end); taken.has_value())
            done.seconds = *taken;
    return std::optional<FinishedStep>(done);
}

}  // namespace plumb::cuda
