// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory_snapshot/memory_history.h"
#include "core/memory_snapshot/memory_layout.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace plumb {

/// A stretch that torch.profiler.record_function named.
struct AnnotationBand {
    std::string name;
    std::int64_t from = 0;  ///< first position in it
    std::int64_t to = 0;    ///< first position behind it
    int level = 0;          ///< how many others are around it
};
/// Those of a device, by beginning. A START without an END reaches to the end; an END without a START is left
/// out.
[[nodiscard]] std::vector<AnnotationBand> annotationBands(const MemorySnapshot& snapshot,
                                                          const MemoryHistory& history);

/// What a history does not say.
struct MemoryGap {
    std::string what;  ///< "27.1 MB were allocated before the recording began"
    std::string why;   ///< what follows from it, and how a recording would have it
};
[[nodiscard]] std::vector<MemoryGap> memoryGaps(const MemorySnapshot& snapshot, const AllocationSites& sites,
                                                const MemoryReplay& replay);

/// The keys that a curve can be stacked by.
inline constexpr std::array kCurveKeys{MemoryKey::Category, MemoryKey::Operation, MemoryKey::Module,
                                       MemoryKey::SizeClass};

/// A device of a snapshot with all that a view asks of it, made once.
struct OpenedDevice {
    OpenedDevice(const MemorySnapshot& snapshot, const AllocationSites& sites, const MemoryReplay& replay);
    OpenedDevice(const OpenedDevice&) = delete;
    OpenedDevice& operator=(const OpenedDevice&) = delete;
    ~OpenedDevice() = default;

    const MemoryReplay& replay;
    MemoryHistory history;
    SegmentHistory segments;
    std::array<MemoryGroups, kCurveKeys.size()> groups;  ///< as kCurveKeys
    std::vector<MemoryGroupCurve> curves;                ///< as kCurveKeys
    std::vector<AnnotationBand> bands;
    std::vector<MemoryGap> gaps;
};

/// A memory snapshot, read and replayed. Immutable; any thread.
class OpenedMemory {
public:
    /// Reads, replays and indexes; errors as readMemorySnapshot() and replayMemory().
    [[nodiscard]] static Result<std::shared_ptr<const OpenedMemory>>
    open(const std::string& path, const MemorySnapshotOptions& options = {});
    OpenedMemory(MemorySnapshot snapshot, std::string path);
    OpenedMemory(const OpenedMemory&) = delete;
    OpenedMemory& operator=(const OpenedMemory&) = delete;
    ~OpenedMemory() = default;

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] const MemorySnapshot& snapshot() const { return m_snapshot; }
    [[nodiscard]] const AllocationSites& sites() const { return m_sites; }
    [[nodiscard]] const std::vector<std::unique_ptr<OpenedDevice>>& devices() const { return m_devices; }
    [[nodiscard]] std::size_t entries() const { return m_snapshot.entries.count(); }
    /// What was wrong with the file and was mended.
    [[nodiscard]] MemoryFindings findings() const;

    /// Replays and indexes. Call it once. Errors: RunFailed when `stop` was requested.
    [[nodiscard]] Result<void> replay(const std::stop_token& stop);

private:
    std::string m_path;
    MemorySnapshot m_snapshot;
    AllocationSites m_sites;
    std::vector<MemoryReplay> m_replays;
    std::vector<std::unique_ptr<OpenedDevice>> m_devices;
};

}  // namespace plumb
