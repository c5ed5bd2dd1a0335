// SPDX-License-Identifier: Apache-2.0
// The functions of the CUDA runtime that the backend uses, for the simulated device.
#include "tests/kernels/simulated/device.h"

#include <algorithm>
#include <cstring>

namespace plumb::test::simulated {
namespace {

/// Each thread begins with the first card.
thread_local int t_card = 0;

constexpr double kMemoryRate = 2e10;  // bytes per second; any would do

std::int64_t nanosecondsOf(std::size_t bytes, double rate = kMemoryRate) {
    return 1000 + static_cast<std::int64_t>(static_cast<double>(bytes) / rate * 1e9);
}

// The opaque handles are the simulation's own objects.
Stream* streamOf(cudaStream_t handle) { return reinterpret_cast<Stream*>(handle); }
Event* eventOf(cudaEvent_t handle) { return reinterpret_cast<Event*>(handle); }
Pool* poolOf(cudaMemPool_t handle) { return reinterpret_cast<Pool*>(handle); }
Graph* graphOf(cudaGraph_t handle) { return reinterpret_cast<Graph*>(handle); }
using InstantiatedGraph = std::shared_ptr<const Graph>;
InstantiatedGraph* instantiatedOf(cudaGraphExec_t handle) {
    return reinterpret_cast<InstantiatedGraph*>(handle);
}

/// A call: the device, locked.
struct Call {
    Device& device = Device::get();
    std::scoped_lock<std::recursive_mutex> locked{device.lock()};

    cudaError_t failed(cudaError_t error, const char* what) {
        device.addFault(what);
        return device.failed(error);
    }
    [[nodiscard]] cudaError_t loss() const { return device.failed(device.loss()); }
    /// That there is no memory, where it is not the loss.
    [[nodiscard]] cudaError_t noMemory() const {
        return device.failed(device.loss() != cudaSuccess ? device.loss() : cudaErrorMemoryAllocation);
    }
    /// Why a stream cannot take work; cudaSuccess when it can.
    cudaError_t check(cudaStream_t stream) {
        if (device.knows(streamOf(stream)) && streamOf(stream)->card != t_card)
            return failed(cudaErrorInvalidResourceHandle, "work for a stream of another card");
        if (device.knows(streamOf(stream)))
            return device.fails() ? device.failed(failureOf(device)) : cudaSuccess;
        return failed(cudaErrorInvalidResourceHandle, "work for a stream that does not exist");
    }
};

cudaError_t copy(Call& call, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                 Stream* stream) {
    Device& device = call.device;
    const bool up = kind == cudaMemcpyHostToDevice;
    const bool down = kind == cudaMemcpyDeviceToHost;
    const bool right = up     ? device.isDevice(to, bytes) && !device.isDevice(from)
                       : down ? device.isDevice(from, bytes) && !device.isDevice(to)
                              : device.isDevice(from, bytes) && device.isDevice(to, bytes);
    if (!right) return call.failed(cudaErrorInvalidValue, "a copy whose addresses are not of its kind");
    if ((up && !device.isPinned(from)) || (down && !device.isPinned(to))) {
        // A graph would read the memory at each launch, long after it is gone.
        if (stream->capture != nullptr) {
            static_cast<void>(device.refusedInCapture("a copy of pageable memory"));
            return device.failed(cudaErrorStreamCaptureUnsupported);
        }
    }
    const CopySpeeds& speeds = device.options().copies;
    const bool pageable = (up && !device.isPinned(from)) || (down && !device.isPinned(to));
    const double rate = up     ? (pageable ? speeds.pageableToDevice : speeds.toDevice)
                        : down ? (pageable ? speeds.deviceToPageable : speeds.toHost)
                               : kMemoryRate;
    if (up && pageable) {
        const auto* const bytesOf = static_cast<const std::byte*>(from);
        device.enqueue(
            stream,
            [to, aside = std::vector<std::byte>(bytesOf, bytesOf + bytes)] {
                if (!aside.empty()) std::memcpy(to, aside.data(), aside.size());
            },
            nanosecondsOf(bytes, rate));
        return cudaSuccess;
    }
    device.enqueue(
        stream,
        [to, from, bytes] {
            if (bytes > 0) std::memcpy(to, from, bytes);
        },
        nanosecondsOf(bytes, rate));
    return cudaSuccess;
}

cudaError_t read(const Pool& pool, cudaMemPoolAttr attribute, void* value) {
    const auto give = [value](std::uint64_t bytes) {
        *static_cast<std::uint64_t*>(value) = bytes;
        return cudaSuccess;
    };
    switch (attribute) {
    case cudaMemPoolAttrReservedMemCurrent:
        return give(pool.reserved);
    case cudaMemPoolAttrReservedMemHigh:
        return give(pool.reservedHigh);
    case cudaMemPoolAttrUsedMemCurrent:
        return give(pool.used);
    case cudaMemPoolAttrUsedMemHigh:
        return give(pool.usedHigh);
    default:
        return cudaErrorInvalidValue;
    }
}

}  // namespace
}  // namespace plumb::test::simulated

