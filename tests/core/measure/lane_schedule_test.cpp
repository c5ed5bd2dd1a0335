// SPDX-License-Identifier: Apache-2.0
// Scheduling of two lanes, against schedules by hand, a simulation by small moments, and what must hold of
// any.
#include "core/measure/lane_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace plumb {
namespace {

using Works = std::vector<LaneWork>;

LaneWork compute(Seconds seconds, double beside = 1) { return {Lane::Compute, seconds, beside, 0}; }
LaneWork traffic(Seconds seconds, std::size_t joinedBy, double beside = 1) {
    return {Lane::Traffic, seconds, beside, joinedBy};
}

struct Case {
    const char* what;
    Works works;
    Seconds seconds;
    std::vector<Seconds> exposed;
};

std::vector<Case> casesByHand() {
    return {
        {"nothing", {}, 0, {}},
        {"compute alone is a sum", {compute(2), compute(3)}, 5, {0, 0}},
        {"traffic is hidden", {compute(1), traffic(2, 3), compute(4), compute(1)}, 6, {0, 0, 0, 0}},
        {"its rest is waited for", {compute(1), traffic(5, 3), compute(4), compute(1)}, 7, {0, 1, 0, 0}},
        {"joined at once it is a sum", {compute(1), traffic(5, 2), compute(4)}, 10, {0, 5, 0}},
        {"nobody joins it but the end", {traffic(5, 2), compute(2)}, 5, {3, 0}},
        {"one after the other", {traffic(2, 3), traffic(3, 3), compute(1), compute(1)}, 6, {1, 3, 0, 0}},
        {"the second one waits for its turn",
         {traffic(4, 4), compute(1), traffic(1, 3), compute(1), compute(1)},
         7,
         {0, 0, 4, 0, 0}},
        // Compute does half of its work in the 4 s of traffic, the rest of it alone.
        {"products are slowed down while it is on its way", {traffic(4, 2), compute(4, 2)}, 6, {0, 2}},
        // Traffic does 2 s of work in 4 s of products, and the rest alone, twice as fast.
        {"and traffic by products", {traffic(4, 2, 2), compute(4)}, 6, {2, 0}},
        // 6 s for half of the traffic and all of the products; then the rest of the traffic.
        {"each by the other", {traffic(4, 2, 3), compute(3, 2)}, 8, {2, 3}},
    };
}

TEST(LaneSchedule, IsThatMadeByHand) {
    for (const Case& one : casesByHand()) {
        const LaneSchedule schedule = scheduleLanes(one.works);
        EXPECT_NEAR(schedule.seconds, one.seconds, 1e-12) << one.what;
        ASSERT_EQ(schedule.exposed.size(), one.exposed.size());
        for (std::size_t i = 0; i < one.exposed.size(); ++i)
            EXPECT_NEAR(schedule.exposed[i], one.exposed[i], 1e-12) << one.what << ", work " << i;
    }
}

TEST(LaneSchedule, TellsWhenEachWorkBeginsAndEnds) {
    // The second traffic waits for its turn, and the last op for both.
    const LaneSchedule schedule =
        scheduleLanes(Works{traffic(4, 4), compute(1), traffic(1, 4), compute(2), compute(1)});
    const std::vector<std::pair<Seconds, Seconds>> expected{{0, 4}, {0, 1}, {4, 5}, {1, 3}, {5, 6}};
    ASSERT_EQ(schedule.spans.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(schedule.spans[i].begin, expected[i].first, 1e-12) << "work " << i;
        EXPECT_NEAR(schedule.spans[i].end, expected[i].second, 1e-12) << "work " << i;
    }
    EXPECT_EQ(schedule.seconds, 6);
}

/// Works of whole seconds, in which joins come later than what they join.
Works randomWorks(std::mt19937& random) {
    const auto to = [&](std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most)(random);
    };
    Works works(1 + to(11));
    for (std::size_t i = 0; i < works.size(); ++i) {
        works[i] = compute(static_cast<double>(to(6)), 1 + 0.5 * static_cast<double>(to(4)));
        if (to(2) != 0) continue;
        works[i].lane = Lane::Traffic;
        works[i].joinedBy = works.size();
    }
    for (std::size_t i = 0; i < works.size(); ++i) {
        if (works[i].lane != Lane::Traffic) continue;
        const std::size_t join = i + 1 + to(works.size() - i - 1);
        if (join < works.size() && works[join].lane == Lane::Compute) works[i].joinedBy = join;
    }
    return works;
}

/// What a mistaken scheduler would leave out.
struct Mistake {
    bool neverWaits = false, overtakes = false, slowsNothing = false, slowsAlways = false;
};

