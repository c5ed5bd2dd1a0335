// SPDX-License-Identifier: Apache-2.0
// `open` of a memory snapshot: reads it, replays its traces and prints their figures.
#include "app/cli/open_memory_snapshot.h"

#include "app/cli/console.h"
#include "app/cli/open_formats.h"
#include "core/base/plain_text.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/memory_snapshot/memory_comparison.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace plumb::cli {

namespace {

using nlohmann::json;

constexpr std::size_t kMostFrames = 40;
constexpr std::size_t kCurvePoints = 200;

/// Microseconds of Unix time of an entry, or null.
json timeAt(const MemorySnapshot& snapshot, const MemoryReplay& replay, std::int32_t position) {
    if (position < 0 || static_cast<std::size_t>(position) >= replay.entries) return nullptr;
    const std::int64_t time = snapshot.entries.time[replay.row(position)];
    return time == 0 ? json(nullptr) : json(time);
}

json positionJson(const MemoryReplay& replay, std::int32_t position) {
    return position < 0 || static_cast<std::size_t>(position) >= replay.entries ? json(nullptr)
                                                                                : json(position);
}

json allocationJson(const MemorySnapshot& snapshot, const AllocationSites& sites, const MemoryReplay& replay,
                    const MemoryAllocation& each) {
    const AllocationSite site = sites.site(each.stack);
    return {{"bytes", each.bytes},
            {"address", fmt::format("0x{:x}", static_cast<std::uint64_t>(each.address))},
            {"category", replay.categories[each.category]},
            {"op", site.op},
            {"node", site.node},
            {"module", site.module},
            {"made_entry", positionJson(replay, each.made)},
            {"made_us", timeAt(snapshot, replay, each.made)},
            {"freed_entry", positionJson(replay, each.freed)},
            {"freed_us", timeAt(snapshot, replay, each.freed)},
            {"frames", sites.frames(each.stack, kMostFrames)}};
}

json categoriesJson(const MemoryReplay& replay, std::int64_t position) {
    json all = json::object();
    const std::vector<Bytes> bytes = categoriesAt(replay, position);
    for (std::size_t c = 0; c < bytes.size(); ++c)
        if (bytes[c] != 0) all[replay.categories[c]] = bytes[c];
    return all;
}

json fragmentationJson(const Fragmentation& all) {
    return {{"reserved_bytes", all.reserved},
            {"active_bytes", all.active},
            {"requested_bytes", all.requested},
            {"inactive_bytes", all.inactive},
            {"inactive_split_bytes", all.inactiveSplit},
            {"largest_free_block_bytes", all.largestFreeBlock},
            {"share", all.share()}};
}

/// The largest living allocations at a moment.
json livingJson(const MemorySnapshot& snapshot, const AllocationSites& sites, const MemoryReplay& replay,
                std::int64_t position, std::size_t top) {
    json rows = json::array();
    const auto living = livingAt(replay, position);
    for (const std::uint32_t each : std::span(living).first(std::min(top, living.size())))
        rows.push_back(allocationJson(snapshot, sites, replay, replay.allocations[each]));
    return rows;
}

json curveJson(const MemorySnapshot& snapshot, const MemoryReplay& replay) {
    json rows = json::array();
    for (const std::int64_t position : curvePositions(replay, kCurvePoints))
        rows.push_back({{"entry", position},
                        {"time_us", timeAt(snapshot, replay, static_cast<std::int32_t>(position))},
                        {"live_bytes",
                         position < 0 ? replay.startBytes : replay.live[static_cast<std::size_t>(position)]},
                        {"reserved_bytes", reservedAt(replay, position)}});
    return rows;
}

json segmentsJson(const MemorySnapshot& snapshot, const MemoryReplay& replay, std::size_t top) {
    std::vector<const MemorySegment*> segments;
    for (const MemorySegment& segment : snapshot.segments)
        if (segment.device == replay.device) segments.push_back(&segment);
    std::ranges::stable_sort(segments, [](const auto* a, const auto* b) { return a->bytes > b->bytes; });
    json rows = json::array();
    for (const MemorySegment* segment : std::span(segments).first(std::min(top, segments.size()))) {
        json row = fragmentationJson(fragmentationOf(snapshot, *segment));
        row["address"] = fmt::format("0x{:x}", static_cast<std::uint64_t>(segment->address));
        row["type"] = plainLine(snapshot.texts[segment->type], 40);
        row["stream"] = segment->stream;
        row["pool"] = {segment->pool.first, segment->pool.second};
        row["expandable"] = segment->isExpandable;
        row["blocks"] = segment->blockCount;
        rows.push_back(std::move(row));
    }
    return rows;
}

json outOfMemoryJson(const MemorySnapshot& snapshot, const AllocationSites& sites, const MemoryReplay& replay,
                     std::size_t top) {
    json rows = json::array();
    for (const OutOfMemory& each :
         std::span(replay.outOfMemory).first(std::min(top, replay.outOfMemory.size())))
        rows.push_back(
            {{"entry", each.position},
             {"time_us", timeAt(snapshot, replay, each.position)},
             {"requested_bytes", each.requested},
             {"device_free_bytes", each.deviceFree},
             {"live_bytes", replay.live[static_cast<std::size_t>(each.position)]},
             {"reserved_bytes", reservedAt(replay, each.position)},
             {"frames", sites.frames(snapshot.entries.stack[replay.row(each.position)], kMostFrames)},
             {"largest", livingJson(snapshot, sites, replay, each.position, top)}});
    return rows;
}

json deviceJson(const MemorySnapshot& snapshot, const AllocationSites& sites, const MemoryReplay& replay,
                std::size_t top) {
    json sitesAtPeak = json::array();
    const auto bySite = sitesAt(replay, sites, replay.peakPosition);
    for (const SiteComparison& site : std::span(bySite).first(std::min(top, bySite.size())))
        sitesAtPeak.push_back({{"site", site.site},
                               {"origin", kMemoryOriginNames.name(site.origin)},
                               {"bytes", site.before.bytes},
                               {"count", site.before.count}});
    return {{"device", replay.device},
            {"entries", replay.entries},
            {"start_bytes", replay.startBytes},
            {"peak_bytes", replay.peakBytes},
            {"peak_entry", positionJson(replay, replay.peakPosition)},
            {"peak_us", timeAt(snapshot, replay, replay.peakPosition)},
            {"end_bytes", replay.endBytes},
            {"reserved_start_bytes", replay.reservedStartBytes},
            {"reserved_peak_bytes", replay.reservedPeakBytes},
            {"reserved_end_bytes", replay.reservedEndBytes},
            {"segment_count", replay.fragmentation.segments},
            {"segments", segmentsJson(snapshot, replay, top)},
            {"fragmentation", fragmentationJson(replay.fragmentation)},
            {"categories_at_peak", categoriesJson(replay, replay.peakPosition)},
            {"largest_at_peak", livingJson(snapshot, sites, replay, replay.peakPosition, top)},
            {"sites_at_peak", std::move(sitesAtPeak)},
            {"out_of_memory", outOfMemoryJson(snapshot, sites, replay, top)},
            {"curve", curveJson(snapshot, replay)}};
}

MemoryFindings allFindings(const MemorySnapshot& snapshot, std::span<const MemoryReplay> replays) {
    MemoryFindings all = snapshot.findings;
    for (const MemoryReplay& replay : replays) all.add(replay.findings);
    return all;
}

std::string deviceText(const AllocationSites& sites, const MemoryReplay& replay, std::size_t top) {
    std::string text = fmt::format("\nDevice {} · {} entries\n", replay.device, replay.entries);
    Table figures;
    const std::array<std::pair<const char*, Bytes>, 8> rows{
        {{"live at the start", replay.startBytes},
         {"live at the peak", replay.peakBytes},
         {"live at the end", replay.endBytes},
         {"reserved at most", replay.reservedPeakBytes},
         {"reserved at the end", replay.reservedEndBytes},
         {"free within segments in use", replay.fragmentation.inactiveSplit},
         {"free in all segments", replay.fragmentation.inactive},
         {"largest free block", replay.fragmentation.largestFreeBlock}}};
    for (const auto& [name, bytes] : rows) figures.add({name, bytesText(bytes), formatExact(bytes, "B")});
    text += figures.text();
    text += fmt::format("{} segments · {:.1f} % of what is reserved is free but cannot be given back\n",
                        replay.fragmentation.segments, 100 * replay.fragmentation.share());
    const std::vector<Bytes> categories = categoriesAt(replay, replay.peakPosition);
    Table byCategory;
    byCategory.add({"At the peak", "bytes"});
    for (std::size_t c = 0; c < categories.size(); ++c)
        if (categories[c] != 0) byCategory.add({replay.categories[c], bytesText(categories[c])});
    text += "\n" + byCategory.text() + "\n";
    Table bySite(2);
    bySite.add({"Allocated at", "in", "bytes", "blocks"});
    const auto atPeak = sitesAt(replay, sites, replay.peakPosition);
    for (const SiteComparison& site : std::span(atPeak).first(std::min(top, atPeak.size())))
        bySite.add({site.site, std::string(kMemoryOriginNames.name(site.origin)),
                    bytesText(site.before.bytes), std::to_string(site.before.count)});
    text += bySite.text();
    for (const OutOfMemory& each :
         std::span(replay.outOfMemory).first(std::min(top, replay.outOfMemory.size())))
        text += fmt::format(
            "out of memory at entry {}: {} asked for, {} free on the device, {} live, {} reserved\n",
            each.position, bytesText(each.requested), bytesText(each.deviceFree),
            bytesText(replay.live[static_cast<std::size_t>(each.position)]),
            bytesText(reservedAt(replay, each.position)));
    const auto living = livingAt(replay, replay.peakPosition);
    if (!living.empty()) {
        const MemoryAllocation& largest = replay.allocations[living.front()];
        text += fmt::format("\nLargest at the peak: {}, {}\n", bytesText(largest.bytes),
                            replay.categories[largest.category]);
        for (const std::string& frame : sites.frames(largest.stack, top)) text += "  " + frame + "\n";
        if (largest.stack == 0) text += "  its stack was not recorded\n";
    }
    return text;
}

}  // namespace

