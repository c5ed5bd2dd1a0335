// SPDX-License-Identifier: Apache-2.0
#include "core/planner/measured.h"

#include "core/planner/carrying.h"
#include "core/planner/conventions.h"
#include "core/planner/memory.h"
#include "core/planner/scenario_file.h"
#include "core/planner/step_parts.h"
#include "core/planner/step_time.h"
#include "tests/core/planner/random_scenarios.h"
#include "tests/core/planner/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace plumb::planner {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

Scenario base() {
    Scenario s = scenarioOf("llama-3-8b", 64);
    s.workload.batch = 128;
    s.workload.sequence = 8192;
    return s;
}

/// The scenario resting on a step of its own that took so many times what is predicted of it.
Scenario measuredAt(Scenario s, double times) {
    s.measured = measure(s, {"step", "", times * stepTime(s)->total(), {}}).value();
    return s;
}

double secondsOf(const Scenario& s) { return stepTime(s).value().total(); }

Range rangeOfStep(const Scenario& s) { return rangeOf(Output::StepSeconds, s, secondsOf(s)).value(); }

std::string errorOf(const std::string& figures, const Scenario& s) {
    auto read = measuredFigures(figures, s);
    if (!read.has_value()) return read.error().text();
    const auto found = measure(s, *std::move(read));
    return found.has_value() ? std::string() : found.error().text();
}

TEST(Measured, OwnPredictionAsMeasurementChangesNothing) {
    RandomScenarios random(14);
    int compared = 0;
    for (int i = 0; i < 300; ++i) {
        Scenario s = random.draw();
        s.measured = nullptr;
        s.given[Input::StepFactor].reset();
        const auto time = stepTime(s);
        if (!time.has_value()) continue;
        const auto found = measure(s, {"step", "", time->total(), {}});
        if (!found.has_value()) {  // drawn assumptions can be beyond the peak
            EXPECT_GT(time->hfu, 1) << found.error().text();
            continue;
        }
        EXPECT_EQ((*found)->factor(), 1);
        Scenario rests = s;
        rests.measured = *found;
        for (const Output output : {Output::StepSeconds, Output::StepMfu, Output::MemoryPerDevice}) {
            const auto before = evaluateUnchecked(output, s), after = evaluateUnchecked(output, rests);
            EXPECT_EQ(before.has_value(), after.has_value());
            if (!before.has_value() || !after.has_value()) continue;
            EXPECT_EQ(*before, *after) << scenarioToText(rests);
        }
        ++compared;
    }
    EXPECT_GT(compared, 40);
}

/// Whatever is assumed, what was measured is answered: of that very scenario with no range at all.
TEST(Measured, IsTheAnswerToItsOwnScenario) {
    RandomScenarios random(15);
    int compared = 0;
    for (int i = 0; i < 300; ++i) {
        Scenario s = random.draw();
        s.measured = nullptr;
        s.given[Input::StepFactor].reset();
        const auto time = stepTime(s);
        if (!time.has_value() || time->hfu > 0.4) continue;
        for (const double times : {0.5, 1.0, 2.0, 4.0}) {
            const double seconds = times * time->total();
            s.measured = nullptr;
            s.measured = measure(s, {"step", "", seconds, {}}).value();
            EXPECT_NEAR(secondsOf(s) / seconds, 1, 1e-13) << "twice the time is twice the answer";
            const Range range = rangeOfStep(s);
            EXPECT_NEAR(range.low / seconds, 1, 1e-9) << scenarioToText(s);
            EXPECT_NEAR(range.high / seconds, 1, 1e-9) << scenarioToText(s);
        }
        ++compared;
    }
    EXPECT_GT(compared, 30);
}

TEST(Measured, StaysWhateverIsAssumed) {
    const Scenario s = measuredAt(base(), 1.3);
    const double seconds = s.measured->seconds;
    for (const InputInfo& about : allInputs()) {
        if (about.kind != InputKind::Assumption || about.input == Input::StepFactor) continue;
        const Range range = valueOf(s, about.input)->range;
        for (const double end : {range.low, range.high})
            EXPECT_NEAR(secondsOf(withValue(s, about.input, end)) / seconds, 1, 1e-12) << about.key;
    }
}

