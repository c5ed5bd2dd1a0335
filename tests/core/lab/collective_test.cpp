// SPDX-License-Identifier: Apache-2.0
#include "core/lab/collective.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

namespace plumb::lab {
namespace {

constexpr CommKind kKinds[]{CommKind::AllReduce, CommKind::ReduceScatter, CommKind::AllGather};

Collective collectiveOf(CommKind kind, CollectiveWay way, int ranks, Bytes bytes, CollectiveLink link = {}) {
    auto made = makeCollective(kind, way, ranks, bytes, link);
    EXPECT_TRUE(made.has_value()) << (made.has_value() ? "" : made.error().text());
    return std::move(made).value();
}

template <class Visit>
void forEachCollective(const Visit& visit) {
    for (const CommKind kind : kKinds)
        for (const CollectiveWay way : kCollectiveWays)
            for (int ranks = 2; hasWay(kind, way) && ranks <= kMostCollectiveRanks; ++ranks)
                visit(kind, way, ranks);
}

TEST(Collective, EveryRankEndsWithWhatTheKindPromises) {
    forEachCollective([](CommKind kind, CollectiveWay way, int ranks) {
        const Collective made = collectiveOf(kind, way, ranks, 1000 * ranks);
        const auto has = contributions(made, kind, made.steps.size());
        const std::uint32_t everybody = (1U << static_cast<unsigned>(ranks)) - 1;
        for (int rank = 0; rank < ranks; ++rank)
            for (int slice = 0; slice < ranks; ++slice)
                if (kind != CommKind::ReduceScatter || rank == slice) {
                    EXPECT_EQ(has[static_cast<std::size_t>(rank)][static_cast<std::size_t>(slice)], everybody)
                        << static_cast<int>(kind) << " " << static_cast<int>(way) << " " << ranks << " rank "
                        << rank << " slice " << slice;
                }
    });
}

// A sum in which an addend stands twice is wrong, however many ranks have it.
TEST(Collective, NothingIsAddedTwice) {
    forEachCollective([](CommKind kind, CollectiveWay way, int ranks) {
        const Collective made = collectiveOf(kind, way, ranks, 1000 * ranks);
        for (std::size_t i = 0; i < made.steps.size(); ++i) {
            auto has = contributions(made, kind, i);
            const auto before = has;
            for (const CollectiveMove& move : made.steps[i].moves)
                for (int slice = move.slice; move.isAdded && slice < move.slice + move.slices; ++slice) {
                    auto& there = has[static_cast<std::size_t>(move.to)][static_cast<std::size_t>(slice)];
                    const auto sent =
                        before[static_cast<std::size_t>(move.from)][static_cast<std::size_t>(slice)];
                    EXPECT_EQ(there & sent, 0U) << static_cast<int>(way) << " " << ranks << " step " << i;
                    there |= sent;
                }
        }
    });
}

TEST(Collective, RingsAndExchangesSendTheLeastThatAnyCan) {
    forEachCollective([](CommKind kind, CollectiveWay way, int ranks) {
        const Bytes bytes = 1000 * ranks;
        const Collective made = collectiveOf(kind, way, ranks, bytes);
        const Bytes others = 1000 * (ranks - 1);
        const Bytes least = kind == CommKind::AllReduce ? 2 * others : others;
        if (way == CollectiveWay::Tree)
            EXPECT_GE(made.mostSent, bytes);
        else
            EXPECT_EQ(made.mostSent, least);
    });
}

// The exchange is what the trainer's ranks do: its bytes are those of their calls, uneven slices too.
TEST(Collective, AnExchangeSendsWhatTheRanksOfATrainingSend) {
    std::mt19937 random(5);
    for (int i = 0; i < 200; ++i) {
        const int ranks = std::uniform_int_distribution<int>(2, kMostCollectiveRanks)(random);
        const Bytes bytes = std::uniform_int_distribution<Bytes>(1, 300)(random);
        const CommKind kind = kKinds[static_cast<std::size_t>(i) % 3];
        const Collective made = collectiveOf(kind, CollectiveWay::Exchange, ranks, bytes);
        CommCall call{.kind = kind, .dtype = Dtype::Fp8E4M3, .pieces = {{nullptr, bytes}}};
        Bytes most = 0;
        for (int rank = 0; rank < ranks; ++rank) most = std::max(most, bytesOf(call, rank, ranks).sent);
        EXPECT_EQ(made.mostSent, most) << ranks << " " << bytes;
    }
}

TEST(Collective, TimesAreThoseOfTheFormulas) {
    const CollectiveLink link{1e9, 1e-5};
    for (int ranks = 2; ranks <= kMostCollectiveRanks; ++ranks) {
        const Bytes bytes = 1'000'000 * ranks;
        const double whole = static_cast<double>(bytes) / 1e9, others = whole * (ranks - 1) / ranks;
        const int levels = std::bit_width(static_cast<unsigned>(ranks - 1));
        const auto seconds = [&](CommKind kind, CollectiveWay way) {
            return collectiveOf(kind, way, ranks, bytes, link).seconds;
        };
        EXPECT_NEAR(seconds(CommKind::AllReduce, CollectiveWay::Ring), 2 * ((ranks - 1) * 1e-5 + others),
                    1e-12);
        EXPECT_NEAR(seconds(CommKind::AllGather, CollectiveWay::Ring), (ranks - 1) * 1e-5 + others, 1e-12);
        EXPECT_NEAR(seconds(CommKind::AllReduce, CollectiveWay::Tree), 2 * levels * (1e-5 + whole), 1e-12);
        EXPECT_NEAR(seconds(CommKind::ReduceScatter, CollectiveWay::Exchange), 1e-5 + others, 1e-12);
        EXPECT_NEAR(collectiveOf(CommKind::AllReduce, CollectiveWay::Exchange, ranks, bytes, {1e9, 0})
                        .busBytesPerSecond,
                    1e9, 1);
    }
}

TEST(Collective, ATreeIsFasterWhereLatencyCountsAndARingWhereBytesDo) {
    const CollectiveLink link{1e9, 1e-5};
    const auto seconds = [&](CollectiveWay way, Bytes bytes) {
        return collectiveOf(CommKind::AllReduce, way, 16, bytes, link).seconds;
    };
    EXPECT_LT(seconds(CollectiveWay::Tree, 1000), seconds(CollectiveWay::Ring, 1000) / 2);
    EXPECT_GT(seconds(CollectiveWay::Tree, 100'000'000), 2 * seconds(CollectiveWay::Ring, 100'000'000));
}

TEST(Collective, RefusesWhatIsNone) {
    const auto refusal = [](CommKind kind, CollectiveWay way, int ranks, Bytes bytes) {
        const auto made = makeCollective(kind, way, ranks, bytes, {});
        return made.has_value() ? std::string() : made.error().text();
    };
    EXPECT_EQ(refusal(CommKind::AllGather, CollectiveWay::Tree, 4, 8),
              "a tree reduces and hands down, and does neither alone: take a ring or an exchange");
    EXPECT_EQ(refusal(CommKind::AllReduce, CollectiveWay::Ring, 17, 8),
              "the ranks of a collective are out of range (17): give 2 to 16");
    EXPECT_EQ(refusal(CommKind::AllReduce, CollectiveWay::Ring, 1, 8),
              "the ranks of a collective are out of range (1): give 2 to 16");
    EXPECT_EQ(refusal(CommKind::AllReduce, CollectiveWay::Ring, 4, 0),
              "a collective moves at least one byte (0): give a size such as 1 MB");
}

}  // namespace
}  // namespace plumb::lab
