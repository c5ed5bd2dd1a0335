// SPDX-License-Identifier: Apache-2.0
#include "core/trace/rank_comparison.h"

#include "tests/core/trace/rank_jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iterator>

namespace plumb::trace {
namespace {

using test::Draws;
using test::eventsOf;
using test::RankJob;
using test::recordOf;
using test::recordsOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Whether both are the same but for rounding to whole nanoseconds.
bool areNear(Nanoseconds a, Nanoseconds b, Nanoseconds within = 3) { return std::abs(a - b) <= within; }

Nanoseconds nanoseconds(double microseconds) { return std::llround(microseconds * 1000); }

std::vector<std::string> sentencesOf(const RankComparison& comparison, RankFinding kind) {
    std::vector<std::string> said;
    for (const FoundInRanks& found : comparison.findings)
        if (found.kind == kind) said.push_back(found.sentence);
    return said;
}

/// Takes the event of a collective out of a rank's events.
void eraseSequence(std::vector<std::string>& events, int sequence) {
    const std::string mark = "\"Seq\": " + std::to_string(sequence);
    ASSERT_EQ(std::erase_if(events,
                            [&](const std::string& event) { return event.find(mark) != std::string::npos; }),
              1U);
}

void replaceIn(std::vector<std::string>& events, int sequence, const std::string& from,
               const std::string& to) {
    const std::string mark = "\"Seq\": " + std::to_string(sequence);
    for (std::string& event : events)
        if (event.find(mark) != std::string::npos) {
            const std::size_t at = event.find(from);
            ASSERT_NE(at, std::string::npos);
            event.replace(at, from.size(), to);
        }
}

TEST(RankComparison, FindsThePlantedStragglerAndItsKernel) {
    RankJob job;
    job.fill(100);
    job.offsets = {0, 5'000'000, -70'000, 123.456};
    for (int place = 0; place < 6; ++place) job.computeOf(2, place) = 130;
    const RankComparison found = compareRanks(recordsOf(eventsOf(job)));
    EXPECT_THAT(found.findings, IsEmpty());
    ASSERT_EQ(found.ranks.size(), 4U);
    EXPECT_EQ(found.collectives.size(), 6U);
    EXPECT_THAT(found.stragglers, ElementsAre(2U));
    const RankFigures& slow = found.ranks[2];
    EXPECT_EQ(slow.timesLast, 6);
    EXPECT_EQ(slow.waited, 0);
    EXPECT_EQ(slow.delay, nanoseconds(6 * 30));
    EXPECT_EQ(slow.lateByHost, 0);
    EXPECT_EQ(slow.computeExcess, nanoseconds(6 * 30));
    ASSERT_EQ(slow.kernels.size(), 1U);
    EXPECT_EQ(slow.kernels[0].name, "sgemm");
    EXPECT_EQ(slow.kernels[0].excess, nanoseconds(6 * 30));
    EXPECT_EQ(slow.kernels[0].sum.count, 6);
    for (const std::size_t rank : {0U, 1U, 3U}) {
        EXPECT_EQ(found.ranks[rank].waited, nanoseconds(6 * 30));
        EXPECT_EQ(found.ranks[rank].compute, nanoseconds(6 * 100));
        EXPECT_EQ(found.ranks[rank].exposed, nanoseconds(6 * 80));
        EXPECT_EQ(found.ranks[rank].clock.shift, -nanoseconds(job.offsets[rank]));
        EXPECT_EQ(found.ranks[rank].source, RankSource::File);
    }
    EXPECT_EQ(found.ranks[0].clock.uncertainty, 0);
    EXPECT_EQ(found.ranks[1].clock.collectives, 6);
    EXPECT_THAT(found.verdict(), AllOf(HasSubstr("Rank 2 is last at 6 of 6"), HasSubstr("sgemm (+180 µs)")));
    ASSERT_EQ(found.steps.size(), 2U);
    EXPECT_EQ(found.steps[1].name, "ProfilerStep#1");
    EXPECT_THAT(found.steps[1].timesLast, ElementsAre(0, 0, 3, 0));
    EXPECT_THAT(found.steps[1].waited, ElementsAre(90'000, 90'000, 0, 90'000));
    EXPECT_EQ(found.collectives[0].bytes, 2048);
}

TEST(RankComparison, IsRightForRandomRanksOffsetsAndTimes) {
    Draws draw(11);
    for (int round = 0; round < 60; ++round) {
        RankJob job;
        job.ranks = 2 + draw.below(7);
        job.steps = 1 + draw.below(3);
        job.collectives = 3 + draw.below(4);
        job.isNumbered = draw.below(3) != 0;
        job.transfer = draw.below(100);
        job.fill(0);
        for (int rank = 0; rank < job.ranks; ++rank) {
            job.offsets[static_cast<std::size_t>(rank)] = draw.below(2'000'000'000) * 0.001 - 1'000'000;
            for (int place = 0; place < job.steps * job.collectives; ++place)
                job.computeOf(rank, place) = 10 + draw.below(100'000) * 0.001;
        }
        const RankComparison found = compareRanks(recordsOf(eventsOf(job)));
        ASSERT_THAT(found.findings, IsEmpty()) << found.findings.front().sentence;
        ASSERT_EQ(found.collectives.size(), job.truths.size());
        std::vector<Nanoseconds> waited(static_cast<std::size_t>(job.ranks));
        std::vector<std::int64_t> timesLast(waited.size());
        for (std::size_t c = 0; c < job.truths.size(); ++c) {
            const RankJob::Truth& truth = job.truths[c];
            const ComparedCollective& one = found.collectives[c];
            const auto last = std::ranges::max_element(truth.arrivals);
            const double first = *std::ranges::min_element(truth.arrivals);
            EXPECT_TRUE(areNear(one.skew, nanoseconds(*last - first)));
            for (std::size_t rank = 0; rank < waited.size(); ++rank)
                waited[rank] += nanoseconds(*last - truth.arrivals[rank]);
            if (one.lead <= 3) continue;  // what rounding to whole nanoseconds does not tell
            ASSERT_TRUE(one.last);
            EXPECT_EQ(*one.last, last - truth.arrivals.begin());
            EXPECT_EQ(one.sequence >= 0, job.isNumbered);
            for (const RankArrival& arrival : one.arrivals)
                EXPECT_TRUE(areNear(arrival.waited, nanoseconds(*last - truth.arrivals[arrival.rank])));
        }
        for (std::size_t rank = 0; rank < waited.size(); ++rank) {
            const RankFigures& figures = found.ranks[rank];
            EXPECT_TRUE(areNear(figures.waited, waited[rank], 3 * std::ssize(job.truths)));
            EXPECT_TRUE(areNear(figures.clock.shift, nanoseconds(job.offsets[0] - job.offsets[rank])));
            EXPECT_EQ(figures.collectives, static_cast<std::int64_t>(job.truths.size()));
        }
    }
}

TEST(RankComparison, SaysWhichCollectiveARankLacks) {
    RankJob job;
    job.fill(100);
    auto events = eventsOf(job);
    eraseSequence(events[1], 103);
    const RankComparison found = compareRanks(recordsOf(events));
    EXPECT_THAT(sentencesOf(found, RankFinding::MissingCollective),
                ElementsAre(AllOf(HasSubstr("allreduce number 103 of group default_pg"),
                                  HasSubstr("missing on rank 1"))));
    EXPECT_EQ(found.findings.size(), 1U);
    EXPECT_EQ(found.findings[0].ranks, std::vector<std::int64_t>{1});
    EXPECT_FALSE(found.collectives[3].last) << "the one that is missing may have been the last";
    EXPECT_EQ(found.ranks[0].collectives, 5);
}

TEST(RankComparison, WhatOneRankDidNotRecordIsNoFinding) {
    RankJob job;
    job.fill(100);
    auto events = eventsOf(job);
    eraseSequence(events[1], 100);
    eraseSequence(events[3], 105);
    const RankComparison found = compareRanks(recordsOf(events));
    EXPECT_THAT(found.findings, IsEmpty());
    EXPECT_EQ(found.outsideOfRecording, 2);
    EXPECT_EQ(found.ranks[0].collectives, 4);
}

TEST(RankComparison, SaysWhereCollectivesAreNotTheSame) {
    RankJob job;
    job.fill(100);
    auto events = eventsOf(job);
    replaceIn(events[2], 101, "\"allreduce\"", "\"_allgather_base\"");
    replaceIn(events[3], 102, "BFloat16", "Float");
    replaceIn(events[0], 104, "\"In msg nelems\": 1024", "\"In msg nelems\": 1000");
    const RankComparison found = compareRanks(recordsOf(events));
    EXPECT_THAT(
        sentencesOf(found, RankFinding::UnequalCollective),
        ElementsAre(
            AllOf(HasSubstr("number 101 of group default_pg"),
                  HasSubstr("is allreduce of BFloat16 on rank 0, but _allgather_base of BFloat16 on rank 2")),
            HasSubstr("but allreduce of Float on rank 3")));
    EXPECT_THAT(sentencesOf(found, RankFinding::UnequalSizes),
                ElementsAre(AllOf(HasSubstr("allreduce number 104"), HasSubstr("has 1000 in and 1024 out"),
                                  HasSubstr("1024 in and 1024 out on ranks 1, 2, 3"))));
    EXPECT_FALSE(found.collectives[1].last);
}

TEST(RankComparison, ExchangesMayBeUneven) {
    RankJob job;
    job.fill(100);
    auto events = eventsOf(job);
    for (auto& rank : events) replaceIn(rank, 104, "\"allreduce\"", "\"all_to_allv\"");
    replaceIn(events[0], 104, "\"In msg nelems\": 1024", "\"In msg nelems\": 1000");
    EXPECT_THAT(compareRanks(recordsOf(events)).findings, IsEmpty());
}

TEST(RankComparison, UnnumberedCollectivesAreNotMatchedWhereTheirNumbersDiffer) {
    RankJob job;
    job.isNumbered = false;
    job.fill(100);
    auto events = eventsOf(job);
    for (std::size_t i = 0; i < events[1].size(); ++i)
        if (events[1][i].find("ncclDev") != std::string::npos) {
            events[1].erase(events[1].begin() + static_cast<std::ptrdiff_t>(i));
            break;
        }
    const RankComparison found = compareRanks(recordsOf(events));
    EXPECT_THAT(
        sentencesOf(found, RankFinding::UnequalCounts),
        ElementsAre(HasSubstr("has 3 of ncclDevKernel_AllReduce_Sum_bf16 on others, but fewer on rank 1")));
    EXPECT_EQ(found.collectives.size(), 3U) << "those of the other step";
    EXPECT_EQ(found.unnumbered, 3);
}

/// Two ranks on processors alone: gloo's work is on threads of its own, and two of it overlap there.
std::vector<std::vector<std::string>> glooEvents(std::string_view category) {
    std::vector<std::vector<std::string>> events(2);
    for (int rank = 0; rank < 2; ++rank) {
        const double clock = rank == 0 ? 0 : 700'000;
        auto& own = events[static_cast<std::size_t>(rank)];
        for (int step = 0; step < 3; ++step) {
            const double begin = clock + 1000 * step;
            const double late = rank == 1 ? 40 : 0;
            own.push_back(
                test::onHost("user_annotation", "ProfilerStep#" + std::to_string(step), begin, 900));
            own.push_back(test::onHost("cpu_op", "c10d::allreduce_", begin + 100 + late, 5));
            own.push_back(test::onHost(category, "gloo:all_reduce", begin + 101 + late, 300 - late, "", 200));
            own.push_back(test::onHost(category, "gloo:all_reduce", begin + 200 + late, 400 - late, "", 201));
            own.push_back(test::onHost(category, "gloo:broadcast", begin + 700, 50, "", 200));
        }
    }
    return events;
}

TEST(RankComparison, MatchesCollectivesOfGlooOnTheHost) {
    for (const std::string_view category : {"cpu_op", "user_annotation"}) {
        auto events = glooEvents(category);
        const RankComparison found = compareRanks(recordsOf(events));
        ASSERT_EQ(found.collectives.size(), 9U) << category;
        EXPECT_EQ(found.unnumbered, 9);
        EXPECT_THAT(found.findings, IsEmpty());
        EXPECT_TRUE(areNear(found.ranks[1].clock.shift, -nanoseconds(700'000)))
            << "the ends of what all take part in";
        EXPECT_EQ(found.ranks[1].timesLast, 6);
        EXPECT_TRUE(areNear(found.ranks[0].waited, nanoseconds(6 * 40))) << found.ranks[0].waited;
        EXPECT_EQ(found.ranks[0].busy, 0) << "no device works";

        events[1].pop_back();  // a broadcast that only one rank has
        const RankComparison fewer = compareRanks(recordsOf(events));
        EXPECT_THAT(sentencesOf(fewer, RankFinding::UnequalCounts),
                    ElementsAre(HasSubstr("has 1 of gloo:broadcast on others, but fewer on rank 1")));
        EXPECT_EQ(fewer.collectives.size(), 8U);
    }
}

/// A pipeline of two ranks: three messages there and one back, with numbers that each rank counts for itself.
std::vector<std::vector<std::string>> pipelineEvents() {
    RankJob job;
    job.ranks = 2;
    job.fill(100);
    auto events = eventsOf(job);
    const auto message = [](std::string_view name, int peer, double begin, double duration, int sequence) {
        const bool sends = name == "send";
        return test::slice("kernel", "ncclDevKernel_SendRecv", R"("pid": 0, "tid": 30)",
                           test::times(begin, duration),
                           R"("device": 0, "stream": 30, "Process Group Name": "0", "Process Group Ranks": )"
                           R"("[0, 1]", "dtype": "Half", "In msg nelems": 8, "Out msg nelems": 8, )"
                           R"("Collective name": ")" +
                               std::string(name) + "\", \"Seq\": " + std::to_string(sequence) +
                               (sends ? ", \"Dst Rank\": " : ", \"Src Rank\": ") + std::to_string(peer));
    };
    for (int i = 0; i < 3; ++i) {
        events[0].push_back(message("send", 1, 1020 + 20 * i, 8, 1 + i));
        events[1].push_back(message("recv", 0, 1013 + 20 * i, 15, 40 + i));
    }
    events[1].push_back(message("send", 0, 1090, 6, 43));
    events[0].push_back(message("recv", 1, 1088, 8, 4));
    return events;
}

TEST(RankComparison, MatchesSendsWithTheirReceives) {
    auto events = pipelineEvents();
    const auto messagesOf = [](const RankComparison& comparison) {
        std::vector<ComparedCollective> messages;
        for (const ComparedCollective& one : comparison.collectives)
            if (one.name == "send" || one.name == "recv") messages.push_back(one);
        return messages;
    };
    const RankComparison found = compareRanks(recordsOf(events));
    const auto messages = messagesOf(found);
    ASSERT_EQ(messages.size(), 4U);
    EXPECT_EQ(found.pointToPoint, 0);
    EXPECT_THAT(found.findings, IsEmpty());
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(areNear(messages[i].skew, 7'000)) << messages[i].skew;
        EXPECT_EQ(messages[i].arrivals.front().rank, 1U) << "who receives comes first, and waits";
        EXPECT_FALSE(messages[i].last) << "no straggler by nature";
    }
    EXPECT_EQ(messages[3].arrivals.front().rank, 0U);
    EXPECT_EQ(found.ranks[0].collectives, 6) << "messages are none";

    eraseSequence(events[1], 41);
    const RankComparison fewer = compareRanks(recordsOf(events));
    EXPECT_EQ(messagesOf(fewer).size(), 1U);
    EXPECT_EQ(fewer.pointToPoint, 5);
    EXPECT_THAT(sentencesOf(fewer, RankFinding::UnequalCounts),
                ElementsAre(HasSubstr("3 sends from rank 0 to rank 1, but 2 receives")));
}

TEST(RankComparison, SaysWhichRanksAreNotHere) {
    RankJob job;
    job.fill(100);
    const auto events = eventsOf(job);
    std::vector<RankRecord> records = recordsOf(events, 6);
    records.push_back(recordOf(test::rankDocument(events[1], 1, 6), "copy.json"));
    const RankComparison found = compareRanks(records);
    EXPECT_THAT(sentencesOf(found, RankFinding::MissingRank),
                ElementsAre(HasSubstr("ranks 4, 5 of 6: no trace is here")));
    EXPECT_THAT(sentencesOf(found, RankFinding::RepeatedRank),
                ElementsAre(HasSubstr("rank 1 is in rank1.json and in copy.json: the second is left out")));
    EXPECT_EQ(found.ranks.size(), 4U);
    EXPECT_EQ(found.worldSize, 6);
}

TEST(RankComparison, TellsALateLaunchFromSlowKernels) {
    RankJob job;
    job.fill(100);
    auto events = eventsOf(job);
    // Rank 3 launches its collective of each step late, behind all work, and enters it 20 us after the
    // others.
    std::string& late = *std::ranges::find_if(
        events[3], [](const std::string& event) { return event.find("\"Seq\": 102") != std::string::npos; });
    const double arrival = job.truths[2].arrivals[3] + 20;
    late = test::slice("kernel", "ncclDevKernel_AllReduce_Sum_bf16", R"("pid": 0, "tid": 20)",
                       test::times(arrival, job.truths[2].end - arrival),
                       R"("device": 0, "stream": 20, "correlation": 15, )" +
                           test::collectiveArgs(102, R"(, "Process Group Ranks": "[0, 1, 2, 3]")"));
    for (std::string& event : events[3])
        if (event.find("\"correlation\": 15") != std::string::npos &&
            event.find("cuda_runtime") != std::string::npos)
            event = test::launch(arrival - 5, 1, 15);
    const RankComparison found = compareRanks(recordsOf(events));
    EXPECT_THAT(found.stragglers, ElementsAre(3U));
    EXPECT_EQ(found.ranks[3].timesLast, 1);
    EXPECT_EQ(found.ranks[3].lateByHost, 1);
    EXPECT_THAT(found.verdict(), HasSubstr("No rank stands out: rank 3 is last most often, at 1 of 6"));
}

TEST(RankComparison, AlignsRanksThroughOthersWhereGroupsDoNotMeet) {
    // Ranks 0 and 1 share a group, as do 1 and 2: the clock of 2 comes through that of 1.
    const auto kernelOf = [](double at, double length, int sequence, const char* group, const char* ranks) {
        return test::slice("kernel", "ncclDevKernel_AllReduce", R"("pid": 0, "tid": 20)",
                           test::times(at, length),
                           R"("device": 0, "stream": 20, "Collective name": "allreduce", "Seq": )" +
                               std::to_string(sequence) + R"(, "Process Group Name": ")" + group +
                               R"(", "Process Group Ranks": ")" + ranks + "\"");
    };
    std::vector<std::vector<std::string>> events(3);
    for (int i = 0; i < 4; ++i) {
        const double end = 1000 + 100 * i;
        events[0].push_back(kernelOf(end - 20, 20, i, "1", "[0, 1]"));
        events[1].push_back(kernelOf(500 + end - 30, 30, i, "1", "[0, 1]"));
        events[1].push_back(kernelOf(500 + end + 20, 30, i, "2", "[1, 2]"));
        events[2].push_back(kernelOf(-90 + end + 40, 10, i, "2", "[1, 2]"));
    }
    const RankComparison found = compareRanks(recordsOf(events));
    EXPECT_THAT(found.findings, IsEmpty());
    EXPECT_EQ(found.ranks[1].clock.shift, -500'000);
    EXPECT_EQ(found.ranks[2].clock.shift, 90'000);
    EXPECT_TRUE(found.isOfWholeTraces);
    EXPECT_EQ(found.ranks[1].waited, nanoseconds(4 * (10 + 20)));
    EXPECT_EQ(found.collectives[0].group, "1 [0, 1]");
}

TEST(RankComparison, ARankThatSharesNothingIsSaidToBeUnaligned) {
    RankJob job;
    job.fill(100);
    auto events = eventsOf(job);
    std::erase_if(events[1],
                  [](const std::string& event) { return event.find("nccl") != std::string::npos; });
    const RankComparison found = compareRanks(recordsOf(events));
    EXPECT_THAT(sentencesOf(found, RankFinding::UnalignedClock), ElementsAre(HasSubstr("rank 1 shares no")));
    EXPECT_FALSE(found.ranks[1].clock.isAligned);
}

TEST(RankComparison, NobodyIsNamedLastWithinWhatClocksDoNotTell) {
    RankJob job;
    job.ranks = 2;
    job.collectives = 4;
    job.fill(100);
    job.computeOf(1, 2) = 103;  // less than the clocks' 5 us
    job.computeOf(1, 4) = 140;
    auto events = eventsOf(job);
    // The ends of rank 1 jitter by 5 us.
    for (int place = 0; place < 8; ++place) {
        const RankJob::Truth& truth = job.truths[static_cast<std::size_t>(place)];
        const double length = truth.end - truth.arrivals[1];
        replaceIn(events[1], 100 + place, "\"dur\": " + test::microseconds(length),
                  "\"dur\": " + test::microseconds(length + (place % 2 == 0 ? 5 : 0)));
    }
    const RankComparison found = compareRanks(recordsOf(events));
    EXPECT_EQ(found.ranks[1].clock.uncertainty, 5'000);
    EXPECT_EQ(found.ranks[1].timesLast + found.ranks[0].timesLast, 1);
    EXPECT_EQ(found.greatestSkews(1).front(), 4U);
}

TEST(RankComparison, NumbersRanksByTheirFilesWhereTracesSayNothing) {
    EXPECT_EQ(rankOfFileName("/tmp/rank7/trace_rank-03.json"), 3);
    EXPECT_EQ(rankOfFileName("Worker12.pt.trace.json.gz"), 12);
    EXPECT_EQ(rankOfFileName("trace.json"), std::nullopt);
    EXPECT_EQ(rankOfFileName("rank.json"), std::nullopt);
    RankJob job;
    job.fill(100);
    const auto events = eventsOf(job);
    std::vector<RankRecord> records;
    for (const char* file : {"a.json", "rank_0.json", "b.json", "rank_2.json"})
        records.push_back(recordOf(test::document(events[records.size()]), file));
    const RankComparison found = compareRanks(records);
    std::vector<std::string> files;
    for (const RankFigures& rank : found.ranks) files.push_back(rank.file);
    EXPECT_THAT(files, ElementsAre("rank_0.json", "a.json", "rank_2.json", "b.json"));
    EXPECT_EQ(found.ranks[0].source, RankSource::FileName);
    EXPECT_EQ(found.ranks[1].source, RankSource::Order);
}

TEST(RankComparison, ComparesTheStepsThatAllRanksHave) {
    RankJob job;
    job.steps = 3;
    job.fill(100);
    auto events = eventsOf(job);
    std::erase_if(events[2],
                  [](const std::string& e) { return e.find("ProfilerStep#0") != std::string::npos; });
    const RankComparison found = compareRanks(recordsOf(events));
    EXPECT_THAT(sentencesOf(found, RankFinding::UnequalSteps), ElementsAre(HasSubstr("2 of up to 3 steps")));
    EXPECT_EQ(found.steps.size(), 2U);
    EXPECT_EQ(found.ranks[0].compute, nanoseconds(6 * 100));
    EXPECT_EQ(found.ranks[0].collectives, 6);
}

TEST(RanksOfText, ReadsWholeListsAlone) {
    EXPECT_THAT(ranksOfText("[3, 0,1]"), ElementsAre(0, 1, 3));
    for (const char* text : {"", "[]", "[0, 1, ..., 511]", "0, 1", "[a]", "[1 2]", "[-1]"})
        EXPECT_THAT(ranksOfText(text), IsEmpty()) << text;
}

TEST(CollectiveKind, IsToldByTheName) {
    EXPECT_EQ(collectiveKindOf("_allgather_base"), CollectiveKind::Symmetric);
    EXPECT_EQ(collectiveKindOf("ncclDevKernel_ReduceScatter_Sum_f32_RING_LL"), CollectiveKind::Symmetric);
    EXPECT_EQ(collectiveKindOf("broadcast"), CollectiveKind::Rooted);
    EXPECT_EQ(collectiveKindOf("ncclDevKernel_SendRecv"), CollectiveKind::PointToPoint);
    EXPECT_EQ(elementBytes("BFloat16"), 2);
    EXPECT_EQ(elementBytes("c10::complex<float>"), 8);
    EXPECT_EQ(elementBytes("Quaternion"), 0);
}

}  // namespace
}  // namespace plumb::trace
