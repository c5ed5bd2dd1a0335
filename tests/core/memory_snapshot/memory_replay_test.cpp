// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/memory_replay.h"

#include "core/memory_snapshot/memory_comparison.h"
#include "tests/support/temporary_folder.h"

#include "test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <numeric>
#include <string>

namespace plumb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string sampleFile(const std::string& name) { return PLUMB_TEST_DATA "/memory/" + name; }

/// A snapshot that is put together here, entry by entry.
struct Made {
    MemorySnapshot snapshot;
    std::size_t entries = 0;

    void entry(MemoryAction action, std::int64_t address, Bytes size) {
        MemoryEntries& all = snapshot.entries;
        all.action.push(static_cast<std::uint8_t>(action));
        all.address.push(address);
        all.size.push(size);
        all.time.push(static_cast<std::int64_t>(++entries));
        all.stack.push(0);
        all.stream.push(0);
        all.category.push(0);
        all.note.push(0);
        snapshot.traces = {{{0, entries}}};
    }
    MemoryReplay replay() {
        const AllocationSites sites(snapshot);
        auto replays = replayMemory(snapshot, sites);
        EXPECT_TRUE(replays.has_value());
        return std::move(replays->front());
    }
};
using A = MemoryAction;

class MemorySamples : public testing::TestWithParam<const char*> {};

TEST_P(MemorySamples, GiveTheSumsOfTheScriptThatMadeThem) {
    const auto expected = nlohmann::json::parse(getFile(sampleFile("expected.json")))[GetParam()];
    ASSERT_TRUE(expected.is_object());
    const auto snapshot = readMemorySnapshot(sampleFile(GetParam()));
    ASSERT_TRUE(snapshot.has_value()) << snapshot.error().text();
    const AllocationSites sites(*snapshot);
    const auto replays = replayMemory(*snapshot, sites);
    ASSERT_TRUE(replays.has_value());
    ASSERT_EQ(replays->size(), expected.size());
    for (const MemoryReplay& replay : *replays) {
        const nlohmann::json& figures = expected[std::to_string(replay.device)];
        EXPECT_EQ(replay.entries, figures["entries"]);
        EXPECT_EQ(replay.startBytes, figures["start_bytes"]);
        EXPECT_EQ(replay.peakBytes, figures["peak_bytes"]);
        EXPECT_EQ(replay.peakPosition, figures["peak_entry"]);
        EXPECT_EQ(replay.endBytes, figures["end_bytes"]);
        EXPECT_EQ(replay.reservedStartBytes, figures["reserved_start_bytes"]);
        EXPECT_EQ(replay.reservedEndBytes, figures["reserved_end_bytes"]);
        EXPECT_EQ(replay.reservedPeakBytes, figures["reserved_peak_bytes"]);
        EXPECT_EQ(replay.fragmentation.segments, figures["segments"]);
        EXPECT_EQ(replay.fragmentation.active, figures["active_bytes"]);
        EXPECT_EQ(replay.fragmentation.inactive, figures["inactive_bytes"]);
        EXPECT_EQ(replay.fragmentation.inactiveSplit, figures["inactive_split_bytes"]);
        EXPECT_EQ(replay.fragmentation.largestFreeBlock, figures["largest_free_block_bytes"]);
        EXPECT_EQ(replay.outOfMemory.size(), figures["out_of_memory"]);
        for (const auto& [finding, name] : kMemoryFindingNames)
            EXPECT_EQ(replay.findings[finding], 0) << name;
        const auto living = livingAt(replay, replay.peakPosition);
        Bytes sum = 0;
        for (const std::uint32_t each : living) sum += replay.allocations[each].bytes;
        EXPECT_EQ(sum, replay.peakBytes);
        EXPECT_EQ(living.size(), figures.value("living_at_peak", living.size()));
        const std::vector<Bytes> categories = categoriesAt(replay, replay.peakPosition);
        EXPECT_EQ(std::reduce(categories.begin(), categories.end()), replay.peakBytes);
        if (!figures.contains("origins_at_peak")) continue;
        for (const auto& [origin, name] : kMemoryOriginNames)
            EXPECT_EQ(categories[static_cast<std::size_t>(origin)],
                      figures["origins_at_peak"].value(std::string(name), Bytes{0}))
                << name;
    }
}

