// SPDX-License-Identifier: Apache-2.0
// The search against every schedule there is, against the recurrence done without its short cuts, and its
// schedules against a simulation of what is live.
#include "core/plan/chain_search.h"

#include <queue>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <utility>

namespace plumb {
namespace {

constexpr std::int64_t kImpossible = std::int64_t{1} << 40;

/// The engine's numbers are the same everywhere, those of <random>'s distributions are not.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_engine(seed) {}
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(m_engine() % static_cast<std::uint64_t>(high - low + 1));
    }

private:
    std::mt19937_64 m_engine;
};

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// Runs a schedule: whether every h that an op reads is live, and how many are live at each op.
struct Simulation {
    bool readable = true;
    bool fits = true;
    std::int64_t recomputed = 0;
};

Simulation simulate(const RecomputeSchedule& schedule, const ChainCapacity& capacity) {
    const std::int32_t layers = capacity.layers;
    Simulation result;
    std::set<std::int32_t> held;
    const auto live = [&](std::size_t count, std::int32_t limit) {
        if (static_cast<std::int32_t>(count) > limit) result.fits = false;
    };
    for (std::int32_t layer = 1; layer <= layers; ++layer) {
        const bool inputIsKept = layer == 1 || schedule.keeps[at(layer - 1)];
        live(held.size() + (inputIsKept ? 1 : 2), capacity.forward[at(layer)]);
        if (layer < layers && schedule.keeps[at(layer)]) held.insert(layer);
    }
    live(held.size(), capacity.head);
    for (std::int32_t layer = layers; layer >= 1; --layer) {
        for (std::int32_t i = schedule.firstStretch[at(layer + 1)]; i < schedule.firstStretch[at(layer)];
             ++i) {
            const RecomputeStretch stretch = schedule.stretches[at(i)];
            if (stretch.to <= stretch.from || stretch.to >= layer) result.readable = false;
            if (stretch.from != 0 && !held.contains(stretch.from)) result.readable = false;
            live(held.size() + (stretch.to - stretch.from >= 2 ? 2 : 1), capacity.recompute[at(layer)]);
            result.recomputed += stretch.to - stretch.from;
            held.insert(stretch.to);
        }
        if (layer > 1 && !held.contains(layer - 1)) result.readable = false;
        live(held.size(), capacity.backward[at(layer)]);
        held.erase(layer - 1);
    }
    return result;
}

/// Fewest recomputed layers over all schedules whatever their form: any kept set, any stretch at any time,
/// any h given up at any time. Held sets are bit masks, bit l - 1 for h_l.
class Exhaustive {
public:
    explicit Exhaustive(const ChainCapacity& capacity)
        : m_capacity(capacity), m_layers(capacity.layers), m_masks(std::size_t{1} << (m_layers - 1)) {}

    std::int64_t least() const {
        std::vector<std::int64_t> cost(m_masks, kImpossible);
        for (std::size_t mask = 0; mask < m_masks; ++mask)
            if (canKeep(mask)) cost[mask] = 0;
        for (std::int32_t layer = m_layers; layer >= 1; --layer) cost = backward(layer, cost);
        return *std::min_element(cost.begin(), cost.end());
    }

private:
    bool canKeep(std::size_t mask) const {
        for (std::int32_t layer = 1; layer <= m_layers; ++layer) {
            std::size_t live = mask & ((std::size_t{1} << (layer - 1)) - 1);  // kept ones below h_layer
            if (layer > 1) live |= std::size_t{1} << (layer - 2);
            if (std::popcount(live) + 1 > m_capacity.forward[at(layer)]) return false;
        }
        return std::popcount(mask) <= m_capacity.head;
    }

    /// Cheapest way to every held set after the backward of `layer`.
    std::vector<std::int64_t> backward(std::int32_t layer, std::vector<std::int64_t> cost) const {
        using Entry = std::pair<std::int64_t, std::size_t>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        const auto reach = [&](std::size_t mask, std::int64_t value) {
            if (value >= cost[mask]) return;
            cost[mask] = value;
            queue.emplace(value, mask);
        };
        for (std::size_t mask = 0; mask < m_masks; ++mask)
            if (cost[mask] < kImpossible) queue.emplace(cost[mask], mask);
        while (!queue.empty()) {
            const auto [value, mask] = queue.top();
            queue.pop();
            if (value > cost[mask]) continue;
            for (std::int32_t from = 0; from < layer; ++from) {
                const std::size_t bit = from == 0 ? 0 : std::size_t{1} << (from - 1);
                if ((mask & bit) != bit) continue;
                if (from > 0) reach(mask & ~bit, value);
                for (std::int32_t to = from + 1; to < layer; ++to) {
                    const int live = std::popcount(mask) + (to - from >= 2 ? 2 : 1);
                    if (live <= m_capacity.recompute[at(layer)])
                        reach(mask | std::size_t{1} << (to - 1), value + to - from);
                }
            }
        }
        std::vector<std::int64_t> after(m_masks, kImpossible);
        const std::size_t input = layer == 1 ? 0 : std::size_t{1} << (layer - 2);
        for (std::size_t mask = 0; mask < m_masks; ++mask) {
            const bool runs =
                (mask & input) == input && std::popcount(mask) <= m_capacity.backward[at(layer)];
            if (runs) after[mask & ~input] = std::min(after[mask & ~input], cost[mask]);
        }
        return after;
    }