TEST(Measured, IsCarriedByWhatTheRuleSays) {
    const double times = 1.3;
    const Scenario s = measuredAt(base(), times);
    const auto carried = [&](const Scenario& to, Carry expected) {
        EXPECT_EQ(carryOf(*s.measured->in, to), expected);
        Scenario bare = to;
        bare.measured = nullptr;
        EXPECT_NEAR(secondsOf(to) / secondsOf(bare), std::pow(times, ruleOf(expected).share), 1e-12);
        const InputValue factor = *valueOf(to, Input::StepFactor);
        EXPECT_NEAR(factor.range.low / factor.range.expected, ruleOf(expected).low, 1e-12);
        EXPECT_NEAR(factor.range.high / factor.range.expected, ruleOf(expected).high, 1e-12);
        EXPECT_THAT(factor.source, HasSubstr("measured: step"));
        EXPECT_THAT(factor.source, HasSubstr(std::string(describe(expected))));
        EXPECT_TRUE(restsOnMeasurement(to));
    };
    carried(s, Carry::Same);
    Scenario to = s;
    to.workload.batch *= 2;
    carried(to, Carry::Batch);
    to.cluster.devices *= 2;
    carried(to, Carry::Layout);
    to = s;
    to.recipe.recompute = Recompute::Full;
    carried(to, Carry::Layout);
    to = s;
    to.recipe.offload.optimizer = true;
    carried(to, Carry::Layout);
    to = s;
    to.recipe.lossChunks = 4;
    carried(to, Carry::Layout);
    to = s;
    to.recipe.again[LayerPart::Queries] = true;
    carried(to, Carry::Layout);
    to = s;
    to.workload.sequence = 4096;
    carried(to, Carry::Sequence);
    to = s;
    to.model = findModel("llama-3-70b").value();
    carried(to, Carry::Model);
    to = s;
    to.recipe.compute = Dtype::Fp8E4M3;
    carried(to, Carry::Model);
    to = s;
    chooseMethod(to.adaptation, FineTuning::Lora);
    carried(to, Carry::Model);
    to = s;
    to.cluster.device = HardwareDatabase::builtIn().find("A100 SXM4 80").value();
    carried(to, Carry::Device);
    to = s;
    to.software = Software::Eager;
    carried(to, Carry::Device);
    // A step of one kind of model says nothing of another kind, and nothing is made of it.
    to = s;
    chooseLinear(to, RunConfig{});
    EXPECT_EQ(carryOf(*s.measured->in, to), Carry::Nothing);
    EXPECT_FALSE(restsOnMeasurement(to));
    EXPECT_EQ(*numberOf(to, Input::StepFactor), 1);
}

/// Parts, operations and traffic take longer by as much as their sum.
TEST(Measured, IsSaidOfEveryPart) {
    const StepTime before = *stepTime(base()), after = *stepTime(measuredAt(base(), 1.3));
    for (const StepPart& part : kStepParts)
        EXPECT_NEAR(after.*(part.seconds), 1.3 * before.*(part.seconds), 1e-12) << part.key;
    ASSERT_FALSE(after.traffic.empty());
    for (std::size_t i = 0; i < after.ops.size(); ++i)
        EXPECT_NEAR(after.ops[i].seconds, 1.3 * before.ops[i].seconds, 1e-12) << after.ops[i].label;
    for (std::size_t i = 0; i < after.traffic.size(); ++i) {
        EXPECT_NEAR(after.traffic[i].seconds, 1.3 * before.traffic[i].seconds, 1e-12);
        EXPECT_NEAR(after.traffic[i].exposed, 1.3 * before.traffic[i].exposed, 1e-12);
    }
    EXPECT_NEAR(after.mfu, before.mfu / 1.3, 1e-12);
}

/// To a batch that follows from the layout, or is given as what follows, is the same scenario.
TEST(Measured, IsOfTheSameScenarioHoweverItIsWritten) {
    Scenario s = scenarioOf("llama-3-8b", 8);
    s = measuredAt(s, 1.5);
    Scenario to = s;
    to.workload.batch = resolve(s)->batch;
    to.workload.sequence = sequenceOf(s);
    EXPECT_EQ(carryOf(*s.measured->in, to), Carry::Same);
}

