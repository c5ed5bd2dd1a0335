// SPDX-License-Identifier: Apache-2.0
// A GPU that is simulated on the processor, so that all of the CUDA backend but its device code is tested
// where there is none: runtime.cpp, matrix_library.cpp and kernels.cpp have the functions of the CUDA
// runtime, of cuBLASLt and of device_kernels.h, for programs that are linked with them in place of the
// libraries.
//
// It knows what documents promise, and is as unkind as they allow:
//   - Work of a stream is done when somebody waits for it, or at random times, never because it was enqueued.
//   - Device memory can be touched by work of the device alone; from the host it faults. What was allocated
//     has no value (every bit is set: not a number in each format), what was released is spoilt, and writes
//     past the end of a block are found when it is released. Of large blocks that is true of their ends and
//     of a stretch every 16 KiB, which is as good as all of it for who reads them and takes a tenth of the
//     time.
//   - A device that is lost does nothing more: what waits in streams is never done, functions of the host in
//     them are never called, nothing that is released comes back, and every call that needs it says so.
//   - What a copy reads from pinned memory is read when the copy is done; from pageable memory at the call.
//   - While a stream is captured, calls that need the device at once fail and spoil the capture.
//   - Kernels and products refuse addresses of the host, and the matrix library its documented cases.
//   - From sm_90 on our kernels start before what is in front of them has ended: nothing of the device's
//     memory can be touched until their first block waits, and each block has to. In a capture such a kernel
//     has to stand behind one other, alone.
// It says nothing of speed, of races within a kernel, and of anything that its documents are silent about.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace plumb::test::simulated {

/// When work that was enqueued is done.
enum class Pace : std::uint8_t {
    Late,    ///< when somebody waits for it, and no more than that
    AtOnce,  ///< before the call returns, where nothing has to be waited for
    Random,  ///< some of it at each call, of any stream
};

/// Bytes per second of copies.
struct CopySpeeds {
    double toDevice = 2e10;
    double toHost = 2e10;
    double pageableToDevice = 2e10;
    double deviceToPageable = 2e10;
    double peers = 2e10;
    double withoutPeerAccess = 5e9;
};
/// What becomes of the peer access that a card asks for.
enum class PeerOffer : std::uint8_t { Granted, NotOffered, Refused };

struct Options {
    Pace pace = Pace::Late;
    std::uint64_t seed = 1;  ///< of Pace::Random, and of the order of blocks
    int computeCapability = 90;
    std::size_t memoryBytes = std::size_t{1} << 30;
    const std::atomic<bool>* isFull =
        nullptr;                       ///< while it is set no memory is given, nor what pools reserve
    int cards = 1;                     ///< as which it poses; one is in use at a time
    bool fusesEpilogues = true;        ///< the matrix library has products with ReLU and masks ...
    bool scalesResults = true;         ///< ... and products with results in fp8 ...
    bool offersInVain = false;         ///< ... or offers both, and then refuses to compute them
    bool tunes = true;                 ///< the backend times algorithms ...
    bool keepsChoices = false;         ///< ... and keeps in a file what it chose
    std::int64_t reluNanoseconds = 0;  ///< that a product takes longer with a ReLU on the way ...
    std::int64_t maskNanoseconds = 0;  ///< ... or with its mask, written or read
    CopySpeeds copies = {};
    PeerOffer peerOffer = PeerOffer::Granted;
    std::int64_t hostNanoseconds = 0;     ///< that the host takes to enqueue something
    std::int64_t nodeGapNanoseconds = 0;  ///< between two nodes of a graph
    bool counts = false;                  ///< it has counters (counters.cpp)
    std::int64_t failingCall = 0;         ///< of those that can fail, counted from 1; 0: none
    bool isLoss = false;                  ///< with it the device is lost, as where a kernel has faulted
};

/// Whether kernels of ours may start before the one in front of them has ended.
inline bool startsEarly(const Options& options) { return options.computeCapability >= 90; }

struct Capture;

struct Event {
    bool timed = true;
    bool captured = false;           ///< last recorded in a capture ...
    std::weak_ptr<Capture> capture;  ///< ... which this is while it goes on
    std::vector<std::size_t> after;  ///< nodes that somebody who waits for it then waits for
    std::uint64_t recorded = 0;      ///< times that it was recorded
    std::uint64_t done = 0;          ///< the last of those that was reached
    std::int64_t nanoseconds = 0;    ///< of the device, then
};

