// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantile.h"
#include "core/compare/budget.h"
#include "core/compare/comparison.h"
#include "core/compare/shift.h"
#include "core/machine/hardware_database.h"
#include "tests/support/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace plumb {
namespace {

constexpr int kTrials = 100;

/// Repeats of a time that varies by 2 %, now and then by much more, as clocks on shared machines do.
std::vector<Seconds> repeatsOf(Seconds seconds, std::size_t count, std::mt19937_64& random) {
    std::normal_distribution<double> noise(0, 0.02);
    std::uniform_real_distribution<double> chance(0, 1);
    std::vector<Seconds> repeats;
    for (std::size_t i = 0; i < count; ++i)
        repeats.push_back(seconds * std::exp(noise(random)) * (chance(random) < 0.03 ? 1.6 : 1));
    return repeats;
}

int callsReal(double factor, std::size_t repeats, std::mt19937_64& random) {
    int real = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        const auto baseline = repeatedTime(repeatsOf(0.1, repeats, random));
        const auto other = repeatedTime(repeatsOf(0.1 * factor, repeats, random));
        real += judgeTimes(baseline, other).isReal() ? 1 : 0;
    }
    return real;
}

TEST(Change, RepeatsOfTheSameAreNoRealChange) {
    std::mt19937_64 random(1);
    for (const std::size_t repeats : {10U, 20U, 100U}) EXPECT_LE(callsReal(1, repeats, random), 5) << repeats;
}

TEST(Change, FivePercentAreReal) {
    std::mt19937_64 random(2);
    for (const double factor : {0.95, 1.05})
        for (const std::size_t repeats : {20U, 100U})
            EXPECT_GE(callsReal(factor, repeats, random), 95) << factor << ' ' << repeats;
}

TEST(Change, AMachineThatChangesItsSpeedWidensTheBand) {
    std::mt19937_64 random(3);
    int real = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        const auto drifting = [&] {
            std::vector<Seconds> repeats = repeatsOf(0.1, 96, random);
            std::normal_distribution<double> level(0, 0.05);
            for (std::size_t i = 0; i < repeats.size(); i += 16) {
                const double now = std::exp(level(random));
                for (std::size_t j = i; j < i + 16; ++j) repeats[j] *= now;
            }
            return repeatedTime(repeats);
        };
        const auto baseline = drifting(), other = drifting();
        real += judgeTimes(baseline, other).isReal() ? 1 : 0;
    }
    EXPECT_LE(real, 8) << "blocks of steps that are alike count as few, not as many";
    EXPECT_EQ(judgeTimes(RepeatedTime{1, 0.001, 50, 49}, RepeatedTime{1.2, 0.001, 50, 49}, 1, 0.25).change,
              Change::WithinNoise)
        << "the machine itself was a quarter slower";
}

TEST(Change, WithoutRepeatsNothingIsClaimed) {
    const auto once = repeatedTime(std::vector<Seconds>{0.1});
    const auto often = repeatedTime(std::vector<Seconds>(20, 0.1));
    EXPECT_EQ(judgeTimes(once, often).change, Change::Unknown);
    EXPECT_DOUBLE_EQ(*judgeTimes(often, once).ratio, 1);
    EXPECT_EQ(judgeTimes(std::nullopt, often).change, Change::Unknown);
    EXPECT_FALSE(repeatedTime(std::vector<Seconds>{}).has_value());
    EXPECT_EQ(judgeTimes(often, often).change, Change::None);
}

TEST(Change, CountsRepeatExactly) {
    EXPECT_EQ(judgeCounts(100, 100).change, Change::None);
    EXPECT_EQ(judgeCounts(100, 101).change, Change::More);
    EXPECT_EQ(judgeCounts(100, 99).change, Change::Less);
    EXPECT_EQ(judgeCounts(std::nullopt, 99).change, Change::Unknown);
    EXPECT_FALSE(judgeCounts(0, 99).ratio.has_value());
}

RunConfig smallConfig() { return RunConfig{.dim = 64, .layers = 6, .batch = 32, .microBatch = 16}; }

