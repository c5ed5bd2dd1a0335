// SPDX-License-Identifier: Apache-2.0
#include "core/measure/timeline_sums.h"

#include "core/base/entry_at.h"
#include "core/machine/machine.h"
#include "tests/support/foreign_step.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

using test::ForeignStep;

/// A reading of the attention step whose ops stand in the opposite order, as a file may have them.
Reading backwards(const ForeignStep& step) {
    Reading reading;
    for (std::int32_t op = step.opCount(); op-- > 0;) reading.ops.push_back(describeOp(step, op));
    return reading;
}

TimelineRecord execution(std::int32_t op, Seconds begin, Seconds end) {
    return {begin, end, -1, -1, op, 0, 0, TimelineKind::Op};
}

struct Attention {
    ForeignStep step = ForeignStep::attention();
    Reading reading = backwards(step);
    Prediction prediction = [this] {
        Prediction made;
        for (std::int32_t op = 0; op < step.opCount(); ++op) {
            made.opSeconds.emplace_back(1e-3 * (op + 1));
            made.opTiers.push_back(op == 0 ? Tier::Calibrated : Tier::Published);
        }
        return made;
    }();
    ReadingOps ops = matchOps(reading, step, &prediction);
    std::int32_t last = step.opCount() - 1;  ///< of the reading: the first of the step
};

TEST(ReadingOps, AreFoundByIdInWhateverOrder) {
    Attention at;
    EXPECT_EQ(entryAt(at.ops.stepOp, at.last), 0);
    EXPECT_EQ(at.ops.stepOp.front(), at.last);
    EXPECT_EQ(entryAt(at.ops.predicted, at.last), 1e-3);
    EXPECT_EQ(entryAt(at.ops.tiers, at.last), Tier::Calibrated);
    at.step.ops[0].executions = 4;
    EXPECT_EQ(entryAt(matchOps(at.reading, at.step, &at.prediction).predicted, at.last), 0.25e-3)
        << "of one execution";
    at.reading.ops.back().id = "unknown";
    const ReadingOps ops = matchOps(at.reading, at.step, &at.prediction);
    EXPECT_EQ(ops.stepOp.back(), -1);
    EXPECT_FALSE(ops.predicted.back() || ops.tiers.back());
    EXPECT_FALSE(matchOps(at.reading, at.step, nullptr).predicted.front());
}

TEST(TimelineSums, CutAnExecutionInProportion) {
    const Attention at;
    TimelineSummation sums(at.reading, at.step, at.ops);
    const TimelineRecord record = execution(at.last, 0, 4);
    sums.addExecution(record, 4, 4);
    sums.addExecution(record, 4, 1);
    const std::vector<OpKindSum> kinds = sums.byKind();
    ASSERT_EQ(kinds.size(), 1U);
    EXPECT_EQ(kinds[0].kind, "aten::mm");
    EXPECT_EQ(kinds[0].phase, Phase::Forward);
    const RecordSum& sum = kinds[0].sum;
    EXPECT_EQ(sum.count, 2);
    EXPECT_EQ(sum.seconds, 5);
    EXPECT_DOUBLE_EQ(*sum.predicted, 1.25e-3);
    EXPECT_DOUBLE_EQ(*sum.flops, 1.25 * static_cast<double>(at.step.op(0).flops));
    EXPECT_DOUBLE_EQ(*sum.bytes, 1.25 * static_cast<double>(at.step.op(0).bytes));
    EXPECT_EQ(sums.allOps().seconds, 5);
}

TEST(TimelineSums, ComeByFallingTimeWithAKindApartInEachPhase) {
    const Attention at;
    TimelineSummation sums(at.reading, at.step, at.ops);
    // The reading is backwards: 0 update, 1 backward product, 2 softmax, 3 and 4 forward products.
    const Seconds seconds[] = {1, 7, 2, 3, 2};
    for (std::int32_t op = 0; op < 5; ++op)
        sums.addExecution(execution(op, 0, seconds[op]), seconds[op], seconds[op]);
    const std::vector<OpKindSum> kinds = sums.byKind();
    ASSERT_EQ(kinds.size(), 4U);
    EXPECT_EQ(kinds[0].phase, Phase::Backward);
    EXPECT_EQ(kinds[1].kind, "aten::mm");
    EXPECT_EQ(kinds[1].phase, Phase::Forward);
    EXPECT_EQ(kinds[1].sum.seconds, 5);
    EXPECT_EQ(kinds[2].kind, "aten::_softmax");
    EXPECT_EQ(kinds[3].phase, Phase::Optimizer);
    EXPECT_EQ(sums.allOps().count, 5);
    EXPECT_DOUBLE_EQ(*sums.allOps().flops, static_cast<double>(at.step.flops));
}

TEST(TimelineSums, AreAbsentWhereAPartIsNotKnown) {
    Attention at;
    at.ops.predicted[1].reset();
    TimelineSummation sums(at.reading, at.step, at.ops);
    sums.addExecution(execution(0, 0, 1), 1, 1);
    EXPECT_TRUE(sums.allOps().predicted);
    sums.addExecution(execution(1, 1, 2), 1, 1);
    EXPECT_FALSE(sums.allOps().predicted);
    EXPECT_TRUE(sums.allOps().flops);
    at.ops.stepOp[2] = -1;
    sums.addExecution(execution(2, 2, 3), 1, 1);
    EXPECT_FALSE(sums.allOps().flops || sums.allOps().bytes) << "an op of no step has no costs";
    EXPECT_EQ(sums.allOps().seconds, 3);
}

TEST(TimelineSums, OfACopyAreWhatItMovedAndOfAKernelItsTimeAlone) {
    const Attention at;
    const TimelineSummation sums(at.reading, at.step, at.ops);
    TimelineRecord copy = execution(-1, 0, 2);
    copy.kind = TimelineKind::Copy;
    copy.bytes = 1000;
    EXPECT_EQ(sums.part(copy, 2, 1).bytes, 500.0);
    EXPECT_EQ(sums.part(copy, 0, 0).bytes, 1000.0) << "a point counts in full";
    TimelineRecord kernel = execution(at.last, 0, 2);
    kernel.kind = TimelineKind::Kernel;
    EXPECT_FALSE(TimelineSummation::isExecution(kernel));
    const RecordSum part = sums.part(kernel, 2, 2);
    EXPECT_EQ(part.seconds, 2);
    EXPECT_FALSE(part.flops || part.bytes || part.predicted);
}

}  // namespace
}  // namespace plumb