    const ChainCapacity& m_capacity;
    std::int32_t m_layers;
    std::size_t m_masks;
};

/// The recurrence of leastRecomputation() with every split tried.
std::int64_t plainRecurrence(const ChainCapacity& capacity) {
    const std::int32_t layers = capacity.layers;
    const std::vector<std::int64_t> never(at(layers + 1), kImpossible);
    std::vector<std::vector<std::int64_t>> above(at(layers + 1), never);
    std::vector<std::int64_t> forwardAbove = never;
    for (std::int32_t q = layers; q >= 0; --q) {
        std::vector<std::vector<std::int64_t>> segment(at(layers + 1), never);
        std::vector<std::int64_t> forward = never;
        for (std::int32_t j = 1; j <= layers; ++j) {
            if (q <= capacity.backward[at(j)]) segment[at(j - 1)][at(j)] = 0;
            for (std::int32_t i = j - 2; i >= 0; --i) {
                std::int64_t& best = segment[at(i)][at(j)];
                for (std::int32_t m = i + 1; m < j; ++m) {
                    if (q + (m - i >= 2 ? 2 : 1) > capacity.recompute[at(j)]) continue;
                    best = std::min(best, m - i + above[at(m)][at(j)] + segment[at(i)][at(m)]);
                }
            }
        }
        for (std::int32_t i = 0; i < layers; ++i) {
            for (std::int32_t m = i + 1; m <= layers; ++m) {
                if (q + (m > i + 1 ? 2 : 1) > capacity.forward[at(m)]) break;
                if (m == layers && q > capacity.head) break;
                const std::int64_t rest = m == layers ? 0 : forwardAbove[at(m)];
                forward[at(i)] = std::min(forward[at(i)], rest + segment[at(i)][at(m)]);
            }
        }
        above = std::move(segment);
        forwardAbove = std::move(forward);
    }
    return forwardAbove[0];
}

enum class Shape { Constant, Falling, Arbitrary, Lawless };

/// Room that is the same all the time, that falls as the backward pass goes on (as gradients pile up), or
/// any.
ChainCapacity randomCapacity(Dice& dice, std::int32_t layers, Shape shape) {
    const bool any = shape == Shape::Arbitrary || shape == Shape::Lawless;
    ChainCapacity capacity;
    capacity.layers = layers;
    const auto room = [&] { return static_cast<std::int32_t>(dice.between(1, 6)); };
    const std::int32_t less = static_cast<std::int32_t>(dice.between(0, 1));
    std::int32_t level = static_cast<std::int32_t>(dice.between(1, 5));
    for (auto* each : {&capacity.forward, &capacity.recompute, &capacity.backward}) each->push_back(0);
    for (std::int32_t layer = 1; layer <= layers; ++layer) {
        if (shape == Shape::Falling && dice.between(0, 2) == 0) ++level;
        capacity.recompute.push_back(any ? room() : level);
        capacity.backward.push_back(any ? room() - 1 : level - less);
        if (shape != Shape::Constant && dice.between(0, 3) == 0) capacity.backward.back() -= 1;
        if (layer > 2 && shape != Shape::Lawless)
            capacity.backward.back() = std::min(capacity.backward.back(), capacity.recompute[at(layer - 1)]);
    }
    const bool scarce = dice.between(0, 3) == 0;
    for (std::int32_t layer = 1; layer <= layers; ++layer)
        capacity.forward.push_back(scarce ? room() + 1 : level + 1);
    capacity.head = scarce ? room() : level - less;
    return capacity;
}

constexpr std::array kShapes{Shape::Constant, Shape::Falling, Shape::Arbitrary, Shape::Lawless};

std::string describe(const ChainCapacity& capacity) {
    std::string text = "head " + std::to_string(capacity.head);
    const auto list = [&](const char* name, const std::vector<std::int32_t>& rooms) {
        text += std::string("; ") + name;
        for (std::size_t layer = 1; layer < rooms.size(); ++layer) text += " " + std::to_string(rooms[layer]);
    };
    list("forward", capacity.forward);
    list("recompute", capacity.recompute);
    list("backward", capacity.backward);
    return text;
}