using namespace plumb::test::simulated;

extern "C" {

// ---- device

cudaError_t cudaGetDeviceCount(int* count) {
    *count = Device::get().options().cards;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    if (device < 0 || device >= Device::get().options().cards)
        return Call().failed(cudaErrorInvalidDevice, "a device that does not exist");
    t_card = device;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
    *device = t_card;
    return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* offered, int device, int peer) {
    Call call;
    const Options& options = call.device.options();
    if (device == peer || std::min(device, peer) < 0 || std::max(device, peer) >= options.cards)
        return call.failed(cudaErrorInvalidDevice, "peer access of what are not two cards");
    if (call.device.fails()) return call.device.failed(failureOf(call.device));
    *offered = options.peerOffer == PeerOffer::NotOffered ? 0 : 1;
    return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    Call call;
    if (peer == t_card || flags != 0 || call.device.options().peerOffer == PeerOffer::NotOffered)
        return call.failed(cudaErrorInvalidDevice, "peer access that is not offered");
    if (call.device.fails() || call.device.options().peerOffer == PeerOffer::Refused)
        return call.device.failed(cudaErrorTooManyPeers);
    return call.device.peers().emplace(t_card, peer).second
               ? cudaSuccess
               : call.device.failed(cudaErrorPeerAccessAlreadyEnabled);
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    Call call;
    if (const cudaError_t loss = call.loss(); loss != cudaSuccess) return loss;
    if (call.device.peers().erase({t_card, peer}) == 0)
        return call.failed(cudaErrorPeerAccessNotEnabled, "the end of peer access that was not given");
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int /*device*/) {
    const Options& options = Device::get().options();
    *properties = cudaDeviceProp{};
    std::strcpy(properties->name, "simulated");
    properties->major = options.computeCapability / 10;
    properties->minor = options.computeCapability % 10;
    properties->totalGlobalMem = options.memoryBytes;
    properties->multiProcessorCount = 4;
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaGetLastError() { return Call().device.takeLastError(); }
const char* cudaGetErrorName(cudaError_t error) {
    return error == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation"
           : error == cudaErrorLaunchFailure  ? "cudaErrorLaunchFailure"
                                              : "cudaErrorSimulated";
}
const char* cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorMemoryAllocation ? "out of memory"
           : error == cudaErrorLaunchFailure  ? "unspecified launch failure"
                                              : "the simulated device refused";
}
cudaError_t cudaDeviceSynchronize() {
    Call call;
    if (const cudaError_t loss = call.loss(); loss != cudaSuccess) return loss;
    if (call.device.refusedInCapture("cudaDeviceSynchronize"))
        return call.device.failed(cudaErrorStreamCaptureUnsupported);
    call.device.finishAll();
    return cudaSuccess;
}

// ---- streams

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned /*flags*/) {
    Call call;
    if (call.device.fails()) return call.device.failed(failureOf(call.device));
    Stream* const made = call.device.makeStream();
    made->card = t_card;
    *stream = reinterpret_cast<cudaStream_t>(made);
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    Call call;
    if (!call.device.knows(streamOf(stream)))
        return call.failed(cudaErrorInvalidResourceHandle, "the end of a stream that does not exist");
    call.device.destroyStream(streamOf(stream));
    return call.loss();
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    Call call;
    if (const cudaError_t loss = call.loss(); loss != cudaSuccess) return loss;
    if (call.device.refusedInCapture("cudaStreamSynchronize"))
        return call.device.failed(cudaErrorStreamCaptureUnsupported);
    // A failure is that of the work, of which nothing is left to do.
    if (call.device.knows(streamOf(stream))) call.device.finish(streamOf(stream));
    return call.check(stream);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned /*flags*/) {
    Call call;
    if (const cudaError_t error = call.check(stream); error != cudaSuccess) return error;
    return call.device.failed(call.device.wait(streamOf(stream), eventOf(event)));
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    Call call;
    if (call.device.refusedInCapture("cudaLaunchHostFunc"))
        return call.device.failed(cudaErrorStreamCaptureUnsupported);
    if (const cudaError_t error = call.check(stream); error != cudaSuccess) return error;
    call.device.enqueueHost(streamOf(stream), [function, data] { function(data); });
    return cudaSuccess;
}

