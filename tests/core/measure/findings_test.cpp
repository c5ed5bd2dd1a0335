// SPDX-License-Identifier: Apache-2.0
#include "core/measure/findings.h"

#include "core/recorded/step_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace plumb {
namespace {

using testing::HasSubstr;

/// A forward product, a copy and sixty updates, 1 ms each but for the product with 40 ms and the copy
/// with 20.
StepFile sixtyUpdates() {
    StepFile file;
    const auto add = [&](const char* kind, Phase phase, Seconds seconds) -> RecordedOp& {
        RecordedOp& op = file.step.ops.emplace_back();
        op.id = std::to_string(file.step.ops.size());
        op.kind = kind;
        op.phase = phase;
        op.bytes = 8;
        op.seconds = seconds;
        return op;
    };
    RecordedOp& product = add("aten::mm", Phase::Forward, 0.04);
    product.isProduct = true;
    product.flops = product.matmulFlops = 1000;
    add("aten::clone", Phase::Forward, 0.02);
    for (int i = 0; i < 60; ++i) add("aten::add_", Phase::Optimizer, 0.001);
    const auto hold = [&](const char* module, Category category, Bytes bytes) {
        RecordedTensor& tensor = file.step.tensors.emplace_back();
        tensor.name = "a tensor";
        tensor.module = module;
        tensor.category = category;
        tensor.bytes = bytes;
        tensor.firstOp = 0;
        tensor.lastOp = 1;
    };
    hold("head", Category::Activations, 60);
    hold("head", Category::ActivationGradients, 20);
    hold("body", Category::Activations, 30);
    hold("body", Category::Parameters, 90);
    file.step.addUp();
    return file;
}

std::vector<Finding> findingsIn(const StepFile& file, const Machine& machine, std::size_t most = 9) {
    const PlannedStep planned = plannedOn(file, {machine, {}});
    const MeasuredStep measured(planned, readingOf(file, machine));
    return findingsOf(planned, &measured, most);
}

TEST(Findings, AreSharesOfWhatWasMeasured) {
    const auto found = findingsIn(sixtyUpdates(), {});
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(found[0].title, "aten::add_ takes 50.0 % of the time of all operations");
    EXPECT_EQ(found[0].evidence, "60 of them: 60.0 ms of 120 ms, measured");
    EXPECT_EQ(found[1].title, "The optimizer runs as 60 operations");
    EXPECT_EQ(found[2].title, "head holds 40.0 % of the peak");
    EXPECT_EQ(found[2].evidence, "80 B of 200 B in 2 tensors, the largest a tensor");
    EXPECT_EQ(found[2].place, Finding::Place::Memory);
    EXPECT_EQ(found[2].opId, "1");
    EXPECT_EQ(found[3].title, "Copies take 16.7 % of the time of all operations");
    EXPECT_EQ(found[3].opId, "2");
}

TEST(Findings, AreAtMostThoseWithTheLargestShares) {
    const auto found = findingsIn(sixtyUpdates(), {}, 2);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_GE(found[0].share, found[1].share);
}

TEST(Findings, SayThatAnotherFormatIsFasterOnlyWhereItIs) {
    const auto saysSo = [](const Machine& machine) {
        return std::ranges::any_of(findingsIn(sixtyUpdates(), machine), [](const Finding& finding) {
            return finding.title == "Matrix products run in fp32" && finding.opId == "1";
        });
    };
    Machine machine{.id = "m", .name = "M"};
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e9}, {Dtype::Bf16, 1.2e9}};
    EXPECT_FALSE(saysSo(machine));
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e9}, {Dtype::Bf16, 8e9}};
    EXPECT_TRUE(saysSo(machine));
}

TEST(Findings, OfAStepThatSaysNothingAreNone) {
    StepFile file;
    file.step.addUp();
    EXPECT_TRUE(findingsOf(plannedOn(file, {Machine{}, {}}), nullptr).empty());
}

TEST(Findings, OfAStepThatDidNotRunAreOfPredictedTimes) {
    StepFile file = sixtyUpdates();
    Machine machine{.id = "m", .name = "M"};
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e9}};
    machine.bandwidthBytesPerSecond = 1e9;
    const auto found = findingsOf(plannedOn(file, {machine, {}}), nullptr, 9);
    ASSERT_FALSE(found.empty());
    EXPECT_THAT(found[0].evidence, HasSubstr("predicted"));
}

}  // namespace
}  // namespace plumb