INSTANTIATE_TEST_SUITE_P(All, MemorySamples,
                         testing::Values("step_protocol2.pickle", "step_protocol5.pickle",
                                         "two_devices.pickle", "before_2.1.pickle"));

TEST(MemoryReplay, HoldsTheCurveOfEveryMoment) {
    const auto snapshot = readMemorySnapshot(sampleFile("step_protocol4.pickle"));
    ASSERT_TRUE(snapshot.has_value());
    const AllocationSites sites(*snapshot);
    const auto replays = replayMemory(*snapshot, sites);
    const MemoryReplay& replay = replays->front();
    std::vector<std::int64_t> all;
    for (std::int64_t i = -1; i < static_cast<std::int64_t>(replay.entries); ++i) all.push_back(i);
    const auto curve = categoryCurve(replay, all);
    for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_EQ(std::reduce(curve[i].begin(), curve[i].end()), replay.live[i - 1]) << i;
        const auto living = livingAt(replay, all[i]);
        Bytes sum = 0;
        for (const std::uint32_t each : living) sum += replay.allocations[each].bytes;
        EXPECT_EQ(sum, replay.live[i - 1]) << i;
    }
    const auto positions = curvePositions(replay, 8);
    EXPECT_LE(positions.size(), 8U);
    EXPECT_THAT(positions, testing::Contains(replay.peakPosition));
    EXPECT_TRUE(std::ranges::is_sorted(positions));
    EXPECT_EQ(reservedAt(replay, -1), replay.reservedStartBytes);
    EXPECT_EQ(reservedAt(replay, 1 << 20), replay.reservedEndBytes);
}

TEST(MemoryReplay, CountsAnAllocationUntilItsBlockCanBeUsedAgain) {
    Made made;
    made.entry(A::Alloc, 0x100, 10);
    made.entry(A::FreeRequested, 0x100, 10);
    made.entry(A::Alloc, 0x200, 5);
    made.entry(A::FreeCompleted, 0x100, 10);
    const MemoryReplay replay = made.replay();
    EXPECT_EQ(replay.peakBytes - replay.startBytes, 15);
    ASSERT_EQ(replay.allocations.size(), 2U);
    EXPECT_EQ(replay.allocations[0].freeRequested, 1);
    EXPECT_EQ(replay.allocations[0].freed, 3);
    EXPECT_EQ(replay.allocations[1].freed, MemoryAllocation::kNever);
    EXPECT_EQ(replay.findings[MemoryFinding::UnexplainedStart], 5)
        << "the segments hold no block of what is alive";
}

TEST(MemoryReplay, RepairsWhatContradictsItselfAndCountsIt) {
    Made made;
    made.entry(A::Alloc, 0x100, 10);
    made.entry(A::Alloc, 0x100, 20);         // the first one ends
    made.entry(A::FreeCompleted, 0x100, 7);  // 20 are freed
    made.entry(A::FreeCompleted, 0x100, 20);
    made.entry(A::FreeRequested, 0x100, 20);
    made.entry(A::FreeCompleted, 0x900, 40);  // from before
    const MemoryReplay replay = made.replay();
    EXPECT_EQ(replay.findings[MemoryFinding::RepeatedAddress], 1);
    EXPECT_EQ(replay.findings[MemoryFinding::SizeOfFree], 1);
    EXPECT_EQ(replay.findings[MemoryFinding::RepeatedFree], 2);
    EXPECT_EQ(replay.startBytes, 40);
    EXPECT_EQ(replay.peakBytes, 60);
    EXPECT_EQ(replay.endBytes, 0);
    ASSERT_EQ(replay.allocations.size(), 3U);
    EXPECT_EQ(replay.allocations[0].freed, 1);
    EXPECT_EQ(replay.allocations[2].made, MemoryAllocation::kBefore);
    EXPECT_EQ(replay.findings[MemoryFinding::UnexplainedStart], 0);
}