/// A profile of 20 steps in which every op varies as repeatsOf() has it, and one kind takes `factor` as long.
Snapshot profile(std::mt19937_64& random, double factor = 1, std::string_view slower = {}) {
    Snapshot snapshot{.config = smallConfig()};
    snapshot.target.machine = HardwareDatabase::builtIn().machines.front();
    const StepPlan plan = planStep(snapshot.config, snapshot.target.traits).value();
    Reading measured = toReading(plan, predict(plan, snapshot.target.machine));
    measured.source = Source::Clock;
    measured.stepsMeasured = 20;
    std::vector<Seconds> steps(20, 0);
    for (OpReading& op : measured.ops) {
        const auto repeats = repeatsOf(1e-4 * (op.kind == slower ? factor : 1), 20, random);
        for (std::size_t i = 0; i < steps.size(); ++i) steps[i] += repeats[i];
        op.seconds = medianOf(repeats);
        op.spread = Spread{quantileOf(repeats, 0.1), quantileOf(repeats, 0.9)};
    }
    measured.totals.seconds = medianOf(steps);
    measured.totals.spread = Spread{quantileOf(steps, 0.1), quantileOf(steps, 0.9)};
    snapshot.measured = std::move(measured);
    return snapshot;
}

ComparedStep compared(const Snapshot& snapshot) { return comparedStep(snapshot, "a").value(); }

TEST(Comparison, TwoProfilesOfOneConfigurationFlagNothing) {
    std::mt19937_64 random(4);
    int flagged = 0;
    for (int trial = 0; trial < kTrials; ++trial)
        flagged += compare({compared(profile(random)), compared(profile(random))}).isChanged(1) ? 1 : 0;
    EXPECT_LE(flagged, 5);
}

TEST(Comparison, APlantedChangeOfOneKindIsFlaggedThereAndOnlyThere) {
    std::mt19937_64 random(5);
    int found = 0, elsewhere = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        const Comparison comparison =
            compare({compared(profile(random)), compared(profile(random, 1.05, "weight_gradient"))});
        bool isFound = false;
        for (const OpRow& row : comparison.ops) {
            if (!row.times[1].isReal()) continue;
            if (row.kind.starts_with("weight_gradient"))
                isFound = true;
            else
                ++elsewhere;
        }
        found += isFound ? 1 : 0;
    }
    EXPECT_GE(found, 95);
    EXPECT_LE(elsewhere, 5);
}

TEST(Comparison, SaysWhatWasChosenDifferentlyBeforeWhatDiffers) {
    std::mt19937_64 random(6);
    Snapshot wide = profile(random);
    wide.config.batch = 64;
    wide.measured.reset();
    const Comparison comparison = compare({compared(profile(random)), compared(wide)});
    ASSERT_FALSE(comparison.facts.empty());
    EXPECT_EQ(comparison.facts.front().name, "batch");
    EXPECT_EQ(comparison.facts.front().values, (std::vector<std::string>{"32", "64"}));
    for (const FactRow& fact : comparison.facts) EXPECT_NE(fact.values[0], fact.values[1]) << fact.name;
    EXPECT_TRUE(comparison.isChanged(1));
    EXPECT_FALSE(comparison.isChanged(0));
    EXPECT_EQ(comparison.figures.front().name, "step time");
    EXPECT_EQ(comparison.figures.front().judgements[1].change, Change::Unknown)
        << "a prediction has no repeats that would say how much it varies";
}

TEST(Comparison, TakesAnUnknownProgramForNoDifference) {
    std::mt19937_64 random(6);
    Snapshot written = profile(random), open = written, later = written;
    written.program = "plumbline 1";
    later.program = "plumbline 2";
    EXPECT_TRUE(compare({compared(written), compared(open)}).facts.empty()) << "the file that is open";
    EXPECT_TRUE(compare({compared(open), compared(written), compared(written)}).facts.empty());
    EXPECT_EQ(compare({compared(open), compared(written), compared(later)}).facts.size(), 1U);
}

