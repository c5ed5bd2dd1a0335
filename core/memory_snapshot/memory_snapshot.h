// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/memory_snapshot/chunked_column.h"
#include "core/memory_snapshot/interned.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace plumb {

/// What an entry of a trace says that the caching allocator did. Beyond Other stand the names that this
/// program does not know (MemorySnapshot::actionName()).
enum class MemoryAction : std::uint8_t {
    Alloc,          ///< a block was handed out; the size is what was asked for
    FreeRequested,  ///< its tensor died
    FreeCompleted,  ///< the block may be used again: later when another stream was using it
    SegmentAlloc,   ///< cudaMalloc
    SegmentFree,    ///< cudaFree
    SegmentMap,     ///< memory was mapped into an expandable segment
    SegmentUnmap,   ///< and unmapped
    Snapshot,       ///< a marker
    OutOfMemory,    ///< a request that failed; the address is what the device had free, in bytes
    Annotate,       ///< a text on a live block
    UserDefined,    ///< a marker of early 2024
    Other,
};
inline constexpr auto kMemoryActionNames =
    enumNames<MemoryAction>({{MemoryAction::Alloc, "alloc"},
                             {MemoryAction::FreeRequested, "free_requested"},
                             {MemoryAction::FreeCompleted, "free_completed"},
                             {MemoryAction::SegmentAlloc, "segment_alloc"},
                             {MemoryAction::SegmentFree, "segment_free"},
                             {MemoryAction::SegmentMap, "segment_map"},
                             {MemoryAction::SegmentUnmap, "segment_unmap"},
                             {MemoryAction::Snapshot, "snapshot"},
                             {MemoryAction::OutOfMemory, "oom"},
                             {MemoryAction::Annotate, "annotate"},
                             {MemoryAction::UserDefined, "user_defined"},
                             {MemoryAction::Other, "other"}});

/// What was wrong with a file that could be read nevertheless; MemorySnapshot::findings counts each.
enum class MemoryFinding : std::uint8_t {
    WrongType,         ///< a field holds another kind of value than it should: read as 0 or as empty
    NegativeSize,      ///< a size below 0: read as 0
    SizeOutOfRange,    ///< a size above 2^50, or one that would bring the sum above 2^60: read as 0
    UnknownAction,     ///< an entry whose action this program does not know: kept, and not replayed
    RepeatedAddress,   ///< an allocation where one is alive: the earlier one ends there
    RepeatedFree,      ///< a free of what was freed before: not counted
    SizeOfFree,        ///< a free whose size is not that of its allocation: that of the allocation counts
    TimeBackwards,     ///< an entry that is earlier than the one before it
    NotTiled,          ///< a segment whose blocks do not fill it exactly
    UnexplainedStart,  ///< bytes of the start that neither a free nor a block accounts for
    BytesBehindEnd,    ///< bytes after the end of the pickle: not read
    GrownBytes,        ///< bytes that were added to the file while it was read: not read
};
inline constexpr std::size_t kMemoryFindingCount = 12;
inline constexpr auto kMemoryFindingNames =
    enumNames<MemoryFinding>({{MemoryFinding::WrongType, "wrong_type"},
                              {MemoryFinding::NegativeSize, "negative_size"},
                              {MemoryFinding::SizeOutOfRange, "size_out_of_range"},
                              {MemoryFinding::UnknownAction, "unknown_action"},
                              {MemoryFinding::RepeatedAddress, "repeated_address"},
                              {MemoryFinding::RepeatedFree, "repeated_free"},
                              {MemoryFinding::SizeOfFree, "size_of_free"},
                              {MemoryFinding::TimeBackwards, "time_backwards"},
                              {MemoryFinding::NotTiled, "not_tiled"},
                              {MemoryFinding::UnexplainedStart, "unexplained_start"},
                              {MemoryFinding::BytesBehindEnd, "bytes_behind_end"},
                              {MemoryFinding::GrownBytes, "grown_bytes"}});

/// How often each finding was met.
class MemoryFindings {
public:
    void count(MemoryFinding finding, std::int64_t times = 1) {
        m_counts[static_cast<std::size_t>(finding)] += times;
    }
    [[nodiscard]] std::int64_t operator[](MemoryFinding finding) const {
        return m_counts[static_cast<std::size_t>(finding)];
    }
    void add(const MemoryFindings& other) {
        for (std::size_t i = 0; i < kMemoryFindingCount; ++i) m_counts[i] += other.m_counts[i];
    }

private:
    std::array<std::int64_t, kMemoryFindingCount> m_counts{};
};

/// A frame of a stack; names are numbers of MemorySnapshot::texts.
struct MemoryFrame {
    std::uint32_t name = 0;
    std::uint32_t file = 0;
    std::int64_t line = 0;
    bool operator==(const MemoryFrame&) const = default;
};

