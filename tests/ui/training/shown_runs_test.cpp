// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/shown_runs.h"

#include "ui/training/run_palette.h"

#include <gtest/gtest.h>

namespace plumb::ui::test {
namespace {

std::shared_ptr<TrainingRun> runOf(int steps) {
    auto run = std::make_shared<TrainingRun>();
    for (int i = 0; i < steps; ++i) {
        const StepMetrics metrics{.step = i, .loss = 1.0 / (i + 1), .seconds = static_cast<double>(i)};
        run->history.add(metrics);
    }
    return run;
}

TEST(ShownRuns, AreTheNewestAndFourBeforeIt) {
    std::vector<std::shared_ptr<TrainingRun>> runs;
    runs.reserve(7);
    for (int i = 0; i < 7; ++i) runs.push_back(runOf(3));
    ShownRuns shown;
    EXPECT_EQ(shown.newest(), nullptr);
    shown.collect(runs, {});
    ASSERT_EQ(shown.all().size(), 5U);
    EXPECT_EQ(shown.all().front().id, QStringLiteral("run2"));
    ASSERT_NE(shown.newest(), nullptr);
    EXPECT_EQ(shown.newest()->run, runs.back());
    EXPECT_EQ(shown.newest()->color(), ChartColor(ColorRole::Accent));
    EXPECT_EQ(shown.all().front().color(), ChartColor(ColorRole::Ghost));
}

TEST(ShownRuns, FollowTheUsersChoice) {
    std::vector<std::shared_ptr<TrainingRun>> runs;
    runs.reserve(7);
    for (int i = 0; i < 7; ++i) runs.push_back(runOf(3));
    ShownRuns shown;
    runs.front()->look.isShown = true;
    runs.back()->look.isShown = false;
    runs[3]->look.color = 2;
    shown.collect(runs, {});
    ASSERT_EQ(shown.all().size(), 5U);
    EXPECT_EQ(shown.all().front().id, QStringLiteral("run0"));
    EXPECT_EQ(shown.newest(), nullptr) << "the newest is not drawn";
    EXPECT_EQ(shown.all()[2].color(), runColor(2));
    EXPECT_EQ(shown.all()[1].color(), ChartColor(ColorRole::Ghost));
}

TEST(ShownRuns, KeepTheCurveOfARunThatStandsStill) {
    const std::vector<std::shared_ptr<TrainingRun>> runs{runOf(30), runOf(30)};
    ShownRuns shown;
    shown.collect(runs, {});
    const auto* earlier = shown.all().front().curve.points.data();
    const auto* going = shown.newest()->curve.points.data();
    StepMetrics next;
    next.step = 30;
    next.loss = 0.01;
    runs.back()->history.add(next);
    shown.collect(runs, {});
    EXPECT_EQ(shown.all().front().curve.points.data(), earlier);
    EXPECT_NE(shown.newest()->curve.points.data(), going);
    EXPECT_EQ(shown.newest()->curve.points.size(), 31U);
    EXPECT_EQ(shown.keptPoints() > 61, true);
    TrainingOptions rough;
    rough.smoothing = 0;
    shown.collect(runs, rough);
    EXPECT_TRUE(shown.newest()->curve.smooth.isEmpty());
    EXPECT_FALSE(shown.all().front().curve.smooth.isEmpty()) << "an earlier run is drawn as its mean";
}

TEST(ShownRuns, SayWhetherALossHasNoPlaceOnALogAxis) {
    const std::vector<std::shared_ptr<TrainingRun>> runs{runOf(3)};
    ShownRuns shown;
    shown.collect(runs, {});
    EXPECT_FALSE(shown.haveUnseen());
    StepMetrics zero;
    zero.step = 3;
    zero.loss = 0;
    runs.back()->history.add(zero);
    shown.collect(runs, {});
    EXPECT_TRUE(shown.haveUnseen());
}

}  // namespace
}  // namespace plumb::ui::test
