// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/opened_memory.h"

#include "core/base/plain_text.h"
#include "core/base/quantity.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb {

namespace {

constexpr std::size_t kMostBands = 100'000;
constexpr std::size_t kMostBandName = 120;

std::string bytesOf(Bytes bytes) { return formatQuantity(static_cast<double>(bytes), "B"); }

const std::string* settingOf(const MemorySnapshot& snapshot, std::string_view name) {
    const auto found =
        std::ranges::find_if(snapshot.settings, [&](const auto& setting) { return setting.first == name; });
    return found == snapshot.settings.end() ? nullptr : &found->second;
}

bool isTrue(const std::string* text) {
    return text != nullptr && (*text == "True" || *text == "true" || *text == "1");
}

}  // namespace

std::vector<AnnotationBand> annotationBands(const MemorySnapshot& snapshot, const MemoryHistory& history) {
    std::vector<AnnotationBand> bands;
    if (!history.hasTimes()) return bands;
    std::vector<std::pair<std::uint32_t, std::size_t>> open;  ///< name, and place in bands
    const auto positionOf = [&](std::int64_t time) {
        return history.positionAt(time - history.firstTime() - 1) + 1;  // the first that is not earlier
    };
    for (const MemoryAnnotation& each : snapshot.annotations) {
        if (each.device >= 0 && each.device != history.replay().device) continue;
        if (!each.isEnd) {
            if (bands.size() == kMostBands) break;
            open.emplace_back(each.name, bands.size());
            bands.push_back({plainLine(snapshot.texts[each.name], kMostBandName), positionOf(each.time),
                             history.lastPosition() + 1, static_cast<int>(open.size()) - 1});
            continue;
        }
        const auto begun = std::ranges::find(open.rbegin(), open.rend(), each.name,
                                             &std::pair<std::uint32_t, std::size_t>::first);
        if (begun == open.rend()) continue;
        AnnotationBand& band = bands[begun->second];
        band.to = std::max(band.from, positionOf(each.time));
        open.erase(std::next(begun).base());
    }
    std::ranges::stable_sort(bands, {}, &AnnotationBand::from);
    return bands;
}

std::vector<MemoryGap> memoryGaps(const MemorySnapshot& snapshot, const AllocationSites& sites,
                                  const MemoryReplay& replay) {
    std::vector<MemoryGap> gaps;
    if (replay.entries == 0) {
        gaps.push_back({"there is no history", "only what lived when the snapshot was taken is known; call "
                                               "torch.cuda.memory._record_memory_history() before the step"});
        return gaps;
    }
    if (isTrue(settingOf(snapshot, "trace_alloc_overflowed"))) {
        const std::string* most = settingOf(snapshot, "trace_alloc_max_entries");
        gaps.push_back({most != nullptr ? fmt::format("the oldest entries were dropped (room for {})", *most)
                                        : std::string("the oldest entries were dropped"),
                        "the recorder keeps the newest; a larger max_entries keeps more"});
    }
    Bytes before = 0;
    Bytes stackless = 0;
    std::size_t beforeCount = 0;
    double all = 0;
    for (const MemoryAllocation& each : replay.allocations) {
        if (each.made == MemoryAllocation::kBefore) {
            before += each.bytes;
            ++beforeCount;
            continue;
        }
        all += static_cast<double>(each.bytes);
        if (sites.origin(each.stack) == MemoryOrigin::Unknown && each.category < kMemoryOriginCount)
            stackless += each.bytes;
    }
    if (beforeCount > 0)
        gaps.push_back(
            {fmt::format("{} in {} blocks were allocated before the recording began", bytesOf(before),
                         beforeCount),
             "when is not known, nor who made those that were freed during the recording; record from "
             "the first allocation on"});
    if (const std::int64_t missing = replay.findings[MemoryFinding::UnexplainedStart]; missing > 0)
        gaps.push_back({fmt::format("{} of the start belong to no block and no free", bytesOf(missing)),
                        "entries are missing within the history, so that sums by group are short of the live "
                        "bytes by that much"});
    if (stackless > 0 && all > 0)
        gaps.push_back(
            {fmt::format("{:.0f} % of the allocated bytes have no stack that says who made them",
                         100 * static_cast<double>(stackless) / all),
             "the backward pass has C++ frames alone: record with context=\"all\", stacks=\"all\""});
    if (const std::int64_t unknown = snapshot.findings[MemoryFinding::UnknownAction]; unknown > 0)
        gaps.push_back({fmt::format("entries of a kind that is not known: {} ({})", unknown,
                                    fmt::join(snapshot.otherActions, ", ")),
                        "they stay in the count and change no sum"});
    return gaps;
}

OpenedDevice::OpenedDevice(const MemorySnapshot& snapshot, const AllocationSites& sites,
                           const MemoryReplay& replayed)
    : replay(replayed), history(snapshot, replay), segments(snapshot, history) {
    curves.reserve(kCurveKeys.size());
    for (std::size_t i = 0; i < kCurveKeys.size(); ++i) {
        groups[i] = groupAllocations(kCurveKeys[i], sites, replay);
        curves.emplace_back(history, groups[i]);
    }
    bands = annotationBands(snapshot, history);
    gaps = memoryGaps(snapshot, sites, replay);
}

OpenedMemory::OpenedMemory(MemorySnapshot snapshot, std::string path)
    : m_path(std::move(path)), m_snapshot(std::move(snapshot)), m_sites(m_snapshot) {}

Result<void> OpenedMemory::replay(const std::stop_token& stop) {
    PLUMB_TRY(m_replays, replayMemory(m_snapshot, m_sites, stop));
    for (const MemoryReplay& each : m_replays) {
        if (stop.stop_requested())
            return Error{ErrorCode::RunFailed, "opening the snapshot was cancelled", "open it again"};
        m_devices.push_back(std::make_unique<OpenedDevice>(m_snapshot, m_sites, each));
    }
    return {};
}

Result<std::shared_ptr<const OpenedMemory>> OpenedMemory::open(const std::string& path,
                                                               const MemorySnapshotOptions& options) {
    PLUMB_TRY(MemorySnapshot snapshot, readMemorySnapshot(path, options));
    auto opened = std::make_shared<OpenedMemory>(std::move(snapshot), path);
    PLUMB_CHECK(opened->replay(options.stop));
    return std::shared_ptr<const OpenedMemory>(std::move(opened));
}

MemoryFindings OpenedMemory::findings() const {
    MemoryFindings all = m_snapshot.findings;
    for (const MemoryReplay& each : m_replays) all.add(each.findings);
    return all;
}

}  // namespace plumb