/// The entries of all traces, a column for each field.
struct MemoryEntries {
    ChunkedColumn<std::uint8_t> action;     ///< MemoryAction, or beyond Other
    ChunkedColumn<std::int64_t> address;    ///< of the block or segment
    ChunkedColumn<Bytes> size;              ///< requested bytes of an allocation, bytes of a segment
    ChunkedColumn<std::int64_t> time;       ///< microseconds of Unix time; 0: not known
    ChunkedColumn<std::uint32_t> stack;     ///< number of MemorySnapshot::stacks; 0: none
    ChunkedColumn<std::uint32_t> stream;    ///< number of MemorySnapshot::streams
    ChunkedColumn<std::uint32_t> category;  ///< text that the writer gave, which torch does not; 0: none
    ChunkedColumn<std::uint32_t> note;      ///< user_metadata as text; 0: none

    [[nodiscard]] std::size_t count() const { return action.size(); }
    [[nodiscard]] std::size_t bytes() const;
};

enum class BlockState : std::uint8_t { Active, PendingFree, Inactive };
inline constexpr auto kBlockStateNames =
    enumNames<BlockState>({{BlockState::Active, "active_allocated"},
                           {BlockState::PendingFree, "active_pending_free"},
                           {BlockState::Inactive, "inactive"}});

/// A block of a segment, when the snapshot was taken.
struct MemoryBlock {
    std::int64_t address = 0;
    Bytes bytes = 0;             ///< as the allocator rounded it
    Bytes requested = 0;         ///< as it was asked for
    std::uint32_t stack = 0;     ///< that allocated it; 0: not recorded
    std::uint32_t category = 0;  ///< text that the writer gave, as that of an entry; 0: none
    BlockState state = BlockState::Inactive;
};

/// A stretch of device memory that the allocator holds, when the snapshot was taken.
struct MemorySegment {
    std::int64_t device = 0;
    std::int64_t address = 0;
    Bytes bytes = 0;
    std::int64_t stream = 0;
    std::uint32_t type = 0;                      ///< text "small" or "large"
    std::pair<std::int64_t, std::int64_t> pool;  ///< (0, 0): the default one; else of a graph or a MemPool
    bool isExpandable = false;
    std::uint32_t stack = 0;
    std::size_t firstBlock = 0;  ///< its blocks follow one another in MemorySnapshot::blocks
    std::size_t blockCount = 0;
};

/// A name that torch.profiler.record_function gave to a stretch of time.
struct MemoryAnnotation {
    std::uint32_t name = 0;
    bool isEnd = false;
    std::int64_t device = 0;
    std::int64_t time = 0;  ///< microseconds of Unix time
};

/// A run of rows of MemoryEntries.
struct EntryRange {
    std::size_t first = 0;
    std::size_t count = 0;
};

/// A memory snapshot of PyTorch (torch.cuda.memory._dump_snapshot()) as columns: frames, stacks and texts
/// once each.
struct MemorySnapshot {
    TextTable texts;
    std::vector<MemoryFrame> frames;
    SequenceTable stacks;  ///< numbers of frames, the innermost first
    std::vector<std::int64_t> streams;
    MemoryEntries entries;
    std::vector<std::vector<EntryRange>> traces;  ///< rows of each device, in order; the index is the device
    std::vector<MemorySegment> segments;
    std::vector<MemoryBlock> blocks;
    std::vector<MemoryAnnotation> annotations;
    std::vector<std::pair<std::string, std::string>> settings;  ///< of the allocator, name and value
    std::vector<std::string> otherActions;  ///< names of actions beyond MemoryAction::Other
    std::vector<std::string> unreadFields;  ///< fields that are in the file and not read
    int protocol = 0;                       ///< of the pickle
    MemoryFindings findings;

    /// The name of an action as in the file.
    [[nodiscard]] std::string_view actionName(std::uint8_t action) const;
    [[nodiscard]] std::span<const MemoryBlock> blocksOf(const MemorySegment& segment) const {
        return std::span(blocks).subspan(segment.firstBlock, segment.blockCount);
    }
    /// Bytes that it takes in memory.
    [[nodiscard]] std::size_t bytes() const;
};

struct MemorySnapshotOptions {
    std::size_t mostBytes = 0;  ///< of memory while reading; 0: 512 MiB and the size of the file
    std::function<void(std::uint64_t read, std::uint64_t total)> onProgress;  ///< bytes, about every MiB
    std::stop_token stop;
};

/// Whether a file that begins so is a pickle of the protocols 2 to 5.
[[nodiscard]] bool isPickle(std::string_view start);

/// Reads a memory snapshot. Nothing of the file is executed or imported: the reader knows dicts, lists,
/// tuples, texts, bytes, numbers, booleans, None and references to what stood before, and refuses whatever
/// would make an object. The file is read once, through a window of a MiB; memory grows by about 60 bytes for
/// each entry of a trace.
///
/// Errors: BadInput with the byte where it stands, for a file that is no pickle of the protocols 2 to 5, ends
/// early, holds an opcode that makes objects (by its name), refers to what is not there, nests deeper than
/// 100 marks, or holds no segments and traces; OutOfMemory when more than `mostBytes` would be needed;
/// RunFailed when it was cancelled; Io when the file cannot be read. Thread: any; `onProgress` is called on
/// the same one.
[[nodiscard]] Result<MemorySnapshot> readMemorySnapshot(const std::string& path,
                                                        const MemorySnapshotOptions& options = {});

}  // namespace plumb
