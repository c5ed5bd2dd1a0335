// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/engine_attachment.h"

#include "tests/ui/engine/served_engine.h"

#include <algorithm>
#include <functional>

namespace plumb::ui {
namespace {

using test::ServedBench;
using test::waitFor;

TEST(EngineAttachment, ComesBackWithTheLastNumberAndTheCommandsThatWereNotHeard) {
    EngineAttachment attachment;
    EXPECT_TRUE(attachment.hello().session.empty());
    EXPECT_TRUE(attachment.attach({protocol::kVersion, "", "one", 0, 0}).empty());
    for (const std::int64_t id : {2, 3, 4, 5}) attachment.sent({id, protocol::Stop{}});
    attachment.heard({3, protocol::State{}, 7});
    attachment.heard({0, protocol::State{}, 6});
    const protocol::Hello hello = attachment.hello();
    EXPECT_EQ(hello.session, "one");
    EXPECT_EQ(hello.after, 7);
    EXPECT_TRUE(attachment.isOf({protocol::kVersion, "", "one", 0, 4}));
    EXPECT_FALSE(attachment.isOf({protocol::kVersion, "", "two", 0, 0}));
    EXPECT_EQ(attachment.nextDelayMs(), 500);
    EXPECT_EQ(attachment.nextDelayMs(), 1000);
    const auto again = attachment.attach({protocol::kVersion, "", "one", 0, 4});
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0].id, 5);
    EXPECT_EQ(attachment.nextDelayMs(), 500);
    for (int i = 0; i < 100; ++i) EXPECT_LE(attachment.nextDelayMs(), 32000);
}

TEST(EngineAttachment, AnEngineThatEndsWithItsConnectionIsNone) {
    EngineAttachment attachment;
    EXPECT_TRUE(attachment.attach({protocol::kVersion, "", "", 0, 0}).empty());
    attachment.sent({2, protocol::Stop{}});
    EXPECT_FALSE(attachment.isAttached());
    EXPECT_TRUE(attachment.attach({protocol::kVersion, "", "", 0, 0}).empty());
}

TEST(ServedEngine, ARunGoesOnWhenTheConnectionIsLostAndTheWindowComesBackToIt) {
    ServedBench test;
    ASSERT_TRUE(test.trains());
    int times = 0;
    QObject::connect(&test.bench.engine, &EngineClient::connectionLost, [&] { ++times; });
    for (int round = 1; round <= 2; ++round) {
        test.breakConnection();
        ASSERT_TRUE(waitFor([&] { return test.lost(); }));
        EXPECT_EQ(times, round);
        EXPECT_TRUE(test.bench.controller.work().training()) << "it goes on there";
        EXPECT_FALSE(test.bench.controller.chosen().whyNotRun().isEmpty());
        const std::int64_t before = test.steps();
        test.bench.engine.reconnect();
        ASSERT_TRUE(waitFor([&] { return test.steps() > before + 100; }));
    }
    test.bench.controller.stop();
    ASSERT_TRUE(waitFor([&] { return !test.bench.controller.work().busy(); }));
    const TrainingRun& run = *test.bench.workbench.runs().all().back();
    EXPECT_EQ(test.bench.workbench.runs().all().size(), 1U);
    EXPECT_EQ(run.end, TrainingEnd::Stopped);
    EXPECT_EQ(run.history.first().step, 0);
    EXPECT_EQ(run.history.last().step + 1, run.stepsDone);
    EXPECT_TRUE(test.bench.ends.isEmpty());
    EXPECT_TRUE(test.bench.errors.isEmpty()) << test.bench.errors.join(QLatin1Char('\n')).toStdString();
}

TEST(ServedEngine, AStopWhileTheConnectionIsLostIsObeyedWhenItIsBack) {
    ServedBench test;
    ASSERT_TRUE(test.trains());
    QStringList reasons;
    QObject::connect(&test.bench.engine, &EngineClient::connectionLost,
                     [&](const QString& reason) { reasons << reason; });
    test.setDown(true);
    test.breakConnection();
    ASSERT_TRUE(waitFor([&] { return test.lost(); }));
    test.bench.engine.reconnect();
    ASSERT_TRUE(waitFor([&] { return reasons.size() == 2; }));
    EXPECT_TRUE(reasons[1].contains(QStringLiteral("no route to the host"))) << reasons[1].toStdString();
    test.bench.controller.stop();
    EXPECT_TRUE(test.bench.controller.work().busy());
    EXPECT_TRUE(
        test.bench.notices.join(QLatin1Char(' ')).contains(QStringLiteral("as soon as the connection")));
    test.setDown(false);
    test.bench.engine.reconnect();
    ASSERT_TRUE(waitFor([&] { return !test.bench.controller.work().busy(); }));
    EXPECT_EQ(test.bench.workbench.runs().all().back()->end, TrainingEnd::Stopped);
}