TEST(MemoryReplay, KeepsSumsOfHostileSizesInRange) {
    Made made;
    for (int i = 0; i < 5000; ++i) made.entry(A::Alloc, i, Bytes{1} << 50);
    for (int i = 0; i < 5000; ++i) made.entry(A::FreeRequested, 10'000 + i, Bytes{1} << 50);
    for (int i = 0; i < 5000; ++i) made.entry(A::SegmentAlloc, i, Bytes{1} << 50);
    const MemoryReplay replay = made.replay();
    EXPECT_EQ(replay.findings[MemoryFinding::SizeOutOfRange], 3 * (5000 - 1024));
    EXPECT_EQ(replay.peakBytes - replay.startBytes, Bytes{1} << 60);
    (void)categoriesAt(replay, 7000);
}

TEST(MemoryReplay, CanBeStopped) {
    Made made;
    made.entry(A::Alloc, 0x100, 10);
    const AllocationSites sites(made.snapshot);
    std::stop_source stop;
    stop.request_stop();
    const auto replays = replayMemory(made.snapshot, sites, stop.get_token());
    ASSERT_FALSE(replays.has_value());
    EXPECT_EQ(replays.error().code, ErrorCode::RunFailed);
}

TEST(MemoryReplay, KnowsWhenARequestFailed) {
    const auto snapshot = readMemorySnapshot(sampleFile("step_protocol4.pickle"));
    const AllocationSites sites(*snapshot);
    const auto replays = replayMemory(*snapshot, sites);
    ASSERT_EQ(replays->front().outOfMemory.size(), 1U);
    EXPECT_EQ(replays->front().outOfMemory[0].requested, 80'000'000'000);
    EXPECT_EQ(replays->front().outOfMemory[0].deviceFree, 123'456'789);
}

/// The number of the stack with these frames, name and file by turns, the innermost first.
std::uint32_t stackOf(MemorySnapshot& snapshot,
                      const std::vector<std::pair<std::string, std::string>>& frames) {
    std::vector<std::uint32_t> numbers;
    for (const auto& [name, file] : frames) {
        numbers.push_back(static_cast<std::uint32_t>(snapshot.frames.size()));
        snapshot.frames.push_back({snapshot.texts.add(name), snapshot.texts.add(file), 12});
    }
    return snapshot.stacks.add(numbers);
}

TEST(AllocationSites, ReadOperationNodeAndModuleOffAStack) {
    MemorySnapshot snapshot;
    const auto forward = stackOf(snapshot, {{"torch::CapturedTraceback::gather(bool)", "??"},
                                            {"at::_ops::empty_like::call(at::Tensor const&)", "??"},
                                            {"at::_ops::mul_Tensor::redispatch(c10::DispatchKeySet)", "??"},
                                            {"_call_impl", "/v/site-packages/torch/nn/modules/module.py"},
                                            {"forward", "/home/a/model.py"},
                                            {"forward", "/home/a/outer.py"},
                                            {"main", "/home/a/train.py"}});
    const auto backward = stackOf(
        snapshot, {{"at::_ops::mm::call(at::Tensor const&)", "??"},
                   {"torch::autograd::generated::MmBackward0::apply(std::vector<at::Tensor>&&)", "x.cpp"},
                   {"torch::autograd::Engine::thread_main(int)", "??"}});
    const auto trainer = stackOf(snapshot, {{"loss", "/home/a/train.py"}, {"step", "/home/a/trainer.py"}});
    const auto own = stackOf(snapshot, {{"step", "/home/a/optimizers.py"}, {"forward", "/home/a/loop.py"}});
    const auto torchOptim = stackOf(snapshot, {{"adamw", "/v/torch/optim/adamw.py"}});
    const auto workspace =
        stackOf(snapshot, {{"at::cuda::getNewWorkspace()", "??"}, {"forward", "/home/a/model.py"}});
    const auto bare = stackOf(snapshot, {{"_start", "??"}});
    const AllocationSites sites(snapshot);
    EXPECT_EQ(sites.origin(forward), MemoryOrigin::Forward);
    EXPECT_EQ(sites.origin(backward), MemoryOrigin::Backward);
    EXPECT_EQ(sites.origin(trainer), MemoryOrigin::Other) << "a step() of a trainer is no optimizer's";
    EXPECT_EQ(sites.origin(own), MemoryOrigin::Optimizer);
    EXPECT_EQ(sites.origin(torchOptim), MemoryOrigin::Optimizer);
    EXPECT_EQ(sites.origin(workspace), MemoryOrigin::Workspace);
    EXPECT_EQ(sites.origin(bare), MemoryOrigin::Unknown);
    EXPECT_EQ(sites.origin(0), MemoryOrigin::Unknown);

    const AllocationSite site = sites.site(forward);
    EXPECT_EQ(site.op, "mul_Tensor") << "empty_like only makes the room";
    EXPECT_EQ(site.module, "model.py:12");
    EXPECT_EQ(site.place, "model.py:12 forward");
    EXPECT_EQ(site.label(), "mul_Tensor · model.py:12 forward");
    EXPECT_EQ(sites.site(backward).label(), "MmBackward0 · mm");
    EXPECT_EQ(sites.site(0).label(), "not recorded");
    EXPECT_THAT(sites.frames(forward, 2),
                ElementsAre("at::_ops::empty_like::call(at::Tensor const&)",
                            "at::_ops::mul_Tensor::redispatch(c10::DispatchKeySet)"));
}

TEST(CompareSites, FindsWhatGrewBetweenTwoSnapshots) {
    const auto one = readMemorySnapshot(sampleFile("step_protocol4.pickle"));
    const AllocationSites sites(*one);
    const auto replays = replayMemory(*one, sites);
    const MemoryReplay& replay = replays->front();
    const auto same = compareSites(replay, sites, replay.peakPosition, replay, sites, replay.peakPosition);
    for (const SiteComparison& site : same) EXPECT_EQ(site.difference(), 0) << site.site;
    const auto grown = compareSites(replay, sites, -1, replay, sites, replay.peakPosition);
    ASSERT_FALSE(grown.empty());
    EXPECT_THAT(grown.front().site, HasSubstr("zeros_like")) << "the moments appear in the first step";
    EXPECT_EQ(grown.front().difference(), 6 * 700 * 700 * 4);
    EXPECT_EQ(grown.front().after.count, 6U);
    Bytes difference = 0;
    for (const SiteComparison& site : grown) difference += site.difference();
    EXPECT_EQ(difference, replay.peakBytes - replay.startBytes);
    const auto sums = changeSums(grown);
    Bytes together = 0;
    for (const MemoryChangeSum& sum : sums) together += sum.bytes;
    EXPECT_EQ(together, difference);
}

TEST(MemoryComparison, TellsWhatIsNewFromWhatGrew) {
    const auto change = [](SiteBytes before, SiteBytes after) {
        return SiteComparison{.before = before, .after = after}.change();
    };
    EXPECT_EQ(change({0, 0}, {512, 1}), MemoryChange::New);
    EXPECT_EQ(change({512, 1}, {1024, 2}), MemoryChange::Grown);
    EXPECT_EQ(change({1024, 2}, {512, 1}), MemoryChange::Less);
    EXPECT_EQ(change({512, 1}, {0, 0}), MemoryChange::Gone);
    EXPECT_EQ(change({1024, 1}, {1024, 2}), MemoryChange::Same);
    const std::array rows{SiteComparison{.before = {10, 1}, .after = {30, 1}},
                          SiteComparison{.before = {0, 0}, .after = {5, 1}},
                          SiteComparison{.before = {7, 1}, .after = {0, 0}}};
    const auto sums = changeSums(rows);
    EXPECT_EQ(sums[MemoryChange::Grown].bytes, 20);
    EXPECT_EQ(sums[MemoryChange::New].bytes, 5);
    EXPECT_EQ(sums[MemoryChange::Gone].bytes, -7);
    EXPECT_EQ(sums[MemoryChange::Gone].places, 1U);
    EXPECT_EQ(sums[MemoryChange::Less].places, 0U);
}

}  // namespace
}  // namespace plumb
