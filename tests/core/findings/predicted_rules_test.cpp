// SPDX-License-Identifier: Apache-2.0
#include "tests/core/findings/found.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb {
namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;
using test::figureOf;
using test::LookedAt;
using test::tenFlopsAByte;
using testing::HasSubstr;

/// Four layers, of which a batch of 8 does next to nothing with each weight.
RunConfig smallBatch() {
    RunConfig config;
    config.dim = 256;
    config.layers = 4;
    config.batch = 8;
    return config;
}
/// So many samples that the products hold everything else.
RunConfig largeBatch() {
    RunConfig config = smallBatch();
    config.batch = 8192;
    return config;
}

/// What a remedy says of itself is what planning it anew says.
void expectChecked(const LookedAt& looked, const Finding& finding) {
    ASSERT_FALSE(finding.remedy.changes.empty());
    ASSERT_TRUE(finding.remedy.trial.has_value());
    RunConfig config = looked.planned.config();
    for (const auto& [option, value] : finding.remedy.changes)
        ASSERT_TRUE(setOption(config, option, value).has_value()) << option << value;
    const Result<PlannedStep> again = planOn(config, looked.planned.target);
    ASSERT_TRUE(again.has_value());
    const Trial& trial = *finding.remedy.trial;
    EXPECT_EQ(trial.peakAfter, again->prediction->memory.peakBytes);
    EXPECT_EQ(trial.secondsAfter, again->prediction->totals.seconds);
    EXPECT_EQ(trial.samplesAfter, again->prediction->totals.samplesPerSecond);
    EXPECT_EQ(trial.tier, Tier::Calibrated);
    EXPECT_LE(trial.peakAfter, *looked.planned.machine().memoryBytes);
}

TEST(Findings, AnOptimizerThatMemoryHoldsIsToServeMoreSamples) {
    const LookedAt small(smallBatch());
    const auto found = small.by("optimizer-memory-bound");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->opId, "optimizer");
    EXPECT_EQ(found->severity, Severity::Serious);
    EXPECT_EQ(figureOf(*found, "time of these operations").basis, Basis::Calibrated);
    EXPECT_THAT(text(found->sentence), HasSubstr("is predicted to take"));
    expectChecked(small, *found);
    EXPECT_GT(*found->remedy.trial->samplesAfter, *found->remedy.trial->samplesBefore);
    EXPECT_FALSE(LookedAt(largeBatch()).by("optimizer-memory-bound").has_value());
}

TEST(Findings, AMeasuredOptimizerSaysWhatItReachedOfTheBandwidth) {
    LookedAt looked(smallBatch());
    looked.measure();
    const auto found = looked.by("optimizer-memory-bound");
    ASSERT_TRUE(found.has_value());
    EXPECT_THAT(text(found->sentence), HasSubstr("100 % of what copying reaches"));
    EXPECT_EQ(figureOf(*found, "rate").basis, Basis::Clock);
}

TEST(Findings, ABatchBelowTheBalanceIsRaisedToIt) {
    const LookedAt small(smallBatch());
    const auto found = small.by("batch-below-balance");
    ASSERT_TRUE(found.has_value());
    EXPECT_DOUBLE_EQ(figureOf(*found, "balance of the device").amount.value, 10);
    EXPECT_LT(figureOf(*found, "intensity of the products").amount.value, 10);
    expectChecked(small, *found);
    EXPECT_FALSE(LookedAt(largeBatch()).by("batch-below-balance").has_value());
}

TEST(Findings, ABalanceThatThisWidthDoesNotReachIsSaidToBeOutOfReach) {
    RunConfig narrow = smallBatch();
    narrow.dim = 16;
    const LookedAt looked(narrow);
    const auto found = looked.by("batch-below-balance");
    ASSERT_TRUE(found.has_value());
    EXPECT_THAT(text(found->remedy.advice), HasSubstr("out of reach"));
}