/// What the search must give where the fewest recomputed layers are known.
void expectLeast(const ChainCapacity& capacity, std::int64_t least) {
    SCOPED_TRACE(describe(capacity));
    const std::optional<RecomputeSchedule> schedule = leastRecomputation(capacity);
    ASSERT_EQ(schedule.has_value(), least < kImpossible);
    EXPECT_EQ(hasSchedule(capacity), least < kImpossible);
    if (!schedule.has_value()) return;
    const Simulation simulation = simulate(*schedule, capacity);
    EXPECT_TRUE(simulation.readable);
    EXPECT_TRUE(simulation.fits);
    EXPECT_EQ(simulation.recomputed, least);
}

/// Compares the search with another way to find the least, in chains of from..to layers with the first of
/// the shapes in turn; a third or a quarter of them are possible.
void expectLeastOf(std::uint64_t seed, int runs, std::pair<int, int> layers, int shapes,
                   const std::function<std::int64_t(const ChainCapacity&)>& leastOf) {
    Dice dice(seed);
    int possible = 0;
    for (int run = 0; run < runs && !testing::Test::HasFailure(); ++run) {
        const auto length = static_cast<std::int32_t>(dice.between(layers.first, layers.second));
        const ChainCapacity capacity = randomCapacity(dice, length, kShapes[at(run % shapes)]);
        const std::int64_t least = leastOf(capacity);
        possible += least < kImpossible ? 1 : 0;
        expectLeast(capacity, least);
    }
    EXPECT_GT(possible, runs / shapes);
}

TEST(ChainSearch, IsAsGoodAsTheBestOfAllSchedulesUpToTenLayers) {
    expectLeastOf(1, 3000, {1, 10}, 3, [](const ChainCapacity& each) { return Exhaustive(each).least(); });
}

TEST(ChainSearch, IsAsGoodAsTheBestOfAllSchedulesForEveryConstantRoomOfTenLayers) {
    for (std::int32_t room = 1; room <= 11; ++room) {
        for (std::int32_t less = 0; less <= 1; ++less) {
            ChainCapacity capacity;
            capacity.layers = 10;
            capacity.forward.assign(11, room);
            capacity.recompute.assign(11, room);
            capacity.backward.assign(11, room - less);
            capacity.head = room - 1;
            expectLeast(capacity, Exhaustive(capacity).least());
        }
    }
}

TEST(ChainSearch, GivesWhatTheRecurrenceGivesWithEverySplitTried) {
    expectLeastOf(2, 8000, {8, 24}, 4, plainRecurrence);
}

/// Griewank: with f free places for activations, a layer is recomputed at most r times in all where
/// n < binomial(f + r, r), and filling up the cheapest first gives the least sum.
TEST(ChainSearch, AgreesWithTheBinomialsOfGriewankWhereTheRoomIsConstant) {
    const std::int32_t layers = 200;
    for (const std::int32_t places : {1, 2, 3, 5, 9, 20, 60}) {
        ChainCapacity capacity;
        capacity.layers = layers;
        capacity.forward.assign(at(layers + 1), layers + 1);
        capacity.recompute.assign(at(layers + 1), places + 1);
        capacity.backward.assign(at(layers + 1), places);
        capacity.head = places;
        std::int64_t sum = 0;
        for (std::int64_t round = 1, binomial = 1; binomial < layers; ++round) {
            sum += layers - binomial;  // layers whose h is made more often than round - 1 times
            binomial = binomial * (places + round) / round;
        }
        // The forward pass, which makes each once, is no recomputation.
        const std::optional<RecomputeSchedule> schedule = leastRecomputation(capacity);
        ASSERT_TRUE(schedule.has_value());
        EXPECT_EQ(simulate(*schedule, capacity).recomputed, sum - (layers - 1)) << places;
    }
}

TEST(ChainSearch, KeepsEverythingWhereThereIsRoom) {
    ChainCapacity capacity;
    capacity.layers = 2000;
    capacity.forward.assign(2001, 2000);
    capacity.recompute.assign(2001, 0);
    capacity.backward.assign(2001, 1999);
    capacity.head = 1999;
    const std::optional<RecomputeSchedule> schedule = leastRecomputation(capacity);
    ASSERT_TRUE(schedule.has_value());
    EXPECT_TRUE(schedule->stretches.empty());
    EXPECT_EQ(std::count(schedule->keeps.begin(), schedule->keeps.end(), true), 2001);
}

TEST(ChainSearch, FindsNothingWhereNotEvenTheForwardPassFits) {
    ChainCapacity capacity;
    capacity.layers = 3;
    capacity.forward = {0, 1, 1, 1};
    capacity.recompute.assign(4, 9);
    capacity.backward.assign(4, 9);
    capacity.head = 9;
    EXPECT_FALSE(leastRecomputation(capacity).has_value());
    capacity.forward = {0, 1, 2, 2};
    EXPECT_TRUE(leastRecomputation(capacity).has_value());
}

}  // namespace
}  // namespace plumb
