// SPDX-License-Identifier: Apache-2.0
#include "core/comm/exchange_communicator.h"
#include "core/comm/thread_ranks.h"
#include "tests/core/comm/on_ranks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <latch>
#include <limits>
#include <numeric>
#include <random>

namespace plumb::test {
namespace {

using testing::HasSubstr;

/// A communicator of all ranks of a world.
std::unique_ptr<Communicator> ofAll(World& world) {
    std::vector<int> all(static_cast<std::size_t>(world.size()));
    std::iota(all.begin(), all.end(), 0);
    auto made = ExchangeCommunicator::create(std::move(world.group(all).value()));
    return std::move(made.value());
}

/// A call with its memory, of numbers that differ by rank and place and that no order adds to the same bits.
/// Its pieces lie side by side.
struct Call {
    Call(CommKind kind, Dtype dtype, const std::vector<std::int64_t>& pieces, int rank, int size,
         std::uint64_t seed) {
        const std::int64_t elements = std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0});
        buffer.resize(static_cast<std::size_t>(elements * dtypeSize(dtype)));
        call = {.kind = kind, .dtype = dtype};
        std::byte* at = buffer.data();
        for (const std::int64_t piece : pieces) {
            call.pieces.push_back({at, piece});
            at += piece * dtypeSize(dtype);
        }
        scratch.resize(static_cast<std::size_t>(scratchBytes(call, rank, size)));
        call.scratch = scratch;
        std::mt19937_64 random(seed * 100 + static_cast<std::uint64_t>(rank));
        std::normal_distribution<float> normal(0, 3);
        for (std::int64_t i = 0; i < elements; ++i) write(i, normal(random));
    }
    void write(std::int64_t at, float value) {
        std::byte* const to = buffer.data() + at * dtypeSize(call.dtype);
        const auto store = [&](auto stored) { std::memcpy(to, &stored, sizeof stored); };
        if (call.dtype == Dtype::Fp64) return store(static_cast<double>(value));
        if (call.dtype == Dtype::Fp32) return store(value);
        if (call.dtype == Dtype::Bf16) return store(bf16FromFloat(value));
        store(fp16FromFloat(value));
    }
    [[nodiscard]] double read(std::int64_t at) const {
        const std::byte* const from = buffer.data() + at * dtypeSize(call.dtype);
        const auto load = [&](auto stored) {
            std::memcpy(&stored, from, sizeof stored);
            return stored;
        };
        if (call.dtype == Dtype::Fp64) return load(double());
        if (call.dtype == Dtype::Fp32) return load(float());
        if (call.dtype == Dtype::Bf16) return floatFromBf16(load(std::uint16_t()));
        return floatFromFp16(load(std::uint16_t()));
    }
    Call(CommKind kind, Dtype dtype, std::int64_t elements, int rank, int size, std::uint64_t seed)
        : Call(kind, dtype, std::vector{elements}, rank, size, seed) {}
    std::vector<std::byte> buffer, scratch;
    CommCall call;
};

/// What the definition says: the sum of all ranks in their order, in fp64 or fp32, rounded once.
double reducedByDefinition(const std::vector<Call>& before, std::int64_t at) {
    const Dtype dtype = before.front().call.dtype;
    if (dtype == Dtype::Fp64) {
        double sum = before.front().read(at);
        for (std::size_t rank = 1; rank < before.size(); ++rank) sum += before[rank].read(at);
        return sum;
    }
    auto sum = static_cast<float>(before.front().read(at));
    for (std::size_t rank = 1; rank < before.size(); ++rank) sum += static_cast<float>(before[rank].read(at));
    if (dtype == Dtype::Bf16) return floatFromBf16(bf16FromFloat(sum));
    if (dtype == Dtype::Fp16) return floatFromFp16(fp16FromFloat(sum));
    return sum;
}

struct Collective {
    CommKind kind = CommKind::AllReduce;
    Dtype dtype = Dtype::Fp32;
    std::vector<std::int64_t> pieces;
    int size = 1;
};