/// A function of the host in a stream: runs on a thread of its own once the stream has come to it, and the
/// stream goes on when it is over.
class HostFunction {
public:
    explicit HostFunction(std::function<void()> run) : m_run(std::move(run)) {}
    [[nodiscard]] bool isStarted() const { return m_thread.joinable(); }
    [[nodiscard]] bool isOver() const { return m_over; }
    void start() {
        m_thread = std::jthread([this] {
            m_run();
            m_over = true;
        });
    }

private:
    std::function<void()> m_run;
    std::atomic<bool> m_over = false;
    std::jthread m_thread;
};

struct Stream;

/// Kernels and products of one kind that were done, and the bytes of tensors that they moved.
struct LaunchCount {
    std::int64_t launches = 0;
    std::int64_t bytesRead = 0;
    std::int64_t bytesWritten = 0;
    std::int64_t bytesOfSums = 0;  ///< partial sums that the last blocks read, which others had written
    std::int64_t tensorFlops = 0;  ///< of products that tensor cores would do ...
    std::int64_t coreFlops = 0;    ///< ... and of the others
    std::int64_t nanoseconds = 0;  ///< of the device

    LaunchCount& operator+=(const LaunchCount& more);
    LaunchCount operator-(const LaunchCount& less) const;
};

/// One thing that a stream does.
struct Work {
    std::function<void()> run;  ///< none: waits for an event, or for a function of the host
    std::int64_t nanoseconds = 0;
    Event* awaited = nullptr;
    std::uint64_t occurrence = 0;  ///< of the event
    std::shared_ptr<HostFunction> host = nullptr;
    std::int64_t enqueued = 0;     ///< on the host's clock
    const char* kernel = nullptr;  ///< what is counted; null: a copy, a mark, memory
    bool isEarly = false;          ///< may start before the kernel in front of it has ended
};

struct Graph {
    struct Node {
        Work work;
        std::vector<std::size_t> after;  ///< others that it waits for, all before it
    };
    std::deque<Node> nodes;  ///< each stays where it is, as what its handle points to

    /// Whether each node waits for this one, directly or through others.
    [[nodiscard]] std::vector<bool> before(const std::vector<std::size_t>& last) const;
};

/// A capture that goes on.
struct Capture {
    Graph graph;
    Stream* origin = nullptr;
    bool spoilt = false;
};

struct Stream {
    std::deque<Work> queue;
    std::shared_ptr<Capture> capture;  ///< while it is captured
    std::vector<std::size_t> after;    ///< nodes that the next one waits for
    std::vector<Graph::Node*> told;    ///< the same, for the one who asked last
    int card = 0;                      ///< that it was made for
};

struct Pool {
    std::size_t used = 0, usedHigh = 0, reserved = 0, reservedHigh = 0;
};

/// Sets `bytes` to a value that nothing relies on; of large blocks only parts (see above).
void poison(void* memory, int value, std::size_t bytes);

class Device;
/// What a call that fails says: of a device that goes on, something that it recovers from.
[[nodiscard]] cudaError_t failureOf(const Device& device);

class Device {
public:
    /// The only one.
    static Device& get();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    /// Forgets everything; nobody may hold anything of it any more. What the last user had left undone or
    /// wrong is told by faults().
    void restart(const Options& options);
    [[nodiscard]] const Options& options() const { return m_options; }

    /// What was done wrong so far, in words; each also made the call fail where it could.
    [[nodiscard]] const std::vector<std::string>& faults() const { return m_faults; }
    void addFault(std::string text) { m_faults.push_back(std::move(text)); }
    /// Blocks of memory that were never released.
    [[nodiscard]] std::size_t liveBlocks() const { return m_blocks.size(); }

    /// Calls so far that could have failed.
    [[nodiscard]] std::int64_t calls() const { return m_calls; }

    /// What was done since it was cleared, replayed nodes of graphs too, by the names of kernels.
    [[nodiscard]] std::map<std::string, LaunchCount>& launched() { return m_launched; }

    // ---- for the functions of the libraries; each call holds the lock
    /// Counts a call, and tells whether it is to fail.
    bool fails() {
        if (++m_calls == m_options.failingCall && m_options.isLoss) lose();
        return m_loss != cudaSuccess || m_calls == m_options.failingCall;
    }
    /// Nothing is done any more, and nobody is told but those who ask.
    void lose();
    /// What a device that is lost says to everything; cudaSuccess of another.
    [[nodiscard]] cudaError_t loss() const { return m_loss; }
    std::recursive_mutex& lock() { return m_lock; }
    /// Keeps `error` as the last one.
    cudaError_t failed(cudaError_t error);
    cudaError_t takeLastError() { return std::exchange(m_lastError, cudaSuccess); }

