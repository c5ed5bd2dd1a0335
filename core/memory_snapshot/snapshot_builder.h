// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory_snapshot/memory_snapshot.h"
#include "core/memory_snapshot/pickle_value.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace plumb {

/// Makes the columns of a MemorySnapshot out of the dicts and lists of a pickle while it is read. A dict
/// becomes an entry, a block, a segment or a frame as soon as its keys say so, and a list of frames a stack:
/// no tree of the file is ever there.
class SnapshotBuilder {
public:
    SnapshotBuilder();

    [[nodiscard]] PickleValue text(std::string_view text);
    [[nodiscard]] PickleValue integer(std::int64_t value);
    [[nodiscard]] PickleValue real(double value);
    [[nodiscard]] PickleValue tuple(std::span<const PickleValue> values);
    [[nodiscard]] PickleValue emptyDict();
    [[nodiscard]] PickleValue emptyList();
    /// Keys and values by turns. Returns false when `dict` is none. Pre: an even number.
    [[nodiscard]] bool setItems(PickleValue dict, std::span<const PickleValue> items);
    /// Returns false when `list` is none.
    [[nodiscard]] bool append(PickleValue list, std::span<const PickleValue> values);

    /// The text of a value, for messages; empty for what is none.
    [[nodiscard]] std::string_view textOf(PickleValue value) const;
    /// Bytes that all of it takes in memory.
    [[nodiscard]] std::size_t bytes() const;

    /// The snapshot that the value of the whole pickle is. Errors: BadInput when it is none. Call it last.
    [[nodiscard]] Result<MemorySnapshot> finish(PickleValue whole);

private:
    using Kind = PickleValue::Kind;
    using Pairs = std::vector<std::pair<PickleValue, PickleValue>>;
    /// Equal or consecutive values of a list.
    struct Run {
        PickleValue first;
        std::uint64_t count = 0;
    };
    using Runs = std::vector<Run>;
    /// What a dict or a list has turned out to be.
    enum class Shape : std::uint8_t {
        EmptyDict,
        Dict,
        Entry,
        Block,
        Segment,
        Frame,
        Annotation,
        Note,
        EmptyList,
        List,
        Stack
    };
    struct Container {
        Shape shape;
        std::uint64_t number;
    };

    [[nodiscard]] Container container(PickleValue value) const;
    void become(PickleValue value, Shape shape, std::uint64_t number);
    [[nodiscard]] PickleValue resolved(PickleValue value) const;
    [[nodiscard]] std::uint32_t keyOf(PickleValue value) const;
    void fill(PickleValue dict, Shape shape, std::uint64_t number, std::span<const PickleValue> items);
    [[nodiscard]] std::uint64_t newRow(Shape shape);
    void setEntry(std::uint64_t row, std::uint32_t key, PickleValue value);
    void setBlock(std::uint64_t row, std::uint32_t key, PickleValue value);
    void setSegment(std::uint64_t row, std::uint32_t key, PickleValue value);
    void setAnnotation(std::uint64_t row, std::uint32_t key, PickleValue value);
    [[nodiscard]] MemoryFrame frameWith(MemoryFrame frame, std::span<const PickleValue> items);
    [[nodiscard]] std::uint32_t frameNumber(const MemoryFrame& frame);
    [[nodiscard]] bool appendFrames(PickleValue list, Container at, std::span<const PickleValue> values);
    void appendRun(Runs& runs, PickleValue value, std::uint64_t count = 1);

    [[nodiscard]] std::optional<std::int64_t> wholeOf(PickleValue value) const;
    [[nodiscard]] std::int64_t whole(PickleValue value);
    [[nodiscard]] Bytes size(PickleValue value);
    [[nodiscard]] std::uint32_t textNumber(PickleValue value);
    [[nodiscard]] std::uint32_t stackOf(PickleValue value);
    [[nodiscard]] std::uint32_t streamNumber(std::int64_t stream);
    [[nodiscard]] std::uint8_t actionOf(PickleValue value);
    [[nodiscard]] std::uint32_t noteOf(PickleValue value);
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> poolOf(PickleValue value);
    [[nodiscard]] std::string shortText(PickleValue value) const;
    void unread(std::uint32_t key);

    [[nodiscard]] const Runs* listOf(PickleValue value) const;
    [[nodiscard]] const Pairs* pairsOf(PickleValue value) const;
    [[nodiscard]] Result<void> takeTraces(PickleValue value);
    [[nodiscard]] Result<void> takeSegments(PickleValue value);
    void takeSettings(PickleValue value, const std::string& prefix, int depth);
    void checkTiling();

    /// A block or segment as it stands in the file, before they are put in order.
    struct RawBlock {
        MemoryBlock block;
        bool hasAddress = false;
    };
    struct RawSegment {
        MemorySegment segment;
        PickleValue blocks;
    };

    MemorySnapshot m_made;
    HashIndex m_frameIndex;
    ChunkedColumn<std::uint64_t> m_containers;  ///< number, and in the low four bits the shape
    std::vector<Pairs> m_dicts;
    std::vector<Runs> m_lists;
    std::vector<std::uint64_t> m_freeDicts;  ///< numbers of m_dicts that became something else
    std::vector<std::uint64_t> m_wide;       ///< bits of integers and reals
    SequenceTable m_tuples;                  ///< both halves of each value
    ChunkedColumn<RawBlock> m_blocks;
    std::vector<RawSegment> m_segments;
    std::unordered_map<std::int64_t, std::uint32_t> m_streamNumbers;
    std::vector<bool> m_unread;    ///< by number of the text
    std::size_t m_looseBytes = 0;  ///< about what m_dicts and m_lists hold
    std::vector<std::uint32_t> m_scratch;
};

}  // namespace plumb
