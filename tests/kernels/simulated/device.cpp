// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/simulated/device.h"

#include "kernels/cuda/bodies/block.h"
#include "tests/kernels/simulated/counters.h"
#include "tests/kernels/simulated/matrix_product.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <new>

namespace plumb::test::simulated {

namespace {

/// Addresses: one half for pools, one for everything else, which may be used again only when all is done.
constexpr std::size_t kHalf = std::size_t{4} << 30;
constexpr std::size_t kAlignment = 512;
/// On both sides of each block, never to be written.
constexpr std::size_t kGuard = 512;
constexpr int kGuardByte = 0xa5;
constexpr int kFreshByte = 0xff;
constexpr int kReleasedByte = 0xdb;
constexpr std::size_t kContextBytes = std::size_t{64} << 20;
constexpr std::size_t kPoolGrain = std::size_t{2} << 20;

std::size_t aligned(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

void poison(void* memory, int value, std::size_t bytes) {
    constexpr std::size_t kWhole = std::size_t{64} << 10, kEvery = std::size_t{16} << 10, kStretch = 512;
    auto* const at = static_cast<std::byte*>(memory);
    const std::size_t begin = std::min(bytes, kWhole), end = bytes - std::min(bytes - begin, kWhole);
    std::memset(at, value, begin);
    for (std::size_t from = begin; from < end; from += kEvery)
        std::memset(at + from, value, std::min(kStretch, end - from));
    std::memset(at + end, value, bytes - end);
}

class Device::Access {
public:
    explicit Access(Device& device) : m_device(device) {
        if (m_device.m_open++ == 0) m_device.protect(true);
    }
    ~Access() {
        if (--m_device.m_open == 0) m_device.protect(false);
    }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

private:
    Device& m_device;
};

void Device::protect(bool open) const {
    if (mprotect(m_memory, 2 * kHalf, open ? PROT_READ | PROT_WRITE : PROT_NONE) != 0) std::abort();
}

void Device::runBody(const std::function<int()>& run, const char* name, bool isEarly) {
    if (isEarly) {
        protect(false);
        cuda::hostWait.ends = [] {
            cuda::hostWait.ends = nullptr;
            get().protect(true);
        };
    }
    const int error = run();
    if (error != 0) addFault(std::string(name).append(" did not wait for what was in front of it"));
    if (cuda::hostWait.ends != nullptr) cuda::hostWait.ends();
}

Device& Device::get() {
    static Device device;
    return device;
}

Device::Device() {
    void* const memory =
        mmap(nullptr, 2 * kHalf, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    m_memory = static_cast<std::byte*>(memory);
    // Large pages are opened and closed far faster.
    madvise(m_memory, 2 * kHalf, MADV_HUGEPAGE);
}
Device::~Device() {
    // What a lost device did not take back goes with the process.
    for (const auto& [memory, bytes] : m_pinned) std::free(memory);
    munmap(m_memory, 2 * kHalf);
}

cudaError_t failureOf(const Device& device) {
    return device.loss() != cudaSuccess ? device.loss() : cudaErrorLaunchOutOfResources;
}

void Device::restart(const Options& options) {
    const std::scoped_lock locked(m_lock);
    m_options = options;
    m_random.seed(options.seed);
    m_faults.clear();
    m_lastError = cudaSuccess;
    m_newestGraph.reset();
    m_calls = 0;
    m_loss = cudaSuccess;
    m_orphans.clear();
    for (const auto& [memory, bytes] : m_pinned) std::free(memory);
    m_pinned.clear();
    m_nanoseconds = m_hostNanoseconds = 0;
    m_streams.clear();
    m_blocks.clear();
    m_pools.clear();
    m_peers.clear();
    m_plainBytes = 0;  // what lies in the memory stays there, as on a device
}

cudaError_t Device::failed(cudaError_t error) {
    if (error != cudaSuccess) m_lastError = error;
    return error;
}

void Device::lose() {
    m_loss = cudaErrorLaunchFailure;
    for (auto& [key, stream] : m_streams) {
        stream->capture.reset();
        stream->after.clear();
        for (Work& work : std::exchange(stream->queue, {}))
            if (work.host != nullptr && work.host->isStarted()) m_orphans.push_back(std::move(work));
    }
}

// ---- streams

Stream* Device::makeStream() {
    auto made = std::make_unique<Stream>();
    Stream* const stream = made.get();
    m_streams.emplace(stream, std::move(made));
    return stream;
}

void Device::destroyStream(Stream* stream) {
    finish(stream);
    m_streams.erase(stream);
}

bool Device::refusedInCapture(const char* what) {
    bool any = false;
    for (auto& [key, stream] : m_streams)
        if (stream->capture != nullptr) any = stream->capture->spoilt = true;
    if (any) addFault(std::string(what) + " while a stream is captured");
    return any;
}

LaunchCount& LaunchCount::operator+=(const LaunchCount& more) {
    launches += more.launches;
    bytesRead += more.bytesRead;
    bytesWritten += more.bytesWritten;
    bytesOfSums += more.bytesOfSums;
    tensorFlops += more.tensorFlops;
    coreFlops += more.coreFlops;
    nanoseconds += more.nanoseconds;
    return *this;
}
LaunchCount LaunchCount::operator-(const LaunchCount& less) const {
    return {launches - less.launches,       bytesRead - less.bytesRead,     bytesWritten - less.bytesWritten,
            bytesOfSums - less.bytesOfSums, tensorFlops - less.tensorFlops, coreFlops - less.coreFlops,
            nanoseconds - less.nanoseconds};
}

void Device::enqueue(Stream* stream, std::function<void()> run, std::int64_t nanoseconds, const char* kernel,
                     bool isEarly) {
    if (kernel != nullptr) noteLaunch(kernel);
    Work work{std::move(run), nanoseconds};
    work.kernel = kernel;
    work.isEarly = isEarly;
    if (stream->capture != nullptr) {
        std::deque<Graph::Node>& nodes = stream->capture->graph.nodes;
        if (isEarly && (stream->after.size() != 1 || nodes[stream->after.front()].work.kernel == nullptr))
            addFault(std::string(kernel).append(" starts early, and not behind one kernel alone"));
        nodes.push_back({std::move(work), std::exchange(stream->after, {nodes.size()})});
        return;
    }
    add(stream, std::move(work));
    advance(stream);
}

void Device::enqueueHost(Stream* stream, std::function<void()> run) {
    Work work;
    work.host = std::make_shared<HostFunction>(std::move(run));
    add(stream, std::move(work));
    advance(stream);
}

void Device::add(Stream* stream, Work work) {
    m_hostNanoseconds += m_options.hostNanoseconds;
    work.enqueued = m_hostNanoseconds;
    stream->queue.push_back(std::move(work));
}

void Device::advance(Stream* stream) {
    if (m_options.pace == Pace::AtOnce) {
        while (doNext(*stream)) {
        }
    } else if (m_options.pace == Pace::Random) {
        for (std::uint64_t count = dice(4); count > 0; --count) progress();
    }
}

void Device::record(Stream* stream, Event* event) {
    event->captured = stream->capture != nullptr;
    event->capture = stream->capture;
    event->after = stream->after;
    if (event->captured) return;
    const std::uint64_t occurrence = ++event->recorded;
    enqueue(
        stream,
        [this, event, occurrence] {
            event->done = occurrence;
            event->nanoseconds = m_nanoseconds;
        },
        100);
}

cudaError_t Device::wait(Stream* stream, Event* event) {
    const auto capture = event->capture.lock();
    if (capture != nullptr && (stream->capture == nullptr || stream->capture == capture)) {
        stream->capture = capture;  // it joins
        for (const std::size_t node : event->after)
            if (std::find(stream->after.begin(), stream->after.end(), node) == stream->after.end())
                stream->after.push_back(node);
        return cudaSuccess;
    }
    if (event->captured || stream->capture != nullptr) {
        static_cast<void>(refusedInCapture("cudaStreamWaitEvent across streams"));
        return cudaErrorStreamCaptureIsolation;
    }
    add(stream, Work{nullptr, 0, event, event->recorded});
    return cudaSuccess;
}

std::vector<bool> Graph::before(const std::vector<std::size_t>& last) const {
    std::vector<bool> waited(nodes.size(), false);
    for (const std::size_t node : last) waited[node] = true;
    for (std::size_t node = nodes.size(); node-- > 0;)
        if (waited[node])
            for (const std::size_t earlier : nodes[node].after) waited[earlier] = true;
    return waited;
}

std::unique_ptr<Graph> Device::endCapture(Stream* origin) {
    const std::shared_ptr<Capture> capture = std::exchange(origin->capture, nullptr);
    const std::vector<bool> joined = capture->graph.before(std::exchange(origin->after, {}));
    for (auto& [key, stream] : m_streams) {
        if (stream->capture != capture) continue;
        stream->capture = nullptr;
        for (const std::size_t node : std::exchange(stream->after, {}))
            if (!joined[node] && !capture->spoilt) {
                addFault("a capture ended before a stream that had joined it came back");
                capture->spoilt = true;
            }
    }
    if (capture->origin != origin || capture->spoilt) return nullptr;
    return std::make_unique<Graph>(std::move(capture->graph));
}

/// As they were captured, the last that can first, or any of those that can.
std::vector<std::size_t> Device::anyOrderOf(const Graph& graph) {
    const std::uint64_t way = dice(4);
    std::vector<bool> done(graph.nodes.size(), false);
    std::vector<std::size_t> order, ready;
    while (order.size() < graph.nodes.size()) {
        ready.clear();
        for (std::size_t i = 0; i < graph.nodes.size() && (way != 0 || ready.empty()); ++i)
            if (!done[i] && std::all_of(graph.nodes[i].after.begin(), graph.nodes[i].after.end(),
                                        [&](std::size_t earlier) { return done[earlier]; }))
                ready.push_back(i);
        order.push_back(way == 0 ? ready.front() : way == 1 ? ready.back() : ready[dice(ready.size())]);
        done[order.back()] = true;
    }
    return order;
}

void Device::launch(Stream* stream, const std::shared_ptr<const Graph>& graph) {
    m_newestGraph = graph;
    // One call for all of them.
    m_hostNanoseconds += m_options.hostNanoseconds;
    bool isFirst = true;
    for (const std::size_t node : anyOrderOf(*graph)) {
        stream->queue.push_back(graph->nodes[node].work);
        stream->queue.back().enqueued = m_hostNanoseconds;
        if (!std::exchange(isFirst, false)) stream->queue.back().nanoseconds += m_options.nodeGapNanoseconds;
        advance(stream);
    }
}

bool Device::ready(const Stream& stream) const {
    if (stream.queue.empty()) return false;
    const Work& next = stream.queue.front();
    if (next.host != nullptr) return !next.host->isStarted() || next.host->isOver();
    return next.awaited == nullptr || next.awaited->done >= next.occurrence;
}

bool Device::doNext(Stream& stream) {
    if (!ready(stream)) return false;
    if (HostFunction* const host = stream.queue.front().host.get(); host != nullptr && !host->isStarted()) {
        host->start();
        return true;
    }
    Work work = std::move(stream.queue.front());
    stream.queue.pop_front();
    // It may have waited for the host, to enqueue it or to end its function.
    m_nanoseconds = std::max(m_nanoseconds, work.host != nullptr ? m_hostNanoseconds : work.enqueued);
    m_nanoseconds += work.nanoseconds;
    if (work.run) {
        const Access access(*this);
        cuda::hostTraffic = {};
        productFlops = {};
        work.run();
        if (work.kernel != nullptr) {
            const LaunchCount one{1,
                                  cuda::hostTraffic.read,
                                  cuda::hostTraffic.written,
                                  cuda::hostTraffic.sums,
                                  productFlops.tensor,
                                  productFlops.core,
                                  work.nanoseconds};
            m_launched[work.kernel] += one;
        }
    }
    return true;
}

bool Device::progress() {
    std::vector<Stream*> able;
    for (auto& [key, stream] : m_streams)
        if (ready(*stream)) able.push_back(stream.get());
    return !able.empty() && doNext(*able[dice(able.size())]);
}

bool Device::runsHostFunction() const {
    return std::any_of(m_streams.begin(), m_streams.end(), [](const auto& entry) {
        const Stream& stream = *entry.second;
        return !stream.queue.empty() && stream.queue.front().host != nullptr;
    });
}

template <class Done>
void Device::doUntil(const Done& done, Stream* first) {
    const Access access(*this);
    while (!done()) {
        if (first != nullptr && doNext(*first)) continue;
        if (progress()) continue;
        if (runsHostFunction()) {
            std::this_thread::yield();
            continue;
        }
        // Nothing can ever change that.
        std::cerr << "the simulated device waits for what nobody enqueued\n";
        std::abort();
    }
    m_hostNanoseconds = std::max(m_hostNanoseconds, m_nanoseconds);
}

void Device::finish(Stream* stream) {
    doUntil([&] { return stream->queue.empty(); }, stream);
}
void Device::finish(const Event* event) {
    doUntil([&] { return event->done >= event->recorded; }, nullptr);
}
void Device::finishAll() {
    doUntil(
        [&] {
            return std::all_of(m_streams.begin(), m_streams.end(),
                               [](const auto& entry) { return entry.second->queue.empty(); });
        },
        nullptr);
}

// ---- memory

std::byte* Device::place(std::size_t bytes, bool pooled) const {
    std::byte* const begin = m_memory + (pooled ? 0 : kHalf);
    std::byte* const end = begin + kHalf;
    std::byte* at = begin + kGuard;
    for (auto block = m_blocks.lower_bound(begin); block != m_blocks.end() && block->first < end; ++block) {
        if (at + bytes + kGuard <= block->first - kGuard) break;
        at = block->first + aligned(block->second.bytes) + 2 * kGuard;
    }
    return at + bytes + kGuard <= end ? at : nullptr;
}

void* Device::allocate(std::size_t bytes, Pool* owner, Stream* stream) {
    const bool isFull = m_options.isFull != nullptr && *m_options.isFull;
    if (isFull || bytes > freeBytes() + (owner != nullptr ? owner->reserved - owner->used : 0))
        return nullptr;
    std::byte* const memory = place(aligned(bytes), owner != nullptr);
    if (memory == nullptr) return nullptr;
    m_blocks[memory] = Block{bytes, owner};
    if (owner == nullptr) {
        m_plainBytes += aligned(bytes);
    } else {
        owner->used += aligned(bytes);
        owner->usedHigh = std::max(owner->usedHigh, owner->used);
        owner->reserved = std::max(owner->reserved, (owner->used + kPoolGrain - 1) / kPoolGrain * kPoolGrain);
        owner->reservedHigh = std::max(owner->reservedHigh, owner->reserved);
        if (std::find(m_pools.begin(), m_pools.end(), owner) == m_pools.end()) m_pools.push_back(owner);
    }
    const auto prepare = [memory, bytes] {
        std::memset(memory - kGuard, kGuardByte, kGuard);
        poison(memory, kFreshByte, bytes);
        std::memset(memory + bytes, kGuardByte, kGuard);
    };
    if (stream != nullptr) {
        enqueue(stream, prepare, 500);
    } else {
        const Access access(*this);
        prepare();
    }
    return memory;
}

void Device::spoil(std::byte* memory, std::size_t bytes, bool checks) {
    const auto whole = [](const std::byte* guard) {
        return std::all_of(guard, guard + kGuard,
                           [](std::byte value) { return value == static_cast<std::byte>(kGuardByte); });
    };
    if (checks && (!whole(memory - kGuard) || !whole(memory + bytes)))
        addFault("something was written outside of a block of " + std::to_string(bytes) + " bytes");
    poison(memory, kReleasedByte, bytes);
}

bool Device::release(void* memory, Stream* stream) {
    const auto found = m_blocks.find(static_cast<std::byte*>(memory));
    if (found == m_blocks.end()) return false;
    auto* const at = found->first;
    const Block block = found->second;
    if (block.owner == nullptr)
        m_plainBytes -= aligned(block.bytes);
    else
        block.owner->used -= aligned(block.bytes);
    // A pool hands it out again at once, to work that is done later.
    m_blocks.erase(found);
    if (stream != nullptr) {
        enqueue(
            stream, [this, at, block] { spoil(at, block.bytes, true); }, 500);
    } else {
        finishAll();
        const Access access(*this);
        spoil(at, block.bytes, true);
    }
    return true;
}

std::size_t Device::freeBytes() const {
    std::size_t used = kContextBytes + m_plainBytes;
    for (const Pool* pool : m_pools) used += pool->reserved;
    return used < m_options.memoryBytes ? m_options.memoryBytes - used : 0;
}

void Device::trim(Pool& pool) { pool.reserved = (pool.used + kPoolGrain - 1) / kPoolGrain * kPoolGrain; }

bool Device::isDevice(const void* memory, std::size_t bytes) const {
    const auto* const at = static_cast<const std::byte*>(memory);
    return at >= m_memory && at + bytes <= m_memory + 2 * kHalf;
}

bool Device::isOf(const void* memory, int card) const {
    const auto found = m_blocks.find(const_cast<std::byte*>(static_cast<const std::byte*>(memory)));
    return found != m_blocks.end() && found->second.card == card;
}

Pool* Device::poolOf(const void* memory) const {
    const auto found = m_blocks.find(const_cast<std::byte*>(static_cast<const std::byte*>(memory)));
    return found == m_blocks.end() ? nullptr : found->second.owner;
}

bool Device::isPinned(const void* memory) const {
    auto* const at = const_cast<std::byte*>(static_cast<const std::byte*>(memory));
    const auto after = m_pinned.upper_bound(at);
    if (after == m_pinned.begin()) return false;
    const auto& [begin, bytes] = *std::prev(after);
    return at < begin + bytes;
}

void* Device::allocatePinned(std::size_t bytes) {
    auto* const memory = static_cast<std::byte*>(std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096));
    if (memory == nullptr) return nullptr;
    std::memset(memory, kFreshByte, bytes);
    m_pinned[memory] = bytes;
    return memory;
}

bool Device::releasePinned(void* memory) {
    if (m_pinned.erase(static_cast<std::byte*>(memory)) == 0) return false;
    finishAll();
    std::free(memory);
    return true;
}

}  // namespace plumb::test::simulated
