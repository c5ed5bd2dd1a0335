// SPDX-License-Identifier: Apache-2.0
// How the bodies of the kernels are written, so that a device runs them and a host can run the very same text
// to check them.
//
// A body is a struct with `Arguments`, `Shared` and run(block, shared, arguments). All of its work stands in
// block.forThreads(), which means: every thread does this, then all wait for each other. What a thread keeps
// from one of these to the next is a PerThread. A host runs the threads one after the other.
//
// Blocks may start before the kernel in front of theirs has ended (launch.cuh). So each body calls
// block.waitForEarlier() on every way through it, before it touches memory: what it computes of its arguments
// alone stands in front of that.
#pragma once

#include "kernels/common/inline.h"

#include <cstdint>
#ifdef __CUDACC__
#include <type_traits>
#else
#include <array>
#include <cstring>
#endif

// Marks bodies: compiled for the device alone by its compiler, and as plain functions by others. PLUMB_UNROLL
// stands before loops over what has to stay in registers, PLUMB_UNROLL_FOUR before those whose loads should
// run ahead, PLUMB_ROLLED before those that are not worth their instructions.
#ifdef __CUDACC__
#define PLUMB_BODY __device__ __forceinline__
#define PLUMB_UNROLL _Pragma("unroll")
#define PLUMB_UNROLL_FOUR _Pragma("unroll 4")
#define PLUMB_ROLLED _Pragma("unroll 1")
#else
#define PLUMB_BODY inline
#define PLUMB_UNROLL
#define PLUMB_UNROLL_FOUR
#define PLUMB_ROLLED
#endif

namespace plumb::cuda {

using common::Index;
using common::smaller;

/// Threads of a block; a group of kLanes of them is a warp.
inline constexpr int kThreads = 256;
inline constexpr int kLanes = 32;
inline constexpr int kWarps = kThreads / kLanes;

#ifdef __CUDACC__

template <class T>
struct OneThreads {
    T value{};
    __device__ __forceinline__ T& operator[](int /*thread*/) { return value; }
};

class DeviceBlock {
public:
    template <class T>
    using PerThread = OneThreads<T>;

    __device__ __forceinline__ Index index() const { return blockIdx.x; }
    __device__ __forceinline__ Index count() const { return gridDim.x; }
    /// Until all that was enqueued before has ended and its memory can be seen. Before sm_90 no block starts
    /// earlier than that.
    __device__ __forceinline__ void waitForEarlier() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        cudaGridDependencySynchronize();
#endif
    }
    template <class Work>
    __device__ __forceinline__ void forThreads(Work&& work) const {
        work(static_cast<int>(threadIdx.x));
        __syncthreads();
    }
    /// room[k] becomes part(room[k]) + ... + part(room[k + kWidth - 1]) for each k that is a multiple of
    /// kWidth, added in a tree in which no warp waits for another: of few words by shuffles, which take a
    /// register for each of them, of more through the room.
    template <int kWidth, class T, class Part>
    __device__ __forceinline__ void warpSum(T* room, Part part) const {
        static_assert(kWidth <= kLanes && kLanes % kWidth == 0);
        using Sum = std::remove_reference_t<decltype(part(*room))>;
        if constexpr (sizeof(Sum) <= kShuffledBytes) {
            Sum sum = part(room[threadIdx.x]);
            PLUMB_UNROLL
            for (unsigned stride = kWidth / 2; stride > 0; stride /= 2) sum.add(fromLane(sum, stride));
            if (threadIdx.x % kWidth == 0) part(room[threadIdx.x]) = sum;
        } else {
            PLUMB_ROLLED
            for (unsigned stride = kWidth / 2; stride > 0; stride /= 2) {
                if (threadIdx.x % kWidth < stride)
                    part(room[threadIdx.x]).add(part(room[threadIdx.x + stride]));
                __syncwarp();
            }
        }
        __syncthreads();
    }
    /// Whether this is the last of all blocks that come here; what the others wrote before is then visible to
    /// readFresh(). `flag` is shared memory. Leaves the ticket at 0.
    __device__ __forceinline__ bool isLast(std::uint32_t* ticket, std::uint32_t& flag,
                                           std::uint32_t blocks) const {
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            flag = atomicAdd(ticket, 1U) == blocks - 1 ? 1U : 0U;
            if (flag != 0) *ticket = 0;
        }
        __syncthreads();
        if (flag != 0) __threadfence();
        return flag != 0;
    }
    /// What another block of this launch wrote: past the level 1 cache.
    template <class T>
    __device__ __forceinline__ static T readFresh(const T* from) {
        using Word = std::conditional_t<alignof(T) % 8 == 0, unsigned long long, unsigned>;
        static_assert(sizeof(T) % sizeof(Word) == 0);
        Word words[sizeof(T) / sizeof(Word)];
        PLUMB_UNROLL
        for (unsigned i = 0; i < sizeof(T) / sizeof(Word); ++i)
            words[i] = __ldcg(reinterpret_cast<const Word*>(from) + i);
        T value;
        memcpy(&value, words, sizeof value);
        return value;
    }
    /// Before what tells the host, or another device, that all else is written.
    __device__ __forceinline__ static void publish() { __threadfence_system(); }