TEST(ServedEngine, AnEngineThatEndedMeanwhileIsToldAndItsRunIsOver) {
    ServedBench test;
    ASSERT_TRUE(test.trains());
    test.setDown(true);
    test.breakConnection();
    ASSERT_TRUE(waitFor([&] { return test.lost(); }));
    test.endEngine();
    test.setDown(false);
    test.bench.engine.reconnect();
    ASSERT_TRUE(waitFor([&] { return !test.bench.lost.isEmpty(); }));
    EXPECT_TRUE(test.bench.lost[0].contains(QStringLiteral("ended while the connection")))
        << test.bench.lost[0].toStdString();
    EXPECT_FALSE(test.bench.controller.work().busy());
    EXPECT_EQ(test.bench.workbench.runs().active(), nullptr);
}

TEST(ServedEngine, AnotherWindowTakesItOverAndTheFirstDoesNotTakeItBack) {
    ServedBench test;
    ASSERT_TRUE(test.trains());
    EngineClient other;
    other.setCommand(test.command());
    other.start();
    ASSERT_TRUE(waitFor([&] { return other.state() == EngineClient::State::Ready; }));
    ASSERT_TRUE(waitFor([&] { return !test.bench.lost.isEmpty(); }));
    EXPECT_TRUE(test.bench.lost[0].contains(QStringLiteral("Another window")))
        << test.bench.lost[0].toStdString();
    EXPECT_EQ(test.bench.engine.state(), EngineClient::State::Off);
    EXPECT_EQ(other.state(), EngineClient::State::Ready);
}

TEST(ServedEngine, AWindowThatComesLaterTakesOverTheRunWithItsWholeCurve) {
    ServedBench test;
    ASSERT_TRUE(test.trains());
    ASSERT_TRUE(waitFor([&] { return test.steps() > 200; }));
    const std::int64_t before = test.steps();
    test::EngineBench other(QStringLiteral("normal"));
    other.engine.setCommand(test.command());
    other.engine.start();
    ASSERT_TRUE(waitFor([&] {
        return !other.workbench.runs().all().empty() &&
               other.workbench.runs().all().back()->stepsDone > before + 100;
    }));
    EXPECT_TRUE(other.controller.work().training());
    EXPECT_TRUE(other.notices.join(QLatin1Char(' ')).contains(QStringLiteral("was training already")));
    other.controller.stop();
    ASSERT_TRUE(waitFor([&] { return !other.controller.work().busy(); }));
    const TrainingRun& run = *other.workbench.runs().all().back();
    EXPECT_EQ(other.workbench.runs().all().size(), 1U);
    EXPECT_EQ(run.config.dim, ServedBench::smallConfig().dim);
    EXPECT_EQ(run.end, TrainingEnd::Stopped);
    EXPECT_EQ(run.history.first().step, 0) << "from the first step on";
    EXPECT_EQ(run.history.last().step + 1, run.stepsDone);
    const std::vector<StepMetrics> points = run.history.points();
    EXPECT_TRUE(std::ranges::is_sorted(points, std::ranges::less_equal{}, &StepMetrics::step) &&
                std::ranges::adjacent_find(points, {}, &StepMetrics::step) == points.end())
        << "no step stands twice";
    EXPECT_GT(std::ranges::count_if(points, [&](const StepMetrics& p) { return p.step < before; }), 20)
        << "the steps before it came are there";
    EXPECT_TRUE(other.errors.isEmpty()) << other.errors.join(QLatin1Char('\n')).toStdString();
}

TEST(ServedEngine, RestartEndsTheOneThatRunsHoweverItHangs) {
    ServedBench test;
    ASSERT_TRUE(test.trains());
    test.bench.engine.restart();
    EXPECT_FALSE(test.bench.controller.work().busy());
    ASSERT_TRUE(waitFor([&] { return test.bench.controller.chosen().whyNotRun().isEmpty(); }));
    test.bench.controller.next().setSteps(5);
    test.bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return !test.bench.controller.work().busy(); }))
        << "the new one has nothing to do";
    EXPECT_EQ(test.steps(), 5);
}

TEST(ServedEngine, AWindowThatGoesEndsIt) {
    ServedBench test;
    {
        EngineClient engine;
        engine.setCommand(test.command());
        engine.endedEngines().setQuitTimeout(60000);
        engine.start();
        ASSERT_TRUE(waitFor([&] { return engine.state() == EngineClient::State::Ready; }));
        EXPECT_TRUE(QFile::exists(test.place() + QStringLiteral("/socket")));
    }
    EXPECT_TRUE(waitFor([&] { return !QFile::exists(test.place() + QStringLiteral("/socket")); }));
}

}  // namespace
}  // namespace plumb::ui