/// The same step, moment by moment.
Seconds simulated(const Works& works, const Mistake& mistake = {}) {
    constexpr Seconds kMoment = 1.0 / 512;
    std::vector<Seconds> left;
    for (const LaneWork& work : works) left.push_back(work.seconds);
    std::vector<std::size_t> open;
    Seconds now = 0;
    const auto isOver = [&](std::size_t traffic) { return left[traffic] <= 1e-9; };
    const auto leave = [&] {
        if (mistake.overtakes) std::erase_if(open, isOver);
        while (!open.empty() && isOver(open.front())) open.erase(open.begin());
    };
    const auto travels = [&](bool isBeside) {
        const std::size_t count = mistake.overtakes ? open.size() : std::min<std::size_t>(1, open.size());
        for (std::size_t i = 0; i < count; ++i)
            left[open[i]] -= kMoment / (isBeside && !mistake.slowsNothing ? works[open[i]].besideOther : 1);
        leave();
    };
    for (std::size_t i = 0; i <= works.size(); ++i) {
        const auto isJoined = [&](std::size_t traffic) { return works[traffic].joinedBy == i; };
        while (!mistake.neverWaits && std::ranges::any_of(open, isJoined)) {
            travels(false);
            now += kMoment;
        }
        if (i == works.size()) break;
        if (works[i].lane == Lane::Traffic) {
            open.push_back(i);
            leave();
            continue;
        }
        while (left[i] > 1e-9) {
            const bool isBeside = (!open.empty() || mistake.slowsAlways) && !mistake.slowsNothing;
            left[i] -= kMoment / (isBeside ? works[i].besideOther : 1);
            travels(true);
            now += kMoment;
        }
    }
    return now;
}

Seconds sumOf(const Works& works, Lane lane) {
    Seconds sum = 0;
    for (const LaneWork& work : works)
        if (work.lane == lane) sum += work.seconds;
    return sum;
}

/// What is wrong with the seconds of a step of these works; empty: nothing.
std::string wrongWith(const Works& works, Seconds seconds) {
    constexpr double kExact = 1e-9;
    const Seconds products = sumOf(works, Lane::Compute), data = sumOf(works, Lane::Traffic);
    if (seconds < products - kExact) return "shorter than its products";
    if (seconds < data - kExact) return "shorter than its traffic";
    if (std::abs(scheduleLanes(withFreeTraffic(works)).seconds - products) > kExact)
        return "with free traffic it is not its products";
    Seconds longest = 0;
    for (const LaneWork& work : works) longest += work.seconds * work.besideOther;
    if (seconds > longest + kExact) return "longer than all of it, each as slow as it gets";
    if (std::abs(simulated(works) - seconds) > 0.1) return "not what it is moment by moment";
    return {};
}

TEST(LaneSchedule, HoldsWhatAnyScheduleHolds) {
    std::mt19937 random(7);
    for (int round = 0; round < 2000; ++round) {
        Works works = randomWorks(random);
        const LaneSchedule schedule = scheduleLanes(works);
        EXPECT_EQ(wrongWith(works, schedule.seconds), "") << "round " << round;
        Seconds exposed = 0;
        for (std::size_t i = 0; i < works.size(); ++i) {
            EXPECT_GE(schedule.exposed[i], 0);
            if (works[i].lane == Lane::Compute && works[i].besideOther == 1) {
                EXPECT_NEAR(schedule.exposed[i], 0, 1e-9);
            }
            exposed += schedule.exposed[i];
        }
        EXPECT_NEAR(schedule.seconds, sumOf(works, Lane::Compute) + exposed, 1e-9) << "round " << round;
        // Where each is joined at once there is no time for both.
        Works even = works;
        for (std::size_t i = 0; i < works.size(); ++i)
            if (even[i].lane == Lane::Traffic) even[i].joinedBy = i + 1;
        EXPECT_NEAR(scheduleLanes(even).seconds, sumOf(even, Lane::Compute) + sumOf(even, Lane::Traffic),
                    1e-9);
    }
}

TEST(LaneSchedule, GetsNoShorterWhereAWorkGetsLonger) {
    std::mt19937 random(8);
    for (int round = 0; round < 2000; ++round) {
        Works works = randomWorks(random);
        const Seconds before = scheduleLanes(works).seconds;
        works[random() % works.size()].seconds += 0.5;
        EXPECT_GE(scheduleLanes(works).seconds, before - 1e-9) << "round " << round;
    }
}

TEST(LaneSchedule, OfAMistakenSchedulerWouldBeNoticed) {
    for (const Mistake& mistake : {Mistake{.neverWaits = true}, Mistake{.overtakes = true},
                                   Mistake{.slowsNothing = true}, Mistake{.slowsAlways = true}}) {
        std::mt19937 random(9);
        int noticed = 0;
        for (int round = 0; round < 300; ++round) {
            const Works works = randomWorks(random);
            if (!wrongWith(works, simulated(works, mistake)).empty()) ++noticed;
        }
        EXPECT_GT(noticed, 10) << mistake.neverWaits << mistake.overtakes << mistake.slowsNothing;
    }
}

}  // namespace
}  // namespace plumb