private:
    static constexpr unsigned kShuffledBytes = 16;

    /// What the thread `stride` lanes above has; its own where there is none.
    template <class T>
    __device__ __forceinline__ static T fromLane(const T& own, unsigned stride) {
        static_assert(sizeof(T) % sizeof(unsigned) == 0 && std::is_trivially_copyable_v<T>);
        unsigned words[sizeof(T) / sizeof(unsigned)];
        memcpy(words, &own, sizeof own);
        PLUMB_UNROLL
        for (unsigned& word : words) word = __shfl_down_sync(0xffffffffU, word, stride);
        T other;
        memcpy(&other, words, sizeof other);
        return other;
    }
};

#else

/// Bytes that bodies have moved on this thread of a host, in whole packs; what they read of single numbers
/// stays out of it.
struct HostTraffic {
    std::int64_t read = 0;
    std::int64_t written = 0;
    std::int64_t sums = 0;  ///< of partial sums that other blocks had written, read once they were there
};
inline thread_local HostTraffic hostTraffic;

/// Whether the block that runs on this thread of a host has come to its wait.
struct HostWait {
    bool isAhead = false;
    std::int64_t bytesAhead = 0;  ///< that it moved before, in whole packs
    void (*ends)() = nullptr;     ///< called at the wait
};
inline thread_local HostWait hostWait;

class HostBlock {
public:
    template <class T>
    using PerThread = std::array<T, kThreads>;

    HostBlock(Index index, Index count) : m_index(index), m_count(count) {}
    [[nodiscard]] Index index() const { return m_index; }
    [[nodiscard]] Index count() const { return m_count; }
    static void waitForEarlier() {
        hostWait.isAhead = false;
        if (hostWait.ends != nullptr) hostWait.ends();
    }
    template <class Work>
    void forThreads(Work&& work) const {
        for (int thread = 0; thread < kThreads; ++thread) work(thread);
    }
    /// In the order of the device's shuffles.
    template <int kWidth, class T, class Part>
    void warpSum(T* room, Part part) const {
        for (int stride = kWidth / 2; stride > 0; stride /= 2)
            for (int thread = 0; thread < kThreads; ++thread)
                if (thread % kWidth < stride) part(room[thread]).add(part(room[thread + stride]));
    }
    bool isLast(std::uint32_t* ticket, std::uint32_t& /*flag*/, std::uint32_t blocks) const {
        if (++*ticket < blocks) return false;
        *ticket = 0;
        return true;
    }
    template <class T>
    static T readFresh(const T* from) {
        hostTraffic.sums += static_cast<std::int64_t>(sizeof(T));
        return *from;
    }
    static void publish() {}

private:
    Index m_index;
    Index m_count;
};