TEST(Comparison, SumsOfItsRowsAreThoseOfTheStep) {
    std::mt19937_64 random(7);
    const ComparedStep step = compared(profile(random));
    const Comparison comparison = compare({step, step});
    Flops flops = 0;
    Bytes bytes = 0, tensors = 0, expected = 0;
    std::int64_t ops = 0;
    double seconds = 0, measured = 0;
    for (const OpRow& row : comparison.ops) {
        flops += *row.figures[1].flops;
        bytes += *row.figures[1].bytes;
        ops += row.figures[1].ops;
        seconds += row.figures[1].time->median;
    }
    for (const OpReading& op : step.reading->ops) measured += *op.seconds;
    for (const TensorRow& row : comparison.tensors) tensors += *row.bytes[1];
    for (TensorId id = 0; id < step.step->tensorCount(); ++id) expected += step.step->tensorBytes(id);
    EXPECT_EQ(flops, step.step->flops);
    EXPECT_EQ(bytes, step.step->bytes);
    EXPECT_EQ(ops, step.step->opCount());
    EXPECT_EQ(tensors, expected);
    EXPECT_NEAR(seconds, measured, 1e-12);
}

ComparedStep recorded(const std::function<void(nlohmann::json&)>& change = {}) {
    nlohmann::json document = test::referenceFile("step/decoder.plumb");
    if (change) change(document);
    return comparedStep(parseStepFile(document.dump(), "it").value(), "it");
}

TEST(Comparison, MatchesRecordedOpsByModuleAndKind) {
    const Comparison comparison = compare({recorded(), recorded([](nlohmann::json& file) {
                                               for (auto& module : file["ops"]["module"])
                                                   if (module == "blocks.1.attention.q")
                                                       module = "blocks.1.attention.query";
                                               for (auto& each : file["tensors"]["bytes"])
                                                   each = each.get<std::int64_t>() * 2;
                                           })});
    int gone = 0, added = 0;
    for (const OpRow& row : comparison.ops) {
        if (row.figures[1].ops == 0) {
            ++gone;
            EXPECT_EQ(row.place, "blocks.1.attention.q");
        } else if (row.figures[0].ops == 0) {
            ++added;
            EXPECT_EQ(row.place, "blocks.1.attention.query");
        } else {
            EXPECT_EQ(row.flops[1].change, Change::None) << row.label();
        }
    }
    EXPECT_GT(gone, 0);
    EXPECT_EQ(gone, added);
    for (const TensorRow& row : comparison.tensors) EXPECT_DOUBLE_EQ(*row.judgements[1].ratio, 2) << row.name;
    EXPECT_TRUE(comparison.isChanged(1));
}

TEST(Comparison, LossesOfRecordingsStandBesideEachOther) {
    const auto recording = [](double times) {
        nlohmann::json document = test::referenceFile("step/perceptron.plumb");
        for (nlohmann::json& loss : document["losses"]["loss"]) loss = loss.get<double>() * times;
        return comparedStep(parseStepFile(document.dump(), "it").value(), "a");
    };
    const LossDifference found = lossDifference(recording(1), recording(1.5));
    ASSERT_EQ(found.steps.size(), 30U);
    for (std::size_t i = 0; i < found.steps.size(); ++i)
        EXPECT_NEAR(found.difference[i], 0.5 * recording(1).training[i].loss, 1e-12);
    EXPECT_TRUE(recording(1).whyNoTraining.empty());
    EXPECT_NE(recorded().whyNoTraining.find("noted none"), std::string::npos);
}

TEST(Comparison, OneMeasuredStepAndOnePredictedStandBesideEachOther) {
    const ComparedStep predicted = comparedStep(
        parseStepFile(test::referenceFile("step/decoder_predicted.plumb").dump(), "it").value(), "b");
    EXPECT_FALSE(predicted.isMeasured());
    const Comparison comparison = compare({recorded(), predicted});
    EXPECT_EQ(comparison.figures.front().judgements[1].change, Change::Unknown);
    EXPECT_TRUE(comparison.figures.front().judgements[1].ratio.has_value());
}

std::vector<BudgetLine> checked(const std::string& budget, const ComparedStep& step,
                                const ComparedStep* baseline = nullptr) {
    return checkBudget(parseBudget(budget, "budget.json").value(), step, baseline);
}

