// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/node_gap.h"

#include "kernels/cuda/device.h"
#include "kernels/cuda/event_span.h"
#include "kernels/cuda/traffic.h"

#include <algorithm>

namespace plumb::cuda {

namespace {

/// Nodes of the graph, so many that the time of one launch is lost among them.
constexpr int kGapNodes = 512;
constexpr int kGapLaunches = 5;
constexpr Bytes kGapRoom = 256;

Result<void> enqueuePasses(void* memory, std::int64_t passes, cudaStream_t stream) {
    return checkLaunch(launchPasses(static_cast<float*>(memory), passes, stream), "launchPasses");
}

/// A graph of kernels that wait for one another, each with `passes` of the work.
Result<Unique<cudaGraphExec_t>> passesGraph(int nodes, std::int64_t passes, void* memory,
                                            cudaStream_t stream) {
    PLUMB_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    Result<void> noted;
    for (int node = 0; node < nodes && noted.has_value(); ++node)
        noted = enqueuePasses(memory, passes, stream);
    cudaGraph_t made = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream, &made);
    const Unique<cudaGraph_t> graph(made);
    if (!noted.has_value()) {
        static_cast<void>(cudaGetLastError());  // not the next launch's
        return noted.error();
    }
    if (ended != cudaSuccess) return errorOf(ended, "cudaStreamEndCapture");
    cudaGraphExec_t executable = nullptr;
    PLUMB_CUDA(cudaGraphInstantiate(&executable, graph.get(), 0));
    return Unique<cudaGraphExec_t>(executable);
}

/// The median of some launches, after one to warm up.
Result<Seconds> launchSeconds(cudaGraphExec_t graph, cudaStream_t stream) {
    return medianSeconds(stream, kGapLaunches, [&]() -> Result<void> {
        PLUMB_CUDA(cudaGraphLaunch(graph, stream));
        return {};
    });
}

}  // namespace

Result<Seconds> gapBetweenGraphNodes() {
    PLUMB_TRY(const Unique<cudaStream_t> stream, makeStream());
    PLUMB_TRY(const DeviceBlock room, allocateDevice(kGapRoom));
    PLUMB_CUDA(cudaMemsetAsync(room.get(), 0, static_cast<std::size_t>(kGapRoom), stream.get()));
    // The kernel is loaded before anything is captured.
    PLUMB_CHECK(enqueuePasses(room.get(), 1, stream.get()));
    PLUMB_TRY(const Unique<cudaGraphExec_t> many, passesGraph(kGapNodes, 1, room.get(), stream.get()));
    PLUMB_TRY(const Unique<cudaGraphExec_t> one, passesGraph(1, kGapNodes, room.get(), stream.get()));
    PLUMB_TRY(const Seconds apart, launchSeconds(many.get(), stream.get()));
    PLUMB_TRY(const Seconds together, launchSeconds(one.get(), stream.get()));
    PLUMB_CUDA(cudaStreamSynchronize(stream.get()));
    return std::max(0.0, (apart - together) / (kGapNodes - 1));
}

}  // namespace plumb::cuda
