// SPDX-License-Identifier: Apache-2.0
#include "core/comm/exchange_communicator.h"
#include "kernels/mpi/mpi_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mpi.h>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace plumb::mpi {
namespace {

using testing::ElementsAre;

constexpr std::chrono::seconds kPatience{60};

/// Of this process; the same tests run on all ranks.
std::unique_ptr<World> g_world;

World& world() { return *g_world; }
std::vector<int> everybody() {
    std::vector<int> ranks(static_cast<std::size_t>(world().size()));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

Result<void> finish(Messages& messages, Messages::Handle handle) {
    while (true) {
        const Result<bool> done = messages.done(handle);
        if (!done.has_value()) return done.error();
        if (*done) return {};
        messages.wait(std::chrono::milliseconds(5));
    }
}

std::vector<std::byte> pattern(std::size_t size, unsigned seed) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>((i * 2654435761U + seed) >> 7U);
    return bytes;
}

TEST(MpiRanks, AreThree) { ASSERT_EQ(world().size(), 3); }

TEST(MpiRanks, GatherTextsOfAnyLength) {
    for (const std::size_t length : {0U, 1U, 100U, 300'000U}) {
        const auto letter = static_cast<char>('a' + world().rank());
        const auto all =
            world().gather(std::string(length * static_cast<std::size_t>(world().rank()), letter));
        ASSERT_TRUE(all.has_value()) << all.error().text();
        EXPECT_THAT(*all, ElementsAre("", std::string(length, 'b'), std::string(2 * length, 'c')));
    }
}

TEST(MpiRanks, VoteForTheWorstFailureAndGoOn) {
    const Result<void> mine = world().rank() == 2
                                  ? Result<void>(Error{ErrorCode::OutOfMemory, "no memory", "use less"})
                                  : Result<void>();
    const Result<void> all = world().vote(mine);
    ASSERT_FALSE(all.has_value());
    EXPECT_EQ(all.error().text(), "rank 2: no memory: use less");
    EXPECT_TRUE(world().vote({}).has_value());
}

TEST(MpiRanks, TakeMessagesByTheirTagsAndThoseOfOneTagInOrder) {
    const auto messages = world().group(everybody()).value();
    const int next = (messages->rank() + 1) % 3, before = (messages->rank() + 2) % 3;
    const std::uint64_t highest = std::uint64_t{1} << 63U;
    const std::array<std::uint64_t, 4> tags{7, highest | 7U, 8, 7};
    std::array<std::array<std::byte, 5>, 4> sent{}, received{};
    std::vector<Messages::Handle> open;
    for (std::size_t i = 0; i < tags.size(); ++i) {
        sent.at(i).fill(static_cast<std::byte>(16 * messages->rank() + static_cast<int>(i)));
        open.push_back(messages->send(next, tags.at(i), sent.at(i)));
    }
    for (const std::size_t i : {2U, 0U, 1U, 3U})
        open.push_back(messages->receive(before, tags.at(i), received.at(i)));
    for (const Messages::Handle handle : open) ASSERT_TRUE(finish(*messages, handle).has_value());
    for (std::size_t i = 0; i < tags.size(); ++i)
        EXPECT_EQ(received.at(i).front(), static_cast<std::byte>(16 * before + static_cast<int>(i)));
}

TEST(MpiRanks, TakeMessagesOfSeveralPartsWhole) {
    const auto messages = world().group(everybody()).value();
    const std::size_t size = (std::size_t{130} << 20U) + 3;  // two parts and some bytes
    if (messages->rank() == 0) {
        const std::vector<std::byte> sent = pattern(size, 1);
        ASSERT_TRUE(finish(*messages, messages->send(1, 1, sent)).has_value());
    } else if (messages->rank() == 1) {
        std::vector<std::byte> received(size);
        ASSERT_TRUE(finish(*messages, messages->receive(0, 1, received)).has_value());
        EXPECT_EQ(received, pattern(size, 1));
    }
}

TEST(MpiRanks, OfOneGroupDoNotHearAnother) {
    const auto all = world().group(everybody()).value();
    const bool isOfPair = world().rank() < 2;
    const std::array<int, 2> pair{1, 0};  // in its own order
    const auto two = isOfPair ? world().group(pair).value() : nullptr;
    std::array<std::byte, 1> toAll{std::byte{1}}, toPair{std::byte{2}}, ofAll{}, ofPair{};
    std::vector<std::pair<Messages*, Messages::Handle>> open;
    if (isOfPair) {
        EXPECT_EQ(two->rank(), 1 - world().rank());
        open.emplace_back(two.get(), two->send(1 - two->rank(), 5, toPair));
        open.emplace_back(all.get(), all->send(1 - all->rank(), 5, toAll));
        open.emplace_back(all.get(), all->receive(1 - all->rank(), 5, ofAll));
        open.emplace_back(two.get(), two->receive(1 - two->rank(), 5, ofPair));
    }
    for (const auto& [messages, handle] : open) ASSERT_TRUE(finish(*messages, handle).has_value());
    EXPECT_EQ(ofAll.front(), isOfPair ? std::byte{1} : std::byte{0});
    EXPECT_EQ(ofPair.front(), isOfPair ? std::byte{2} : std::byte{0});
}

TEST(MpiRanks, AddAsTheDefinitionSays) {
    const auto data = ExchangeCommunicator::ofAll(world()).value();
    for (const std::int64_t elements : {1, 2, 1000, 3'000'001}) {
        std::vector<float> values(static_cast<std::size_t>(elements));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = 0.1F * static_cast<float>(i % 97) + static_cast<float>(world().rank());
        CommCall call{.kind = CommKind::AllReduce,
                      .dtype = Dtype::Fp32,
                      .pieces = {{reinterpret_cast<std::byte*>(values.data()), elements}}};
        std::vector<std::byte> scratch(
            static_cast<std::size_t>(scratchBytes(call, world().rank(), world().size())));
        call.scratch = scratch;
        const auto cost = data->join(data->start(call));
        ASSERT_TRUE(cost.has_value()) << cost.error().text();
        EXPECT_EQ(cost->bytes, bytesOf(call, world().rank(), world().size()));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float own = 0.1F * static_cast<float>(i % 97);
            ASSERT_EQ(values[i], (own + (own + 1.F)) + (own + 2.F)) << i;
        }
    }
}

TEST(MpiSizes, ThatDifferEndAllRanksWithBoth) {
    const auto messages = world().group(everybody()).value();
    std::vector<std::byte> bytes(8);
    if (world().rank() == 0)
        static_cast<void>(finish(*messages, messages->send(1, 1, std::span(bytes).first(4))));
    if (world().rank() == 1) {
        EXPECT_FALSE(finish(*messages, messages->receive(0, 1, bytes)).has_value());
    }
    const auto told = world().gather("");
    ASSERT_FALSE(told.has_value());
    EXPECT_EQ(told.error().message, "rank 0 sent 4 bytes to rank 1, which waited for 8");
}

TEST(MpiAbort, EndsEveryWaitWithTheFirstReason) {
    if (world().rank() == 1) {
        world().giveUp({ErrorCode::OutOfMemory, "no memory", "use less"});
        world().giveUp({ErrorCode::RunFailed, "something else", "nothing"});
    }
    const auto told = world().gather(std::string(1000, 'x'));
    ASSERT_FALSE(told.has_value());
    EXPECT_EQ(told.error().code, ErrorCode::OutOfMemory);
    EXPECT_EQ(told.error().text(), "rank 1: no memory: use less");
    EXPECT_EQ(world().gather("").error().text(), "rank 1: no memory: use less");
}

}  // namespace
}  // namespace plumb::mpi

int main(int argc, char** argv) {
    testing::InitGoogleMock(&argc, argv);
    auto world = plumb::mpi::startWorld(plumb::mpi::kPatience);
    if (!world.has_value()) return 1;
    plumb::mpi::g_world = std::move(*world);
    const int failed = RUN_ALL_TESTS();
    plumb::mpi::g_world.reset();
    // Where all gave up MPI is still there, and who leaves first ends the others.
    int ended = 0;
    MPI_Finalized(&ended);
    if (failed == 0 && ended == 0) std::this_thread::sleep_for(std::chrono::seconds(2));
    std::_Exit(failed);
}
