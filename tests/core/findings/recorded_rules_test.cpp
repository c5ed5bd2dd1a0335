// SPDX-License-Identifier: Apache-2.0
#include "core/findings/findings.h"
#include "core/recorded/step_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

namespace plumb {
namespace {

using testing::HasSubstr;

/// A forward product, a copy and sixty updates, 1 ms each but for the product with 40 ms and the copy
/// with 20; `update`: the kind of the updates.
StepFile sixtyUpdates(const char* update = "aten::add_", int updates = 60) {
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
    for (int i = 0; i < updates; ++i) add(update, Phase::Optimizer, 0.06 / updates);
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

std::optional<Finding> foundIn(const StepFile& file, std::string_view rule, const Machine& machine = {}) {
    const PlannedStep planned = plannedOn(file, {machine, {}});
    const MeasuredStep measured(planned, readingOf(file, machine));
    const Findings findings = findingsOf({planned, &measured});
    const auto found = std::ranges::find(findings.found, rule, &Finding::rule);
    return found == findings.found.end() ? std::nullopt : std::optional(*found);
}

TEST(FindingsOfARecordedStep, NameTheKindThatTakesMost) {
    const auto found = foundIn(sixtyUpdates(), "one-kind");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(text(found->sentence),
              "aten::add_, which is no matrix product, takes 50 % of the operations' time.");
    EXPECT_EQ(found->figures[1].basis, Basis::Clock);
    EXPECT_EQ(found->severity, Severity::Serious);
    StepFile even = sixtyUpdates();
    for (std::size_t op = 1; op < even.step.ops.size(); ++op) even.step.ops[op].kind = std::to_string(op);
    even.step.ops[0].seconds = 1;
    EXPECT_FALSE(foundIn(even, "one-kind").has_value());
}

TEST(FindingsOfARecordedStep, NameCopies) {
    const auto found = foundIn(sixtyUpdates(), "copies");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(text(found->sentence), "Copies take 17 % of the operations' time, 1 of them.");
    EXPECT_EQ(found->opId, "2");
    StepFile few = sixtyUpdates();
    few.step.ops[1].seconds = 0.001;
    EXPECT_FALSE(foundIn(few, "copies").has_value());
}

TEST(FindingsOfARecordedStep, NameAnOptimizerThatIsNotFused) {
    EXPECT_TRUE(foundIn(sixtyUpdates(), "unfused-optimizer").has_value());
    EXPECT_FALSE(foundIn(sixtyUpdates("aten::_fused_adam_"), "unfused-optimizer").has_value());
    EXPECT_FALSE(foundIn(sixtyUpdates("aten::add_", 10), "unfused-optimizer").has_value());
}

TEST(FindingsOfARecordedStep, NameTheModuleThatHoldsThePeak) {
    const auto found = foundIn(sixtyUpdates(), "module-holds-the-peak");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(text(found->sentence), "head holds 40 % of the peak, 80 B; its largest tensor is a tensor.");
    EXPECT_EQ(found->view, "memory");
    EXPECT_EQ(found->opId, "1");
    StepFile little = sixtyUpdates();
    little.step.tensors[3].bytes = 900;
    EXPECT_FALSE(foundIn(little, "module-holds-the-peak").has_value());
}

TEST(FindingsOfARecordedStep, SayThatAnotherFormatIsFasterOnlyWhereItIs) {
    Machine machine{.id = "m", .name = "M"};
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e9}, {Dtype::Bf16, 1.2e9}};
    EXPECT_FALSE(foundIn(sixtyUpdates(), "products-in-fp32", machine).has_value());
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e9}, {Dtype::Bf16, 8e9}};
    const auto found = foundIn(sixtyUpdates(), "products-in-fp32", machine);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->opId, "1");
    EXPECT_TRUE(found->remedy.changes.empty());
}

TEST(FindingsOfARecordedStep, OfNothingAreNone) {
    StepFile file;
    file.step.addUp();
    const PlannedStep planned = plannedOn(file, {Machine{}, {}});
    const Findings findings = findingsOf({planned});
    EXPECT_TRUE(findings.found.empty());
    EXPECT_EQ(findings.silent.size(), findingRules().size());
}

TEST(FindingsOfARecordedStep, ThatDidNotRunAreOfPredictedTimes) {
    Machine machine{.id = "m", .name = "M"};
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e9}};
    machine.bandwidthBytesPerSecond = 1e9;
    const PlannedStep planned = plannedOn(sixtyUpdates(), {machine, {}});
    const Findings findings = findingsOf({planned});
    EXPECT_FALSE(findings.isMeasured);
    ASSERT_FALSE(findings.found.empty());
    for (const Finding& finding : findings.found)
        for (const Figure& figure : finding.figures)
            EXPECT_THAT((std::vector{Basis::Plan, Basis::Ceiling, Basis::DataSheet}),
                        testing::Contains(figure.basis))
                << finding.rule << " " << figure.name;
}

}  // namespace
}  // namespace plumb
