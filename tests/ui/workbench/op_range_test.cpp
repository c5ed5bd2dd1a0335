// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/op_range.h"

#include "ui/workbench/workbench.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace plumb::ui {
namespace {

TEST(OpRange, HoldsAllWhereNoneIsChosenAndBothEndsWhereOneIs) {
    OpRange range;
    EXPECT_TRUE(range.contains(0));
    range.select(OpSpan{7, 3});
    EXPECT_EQ(range.span(), (OpSpan{3, 7})) << "a drag goes either way";
    EXPECT_EQ(range.span()->count(), 5);
    for (const int inside : {3, 5, 7}) EXPECT_TRUE(range.contains(inside));
    for (const int outside : {2, 8}) EXPECT_FALSE(range.contains(outside));
    range.clear();
    EXPECT_TRUE(range.contains(8));
}

TEST(OpSet, IsTheStretchesThatItsOpsMake) {
    const OpSet ops(std::vector<int>{9, 3, 4, 4, 5, 8});
    EXPECT_EQ(ops.spans(), (std::vector{OpSpan{3, 5}, OpSpan{8, 9}}));
    EXPECT_EQ(ops.count(), 5);
    for (const int inside : {3, 4, 5, 8, 9}) EXPECT_TRUE(ops.contains(inside)) << inside;
    for (const int outside : {-1, 2, 6, 7, 10}) EXPECT_FALSE(ops.contains(outside)) << outside;
    EXPECT_TRUE(ops.meets({0, 3}));
    EXPECT_TRUE(ops.meets({7, 20}));
    EXPECT_FALSE(ops.meets({6, 7}));
    EXPECT_FALSE(ops.span().has_value());
    EXPECT_EQ(ops.with({6, 7}), OpSet(OpSpan{9, 3}));
    EXPECT_TRUE(OpSet().empty());
}

TEST(OpRange, IsAnnouncedOncePerChange) {
    OpRange range;
    const QSignalSpy changed(&range, &OpRange::changed);
    range.clear();
    range.select(OpSpan{2, 4});
    range.select(OpSpan{4, 2});
    EXPECT_EQ(changed.size(), 1);
    range.clear();
    EXPECT_EQ(changed.size(), 2);
}

TEST(OpRange, StaysWithTheSameOpsAndGoesWithOthersBeforeTheSceneIsAnnounced) {
    Workbench bench;
    ASSERT_TRUE(bench.show(RunConfig{.dim = 32, .layers = 3, .batch = 16}).has_value());
    bench.selection().range().select(OpSpan{1, 2});
    ASSERT_TRUE(bench.show(RunConfig{.dim = 64, .layers = 3, .batch = 32}).has_value());
    EXPECT_EQ(bench.selection().range().span(), (OpSpan{1, 2})) << "wider layers are the same ops";

    bool wasClear = false;
    QObject::connect(&bench, &Workbench::sceneChanged, &bench,
                     [&] { wasClear = !bench.selection().range().span().has_value(); });
    ASSERT_TRUE(bench.show(RunConfig{.dim = 64, .layers = 4, .batch = 32}).has_value());
    EXPECT_TRUE(wasClear);
}

}  // namespace
}  // namespace plumb::ui