std::string memorySnapshotJson(const MemorySnapshot& snapshot, const AllocationSites& sites,
                               std::span<const MemoryReplay> replays, std::size_t top) {
    json devices = json::array();
    std::size_t entries = 0;
    for (const MemoryReplay& replay : replays) {
        devices.push_back(deviceJson(snapshot, sites, replay, top));
        entries += replay.entries;
    }
    json findings = json::object();
    const MemoryFindings counts = allFindings(snapshot, replays);
    for (const auto& [finding, name] : kMemoryFindingNames)
        if (counts[finding] != 0) findings[std::string(name)] = counts[finding];
    json settings = json::object();
    for (const auto& [name, value] : snapshot.settings) settings[name] = value;
    const json whole{{"format", "pytorch-memory-snapshot"},
                     {"protocol", snapshot.protocol},
                     {"entries", entries},
                     {"devices", std::move(devices)},
                     {"findings", std::move(findings)},
                     {"other_actions", snapshot.otherActions},
                     {"unread_fields", snapshot.unreadFields},
                     {"allocator_settings", std::move(settings)}};
    return dumpJson(whole, 2) + "\n";
}

std::string memorySnapshotText(const MemorySnapshot& snapshot, const AllocationSites& sites,
                               std::span<const MemoryReplay> replays, std::size_t top) {
    std::string text = fmt::format(
        "Memory snapshot of PyTorch (pickle protocol {}); live bytes are as they were requested\n",
        snapshot.protocol);
    for (const MemoryReplay& replay : replays) text += deviceText(sites, replay, top);
    const MemoryFindings counts = allFindings(snapshot, replays);
    for (const auto& [finding, name] : kMemoryFindingNames)
        if (counts[finding] != 0) text += fmt::format("found in the file: {} ({})\n", name, counts[finding]);
    return text;
}

Result<void> openMemorySnapshot(const OpenRequest& request) {
    const Interrupt interrupt;
    ProgressLine progress;
    MemorySnapshotOptions options;
    options.stop = interrupt.token();
    options.onProgress = [&](std::uint64_t read, std::uint64_t total) {
        if (progress.due())
            progress.show(
                fmt::format("reading {:.0f} %", 100.0 * static_cast<double>(read) /
                                                    static_cast<double>(std::max<std::uint64_t>(total, 1))));
    };
    PLUMB_TRY(const MemorySnapshot snapshot, readMemorySnapshot(request.file, options));
    const AllocationSites sites(snapshot);
    PLUMB_TRY(const std::vector<MemoryReplay> replays, replayMemory(snapshot, sites, interrupt.token()));
    progress.clear();
    const auto top = static_cast<std::size_t>(request.top);
    return print(request.json ? memorySnapshotJson(snapshot, sites, replays, top)
                              : memorySnapshotText(snapshot, sites, replays, top));
}

}  // namespace plumb::cli
