// SPDX-License-Identifier: Apache-2.0
// A trace that another profiler wrote (Kineto, that is PyTorch's profiler, or any Chrome trace), in columns.
#pragma once

#include "core/base/enum_names.h"
#include "core/trace/name_table.h"
#include "core/trace/trace_time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plumb::trace {

/// What a slice is. On one thread those that come first enclose those that come later when their times are
/// equal.
enum class Category : std::uint8_t {
    Span,           ///< the profiler's own, of the whole recording
    Annotation,     ///< a span that PyTorch or a user named: ProfilerStep#3
    Python,         ///< a call of Python or of a module (with_stack)
    Op,             ///< of PyTorch
    Runtime,        ///< a call of the CUDA or HIP runtime
    Driver,         ///< a call of the CUDA driver
    Kernel,         ///< on the GPU, as are
    Copy,           ///< these
    Memset,         ///< and these
    GpuAnnotation,  ///< first to last GPU work of an annotation
    Sync,           ///< waiting, on a row of the GPU
    Overhead,       ///< of the profiler
    Other
};
inline constexpr std::size_t kCategories = static_cast<std::size_t>(Category::Other) + 1;
inline constexpr auto kCategoryNames = enumNames<Category>({{Category::Span, "span"},
                                                            {Category::Annotation, "annotation"},
                                                            {Category::Python, "python"},
                                                            {Category::Op, "op"},
                                                            {Category::Runtime, "runtime call"},
                                                            {Category::Driver, "driver call"},
                                                            {Category::Kernel, "kernel"},
                                                            {Category::Copy, "copy"},
                                                            {Category::Memset, "memset"},
                                                            {Category::GpuAnnotation, "GPU annotation"},
                                                            {Category::Sync, "synchronisation"},
                                                            {Category::Overhead, "overhead"},
                                                            {Category::Other, "other"}});
[[nodiscard]] constexpr bool isGpuWork(Category category) {
    return category == Category::Kernel || category == Category::Copy || category == Category::Memset;
}
[[nodiscard]] constexpr bool isLaunch(Category category) {
    return category == Category::Runtime || category == Category::Driver;
}

enum class TrackKind : std::uint8_t { Thread, Stream, StreamAnnotations, StreamSyncs };

/// Slices of one thread or one stream.
struct Track {
    TrackKind kind{};
    NameId process = 0;  ///< as the file has them: a number, or a text
    NameId thread = 0;
    NameId processLabel = 0;  ///< what the file calls them; 0: nothing
    NameId threadLabel = 0;
    std::int64_t device = -1;  ///< of a stream
    std::int64_t stream = -1;
    std::int64_t rank = -1;  ///< of a trace of several ranks; -1: of one
    std::size_t first = 0;   ///< its slices among all
    std::size_t count = 0;
    std::size_t firstRow = 0;  ///< its rows among all
    std::size_t rows = 0;
};

/// Slices that do not overlap, so that each can be drawn: nested ones lie a row below what encloses them, and
/// those that overlap without nesting (programmatic dependent launch) in the next free row.
struct Row {
    std::uint32_t track = 0;
    std::size_t first = 0;  ///< its entries in Trace::rowOrder
    std::size_t count = 0;
};

/// All slices, a column for each of their fields; by track, then begin, then the longer first.
struct Slices {
    std::vector<Nanoseconds> begin;  ///< on the file's own clock; absolute with Trace::baseNanoseconds added
    std::vector<Nanoseconds> duration;  ///< at least 0
    std::vector<NameId> name;
    std::vector<std::uint32_t> track;
    std::vector<Category> category;
    std::vector<std::uint16_t> row;  ///< of its track
    /// What joins a launch with GPU work; of an op its sequence number, which joins forward with backward.
    /// -1: none.
    std::vector<std::int64_t> link;
    std::vector<std::int64_t> external;  ///< "External id"; -1: none
    /// Of an op its input shapes, a name; of a kernel its entry of collectives; else one of amounts; 0: none.
    std::vector<std::uint32_t> detail;
    std::vector<NameId> types;          ///< of an op its "Input type"; empty unless ReadOptions asks for it
    std::vector<std::uint8_t> forward;  ///< of an op with a sequence number: 1 when "Fwd thread id" is 0

    [[nodiscard]] std::size_t size() const { return begin.size(); }
    [[nodiscard]] Nanoseconds end(std::size_t i) const { return begin[i] + duration[i]; }
};

/// Ranks that communicate with each other, as the file names them.
struct ProcessGroup {
    NameId name = 0;         ///< "0", "1": the same on all its ranks
    NameId description = 0;  ///< "default_pg", "mesh_tp"
    NameId ranks = 0;        ///< "[0, 1, 2, 3]"; of many "[0, 1, ..., 511]"
    std::int64_t size = -1;
    bool operator==(const ProcessGroup&) const = default;
};

/// What kernels say of the collective that they are, a column for each field. The first entry is none's.
struct Collectives {
    std::vector<NameId> name;               ///< "allreduce", "_allgather_base", "send"
    std::vector<NameId> elementType;        ///< "BFloat16"
    std::vector<std::uint32_t> group;       ///< of Trace::groups
    std::vector<std::int64_t> sequence;     ///< counted by the group; -1: not said
    std::vector<std::int64_t> elementsIn;   ///< that this rank gives; -1: not said
    std::vector<std::int64_t> elementsOut;  ///< that it gets
    std::vector<std::int64_t> peer;         ///< of a send or receive the rank at its other end; -1: not said

