// SPDX-License-Identifier: Apache-2.0
#include "core/measure/mfu_judgement.h"

#include "core/machine/hardware_database.h"
#include "core/measure/reading.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plumb {
namespace {

Machine h100() { return HardwareDatabase::builtIn().find("H100 SXM").value(); }

StepPlan gpuPlanOf(const RunConfig& config) { return planStep(config, *cudaTraits(90)).value(); }

RunConfig bf16(std::int64_t dim, std::int64_t batch) {
    return RunConfig{.dim = dim, .layers = 8, .batch = batch, .precision = Precision::Bf16};
}

TEST(MfuJudgement, HasTheScaleOfTheTrade) {
    EXPECT_EQ(gradeOf(0.199), MfuGrade::Poor);
    EXPECT_EQ(gradeOf(0.2), MfuGrade::Fair);
    EXPECT_EQ(gradeOf(0.5), MfuGrade::Fair);
    EXPECT_EQ(gradeOf(0.501), MfuGrade::Good);
    EXPECT_EQ(gradeOf(1.001), MfuGrade::Impossible);
    EXPECT_EQ(gradeText(0.034), "MFU 3.4 % is poor (below 20 % poor, above 50 % good)");
    EXPECT_NE(gradeText(11.39).find("1139 %"), std::string::npos);
    EXPECT_NE(gradeText(11.39).find("too low"), std::string::npos);
}

TEST(MfuJudgement, OfAnOpIsItsIntensityOverTheBalance) {
    EXPECT_DOUBLE_EQ(highestMfu(29.5, 295), 0.1);
    EXPECT_EQ(highestMfu(1000, 295), 1);
    EXPECT_EQ(highestMfu(0, 295), 0);
}

/// The very least that the range of an uncalibrated device begins at.
TEST(MfuJudgement, CeilingOfAStepIsTheMfuOfItsRoofline) {
    for (const Machine& machine : {h100(), HardwareDatabase::builtIn().find("A100 SXM4 80").value()}) {
        for (const RunConfig& config : {bf16(512, 64), bf16(4096, 8), bf16(8192, 8192)}) {
            const StepPlan plan = gpuPlanOf(config);
            const auto ceiling = mfuCeiling(plan, machine);
            ASSERT_TRUE(ceiling.has_value());
            const Seconds bound = predict(plan, machine).totals.spread.value_or(Spread{}).low;
            EXPECT_NEAR(ceiling->mfu, *makeTotals(plan, machine, bound).mfu, 1e-12);
            EXPECT_LE(ceiling->mfu, highestMfu(ceiling->intensity, ceiling->balance) + 1e-12);
            EXPECT_GE(ceiling->lossShare, 0);
            EXPECT_LE(ceiling->lossShare, 1);
        }
    }
    EXPECT_NEAR(mfuCeiling(gpuPlanOf(bf16(4096, 8)), h100())->balance, 295.4, 0.1);
}

/// Two branches that hide each other's waits as well as they can: no op is slower than its ceilings, and
/// neither units nor memory do more than they can.
TEST(MfuJudgement, NoStepOfTwoBranchesComesAboveItsCeiling) {
    RunConfig config = bf16(4096, 2048);
    config.clipNorm = 0;
    const StepPlan plan = gpuPlanOf(config);
    Seconds main = 0, beside = 0, units = 0, memory = 0;
    for (const Op& op : plan.ops) {
        const bool isBeside = op.kind == OpKind::WeightGradient || op.kind == OpKind::OptimizerStep;
        (isBeside ? beside : main) += rooflineSeconds(op, h100()).value();
        if (op.isProduct) units += static_cast<double>(op.flops) / h100().peak(op.units).value();
        memory += static_cast<double>(op.bytes) / h100().bandwidthBytesPerSecond.value();
    }
    const double best = *makeTotals(plan, h100(), std::max({main, beside, units, memory})).mfu;
    BackendTraits serial = plan.traits;
    serial.sideBranch = false;
    const auto ceiling = mfuCeiling(plan, h100());
    EXPECT_GE(ceiling->mfu, best * (1 - 1e-12));
    EXPECT_LE(ceiling->mfu, 1);
    EXPECT_GT(best, 1.1 * mfuCeiling(planStep(config, serial).value(), h100())->mfu);
}

TEST(MfuJudgement, NamesWhatKeepsAStepFromThePeak) {
    RunConfig narrow = bf16(4096, 8);
    narrow.optimizer = Optimizer::Sgd;
    narrow.masterWeights = false;
    narrow.microBatch = 1;
    EXPECT_EQ(mfuCeiling(gpuPlanOf(narrow), h100())->loss, MfuLoss::Memory);
    RunConfig wide = bf16(8192, 1024);
    EXPECT_EQ(mfuCeiling(gpuPlanOf(wide), h100())->loss, MfuLoss::Optimizer);
    wide.batch = 65536;
    wide.optimizer = Optimizer::Sgd;
    wide.masterWeights = false;
    EXPECT_GT(mfuCeiling(gpuPlanOf(wide), h100())->mfu, 0.9);
    wide.recompute.kind = RecomputePolicy::Kind::None;
    EXPECT_EQ(mfuCeiling(gpuPlanOf(wide), h100())->loss, MfuLoss::Recomputation);
    Machine slow = h100();
    slow.perOpOverhead = 1e-3;
    EXPECT_EQ(mfuCeiling(gpuPlanOf(bf16(512, 64)), slow)->loss, MfuLoss::Overhead);
    slow.bandwidthBytesPerSecond.reset();
    EXPECT_FALSE(mfuCeiling(gpuPlanOf(bf16(512, 64)), slow).has_value());
}

TEST(MfuJudgement, PutsTrainingAndInferenceOnTheSameScale) {
    const auto ceiling = mfuCeiling(gpuPlanOf(bf16(8192, 8192)), h100());
    ASSERT_TRUE(ceiling.has_value());
    EXPECT_NEAR(ceiling->oneByOne, 1 / 295.4, 1e-5);  // 2 FLOPs for 2 bytes
    EXPECT_EQ(highestMfu(ceiling->intensity, ceiling->balance), 1);
    const std::vector<std::string> lines = judgeMfu(0.4, ceiling);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_NE(lines[0].find("fair"), std::string::npos);
    EXPECT_NE(lines[1].find("at most"), std::string::npos);
    EXPECT_NE(lines[2].find("inference of one sample at a time, 2 FLOPs for each weight read, 0.34 %"),
              std::string::npos)
        << lines[2];
    EXPECT_EQ(judgeMfu(0.4, std::nullopt).size(), 1U);
}

}  // namespace
}  // namespace plumb
