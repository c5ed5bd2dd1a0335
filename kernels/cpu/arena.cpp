// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/arena.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <string>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace plumb::cpu {

namespace {

constexpr Bytes kAlignment = 64;
constexpr Bytes kPage = 4096;
/// Address space beyond the limit, so that holes never make an allocation fail that would fit.
constexpr Bytes kAddressSpaceFactor = 2;
constexpr Bytes kSmallestReservation = Bytes{64} << 20;

constexpr Bytes roundUp(Bytes value, Bytes unit) { return (value + unit - 1) / unit * unit; }

/// All ones is NaN as fp32, as fp64 and as bf16.
void fillNaN([[maybe_unused]] void* data, [[maybe_unused]] Bytes bytes) {
#ifndef NDEBUG
    std::memset(data, 0xFF, static_cast<std::size_t>(bytes));
#endif
}

}  // namespace

Result<std::unique_ptr<Arena>> Arena::create(Bytes limit) {
    constexpr Bytes kMost = std::numeric_limits<Bytes>::max() / 4;
    Bytes reserve = roundUp(std::clamp(limit, kSmallestReservation, kMost) * kAddressSpaceFactor, kPage);
    for (; reserve >= kSmallestReservation; reserve = roundUp(reserve / 2, kPage)) {
        // Pages cost nothing until they are touched. A limit on address space (ulimit -v) may forbid even
        // that: then ask for less.
        void* base = mmap(nullptr, static_cast<std::size_t>(reserve), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base == MAP_FAILED) continue;
        // Pages of 2 MB where the system has them: steps of large matrices take 2 % less time. Not worth an
        // error where it has not.
        madvise(base, static_cast<std::size_t>(reserve), MADV_HUGEPAGE);
        return std::unique_ptr<Arena>(new Arena(static_cast<std::byte*>(base), reserve, limit));
    }
    return Error{ErrorCode::OutOfMemory, "no address space is left for the tensors of a training step",
                 "raise the limit on virtual memory (ulimit -v)"};
}

Arena::~Arena() {
    ASAN_UNPOISON_MEMORY_REGION(m_base, static_cast<std::size_t>(m_extent));
    munmap(m_base, static_cast<std::size_t>(m_reserved));
}

Error Arena::outOfMemory(Bytes bytes, Category category) const {
    const Bytes left = std::max<Bytes>(0, m_limit - m_live);
    std::string needed = bytesText(bytes);
    std::string free = bytesText(left);
    // Three digits of both can read the same; then only the exact numbers say why it is refused.
    if (needed == free) {
        needed = formatExact(bytes, "B");
        free = formatExact(left, "B");
    }
    return {ErrorCode::OutOfMemory,
            fmt::format("not enough memory for a tensor of the {}: {} needed, {} of {} free",
                        categoryLabel(category), needed, free, bytesText(m_limit)),
            "reduce the batch, the micro-batch or the width, or keep fewer activations (--checkpoint)"};
}

Result<Buffer> Arena::allocate(Bytes bytes, Category category) {
    if (bytes < 0) return internalError(fmt::format("a tensor of {} bytes was asked for", bytes));
    if (bytes > m_limit) return outOfMemory(bytes, category);
    // An empty buffer still has an address of its own.
    const Bytes size = std::max(roundUp(bytes, kAlignment), kAlignment);
    if (bytes > m_limit - m_live) return outOfMemory(bytes, category);

    auto best = m_holes.end();
    for (auto hole = m_holes.begin(); hole != m_holes.end(); ++hole)
        if (hole->size >= size && (best == m_holes.end() || hole->size < best->size)) best = hole;
    Bytes offset = m_top;
    if (best != m_holes.end()) {
        offset = best->offset;
        best->offset += size;
        best->size -= size;
        if (best->size == 0) m_holes.erase(best);
    } else {
        if (size > m_reserved - m_top) return outOfMemory(bytes, category);
        m_top += size;
        if (m_top > m_extent) {
            m_extent = m_top;
            if (m_extent > m_limit) giveBackHoles();
        }
    }

    std::byte* data = m_base + offset;
    ASAN_UNPOISON_MEMORY_REGION(data, static_cast<std::size_t>(size));
    fillNaN(data, size);
    ASAN_POISON_MEMORY_REGION(data + bytes, static_cast<std::size_t>(size - bytes));
    m_live += bytes;
    ++m_liveBuffers;
    m_count.live[category] += bytes;
    m_count.highWater[category] = std::max(m_count.highWater[category], m_count.live[category]);
    return Buffer{data, bytes, category};
}

void Arena::release(const Buffer& buffer) {
    const Bytes offset = static_cast<std::byte*>(buffer.data) - m_base;
    const Bytes size = std::max(roundUp(buffer.bytes, kAlignment), kAlignment);
    assert(offset >= 0 && offset % kAlignment == 0 && offset + size <= m_top);
    ASAN_UNPOISON_MEMORY_REGION(buffer.data, static_cast<std::size_t>(size));
    fillNaN(buffer.data, size);
    ASAN_POISON_MEMORY_REGION(buffer.data, static_cast<std::size_t>(size));
    m_count.live[buffer.category] -= buffer.bytes;
    m_live -= buffer.bytes;
    --m_liveBuffers;

    auto next = std::lower_bound(m_holes.begin(), m_holes.end(), offset,
                                 [](const Hole& hole, Bytes value) { return hole.offset < value; });
    assert(next == m_holes.end() || offset + size <= next->offset);
    const bool joinsNext = next != m_holes.end() && next->offset == offset + size;
    const bool joinsPrevious =
        next != m_holes.begin() && std::prev(next)->offset + std::prev(next)->size == offset;
    assert(next == m_holes.begin() || std::prev(next)->offset + std::prev(next)->size <= offset);
    if (joinsPrevious) {
        std::prev(next)->size += size;
        if (joinsNext) {
            std::prev(next)->size += next->size;
            m_holes.erase(next);
        }
    } else if (joinsNext) {
        next->offset = offset;
        next->size += size;
    } else {
        m_holes.insert(next, Hole{offset, size});
    }
    if (!m_holes.empty() && m_holes.back().offset + m_holes.back().size == m_top) {
        m_top = m_holes.back().offset;
        m_holes.pop_back();
    }
    if (m_liveBuffers == 0) {
        madvise(m_base, static_cast<std::size_t>(roundUp(m_extent, kPage)), MADV_DONTNEED);
        m_extent = 0;
    }
}

// Live buffers fit the limit but lie apart: return what lies between them, whole pages only. They come back
// as fresh pages when a buffer is put there.
void Arena::giveBackHoles() {
    for (const Hole& hole : m_holes) {
        const Bytes begin = roundUp(hole.offset, kPage);
        const Bytes end = (hole.offset + hole.size) / kPage * kPage;
        if (end > begin) madvise(m_base + begin, static_cast<std::size_t>(end - begin), MADV_DONTNEED);
    }
}

}  // namespace plumb::cpu