/// The rank whose slice an element of all pieces is part of.
int ownerOf(const Collective& collective, std::int64_t at) {
    for (const std::int64_t piece : collective.pieces) {
        for (int rank = 0; at < piece && rank < collective.size; ++rank)
            if (at < sliceOf(piece, rank, collective.size).end) return rank;
        at -= piece;
    }
    return -1;
}

Collective drawn(std::mt19937_64& random) {
    const auto of = [&](const auto& choices) { return choices[random() % choices.size()]; };
    Collective made{of(std::array{CommKind::AllReduce, CommKind::ReduceScatter, CommKind::AllGather}),
                    of(std::array{Dtype::Fp64, Dtype::Fp32, Dtype::Bf16, Dtype::Fp16}),
                    {},
                    1 + static_cast<int>(random() % 5)};
    for (std::uint64_t pieces = 1 + random() % 4; pieces > 0; --pieces)
        made.pieces.push_back(of(std::array<std::int64_t, 10>{0, 1, 2, 3, 5, 64, 1000, 1023, 4096, 50'003}));
    return made;
}

TEST(Exchange, GivesWhatItsDefinitionGivesAndCountsItsBytes) {
    std::mt19937_64 random(16);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Collective collective = drawn(random);
        const auto& [kind, dtype, pieces, size] = collective;
        SCOPED_TRACE(testing::Message()
                     << kCommKindNames.name(kind) << " of " << testing::PrintToString(pieces) << " "
                     << dtypeName(dtype) << " on " << size);
        std::vector<Call> before, after;
        for (int rank = 0; rank < size; ++rank) before.emplace_back(kind, dtype, pieces, rank, size, seed);
        for (int rank = 0; rank < size; ++rank) after.emplace_back(kind, dtype, pieces, rank, size, seed);
        std::vector<CommBytes> counted(static_cast<std::size_t>(size));
        onRanks(size, [&](World& world) {
            const auto me = static_cast<std::size_t>(world.rank());
            const auto communicator = ofAll(world);
            const auto cost = communicator->join(communicator->start(after[me].call));
            ASSERT_TRUE(cost.has_value()) << cost.error().text();
            counted[me] = cost->bytes;
        });
        CommBytes all;
        const std::int64_t elements = std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0});
        for (int rank = 0; rank < size; ++rank) {
            const auto me = static_cast<std::size_t>(rank);
            EXPECT_EQ(counted[me], bytesOf(after[me].call, rank, size)) << rank;
            all += counted[me];
            for (std::int64_t at = 0; at < elements; ++at) {
                const int owner = ownerOf(collective, at);
                double expected = before[me].read(at);
                if (kind == CommKind::AllReduce || (kind == CommKind::ReduceScatter && owner == rank))
                    expected = reducedByDefinition(before, at);
                if (kind == CommKind::AllGather) expected = before[static_cast<std::size_t>(owner)].read(at);
                ASSERT_EQ(after[me].read(at), expected) << "rank " << rank << ", element " << at;
            }
        }
        EXPECT_EQ(all.sent, all.received);
        // x(n) of the whole for each half, by all ranks together n - 1 times the whole.
        const std::int64_t whole = elements * dtypeSize(dtype);
        EXPECT_EQ(all.sent, (size - 1) * whole * (kind == CommKind::AllReduce ? 2 : 1));
    }
}