    Stream* makeStream();
    void destroyStream(Stream* stream);
    [[nodiscard]] bool knows(const Stream* stream) const { return m_streams.contains(stream); }
    /// Whether some stream is captured; a call that `what` names may not be made then.
    [[nodiscard]] bool refusedInCapture(const char* what);

    /// `run` is done on `stream` in its turn, or noted where it is captured. `kernel`: what it is counted as,
    /// a text that stays.
    void enqueue(Stream* stream, std::function<void()> run, std::int64_t nanoseconds,
                 const char* kernel = nullptr, bool isEarly = false);
    void enqueueHost(Stream* stream, std::function<void()> run);
    void record(Stream* stream, Event* event);
    cudaError_t wait(Stream* stream, Event* event);
    /// Nodes that need not wait for one another run in an order at random.
    void launch(Stream* stream, const std::shared_ptr<const Graph>& graph);
    /// The newest that was launched; null: none.
    [[nodiscard]] const Graph* newestGraph() const { return m_newestGraph.get(); }
    /// Takes a stream and all that joined it out of its capture. Null where that was spoilt, or where one of
    /// them has not come back.
    std::unique_ptr<Graph> endCapture(Stream* origin);
    void finish(Stream* stream);
    void finish(const Event* event);
    void finishAll();
    /// Something is done, if anything can be.
    bool progress();

    /// Fresh memory of the device, null when there is no room. `owner`: a pool, or null. It has no value from
    /// when `stream` gets there; null: at once.
    void* allocate(std::size_t bytes, Pool* owner, Stream* stream);
    /// Which card a block is of; those of pools, of which each backend has one, are not asked for.
    void setCard(void* memory, int card) { m_blocks.at(static_cast<std::byte*>(memory)).card = card; }
    [[nodiscard]] bool isOf(const void* memory, int card) const;
    /// Pairs of cards, of which the first may use the memory of the second.
    [[nodiscard]] std::set<std::pair<int, int>>& peers() { return m_peers; }
    /// False when it is no such block.
    bool release(void* memory, Stream* stream);
    [[nodiscard]] std::size_t freeBytes() const;
    [[nodiscard]] bool isDevice(const void* memory, std::size_t bytes = 1) const;
    [[nodiscard]] bool isPinned(const void* memory) const;
    void* allocatePinned(std::size_t bytes);
    bool releasePinned(void* memory);
    Pool* poolOf(const void* memory) const;
    void trim(Pool& pool);
    /// The pool is gone.
    void forget(Pool* pool) { std::erase(m_pools, pool); }

    /// Runs the blocks of a kernel of ours (0, or an error).
    void runBody(const std::function<int()>& run, const char* name, bool isEarly);

    /// A number at random, below `end`.
    std::uint64_t dice(std::uint64_t end) { return m_random() % end; }

private:
    struct Block {
        std::size_t bytes = 0;
        Pool* owner = nullptr;
        int card = 0;
    };
    /// Lets the device's memory be touched while it lives.
    class Access;
    void protect(bool open) const;

    Device();
    ~Device();
    void add(Stream* stream, Work work);
    [[nodiscard]] std::vector<std::size_t> anyOrderOf(const Graph& graph);
    /// Does of `stream` what the pace wants after each call.
    void advance(Stream* stream);
    [[nodiscard]] bool runsHostFunction() const;
    [[nodiscard]] bool ready(const Stream& stream) const;
    bool doNext(Stream& stream);
    template <class Done>
    void doUntil(const Done& done, Stream* first);
    void spoil(std::byte* memory, std::size_t bytes, bool checks);
    [[nodiscard]] std::byte* place(std::size_t bytes, bool pooled) const;

    Options m_options;
    std::recursive_mutex m_lock;
    std::mt19937_64 m_random;
    std::vector<std::string> m_faults;
    cudaError_t m_lastError = cudaSuccess;
    std::shared_ptr<const Graph> m_newestGraph;
    std::int64_t m_calls = 0;
    cudaError_t m_loss = cudaSuccess;
    std::vector<Work> m_orphans;  ///< of a device that was lost: a function of the host may still run
    std::map<std::string, LaunchCount> m_launched;
    std::map<const Stream*, std::unique_ptr<Stream>> m_streams;
    std::int64_t m_nanoseconds = 0;      ///< the device's clock
    std::int64_t m_hostNanoseconds = 0;  ///< the host's, which waits for the device's and not the reverse
    std::byte* m_memory = nullptr;
    int m_open = 0;
    std::map<std::byte*, Block> m_blocks;
    std::map<std::byte*, std::size_t> m_pinned;
    std::size_t m_plainBytes = 0;  ///< outside of pools
    std::vector<Pool*> m_pools;
    std::set<std::pair<int, int>> m_peers;
};

}  // namespace plumb::test::simulated