#endif

/// kCount neighbours in memory, moved at once in accesses of up to 16 bytes. The address is a multiple of
/// those.
template <class T, int kCount>
struct alignas(kCount * sizeof(T) < 16 ? kCount * sizeof(T) : 16) Pack {
    T v[kCount];
};

#ifdef __CUDACC__
template <int kBytes>
struct WordOf;
template <>
struct WordOf<1> {
    using Type = unsigned char;
};
template <>
struct WordOf<2> {
    using Type = unsigned short;
};
template <>
struct WordOf<4> {
    using Type = unsigned;
};
template <>
struct WordOf<8> {
    using Type = uint2;
};
template <>
struct WordOf<16> {
    using Type = uint4;
};
#endif

/// Soon: another kernel reads it soon, so it should stay in the cache.
enum class Reuse { None, Soon };

template <int kCount, Reuse kReuse = Reuse::None, class T>
PLUMB_BODY Pack<T, kCount> loadPack(const T* from) {
    Pack<T, kCount> pack;
#ifdef __CUDACC__
    constexpr int kBytes = kCount * sizeof(T);
    constexpr int kStep = kBytes < 16 ? kBytes : 16;
    using Word = typename WordOf<kStep>::Type;
    PLUMB_UNROLL
    for (int i = 0; i < kBytes / kStep; ++i) {
        const auto* word = reinterpret_cast<const Word*>(from) + i;
        const Word value = kReuse == Reuse::None ? __ldcs(word) : __ldca(word);
        reinterpret_cast<Word*>(&pack)[i] = value;
    }
#else
    std::memcpy(&pack, from, sizeof pack);
    hostTraffic.read += static_cast<std::int64_t>(sizeof pack);
    if (hostWait.isAhead) hostWait.bytesAhead += static_cast<std::int64_t>(sizeof pack);
#endif
    return pack;
}
/// What this block has read just before, and finds in the cache: it counts as no traffic.
template <int kCount, class T>
PLUMB_BODY Pack<T, kCount> loadAgain(const T* from) {
#ifdef __CUDACC__
    return loadPack<kCount, Reuse::Soon>(from);
#else
    Pack<T, kCount> pack;
    std::memcpy(&pack, from, sizeof pack);
    return pack;
#endif
}
template <int kCount, Reuse kReuse = Reuse::None, class T>
PLUMB_BODY void storePack(T* to, const Pack<T, kCount>& pack) {
#ifdef __CUDACC__
    constexpr int kBytes = kCount * sizeof(T);
    constexpr int kStep = kBytes < 16 ? kBytes : 16;
    using Word = typename WordOf<kStep>::Type;
    PLUMB_UNROLL
    for (int i = 0; i < kBytes / kStep; ++i) {
        auto* word = reinterpret_cast<Word*>(to) + i;
        const Word value = reinterpret_cast<const Word*>(&pack)[i];
        if (kReuse == Reuse::None)
            __stcs(word, value);
        else
            __stwb(word, value);
    }
#else
    std::memcpy(to, &pack, sizeof pack);
    hostTraffic.written += static_cast<std::int64_t>(sizeof pack);
    if (hostWait.isAhead) hostWait.bytesAhead += static_cast<std::int64_t>(sizeof pack);
#endif
}

/// Row and column of an element, without a division of integers: rows are estimated in double precision,
/// which is exact to one for what fits in any memory.
struct Place {
    Index row = 0;
    Index column = 0;
};
PLUMB_BODY Place placeOf(Index at, Index across, double inverse) {
    Place place;
    place.row = static_cast<Index>(static_cast<double>(at) * inverse);
    place.column = at - place.row * across;
    if (place.column < 0) {
        --place.row;
        place.column += across;
    } else if (place.column >= across) {
        ++place.row;
        place.column -= across;
    }
    return place;
}

}  // namespace plumb::cuda
