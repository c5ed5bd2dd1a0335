// SPDX-License-Identifier: Apache-2.0
#include "core/engine/event_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace plumb::protocol {
namespace {

constexpr std::size_t kRoom = 1 << 20;

Event losses(std::int64_t id, std::int64_t step, double loss = 1) {
    return {id, LossBatch{{{step, loss, static_cast<double>(step)}}, step + 1, 0, 100}};
}

std::vector<std::int64_t> numbersAfter(const EventJournal& journal, std::int64_t sequence) {
    std::vector<std::int64_t> numbers;
    while (const EventJournal::Entry* entry = journal.next(sequence)) {
        const auto event = parseEvent(entry->line);
        EXPECT_TRUE(event.has_value() && event->sequence == entry->sequence) << entry->line;
        numbers.push_back(sequence = entry->sequence);
    }
    return numbers;
}

TEST(EventJournal, GivesExactlyWhatFollowsANumber) {
    EventJournal journal(kRoom);
    for (int i = 0; i < 5; ++i) journal.add(losses(1, i));
    EXPECT_EQ(journal.newest(), 5);
    EXPECT_THAT(numbersAfter(journal, 0), testing::ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(numbersAfter(journal, 3), testing::ElementsAre(4, 5));
    EXPECT_THAT(numbersAfter(journal, 5), testing::IsEmpty());
    EXPECT_THAT(numbersAfter(journal, 99), testing::IsEmpty()) << "a number that it never gave";
    EXPECT_EQ(journal.droppedAfter(0), 0);
    EXPECT_TRUE(journal.stateAfter(0).empty());
}

TEST(EventJournal, StaysWithinItsBoundAndCountsWhatItDropped) {
    EventJournal journal(2000);
    journal.add({1, State{EngineState::Running}});
    for (int i = 0; i < 200; ++i) journal.add(losses(1, i));
    const std::vector<std::int64_t> kept = numbersAfter(journal, 0);
    ASSERT_FALSE(kept.empty());
    EXPECT_EQ(kept.back(), 201);
    EXPECT_EQ(journal.droppedAfter(0), kept.front() - 1);
    EXPECT_EQ(journal.droppedAfter(kept.front() - 4), 3);
    EXPECT_EQ(journal.droppedAfter(kept.front()), 0);
    std::size_t bytes = 0;
    for (std::int64_t at = 0; const auto* entry = journal.next(at); at = entry->sequence)
        bytes += entry->line.size();
    EXPECT_LE(bytes, 2000U);
}

TEST(EventJournal, TheNewestEventStaysHoweverLargeItIs) {
    EventJournal journal(10);
    journal.add(losses(1, 0));
    journal.add(losses(1, 1));
    EXPECT_THAT(numbersAfter(journal, 0), testing::ElementsAre(2));
}

TEST(EventJournal, WhatWasDroppedLeavesTheStateAndALossCurveWithItsSpike) {
    EventJournal journal(300);
    journal.add({4, State{EngineState::Running}});
    journal.add({4, Progress{"profile", 1, 2}});
    journal.add({4, Progress{"profile", 2, 2}});
    constexpr int kSteps = 10000, kSpike = 1234;
    for (int i = 0; i < kSteps; ++i) journal.add(losses(4, i, i == kSpike ? 1e6 : 1));
    std::vector<Event> state;
    for (const std::string& line : journal.stateAfter(0)) state.push_back(parseEvent(line).value());
    ASSERT_EQ(state.size(), 3U);
    EXPECT_EQ(std::get<State>(state[0].body).state, EngineState::Running);
    EXPECT_EQ(std::get<Progress>(state[1].body).done, 2);
    const auto& batch = std::get<LossBatch>(state[2].body);
    EXPECT_LT(batch.points.size(), 5000U);
    EXPECT_EQ(batch.points.front().step, 0);
    const auto highest = std::ranges::max_element(batch.points, {}, &StepMetrics::loss);
    EXPECT_EQ(highest->step, kSpike);
    const auto kept = parseEvent(journal.next(0)->line);
    EXPECT_EQ(batch.stepsDone, std::get<LossBatch>(kept->body).points.front().step)
        << "they join without a gap";
    EXPECT_EQ(state[2].sequence + 1, kept->sequence);
    EXPECT_EQ(journal.stateAfter(state[1].sequence).size(), 1U) << "a window that has more is sent less";
}

TEST(EventJournal, LossesOfAnEarlierRunAreNotThoseOfTheNext) {
    EventJournal journal(10);
    for (int i = 0; i < 9; ++i) journal.add(losses(1, i));
    for (int i = 0; i < 3; ++i) journal.add(losses(2, i));
    const std::vector<std::string> state = journal.stateAfter(0);
    ASSERT_EQ(state.size(), 1U);
    const Event batch = parseEvent(state[0]).value();
    EXPECT_EQ(batch.id, 2);
    EXPECT_EQ(std::get<LossBatch>(batch.body).points.size(), 2U);
}

TEST(EventJournal, AWindowThatKnowsNothingGetsTheNewestDevicesAndState) {
    EventJournal journal(10);
    journal.add({0, DeviceList{}});
    journal.add({1, State{EngineState::Running}});
    journal.add({1, State{EngineState::Paused}});
    journal.add(losses(1, 0));
    std::vector<std::string> lines = journal.greeting();
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_TRUE(std::ranges::any_of(lines, [](const std::string& line) {
        const Event event = parseEvent(line).value();
        const auto* state = std::get_if<State>(&event.body);
        return state != nullptr && state->state == EngineState::Paused;
    }));
}

Event began(std::int64_t id) {
    Run run;
    run.steps = 1000;
    return {id, Began{run}};
}

TEST(EventJournal, TellsAWindowThatComesLaterOfTheTrainingThatGoesOn) {
    EventJournal journal(4000);  // most losses are dropped
    journal.add({0, DeviceList{}});
    journal.add({3, State{EngineState::Running}});
    journal.add(began(3));
    for (int i = 0; i < 500; ++i) journal.add(losses(3, i, i == 250 ? 77 : 1));
    const std::vector<std::string> lines = journal.greeting();
    ASSERT_EQ(lines.size(), 4U);
    const auto third = parseEvent(lines[2]);
    ASSERT_TRUE(third.has_value());
    EXPECT_EQ(third->id, 3);
    EXPECT_EQ(std::get<Began>(third->body).run.steps, 1000);
    const auto fourth = parseEvent(lines[3]);
    ASSERT_TRUE(fourth.has_value());
    EXPECT_EQ(fourth->id, 3);
    const auto& batch = std::get<LossBatch>(fourth->body);
    ASSERT_FALSE(batch.points.empty());
    EXPECT_EQ(batch.points.front().step, 0);
    EXPECT_EQ(batch.points.back().step, 499);
    EXPECT_EQ(batch.stepsDone, 500);
    EXPECT_EQ(batch.points.size(), 500U) << "what was dropped is there as well";
    EXPECT_TRUE(std::ranges::any_of(batch.points, [](const StepMetrics& point) { return point.loss == 77; }));
}

TEST(EventJournal, TellsOfNoTrainingThatIsOver) {
    EventJournal journal(kRoom);
    journal.add(began(3));
    journal.add(losses(3, 0));
    journal.add({3, Finished{"stopped", 1}});
    EXPECT_TRUE(journal.greeting().empty());
    journal.add(began(4));
    journal.add(losses(5, 9));
    ASSERT_EQ(journal.greeting().size(), 1U) << "losses of another command are not its own";
}

}  // namespace
}  // namespace plumb::protocol