TEST(Measured, NarrowsTheRangeAndWidensItWithTheDistance) {
    const auto widthOf = [](const Scenario& s) {
        const Range range = rangeOfStep(s);
        return std::log(range.high / range.low);
    };
    const Scenario s = measuredAt(base(), 1.1);
    Scenario batch = s, layout = s;
    batch.workload.batch *= 2;
    layout.cluster.devices *= 2;
    Scenario assumed = batch;
    assumed.measured = nullptr;
    EXPECT_LT(widthOf(s), widthOf(batch));
    EXPECT_LT(widthOf(batch), widthOf(layout));
    EXPECT_LT(widthOf(layout), widthOf(assumed));
}

TEST(Measured, GivenFactorTakesThePlaceOfTheMeasurement) {
    Scenario s = measuredAt(base(), 1.3);
    const double predicted = s.measured->predicted;
    ASSERT_TRUE(setInput(s, Input::StepFactor, 2.0).has_value());
    EXPECT_NEAR(secondsOf(s), 2 * predicted, 1e-12 * predicted);
    EXPECT_FALSE(restsOnMeasurement(s));
}

TEST(Measured, FiguresAreStepTimes) {
    Scenario s = base();
    const auto secondsFor = [&](const std::string& figures) { return measuredFigures(figures, s)->seconds; };
    EXPECT_DOUBLE_EQ(secondsFor("step=1.23s"), 1.23);
    EXPECT_DOUBLE_EQ(secondsFor("step=500 ms"), 0.5);
    EXPECT_DOUBLE_EQ(secondsFor("tokens-per-second=524288"), 128 * 8192 / 524288.0);
    // Llama 3 8B, 8192 tokens: 7 504 658 432 weights without the embedding, attention of 32 layers of 4096.
    const double perToken = 3 * (2 * 7'504'658'432.0 + 32 * 2 * 2 * 4096.0 * 8192);
    EXPECT_NEAR(secondsFor("tflops=400"), perToken * 128 * 8192 / (64 * 400e12), 1e-9);
    EXPECT_NEAR(secondsFor("mfu=40 %"), perToken * 128 * 8192 / (64 * 0.4 * 989.5e12), 0.01);
    const auto figures = measuredFigures("step=2s\nallocated=61GB\nreserved=66GB", s);
    ASSERT_TRUE(figures.has_value()) << figures.error().text();
    EXPECT_EQ(figures->memory, (MeasuredMemory{61e9, 66e9, std::nullopt}));
    EXPECT_EQ(figures->what, "step 2.00 s, 61.0 GB allocated, 66.0 GB reserved");
}

/// GPT-3 of 175e9 parameters on 1024 A100 at 140 TFLOP/s, which count the forward pass once more (8 instead
/// of 6 FLOPs per parameter and token): 300e9 tokens take 34 days (Narayanan et al. 2021, arXiv
/// 2104.04473, 5.1).
TEST(Measured, MereCountTakesItsUtilisationFromTheThroughput) {
    Scenario s = withDevice("A100 SXM4 80", 1024);
    s.model = modelOfCount(175e9);
    s.workload.tokens = 300e9;
    s.measured = measure(s, *measuredFigures("tflops=105", s)).value();
    EXPECT_NEAR(*evaluate(Output::Days, s), 34, 0.2);
    EXPECT_NEAR(*numberOf(s, Input::Mfu), 105.0 / 312, 1e-9);
    s.cluster.devices = 512;  // another layout: all of it is carried
    EXPECT_NEAR(*numberOf(s, Input::Mfu), 105.0 / 312, 1e-9);
    EXPECT_THAT(errorOf("step=1s", s), HasSubstr("tokens-per-second"));
    EXPECT_THAT(errorOf("tokens-per-second=9e5", s), HasSubstr("above 100 %"));
    EXPECT_THAT(errorOf("tflops=100\nmemory=60GB", s), HasSubstr("no activations"));
}

TEST(Measured, UtilisationOfTimeTakesThatOfTheStep) {
    Scenario s = measuredAt(base(), 1.4);
    s.workload.tokens = 1e12;
    EXPECT_NEAR(*evaluate(Output::Days, s), *evaluate(Output::StepDays, s), 1e-9);
    EXPECT_THAT(valueOf(s, Input::Mfu)->source, HasSubstr("measured: step"));
    EXPECT_THAT(conventionsLine(std::array{Output::Days}, s), HasSubstr("efficiency measured: step"));
    Scenario carried = s;
    carried.cluster.devices *= 2;
    const Range mfu = valueOf(carried, Input::Mfu)->range,
                factor = valueOf(carried, Input::StepFactor)->range;
    EXPECT_NEAR(mfu.expected, stepTime(carried)->mfu, 1e-12);
    EXPECT_NEAR(mfu.low * factor.high, mfu.high * factor.low, 1e-12);
    EXPECT_LT(mfu.low, mfu.expected);
    s.measured = nullptr;  // that of the step model then
    EXPECT_NEAR(*evaluate(Output::Days, s), *evaluate(Output::StepDays, s), 1e-9);
    EXPECT_LT(*evaluate(Output::Days, s), 0.8 * *evaluate(Output::Days, measuredAt(s, 1.4)));
}

TEST(Measured, RefusesWhatCannotBe) {
    const Scenario s = base();
    EXPECT_THAT(errorOf("tflops=2000", s), HasSubstr("above 100 %"));
    EXPECT_THAT(errorOf("tflops=2000", s), HasSubstr("every device is counted"));
    EXPECT_THAT(errorOf("step=1ms", s), HasSubstr("above 100 %"));
    EXPECT_THAT(errorOf("step=1h", s), HasSubstr("times what is predicted"));
    EXPECT_THAT(errorOf("step=0s", s), HasSubstr("above 0"));
    EXPECT_THAT(errorOf("step=-1s", s), HasSubstr("--measured cannot be used"));
    EXPECT_THAT(errorOf("step=often", s), HasSubstr("step=often"));
    EXPECT_THAT(errorOf("step", s), HasSubstr("KEY=VALUE"));
    EXPECT_THAT(errorOf("speed=3", s), HasSubstr("tokens-per-second"));
    EXPECT_THAT(errorOf("step=1s\nmfu=0.4", s), HasSubstr("leave one out"));
    EXPECT_THAT(errorOf("memory=60GB\nmemory=61GB", s), HasSubstr("given twice"));
    EXPECT_THAT(errorOf("allocated=1GB", s), HasSubstr("are possible in this scenario"));
    EXPECT_THAT(errorOf("allocated=60GB\nreserved=50GB", s), HasSubstr("less than"));
}

TEST(Measured, MemorySaysWhatActivationsAndFragmentsAre) {
    Scenario real = base();
    for (const auto& [input, value] :
         {std::pair{Input::ActivationFactor, 1.3}, std::pair{Input::Fragmentation, 0.08},
          std::pair{Input::DeviceOverhead, 1.7e9}})
        real.given[input] = Range{value, value, value};
    // What lies around tensors taken away by hand: the parts of the model of memory.
    const DeviceMemory parts = *memoryPerDevice(real);
    double allocated = parts.worst().total(), reserved = allocated;
    for (const MemoryPart& part : parts.worst().parts) {
        const bool around = part.label == "communication buffers" || part.label == "context and kernels";
        if (around) reserved -= part.bytes;
        if (around || part.label == "fragmentation") allocated -= part.bytes;
    }
    Scenario s = base();
    s.measured = measure(s, {"memory", "", 0, {allocated, reserved, parts.worst().total()}}).value();
    EXPECT_NEAR(*numberOf(s, Input::ActivationFactor), 1.3, 1e-9);
    EXPECT_NEAR(*numberOf(s, Input::Fragmentation), 0.08, 1e-9);
    EXPECT_NEAR(*numberOf(s, Input::DeviceOverhead), 1.7e9, 1);
    EXPECT_NEAR(*evaluate(Output::MemoryPerDevice, s), parts.worst().total(), 100);
    EXPECT_EQ(*numberOf(s, Input::StepFactor), 1) << "nothing was timed";
    // The whole range of activations narrows where it is carried, and is gone where it was measured.
    const Range own = valueOf(s, Input::ActivationFactor)->range;
    EXPECT_EQ(own.low, own.high);
    s.cluster.devices *= 2;
    const Range carried = valueOf(s, Input::ActivationFactor)->range;
    EXPECT_NEAR(carried.expected, 1.3, 1e-9);
    EXPECT_LT(carried.expected, carried.high);
    s.software = Software::Eager;  // keeps other activations
    EXPECT_NE(valueOf(s, Input::ActivationFactor)->range.expected, carried.expected);
    // One figure alone: all that is not known of it is in the activations.
    for (const MeasuredMemory& one :
         {MeasuredMemory{allocated, {}, {}}, MeasuredMemory{{}, {}, parts.worst().total()}}) {
        Scenario alone = base();
        alone.measured = measure(alone, {"memory", "", 0, one}).value();
        EXPECT_NEAR(*numberOf(alone, Input::ActivationFactor), 1.3, 0.1);
    }
}

TEST(Measured, IsKeptInAPlanWithWhereItIsFrom) {
    Scenario s = base();
    s.measured = measure(s, {"step 2.50 s, 61.0 GB allocated", "run.plan.json", 9.5, {61e9, {}, {}}}).value();
    s.cluster.devices = 128;
    const auto read = scenarioFromText(scenarioToText(s), "a.plan.json");
    ASSERT_TRUE(read.has_value()) << read.error().text();
    ASSERT_NE(read->measured, nullptr);
    EXPECT_EQ(read->measured->source(), "measured: step 2.50 s, 61.0 GB allocated, run.plan.json");
    EXPECT_EQ(read->measured->in->cluster.devices, 64);
    EXPECT_EQ(secondsOf(*read), secondsOf(s));
    const auto refused = [&](const std::function<void(json&)>& change) {
        json document = json::parse(scenarioToText(s));
        change(document["measured"]);
        const auto changed = scenarioFromText(document.dump(), "a.plan.json");
        return changed.has_value() ? std::string() : changed.error().text();
    };
    EXPECT_THAT(refused([](json& m) { m["seconds"] = 1e-9; }), HasSubstr("above 100 %"));
    EXPECT_THAT(refused([](json& m) { m["seconds"] = "often"; }), HasSubstr("measured.seconds"));
    EXPECT_THAT(refused([](json& m) { m["in"]["measured"] = m; }), HasSubstr("rests on no other"));
    EXPECT_THAT(refused([](json& m) { m.erase("in"); }), HasSubstr("measured.in"));
    EXPECT_THAT(refused([](json& m) { m["speed"] = 1; }), HasSubstr("speed"));
    EXPECT_THAT(refused([](json& m) { m["in"]["cluster"]["devices"] = 7; }), HasSubstr("cannot be used"));
}

/// Pairs of published trainings: eight of ten lie in the range of what is carried, on what the ends were
/// fitted on; on sources that nothing was fitted on, carrying to another layout beats what is assumed by far.
TEST(Carrying, HoldsWhatWasPublished) {
    const Evidence& evidence = *Evidence::builtIn();
    const auto pairsOf = [&](bool fits) {
        return carriedPairs(
            evidence, [&](const PublishedTraining& row) { return evidence.sources[row.source].fits == fits; },
            1);
    };
    const std::vector<CarriedPair> fit = pairsOf(true), others = pairsOf(false);
    for (const Carry carry : {Carry::Batch, Carry::Layout, Carry::Sequence, Carry::Model, Carry::Device}) {
        const ErrorSummary found = summarise(fit, carry);
        EXPECT_GE(found.rows, 30) << name(carry);
        EXPECT_GE(found.held, 0.75) << name(carry);
    }
    const ErrorSummary layout = summarise(others, Carry::Layout),
                       assumed = summariseAssumed(others, Carry::Layout);
    EXPECT_GE(layout.rows, 100);
    EXPECT_LT(layout.median, 0.6 * assumed.median);
    for (const Carry carry : {Carry::Layout, Carry::Model, Carry::Device})
        EXPECT_GE(summarise(others, carry).held, 0.75) << name(carry);
    for (const CarriedPair& pair : others) {
        EXPECT_EQ(pair.from->source, pair.to->source);
        EXPECT_NE(pair.from, pair.to);
    }
}

}  // namespace
}  // namespace plumb::planner