TEST(Exchange, KeepsASliceInAPlaceOfItsOwnAndAddsToItInOrder) {
    constexpr int kRanks = 3;
    constexpr std::int64_t kElements = 3 * 70, kSlice = 70;
    for (const Dtype dtype : {Dtype::Fp32, Dtype::Bf16}) {
        std::vector<std::vector<Call>> rounds(2);
        std::vector<Call> slices, gathered;
        for (int rank = 0; rank < kRanks; ++rank) {
            for (std::size_t round = 0; round < 2; ++round)
                rounds[round].emplace_back(CommKind::ReduceScatter, dtype, kElements, rank, kRanks, round);
            slices.emplace_back(CommKind::Send, dtype, kSlice, rank, kRanks, 7);
            gathered.emplace_back(CommKind::AllGather, dtype, kElements, rank, kRanks, 8);
        }
        const std::vector<std::vector<Call>> before = rounds;
        onRanks(kRanks, [&](World& world) {
            const auto me = static_cast<std::size_t>(world.rank());
            const auto communicator = ofAll(world);
            for (std::size_t round = 0; round < 2; ++round) {
                CommCall call = rounds[round][me].call;
                call.accumulates = round > 0;
                call.pieces.front().slice = slices[me].buffer.data();
                ASSERT_TRUE(communicator->join(communicator->start(call)).has_value());
            }
            CommCall call = gathered[me].call;
            call.pieces.front().slice = slices[me].buffer.data();
            ASSERT_TRUE(communicator->join(communicator->start(call)).has_value());
        });
        for (std::int64_t at = 0; at < kElements; ++at) {
            // What the first round left, and then each rank's, rounded once.
            auto sum = static_cast<float>(reducedByDefinition(before[0], at));
            for (const Call& call : before[1]) sum += static_cast<float>(call.read(at));
            if (dtype == Dtype::Bf16) sum = floatFromBf16(bf16FromFloat(sum));
            ASSERT_EQ(slices[static_cast<std::size_t>(at / kSlice)].read(at % kSlice), sum) << at;
            for (const Call& rank : gathered) ASSERT_EQ(rank.read(at), sum) << at;
        }
    }
}

TEST(Exchange, TakesTheLargestAndKeepsWhatIsNotANumber) {
    constexpr int kRanks = 3;
    std::vector<Call> calls;
    calls.reserve(kRanks);
    for (int rank = 0; rank < kRanks; ++rank)
        calls.emplace_back(CommKind::AllReduce, Dtype::Fp32, 4, rank, kRanks, 1);
    for (int rank = 0; rank < kRanks; ++rank) {
        auto& call = calls[static_cast<std::size_t>(rank)];
        call.call.reduction = Reduction::Max;
        call.write(0, static_cast<float>(rank == 1 ? 7 : -rank));
        for (int at = 1; at < 4; ++at)
            call.write(at, rank == at - 1 ? std::numeric_limits<float>::quiet_NaN() : 1.0F);
    }
    onRanks(kRanks, [&](World& world) {
        const auto communicator = ofAll(world);
        const auto& call = calls[static_cast<std::size_t>(world.rank())].call;
        ASSERT_TRUE(communicator->join(communicator->start(call)).has_value());
    });
    for (const Call& call : calls) {
        EXPECT_EQ(call.read(0), 7);
        for (int at = 1; at < 4; ++at) EXPECT_TRUE(std::isnan(call.read(at))) << "of rank " << at - 1;
    }
}

TEST(Communicator, RunsMessagesBesideCollectivesInWhateverOrderTheyAreStarted) {
    constexpr int kRanks = 2, kMessages = 20;
    constexpr std::int64_t kElements = 1000;
    onRanks(kRanks, [&](World& world) {
        const int me = world.rank(), other = 1 - me;
        const auto communicator = ofAll(world);
        std::vector<Call> sent, received;
        for (int i = 0; i < kMessages; ++i) {
            sent.emplace_back(CommKind::Send, Dtype::Fp32, kElements, me, kRanks, 50 + i);
            received.emplace_back(CommKind::Receive, Dtype::Fp32, kElements, me, kRanks, 0);
            sent.back().call.peer = received.back().call.peer = other;
        }
        Call sum(CommKind::AllReduce, Dtype::Fp32, kElements, me, kRanks, 3);
        std::vector<Communicator::Ticket> tickets;
        // Both ranks receive before they send: in the order of their starts neither would go on.
        for (int i = 0; i < kMessages; ++i) {
            tickets.push_back(communicator->start(received[static_cast<std::size_t>(i)].call));
            if (i == kMessages / 2) tickets.push_back(communicator->start(sum.call));
        }
        for (const Call& call : sent) tickets.push_back(communicator->start(call.call));
        for (auto ticket = tickets.rbegin(); ticket != tickets.rend(); ++ticket)
            ASSERT_TRUE(communicator->join(*ticket).has_value());
        for (int i = 0; i < kMessages; ++i) {
            const Call expected(CommKind::Send, Dtype::Fp32, kElements, other, kRanks, 50 + i);
            EXPECT_EQ(received[static_cast<std::size_t>(i)].buffer, expected.buffer) << "message " << i;
        }
    });
}

