// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace plumb {

/// Keys of a memory snapshot. They are the first texts of its table, so that a key is known by its number.
enum class SnapshotWord : std::uint32_t {
    None,
    Action,
    Addr,
    Address,
    ActiveSize,
    AllocatedSize,
    AllocatorSettings,
    Blocks,
    Category,
    Device,
    DeviceFree,
    DeviceTraces,
    ExternalAnnotations,
    Filename,
    Frames,
    History,
    IsExpandable,
    Line,
    Name,
    PoolId,
    RealSize,
    RequestedSize,
    SegmentPoolId,
    SegmentType,
    Segments,
    Size,
    Stage,
    State,
    Stream,
    TimeUs,
    TotalSize,
    UserMetadata,
    Count,
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(SnapshotWord::Count)> kSnapshotWords{
    "",
    "action",
    "addr",
    "address",
    "active_size",
    "allocated_size",
    "allocator_settings",
    "blocks",
    "category",
    "device",
    "device_free",
    "device_traces",
    "external_annotations",
    "filename",
    "frames",
    "history",
    "is_expandable",
    "line",
    "name",
    "pool_id",
    "real_size",
    "requested_size",
    "segment_pool_id",
    "segment_type",
    "segments",
    "size",
    "stage",
    "state",
    "stream",
    "time_us",
    "total_size",
    "user_metadata"};
static_assert(kSnapshotWords[static_cast<std::size_t>(SnapshotWord::DeviceTraces)] == "device_traces");
static_assert(kSnapshotWords[static_cast<std::size_t>(SnapshotWord::UserMetadata)] == "user_metadata");

}  // namespace plumb
