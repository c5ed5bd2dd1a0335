// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/memory_snapshot.h"

#include "core/memory_snapshot/memory_comparison.h"
#include "core/memory_snapshot/memory_replay.h"
#include "core/opening/imported_step.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

#include <numeric>

namespace plumb::fuzz {

void memory_snapshot(std::string_view input) {
    const MemoryFile file(input);
    MemorySnapshotOptions options;
    options.mostBytes = std::size_t{256} << 20U;
    const auto snapshot = readMemorySnapshot(file.path(), options);
    if (!isTaken(snapshot)) return;
    const AllocationSites sites(*snapshot);
    const auto replays = replayMemory(*snapshot, sites);
    require(replays.has_value(), "what was read is replayed");
    for (const MemoryReplay& replay : *replays) {
        require(replay.live.size() == replay.entries, "each entry has its live bytes");
        require(replay.peakBytes >= replay.startBytes, "the peak is not below the start");
        Bytes alive = 0;
        for (const std::uint32_t each : livingAt(replay, replay.peakPosition))
            alive += replay.allocations[each].bytes;
        const std::vector<Bytes> categories = categoriesAt(replay, replay.peakPosition);
        require(std::reduce(categories.begin(), categories.end()) == alive,
                "categories add up to what lives");
        if (replay.findings[MemoryFinding::UnexplainedStart] == 0)
            require(alive == replay.peakBytes, "what lives at the peak adds up to it");
        for (const SiteComparison& site : compareSites(replay, sites, -1, replay, sites, replay.peakPosition))
            (void)site.change();
        if (const auto step = stepOfMemory(sites, replay, "it"); isTaken(step))
            require(!step->step.ops.empty(), "an imported step has ops");
        for (const std::int64_t position : curvePositions(replay, 20)) (void)reservedAt(replay, position);
    }
}

}  // namespace plumb::fuzz