TEST(Budget, HoldsAStepToItsLimits) {
    const ComparedStep step = recorded();
    const auto peak = step.reading->memory->peakBytes;
    const auto one = [&](std::int64_t limit) {
        return checked("{\"peak_bytes\": " + std::to_string(limit) + "}", step).front();
    };
    EXPECT_TRUE(one(peak).isKept);
    EXPECT_FALSE(one(peak - 1).isKept);
    EXPECT_TRUE(checked(R"({"step_seconds": "1 s", "flops": "1 TFLOP", "bytes": "1 GB"})", step)[0].isKept);
    EXPECT_FALSE(checked(R"({"step_seconds": "1 us"})", step)[0].isKept);
    EXPECT_EQ(checked(R"({"step_seconds": 1, "flops": 1e12, "bytes": "1 GB"})", step).size(), 3U);
}

TEST(Budget, WhatIsNotKnownKeepsNoLimit) {
    const ComparedStep step = recorded([](nlohmann::json& file) {
        file["measured"] = nullptr;
        file["memory"] = nullptr;
        file["ops"]["flops"][3] = nullptr;
    });
    for (const BudgetLine& line :
         checked(R"({"peak_bytes": 1e15, "step_seconds": 1e9, "flops": 1e15})", step)) {
        EXPECT_FALSE(line.isKept) << line.name;
        EXPECT_FALSE(line.note.empty()) << line.name;
    }
}

TEST(Budget, GrowthIsOverABaselineAndItsNoise) {
    std::mt19937_64 random(8);
    const ComparedStep baseline = compared(profile(random));
    const ComparedStep same = compared(profile(random));
    ComparedStep slower = same;
    slower.stepTime->median *= 1.3;
    const std::string budget =
        R"({"step_seconds_growth": "0 %", "peak_bytes_growth": 0, "flops_growth": 0.0})";
    EXPECT_TRUE(parseBudget(budget, "it")->needsBaseline());
    for (const BudgetLine& line : checked(budget, same, &baseline)) EXPECT_TRUE(line.isKept) << line.name;
    const auto lines = checked(budget, slower, &baseline);
    EXPECT_TRUE(lines[0].isKept);
    EXPECT_FALSE(lines[1].isKept) << "the time, a third more";
    EXPECT_TRUE(lines[2].isKept);
}

TEST(Budget, WhatIsNoBudgetIsRefused) {
    for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
             {"[]", "one JSON object"},
             {"{}", "no limit"},
             {R"({"peak": 1})", "peak_bytes"},
             {R"({"peak_bytes": -1})", "below 0"},
             {R"({"peak_bytes": "4 s"})", "no quantity"},
             {R"({"step_seconds": true})", "neither"},
             {R"({"peak_bytes": "-1 GB"})", "below 0"},
             {R"({"flops": -0.5})", "below 0"},
             {R"({"peak_bytes_growth": "-5 %"})", "peak_bytes_growth"},
             {R"({"flops": 1e999})", "out of range"},
             {R"({"flops": 1, "bytes": 2, "flops": 3})", "has the limit flops more than once"},
             {R"({"flops": [[1]]})", "neither a number"},
             {std::string(900'000, '['), "levels"},
             {std::string(10'000'000, '['), "levels"},
             {R"({"flops": )" + std::string(10'000'000, '['), "levels"},
             {"{", "truncated"}}) {
        const auto budget = parseBudget(text, "budget.json");
        ASSERT_FALSE(budget.has_value()) << text.substr(0, 60);
        EXPECT_NE(budget.error().text().find(says), std::string::npos) << budget.error().text();
        EXPECT_NE(budget.error().text().find("budget.json"), std::string::npos);
    }
}

TEST(Compare, CanBeFollowedAndGivenUp) {
    const auto steps = [] { return std::vector{recorded(), recorded()}; };
    EXPECT_GT(comparisonWork(steps()), 0U);
    double share = 0;
    const auto followed = compare(steps(), CompareControl{{}, [&](double done) {
                                                              EXPECT_GE(done, share);
                                                              share = done;
                                                          }});
    ASSERT_TRUE(followed.has_value());
    EXPECT_GT(share, 0.5) << "there are more than 1024 ops and tensors";
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(compare(steps(), CompareControl{stop.get_token(), {}}).has_value());
}

}  // namespace
}  // namespace plumb