TEST(Findings, RecomputationThatMemoryDoesNotNeedIsToEnd) {
    RunConfig config = largeBatch();
    config.recompute.kind = RecomputePolicy::Kind::None;
    const LookedAt looked(config);
    const auto found = looked.by("recomputation");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->view, "checkpoint");
    EXPECT_EQ(found->remedy.changes, (Changes{{"checkpoint", "all"}}));
    expectChecked(looked, *found);
    EXPECT_LT(*found->remedy.trial->secondsAfter, *found->remedy.trial->secondsBefore);
    EXPECT_FALSE(LookedAt(largeBatch()).by("recomputation").has_value());
}

TEST(Findings, RecomputationIsOnlyEndedAsFarAsMemoryAllows) {
    RunConfig config = largeBatch();
    config.layers = 16;
    config.recompute.kind = RecomputePolicy::Kind::None;
    Machine tight = tenFlopsAByte();
    RunConfig keeping = config;
    keeping.recompute.kind = RecomputePolicy::Kind::All;
    tight.memoryBytes = LookedAt(keeping).planned.prediction->memory.peakBytes - 1;
    const LookedAt looked(config, tight);
    const auto found = looked.by("recomputation");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->severity, Severity::Serious);
    EXPECT_THAT(text(found->remedy.advice), HasSubstr("which fits"));
    expectChecked(looked, *found);
}

TEST(Findings, RecomputationThatIsMeasuredEndsAlsoWhereNoTimeIsPredicted) {
    RunConfig config = largeBatch();
    config.recompute.kind = RecomputePolicy::Kind::None;
    Machine unknown{.id = "m", .name = "M", .backend = "cpu", .memoryBytes = 1'000'000'000};
    LookedAt looked(config, unknown);
    looked.measure([](Reading& reading) {
        for (OpReading& op : reading.ops) op.seconds = 1e-3;
    });
    const auto found = looked.by("recomputation");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->remedy.changes, (Changes{{"checkpoint", "all"}}));
    EXPECT_FALSE(found->remedy.trial->samplesAfter.has_value());
    EXPECT_THAT(text(sentenceOf(*found->remedy.trial)), HasSubstr("no time is predicted"));
}

TEST(Findings, LoadingThatTakesATenthStarvesTheStep) {
    RunConfig config = smallBatch();
    config.layers = 1;
    config.batch = 4096;
    config.dim = 16;
    const LookedAt starved(config);
    const auto found = starved.by("input-pipeline");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->remedy.changes, (Changes{{"resident-batch", "on"}}));
    expectChecked(starved, *found);
    EXPECT_FALSE(LookedAt(largeBatch()).by("input-pipeline").has_value());
}

TEST(Findings, OperationsThatAreSlowToStartWantLargerOnes) {
    Machine slow = tenFlopsAByte();
    slow.perOpOverhead = 1e-3;
    const LookedAt looked(smallBatch(), slow);
    const auto found = looked.by("starting-operations");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->view, "roofline");
    expectChecked(looked, *found);
    EXPECT_FALSE(LookedAt(smallBatch()).by("starting-operations").has_value());
}

TEST(Findings, MicroBatchesThatNobodyNeedsAreNamed) {
    RunConfig config = smallBatch();
    config.batch = 64;
    config.microBatch = 8;
    const LookedAt split(config);
    const auto found = split.by("needless-micro-batches");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->remedy.changes, (Changes{{"micro-batch", "0"}}));
    expectChecked(split, *found);
    config.microBatch = 0;
    EXPECT_FALSE(LookedAt(config).by("needless-micro-batches").has_value());
    Machine tight = tenFlopsAByte();
    tight.memoryBytes = split.planned.prediction->memory.peakBytes;
    config.batch = 8192;
    config.microBatch = 8;
    EXPECT_FALSE(LookedAt(config, tight).by("needless-micro-batches").has_value());
}