// ---- events

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    Call call;
    if (call.device.fails()) return call.device.failed(failureOf(call.device));
    auto* const made = new Event;
    made->timed = (flags & cudaEventDisableTiming) == 0;
    *event = reinterpret_cast<cudaEvent_t>(made);
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    Call call;
    // The library frees it when it is done.
    if (call.device.loss() == cudaSuccess) call.device.finish(eventOf(event));
    delete eventOf(event);
    return call.loss();
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    Call call;
    if (const cudaError_t error = call.check(stream); error != cudaSuccess) return error;
    call.device.record(streamOf(stream), eventOf(event));
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    Call call;
    if (const cudaError_t loss = call.loss(); loss != cudaSuccess) return loss;
    if (call.device.refusedInCapture("cudaEventSynchronize"))
        return call.device.failed(cudaErrorStreamCaptureUnsupported);
    call.device.finish(eventOf(event));
    return call.device.fails() ? call.device.failed(failureOf(call.device)) : cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    Call call;
    if (const cudaError_t loss = call.loss(); loss != cudaSuccess) return loss;
    if (call.device.refusedInCapture("cudaEventQuery"))
        return call.device.failed(cudaErrorStreamCaptureUnsupported);
    const bool done = eventOf(event)->done >= eventOf(event)->recorded;
    // Time passes.
    if (!done) call.device.progress();
    return done ? cudaSuccess : cudaErrorNotReady;  // which is not kept as an error
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    Call call;
    if (const cudaError_t loss = call.loss(); loss != cudaSuccess) return loss;
    const Event& from = *eventOf(start);
    const Event& to = *eventOf(end);
    if (!from.timed || !to.timed || from.recorded == 0 || to.recorded == 0)
        return call.failed(cudaErrorInvalidResourceHandle, "the time between events that have none");
    if (from.done < from.recorded || to.done < to.recorded) return call.device.failed(cudaErrorNotReady);
    *milliseconds = static_cast<float>(to.nanoseconds - from.nanoseconds) * 1e-6F;
    return cudaSuccess;
}

