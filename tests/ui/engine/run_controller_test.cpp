// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/run_controller.h"

#include "core/machine/calibration_file.h"
#include "core/machine/local_cpu.h"
#include "tests/ui/engine/engine_bench.h"

#include <csignal>

namespace plumb::ui {
namespace {

using protocol::EngineState;
using Bench = test::EngineBench;
using test::waitFor;

TEST(RunController, ARunFillsTheTrainingAndTheMeasurement) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    bench.controller.next().setSteps(30);
    bench.controller.run();
    EXPECT_EQ(bench.controller.work().engineState(), EngineState::Running);
    ASSERT_TRUE(waitFor([&] { return !bench.controller.work().busy(); }));
    ASSERT_EQ(bench.workbench.runs().all().size(), 1U);
    const TrainingRun& run = *bench.workbench.runs().all().back();
    EXPECT_EQ(run.history.count(), 30);
    EXPECT_EQ(run.stepsDone, 30);
    EXPECT_EQ(run.outcome, QStringLiteral("finished"));
    ASSERT_TRUE(bench.workbench.scene()->measured.has_value());
    EXPECT_TRUE(bench.workbench.scene()->sameConfig());
    EXPECT_TRUE(bench.controller.work().results().areUnsaved());
    EXPECT_TRUE(bench.errors.isEmpty()) << bench.errors.join(QLatin1Char('\n')).toStdString();
}

TEST(RunController, PausesResumesAndStops) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    bench.controller.run();
    bench.controller.pauseOrResume();
    ASSERT_TRUE(waitFor([&] { return bench.controller.work().engineState() == EngineState::Paused; }));
    bench.controller.pauseOrResume();
    ASSERT_TRUE(waitFor([&] { return bench.controller.work().engineState() == EngineState::Running; }));
    bench.controller.stop();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.work().busy(); }));
    EXPECT_EQ(bench.workbench.runs().all().back()->outcome, QStringLiteral("stopped"));
}

TEST(RunController, WhatIfLeavesTheRunAloneAndApplyRestartsIt) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    bench.controller.run();
    EXPECT_FALSE(bench.controller.canApply());
    ASSERT_TRUE(waitFor([&] { return bench.workbench.scene()->measured.has_value(); }));
    const RunConfig first = bench.workbench.config();
    RunConfig second = first;
    second.layers += 3;
    EXPECT_TRUE(bench.workbench.show(second).has_value());
    EXPECT_EQ(bench.controller.work().runningConfig(), first);
    EXPECT_TRUE(bench.controller.canApply());
    EXPECT_FALSE(bench.workbench.scene()->sameConfig());

    bench.controller.apply();
    ASSERT_TRUE(waitFor([&] { return bench.workbench.runs().all().size() == 2; }));
    EXPECT_EQ(bench.workbench.runs().all()[0]->outcome, QStringLiteral("stopped"));
    EXPECT_EQ(bench.controller.work().runningConfig(), second);
    ASSERT_TRUE(waitFor([&] { return bench.workbench.scene()->sameConfig(); }));
}

TEST(RunController, ProfilesWithoutARunAndCalibratesTheMachine) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    EXPECT_FALSE(bench.controller.devices().calibrated());
    bench.controller.profile();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.work().busy(); }));
    EXPECT_TRUE(bench.workbench.scene()->measured.has_value());
    EXPECT_TRUE(bench.workbench.runs().all().empty());
    EXPECT_FALSE(bench.workbench.scene()->whatIf.prediction->totals.seconds);

    bench.controller.calibrate();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.work().busy(); }));
    EXPECT_TRUE(bench.controller.devices().calibrated());
    EXPECT_TRUE(bench.workbench.scene()->whatIf.prediction->totals.seconds)
        << "times are predicted from now on";
}

// The fake engine's device stays as it was: what is asked for anew is what is tested.
TEST(RunController, AsksForTheDevicesAgainWhenAnotherProgramHasCalibrated) {
    Bench bench(QStringLiteral("normal"));
    Machine machine = localCpu();
    ASSERT_TRUE(saveCalibration(machine).has_value());
    ASSERT_TRUE(bench.ready());
    int lists = 0;
    QObject::connect(&bench.engine, &EngineClient::eventArrived, [&](const EngineClient::EventPtr& event) {
        if (std::holds_alternative<protocol::DeviceList>(event->body)) ++lists;
    });
    bench.controller.calibrate();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.work().busy(); }));
    machine.bandwidthBytesPerSecond = 1e10;
    ASSERT_TRUE(saveCalibration(machine).has_value());
    ASSERT_TRUE(waitFor([&] { return lists == 1; }));
    EXPECT_EQ(bench.notices.filter(QStringLiteral("Another program has calibrated")).size(), 1);
}

TEST(RunController, AStepThatDoesNotFitIsRefusedBeforeTheEngineHearsOfIt) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    RunConfig huge;
    huge.dim = 32768;
    huge.layers = 64;
    EXPECT_TRUE(bench.workbench.show(huge).has_value());
    bench.controller.run();
    EXPECT_FALSE(bench.controller.work().busy());
    ASSERT_EQ(bench.errors.size(), 1);
    EXPECT_TRUE(bench.workbench.runs().all().empty());
}

