// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory_snapshot/memory_snapshot.h"
#include "core/memory_snapshot/pickle_containers.h"
#include "core/memory_snapshot/pickle_store.h"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace plumb {

/// The columns of a MemorySnapshot while they are filled: what a key of an entry, block, segment, annotation
/// or frame says is put into its column, and what cannot be read is counted.
class SnapshotRows {
public:
    /// A block or segment as it stands in the file, before they are put in order.
    struct RawBlock {
        MemoryBlock block;
        bool hasAddress = false;
    };
    struct RawSegment {
        MemorySegment segment;
        PickleValue blocks;
    };

    /// Values and containers outlive it.
    SnapshotRows(PickleStore& values, PickleContainers& containers)
        : m_values(values), m_containers(containers) {}

    /// The number of a new row; of the frame of nothing for a frame.
    [[nodiscard]] std::uint64_t add(PickleShape shape);
    /// Keys and values by turns. Returns the number of the row, which is another one for a frame.
    [[nodiscard]] std::uint64_t fill(PickleShape shape, std::uint64_t row,
                                     std::span<const PickleValue> items);
    /// Notes that a key is not read.
    void unread(std::uint32_t key);

    /// What has been made so far; texts are not in it.
    [[nodiscard]] MemorySnapshot& made() { return m_made; }
    [[nodiscard]] const ChunkedColumn<RawBlock>& blocks() const { return m_blocks; }
    [[nodiscard]] const std::vector<RawSegment>& segments() const { return m_segments; }
    [[nodiscard]] const std::vector<bool>& unreadKeys() const { return m_unread; }
    [[nodiscard]] std::size_t bytes() const;

private:
    void setEntry(std::uint64_t row, std::uint32_t key, PickleValue value);
    void setBlock(std::uint64_t row, std::uint32_t key, PickleValue value);
    void setSegment(std::uint64_t row, std::uint32_t key, PickleValue value);
    void setAnnotation(std::uint64_t row, std::uint32_t key, PickleValue value);
    [[nodiscard]] MemoryFrame frameWith(MemoryFrame frame, std::span<const PickleValue> items);
    [[nodiscard]] std::uint32_t frameNumber(const MemoryFrame& frame);

    [[nodiscard]] std::int64_t whole(PickleValue value);
    [[nodiscard]] Bytes size(PickleValue value);
    [[nodiscard]] std::uint32_t textNumber(PickleValue value);
    [[nodiscard]] std::uint32_t stackOf(PickleValue value);
    [[nodiscard]] std::uint32_t streamNumber(std::int64_t stream);
    [[nodiscard]] std::uint8_t actionOf(PickleValue value);
    [[nodiscard]] std::uint32_t noteOf(PickleValue value);

    PickleStore& m_values;
    PickleContainers& m_containers;
    MemorySnapshot m_made;
    HashIndex m_frameIndex;
    ChunkedColumn<RawBlock> m_blocks;
    std::vector<RawSegment> m_segments;
    std::unordered_map<std::int64_t, std::uint32_t> m_streamNumbers;
    std::vector<bool> m_unread;  ///< by number of the text
};

}  // namespace plumb