// ---- memory

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    Call call;
    if (const cudaError_t loss = call.loss(); loss != cudaSuccess) return loss;
    *free = call.device.freeBytes();
    *total = call.device.options().memoryBytes;
    return cudaSuccess;
}
cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
    Call call;
    if (call.device.refusedInCapture("cudaMalloc"))
        return call.device.failed(cudaErrorStreamCaptureUnsupported);
    *memory = bytes > 0 && !call.device.fails() ? call.device.allocate(bytes, nullptr, nullptr) : nullptr;
    if (*memory != nullptr) call.device.setCard(*memory, t_card);
    return *memory != nullptr || bytes == 0 ? cudaSuccess : call.noMemory();
}
cudaError_t cudaFree(void* memory) {
    Call call;
    if (const cudaError_t loss = call.loss(); loss != cudaSuccess) return loss;
    if (memory == nullptr) return cudaSuccess;
    if (call.device.refusedInCapture("cudaFree"))
        return call.device.failed(cudaErrorStreamCaptureUnsupported);
    if (call.device.poolOf(memory) != nullptr || !call.device.release(memory, nullptr))
        return call.failed(cudaErrorInvalidValue, "cudaFree of what cudaMalloc did not give");
    return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned /*flags*/) {
    Call call;
    if (call.device.refusedInCapture("cudaHostAlloc"))
        return call.device.failed(cudaErrorStreamCaptureUnsupported);
    *memory = call.device.fails() ? nullptr : call.device.allocatePinned(bytes);
    return *memory != nullptr ? cudaSuccess : call.noMemory();
}
cudaError_t cudaFreeHost(void* memory) {
    Call call;
    if (const cudaError_t loss = call.loss(); loss != cudaSuccess) return loss;
    if (memory == nullptr || call.device.releasePinned(memory)) return cudaSuccess;
    return call.failed(cudaErrorInvalidValue, "cudaFreeHost of what cudaHostAlloc did not give");
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    Call call;
    if (const cudaError_t error = call.check(stream); error != cudaSuccess) return error;
    return copy(call, to, from, bytes, kind, streamOf(stream));
}
cudaError_t cudaMemcpyPeerAsync(void* to, int toCard, const void* from, int fromCard, std::size_t bytes,
                                cudaStream_t stream) {
    Call call;
    if (const cudaError_t error = call.check(stream); error != cudaSuccess) return error;
    Device& device = call.device;
    if (!device.isOf(to, toCard) || !device.isOf(from, fromCard) || !device.isDevice(to, bytes) ||
        !device.isDevice(from, bytes))
        return call.failed(cudaErrorInvalidValue, "a copy between cards of what is not memory of them");
    const CopySpeeds& speeds = device.options().copies;
    const bool direct =
        device.peers().contains({fromCard, toCard}) && device.peers().contains({toCard, fromCard});
    device.enqueue(
        streamOf(stream), [to, from, bytes] { std::memcpy(to, from, bytes); },
        nanosecondsOf(bytes, direct ? speeds.peers : speeds.withoutPeerAccess));
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
    Call call;
    if (const cudaError_t error = call.check(stream); error != cudaSuccess) return error;
    if (!call.device.isDevice(memory, bytes))
        return call.failed(cudaErrorInvalidValue, "cudaMemsetAsync of memory of the host");
    call.device.enqueue(
        streamOf(stream), [memory, value, bytes] { std::memset(memory, value, bytes); },
        nanosecondsOf(bytes));
    return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    if (properties->location.id != t_card)
        return Call().failed(cudaErrorInvalidValue, "a pool of another card than the one in use");
    const Call call;
    if (const cudaError_t loss = call.loss(); loss != cudaSuccess) return loss;
    *pool = reinterpret_cast<cudaMemPool_t>(new Pool);
    return cudaSuccess;
}
// Its memory lives until all of it is released; so does the simulated one, which nobody looks at again.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    Call call;
    if (poolOf(pool)->used > 0 && call.device.loss() == cudaSuccess)
        call.device.addFault("a pool was destroyed with blocks in use");
    call.device.trim(*poolOf(pool));
    call.device.forget(poolOf(pool));
    delete poolOf(pool);
    return call.loss();
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t /*pool*/, cudaMemPoolAttr attribute, void* /*value*/) {
    return attribute == cudaMemPoolAttrReleaseThreshold ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return read(*poolOf(pool), attribute, value);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t /*bytes*/) {
    Call call;
    if (const cudaError_t loss = call.loss(); loss != cudaSuccess) return loss;
    call.device.trim(*poolOf(pool));
    return cudaSuccess;
}
cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    Call call;
    if (call.device.fails()) return call.noMemory();
    // It would become part of the graph, which is not what the backend wants.
    if (call.device.refusedInCapture("cudaMallocFromPoolAsync"))
        return call.device.failed(cudaErrorStreamCaptureUnsupported);
    *memory = call.device.allocate(bytes, poolOf(pool), streamOf(stream));
    return *memory != nullptr ? cudaSuccess : call.noMemory();
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
    Call call;
    if (const cudaError_t loss = call.loss(); loss != cudaSuccess) return loss;
    if (call.device.refusedInCapture("cudaFreeAsync"))
        return call.device.failed(cudaErrorStreamCaptureUnsupported);
    if (call.device.poolOf(memory) == nullptr || !call.device.release(memory, streamOf(stream)))
        return call.failed(cudaErrorInvalidValue, "cudaFreeAsync of what no pool gave");
    return cudaSuccess;
}

