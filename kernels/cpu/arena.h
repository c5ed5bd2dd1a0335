// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/engine/backend.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace plumb::cpu {

/// Memory for tensors, counted where it is handed out: bytes as requested, by category; the limit is of
/// these. Rounding up to 64 bytes is not counted; nothing else is added.
///
/// Best fit with coalescing inside one range of address space that is reserved once. Pages that were touched
/// stay, so that a training step that allocates and frees every tensor faults no page after the first one,
/// and costs about 100 ns per tensor. Physical memory is at most extent(), which best fit keeps near the peak
/// of what was alive (tests/kernels hold it to 1.15 times for steps of random configurations; 1.07 seen).
/// When the last buffer is released, the pages go back to the system.
///
/// Without NDEBUG, memory is filled with NaN when it is handed out and when it comes back; with address
/// sanitizer, what is not handed out is poisoned. For one thread.
class Arena {
public:
    /// Makes an arena that hands out `limit` bytes at most. Errors: OutOfMemory when no address space is to
    /// be had.
    [[nodiscard]] static Result<std::unique_ptr<Arena>> create(Bytes limit);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// 64-byte aligned; contents are undefined. `bytes` may be 0. Errors: OutOfMemory with need and free.
    [[nodiscard]] Result<Buffer> allocate(Bytes bytes, Category category);
    /// Pre: `buffer` came from allocate() and was not released.
    void release(const Buffer& buffer);

    /// From now on at most `bytes`, as they are asked for. Returns what held before.
    Bytes setLimit(Bytes bytes) { return std::exchange(m_limit, bytes); }

    [[nodiscard]] const AllocationCount& count() const { return m_count; }
    void resetHighWater() { m_count.highWater = m_count.live; }
    /// Address space in use, holes included: an upper bound of the physical memory behind the buffers.
    [[nodiscard]] Bytes extent() const { return m_extent; }
    [[nodiscard]] std::size_t liveBuffers() const { return m_liveBuffers; }

private:
    struct Hole {
        Bytes offset;
        Bytes size;
    };
    Arena(std::byte* base, Bytes reserved, Bytes limit)
        : m_base(base), m_reserved(reserved), m_limit(limit) {}
    [[nodiscard]] Error outOfMemory(Bytes bytes, Category category) const;
    void giveBackHoles();

    std::byte* m_base;
    Bytes m_reserved;
    Bytes m_limit;
    Bytes m_top = 0;     ///< end of the last live buffer
    Bytes m_extent = 0;  ///< largest m_top since the arena was last empty
    Bytes m_live = 0;    ///< as asked for
    std::size_t m_liveBuffers = 0;
    std::vector<Hole> m_holes;  ///< by offset, never adjacent, all below m_top
    AllocationCount m_count;
};

}  // namespace plumb::cpu