    [[nodiscard]] std::size_t size() const { return name.size(); }
};

/// A point at which PyTorch's allocator gave or took memory.
struct MemoryPoint {
    Nanoseconds time = 0;
    std::int64_t bytes = 0;       ///< below 0: freed
    std::int64_t allocated = -1;  ///< in total, afterwards; -1: not said
    std::int64_t reserved = -1;
    std::int64_t deviceType = 0;  ///< 0 processor, 1 CUDA
    std::int64_t device = -1;
    std::int64_t address = 0;  ///< 0: not said
    std::int64_t rank = -1;    ///< of a trace of several ranks; -1: of one
};

struct CounterPoint {
    Nanoseconds time = 0;
    NameId process = 0;
    NameId name = 0;
    double value = 0;
};

struct Device {
    std::int64_t id = 0;
    std::string name;
    std::int64_t memoryBytes = 0;
    std::int64_t multiprocessors = 0;
    std::int64_t rank = -1;  ///< of a trace of several ranks; -1: of one
    bool operator==(const Device&) const = default;
};

/// What was not read as the file has it, by kind. Everything else is in the trace.
struct Losses {
    std::int64_t broken = 0;             ///< events that no JSON could be made of
    std::int64_t withoutTime = 0;        ///< slices whose time is missing, no number or out of range
    std::int64_t brokenFields = 0;       ///< fields of the envelope around the events
    std::int64_t negativeDurations = 0;  ///< kept, with duration 0
    std::int64_t unendedSlices = 0;  ///< begun (ph B) and never ended: kept, up to the last time of the file
    std::int64_t unbegunEnds = 0;    ///< ended (ph E) and never begun
    std::int64_t refusedNames = 0;   ///< names beyond the limits of NameTable
    std::int64_t stackedSlices = 0;  ///< kept, in the last row of a track, where they overlap
    std::int64_t grownBytes = 0;     ///< added to the file while it was read: not in the trace
    bool cut = false;                ///< the file ends before its JSON does

    void add(const Losses& other);
    /// Events of the file that are not in the trace.
    [[nodiscard]] std::int64_t events() const { return broken + withoutTime + unbegunEnds; }
    /// Sentences, one for each kind; empty when the file was whole.
    [[nodiscard]] std::vector<std::string> sentences() const;
    bool operator==(const Losses&) const = default;
};

/// How often something appeared, by its name in the file.
struct Tally {
    NameId name = 0;
    std::int64_t count = 0;
};

struct Trace {
    static constexpr std::size_t kMostTracks = 65'536;
    static constexpr std::size_t kMostRows = 512;  ///< of one track

    NameTable names;
    Slices slices;
    std::vector<std::int64_t> amounts;  ///< bytes of copies and memsets; the first is none's
    Collectives collectives;            ///< empty where no kernel says anything
    std::vector<ProcessGroup> groups;
    std::vector<Track> tracks;  ///< devices by number and stream, then threads by process and number
    std::vector<Row> rows;      ///< by track
    std::vector<std::uint32_t> rowOrder;  ///< slices of each row by begin
    std::vector<MemoryPoint> memory;      ///< by time
    std::vector<CounterPoint> counters;   ///< by time
    std::vector<Tally> categories;        ///< of all events, as the file calls them, by name
    std::vector<Device> devices;
    std::int64_t events = 0;    ///< of the file, of all kinds, the lost ones too
    std::int64_t flows = 0;     ///< arrows: joined by correlation instead
    std::int64_t instants = 0;  ///< marks without a duration
    std::int64_t overlaps = 0;  ///< GPU slices that begin before an earlier one of their stream ends
    std::optional<Nanoseconds> baseNanoseconds;
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> worldSize;
    std::string backend;      ///< that ranks communicate by: "nccl"; empty: not said
    std::string ncclVersion;  ///< "2.27.5"
    bool isOfNsys = false;    ///< of a database of Nsight Systems, which has no ops
    std::uint64_t fileBytes = 0;
    std::uint64_t textBytes = 0;  ///< unpacked
    Losses losses;

    [[nodiscard]] std::string_view name(std::size_t slice) const { return names.at(slices.name[slice]); }
    /// Bytes of a copy or memset; -1 where the file does not say.
    [[nodiscard]] std::int64_t bytesOf(std::size_t slice) const;
    /// The entry of `collectives` of a kernel; 0 where it says nothing.
    [[nodiscard]] std::uint32_t collectiveOf(std::size_t slice) const {
        return slices.category[slice] == Category::Kernel ? slices.detail[slice] : 0;
    }
    /// What the trace itself takes in memory.
    [[nodiscard]] std::size_t memoryBytes() const;
    /// Who wrote it: "Nsight Systems", "Kineto" (PyTorch's profiler, by the categories that it alone has), or
    /// "Chrome" of any other.
    [[nodiscard]] std::string_view writer() const;
    /// The device whose work is on a track; null where the file does not describe it.
    [[nodiscard]] const Device* deviceOf(const Track& track) const;
};

}  // namespace plumb::trace