// ---- graphs

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode /*mode*/) {
    Call call;
    if (const cudaError_t error = call.check(stream); error != cudaSuccess) return error;
    if (streamOf(stream)->capture != nullptr)
        return call.failed(cudaErrorIllegalState, "a capture of a stream that is captured");
    streamOf(stream)->capture = std::make_shared<Capture>();
    streamOf(stream)->capture->origin = streamOf(stream);
    streamOf(stream)->after.clear();
    return cudaSuccess;
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* /*id*/, cudaGraph_t* /*graph*/,
                                     const cudaGraphNode_t** nodes, const cudaGraphEdgeData** edges,
                                     std::size_t* count) {
    Call call;
    Stream& of = *streamOf(stream);
    *status = cudaStreamCaptureStatusNone;
    if (call.device.knows(&of) && of.capture == nullptr) return cudaSuccess;
    if (const cudaError_t error = call.check(stream); error != cudaSuccess) return error;
    if (nodes != nullptr && edges == nullptr)
        return call.failed(cudaErrorLossyQuery, "a look at a capture that would not see all of its edges");
    *status = of.capture->spoilt ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
    of.told.clear();
    for (const std::size_t node : of.after) of.told.push_back(&of.capture->graph.nodes[node]);
    static_assert(sizeof(cudaGraphNode_t) == sizeof(const Graph::Node*));
    if (nodes != nullptr) *nodes = reinterpret_cast<const cudaGraphNode_t*>(of.told.data());
    if (count != nullptr) *count = of.told.size();
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    const Call call;
    const bool isKernel = reinterpret_cast<const Graph::Node*>(node)->work.kernel != nullptr;
    *type = isKernel ? cudaGraphNodeTypeKernel : cudaGraphNodeTypeMemcpy;
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    Call call;
    *graph = nullptr;
    if (const cudaError_t loss = call.loss(); loss != cudaSuccess) return loss;
    if (streamOf(stream)->capture == nullptr)
        return call.failed(cudaErrorIllegalState, "the end of a capture that did not begin");
    std::unique_ptr<Graph> made = call.device.endCapture(streamOf(stream));
    if (made == nullptr || call.device.fails())
        return call.device.failed(call.device.loss() != cudaSuccess ? call.device.loss()
                                                                    : cudaErrorStreamCaptureInvalidated);
    *graph = reinterpret_cast<cudaGraph_t>(made.release());
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long /*flags*/) {
    Call call;
    if (call.device.fails()) return call.noMemory();
    *executable = reinterpret_cast<cudaGraphExec_t>(
        new InstantiatedGraph(std::make_shared<const Graph>(*graphOf(graph))));
    return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t /*executable*/, cudaStream_t stream) {
    return Call().check(stream);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    Call call;
    if (const cudaError_t error = call.check(stream); error != cudaSuccess) return error;
    call.device.launch(streamOf(stream), *instantiatedOf(executable));
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graphOf(graph);
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    delete instantiatedOf(executable);
    return cudaSuccess;
}

}  // extern "C"