TEST(RunController, AMachineOfADataSheetPredictsButDoesNotRun) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    const auto& devices = bench.controller.devices().all();
    const int last = static_cast<int>(devices.size()) - 1;
    ASSERT_FALSE(devices.back().canRun);
    bench.controller.devices().choose(last);
    EXPECT_EQ(bench.workbench.scene()->whatIf.machine().id, devices.back().target.machine.id);
    EXPECT_FALSE(bench.controller.chosen().whyNotRun().isEmpty());
    bench.controller.run();
    EXPECT_FALSE(bench.controller.work().busy());
    EXPECT_EQ(bench.errors.size(), 1);
}

TEST(RunController, ARefusedRunEndsWithTheReason) {
    Bench bench(QStringLiteral("refuse"));
    ASSERT_TRUE(bench.ready());
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.work().busy(); }));
    EXPECT_TRUE(bench.workbench.runs().all().back()->outcome.contains(QStringLiteral("3 columns")));
    ASSERT_EQ(bench.errors.size(), 1);
    EXPECT_TRUE(bench.errors[0].contains(QStringLiteral("use another file")));
}

TEST(RunController, AnEngineThatHangsIsReportedAndNotEndedAndMayComeBack) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    bench.engine.watch().setAnswerTimeout(100);
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return bench.workbench.scene()->measured.has_value(); }));
    const auto process = static_cast<pid_t>(bench.engine.processId());
    ASSERT_EQ(::kill(process, SIGSTOP), 0);
    EXPECT_FALSE(bench.controller.isStopping());
    int changes = 0;
    QObject::connect(&bench.controller, &RunController::changed, &bench.controller,
                     [&changes] { ++changes; });
    bench.controller.stop();
    EXPECT_TRUE(bench.controller.isStopping() && changes > 0) << "that it was heard shows at once";
    ASSERT_TRUE(waitFor([&] { return !bench.silences.isEmpty(); }));
    EXPECT_TRUE(bench.silences[0].contains(QStringLiteral("has not stopped for 100 ms")))
        << bench.silences[0].toStdString();
    EXPECT_TRUE(bench.controller.work().busy());
    EXPECT_EQ(::kill(process, 0), 0);
    EXPECT_TRUE(bench.ends.isEmpty());

    ASSERT_EQ(::kill(process, SIGCONT), 0);
    ASSERT_TRUE(waitFor([&] { return !bench.controller.work().busy(); }));
    EXPECT_EQ(bench.silences.size(), 1);
    ASSERT_EQ(bench.notices.size(), 1);
    EXPECT_TRUE(bench.notices[0].contains(QStringLiteral("answers again")));
}

TEST(RunController, StopEndsAnEngineThatHangsWhenItIsAskedOnceMore) {
    Bench bench(QStringLiteral("hangs"));
    ASSERT_TRUE(bench.ready());
    const auto process = static_cast<pid_t>(bench.engine.processId());
    bench.engine.watch().setAnswerTimeout(1);
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return bench.workbench.scene()->measured.has_value(); }));
    bench.controller.stop();
    ASSERT_TRUE(waitFor([&] { return !bench.silences.isEmpty(); }));
    EXPECT_TRUE(bench.silences[0].contains(QStringLiteral("stop once more")))
        << bench.silences[0].toStdString();
    EXPECT_TRUE(bench.controller.work().busy()) << "a long step may be under way: nothing is ended unasked";
    bench.controller.stop();
    EXPECT_FALSE(bench.controller.work().busy() || bench.controller.isStopping());
    EXPECT_TRUE(waitFor([&] { return ::kill(process, 0) != 0; })) << "it was left behind";
    EXPECT_TRUE(bench.notices.join(QLatin1Char(' ')).contains(QStringLiteral("was ended")));
    EXPECT_EQ(bench.workbench.runs().all().back()->history.count(), 20) << "what arrived is kept";
    EXPECT_TRUE(waitFor([&] { return bench.controller.work().engineReady(); }));
}

TEST(RunController, ATrainingThatFallsSilentIsReportedButAPausedOneIsNot) {
    Bench bench(QStringLiteral("normal"));  // says twenty losses and a reading, then waits
    ASSERT_TRUE(bench.ready());
    bench.engine.watch().setSilenceTimeout(100);
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return !bench.silences.isEmpty(); }));
    EXPECT_TRUE(bench.controller.work().busy());
    bench.controller.pauseOrResume();
    ASSERT_TRUE(waitFor([&] { return bench.controller.work().engineState() == EngineState::Paused; }));
    EXPECT_FALSE(waitFor([&] { return bench.silences.size() > 1; }, 300));
}

TEST(RunController, AnIdleEngineThatDiesAfterARestartNamesNoStepOfTheRunBefore) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return bench.workbench.scene()->measured.has_value(); }));
    bench.engine.restart();
    ASSERT_TRUE(waitFor([&] { return bench.controller.work().engineReady(); }));
    ::kill(static_cast<pid_t>(bench.engine.processId()), SIGKILL);
    ASSERT_TRUE(waitFor([&] { return !bench.lost.isEmpty(); }));
    EXPECT_FALSE(bench.lost[0].contains(QStringLiteral("step"))) << bench.lost[0].toStdString();
}

}  // namespace
}  // namespace plumb::ui