TEST(Findings, ProductsInFp32AreNamedWhereBf16IsFaster) {
    RunConfig config = largeBatch();
    const LookedAt wide(config);
    const auto found = wide.by("products-in-fp32");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->remedy.changes, (Changes{{"precision", "bf16"}}));
    expectChecked(wide, *found);
    Machine alike = tenFlopsAByte();
    alike.peakFlopPerSecond = {{Dtype::Fp32, 1e10}, {Dtype::Bf16, 1.2e10}};
    EXPECT_FALSE(LookedAt(config, alike).by("products-in-fp32").has_value());
    config.precision = Precision::Bf16;
    EXPECT_FALSE(LookedAt(config).by("products-in-fp32").has_value());
}

TEST(Findings, AStepThatDoesNotFitIsSeriousAndCarriesWhatFits) {
    Machine tight = tenFlopsAByte();
    const Bytes peak = LookedAt(largeBatch()).planned.prediction->memory.peakBytes;
    tight.memoryBytes = peak - 1;
    const LookedAt looked(largeBatch(), tight);
    const auto found = looked.by("does-not-fit");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->severity, Severity::Serious);
    EXPECT_EQ(found->stakeOf, StakeOf::Memory);
    expectChecked(looked, *found);
    tight.memoryBytes = peak;
    EXPECT_FALSE(LookedAt(largeBatch(), tight).by("does-not-fit").has_value());
}

TEST(Findings, ABatchIsLoweredWhereNoPolicyMakesTheStepFit) {
    Machine tight = tenFlopsAByte();
    RunConfig config = largeBatch();
    config.recompute.kind = RecomputePolicy::Kind::None;
    tight.memoryBytes = LookedAt(config).planned.prediction->memory.peakBytes / 2;
    const LookedAt looked(config, tight);
    const auto found = looked.by("does-not-fit");
    ASSERT_TRUE(found.has_value());
    ASSERT_FALSE(found->remedy.changes.empty());
    EXPECT_EQ(found->remedy.changes[0].first, "batch");
    expectChecked(looked, *found);
}

TEST(Findings, AStepThatNearlyFillsTheDeviceIsAWarning) {
    Machine tight = tenFlopsAByte();
    const Bytes peak = LookedAt(largeBatch()).planned.prediction->memory.peakBytes;
    tight.memoryBytes = peak + peak / 50;
    const auto found = LookedAt(largeBatch(), tight).by("nearly-full");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->severity, Severity::Warning);
    tight.memoryBytes = 2 * peak;
    EXPECT_FALSE(LookedAt(largeBatch(), tight).by("nearly-full").has_value());
}

TEST(Findings, ActivationsAreNamedWhereMemoryIsShort) {
    Machine tight = tenFlopsAByte();
    RunConfig config = largeBatch();
    config.layers = 16;
    tight.memoryBytes = LookedAt(config).planned.prediction->memory.peakBytes * 3 / 2;
    const LookedAt looked(config, tight);
    const auto found = looked.by("activations-hold-the-peak");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->view, "checkpoint");
    expectChecked(looked, *found);
    EXPECT_LT(found->remedy.trial->peakAfter, found->remedy.trial->peakBefore);
    tight.memoryBytes = *tight.memoryBytes * 10;
    EXPECT_FALSE(LookedAt(config, tight).by("activations-hold-the-peak").has_value());
}

TEST(Findings, WhatNobodyMeasuredIsSaidToBeMissing) {
    const LookedAt looked(largeBatch());
    EXPECT_EQ(looked.lackOf("clocks-fell"), Lack::Telemetry);
    EXPECT_EQ(looked.lackOf("more-than-compulsory-bytes"), Lack::Counters);
    EXPECT_EQ(looked.lackOf("idle-device"), Lack::DriverRecords);
    EXPECT_EQ(looked.lackOf("far-from-roof"), Lack::MeasuredTimes);
    EXPECT_EQ(looked.lackOf("prediction-off"), Lack::MeasuredTimes);
    EXPECT_EQ(LookedAt(largeBatch(), Machine{}).lackOf("batch-below-balance"), Lack::Times);
    EXPECT_EQ(LookedAt(largeBatch(), Machine{}).lackOf("does-not-fit"), Lack::DeviceMemory);
}

}  // namespace
}  // namespace plumb