TEST(Communicator, GroupsOfTheSameWorldDoNotHearEachOther) {
    onRanks(4, [&](World& world) {
        const int pair = world.rank() / 2, within = world.rank() % 2;
        const std::vector<int> members{2 * pair, 2 * pair + 1};
        const auto first = ExchangeCommunicator::create(std::move(world.group(members).value()));
        const auto second = ExchangeCommunicator::create(std::move(world.group(members).value()));
        Call a(CommKind::AllGather, Dtype::Fp32, 2, within, 2, 0),
            b(CommKind::AllGather, Dtype::Fp32, 2, within, 2, 0);
        a.write(within, static_cast<float>(world.rank()));
        b.write(within, static_cast<float>(10 + world.rank()));
        // Started in another order on each rank: they are two groups.
        const auto ticketsOf = [&](Communicator& one, Call& x, Communicator& two, Call& y) {
            const auto t = one.start(x.call), u = two.start(y.call);
            EXPECT_TRUE(one.join(t).has_value() && two.join(u).has_value());
        };
        if (within == 0)
            ticketsOf(**first, a, **second, b);
        else
            ticketsOf(**second, b, **first, a);
        for (int i = 0; i < 2; ++i) {
            EXPECT_EQ(a.read(i), 2 * pair + i);
            EXPECT_EQ(b.read(i), 10 + 2 * pair + i);
        }
    });
}

TEST(Communicator, SaysWhichRankHasEnded) {
    onRanks(3, [&](World& world) {
        if (world.rank() == 1) return;
        const auto communicator = ofAll(world);
        Call sum(CommKind::AllReduce, Dtype::Fp32, 100, world.rank(), 3, 1);
        const auto cost = communicator->join(communicator->start(sum.call));
        ASSERT_FALSE(cost.has_value());
        EXPECT_EQ(cost.error().code, ErrorCode::RunFailed);
        EXPECT_THAT(cost.error().text(), HasSubstr("rank 1 has ended while rank "));
        world.abort(cost.error());  // so that the other one is not told that this one has ended
    });
}

TEST(Communicator, TouchesNothingOfACallThatFailed) {
    std::latch isGone(2);
    onRanks(3, [&](World& world) {
        if (world.rank() == 1) return;
        const auto communicator = ofAll(world);
        auto sum = std::make_unique<Call>(CommKind::AllReduce, Dtype::Fp32, 300, world.rank(), 3, 1);
        const auto fails = [&] { return !communicator->join(communicator->start(sum->call)).has_value(); };
        if (world.rank() == 0) {
            EXPECT_TRUE(fails());
            sum.reset();
            return isGone.arrive_and_wait();
        }
        isGone.arrive_and_wait();
        EXPECT_TRUE(fails());
        EXPECT_THAT(sum->scratch, testing::Each(std::byte{0})) << "what rank 0 had sent before it failed";
    });
}

TEST(Communicator, RefusesCallsOfAnotherSizeOnEveryRank) {
    onRanks(2, [&](World& world) {
        const auto communicator = ofAll(world);
        Call sum(CommKind::AllReduce, Dtype::Fp32, world.rank() == 0 ? 100 : 102, world.rank(), 2, 1);
        const auto cost = communicator->join(communicator->start(sum.call));
        ASSERT_FALSE(cost.has_value());
        EXPECT_THAT(cost.error().text(), HasSubstr("bytes to rank"));
    });
}

}  // namespace
}  // namespace plumb::test
