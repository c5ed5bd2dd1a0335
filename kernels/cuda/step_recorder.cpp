// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step_recorder.h"

#include <fmt/format.h>

#include <atomic>

namespace plumb::cuda {

namespace {

constexpr auto kEnds = static_cast<std::size_t>(2 * StepRecorder::kMostAhead);

}  // namespace

Result<std::unique_ptr<StepRecorder>> StepRecorder::create(cudaStream_t stream) {
    auto recorder = std::unique_ptr<StepRecorder>(new StepRecorder(stream));
    PLUMB_TRY(recorder->m_ring, allocatePinned(kRing * static_cast<Bytes>(sizeof(StepRecord)), true));
    for (std::size_t i = 0; i < kEnds; ++i) {
        PLUMB_TRY(auto event, makeEvent(true));
        recorder->m_ends.push_back(std::move(event));
    }
    recorder->reset();
    return recorder;
}

void StepRecorder::reset() {
    cancel();
    m_graphs.clear();
    m_marked.assign(kEnds, -1);
    for (std::int64_t i = 0; i < kRing; ++i) ring()[i] = StepRecord{};
}

Result<void> StepRecorder::begin() {
    // Calls of other threads (a file that is read, a window that asks for devices) may go on meanwhile.
    PLUMB_CUDA(cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeThreadLocal));
    m_recording = true;
    return {};
}

Result<int> StepRecorder::end() {
    m_recording = false;
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

void StepRecorder::cancel() {
    if (!m_recording) return;
    m_recording = false;
    cudaGraph_t noted = nullptr;
    // A capture that failed ends with an error and without a graph.
    if (cudaStreamEndCapture(m_stream, &noted) == cudaSuccess && noted != nullptr) cudaGraphDestroy(noted);
    static_cast<void>(cudaGetLastError());
}

Result<void> StepRecorder::repeat(int recording) {
    const auto index = static_cast<std::size_t>(recording);
    if (recording < 0 || index >= m_graphs.size())
        return Error{ErrorCode::Internal, fmt::format("recording {} was never made", recording), ""};
    PLUMB_CUDA(cudaGraphLaunch(m_graphs[index].get(), m_stream));
    return {};
}

Result<void> StepRecorder::endStep(std::int64_t step) {
    const std::size_t at = static_cast<std::size_t>(step) % kEnds;
    PLUMB_CUDA(cudaEventRecord(m_ends[at].get(), m_stream));
    m_marked[at] = step;
    return {};
}

Result<std::optional<FinishedStep>> StepRecorder::finished(std::int64_t step, bool waits) {
    auto* const end = m_ends[static_cast<std::size_t>(step) % kEnds].get();
    if (waits) {
        PLUMB_CUDA(cudaEventSynchronize(end));
    } else if (const cudaError_t state = cudaEventQuery(end); state == cudaErrorNotReady) {
        return std::optional<FinishedStep>();
    } else if (state != cudaSuccess) {
        return errorOf(state, "cudaEventQuery");
    }
    const StepRecord& written = ring()[step % kRing];
    // The step number was written last.
    const std::int64_t number = *static_cast<const volatile std::int64_t*>(&written.step);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (number != step)
        return Error{ErrorCode::Internal,
                     fmt::format("the GPU finished step {} and told of step {}", step, number),
                     "report this with the run's configuration"};
    FinishedStep done;
    done.step = step;
    done.loss = written.loss;
    done.gradientSquares = written.gradientSquares;
    done.updateSquares = written.updateSquares;
    done.weightSquares = written.weightSquares;
    done.lossScale = written.lossScale;
    done.skipped = written.skipped != 0;
    // Between two steps that both were repeated; those in between that ran op by op mark no end.
    const std::size_t before = static_cast<std::size_t>(step + static_cast<std::int64_t>(kEnds) - 1) % kEnds;
    float milliseconds = 0;
    if (step > 0 && m_marked[before] == step - 1) {
        if (cudaEventElapsedTime(&milliseconds, m_ends[before].get(), end) == cudaSuccess)
            done.seconds = static_cast<double>(milliseconds) * 1e-3;
        else
            static_cast<void>(cudaGetLastError());  // not the next launch's
    }
    return std::optional<FinishedStep>(done);
}

}  // namespace plumb::cuda
