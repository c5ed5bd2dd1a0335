// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/engine_client.h"

#include "tests/ui/fake_engine.h"
#include "tests/ui/support.h"
#include "ui/engine/run_controller.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>

#include <csignal>
#include <random>

namespace plumb::ui {
namespace {

using protocol::EngineState;
using test::FailOnQtWarnings;
using test::fakeEngine;
using test::waitFor;

/// Workbench, client and controller against a fake engine of one behaviour.
struct Bench {
    explicit Bench(const QString& mode) {
        engine.setCommand(fakeEngine(mode));
        QObject::connect(&engine, &EngineClient::ended, [this](const QString& reason) { ends << reason; });
        QObject::connect(&controller, &RunController::engineLost,
                         [this](const QString& text) { lost << text; });
        QObject::connect(&controller, &RunController::engineSilent,
                         [this](const QString& text) { silences << text; });
        QObject::connect(&controller, &RunController::noticed,
                         [this](const QString& text) { notices << text; });
        QObject::connect(&controller, &RunController::failed,
                         [this](const Error& error) { errors << QString::fromStdString(error.text()); });
    }
    [[nodiscard]] bool ready() {
        engine.start();
        return waitFor([this] {
            return controller.engineReady() && controller.devices().front().machine.id == "fake-cpu";
        });
    }
    FailOnQtWarnings guard;
    Workbench workbench;
    EngineClient engine;
    RunController controller{workbench, engine};
    QStringList ends, lost, errors, silences, notices;
};

TEST(EngineClient, SaysHelloAndListsTheDevicesWithTheReasonOfTheMissingOne) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    const auto& devices = bench.controller.devices();
    ASSERT_GE(devices.size(), 3U);
    EXPECT_TRUE(devices[0].canRun);
    EXPECT_FALSE(devices[1].enabled);
    EXPECT_EQ(devices[1].reason, QStringLiteral("the driver is not installed"));
    EXPECT_EQ(bench.workbench.scene()->machine.id, "fake-cpu");
    bench.controller.chooseDevice(1);
    EXPECT_EQ(bench.controller.currentDevice(), 0) << "a device that is not there cannot be chosen";
}

TEST(RunController, ARunFillsTheRecordAndTheMeasurement) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    bench.controller.setStepsWanted(30);
    bench.controller.run();
    EXPECT_EQ(bench.controller.engineState(), EngineState::Running);
    ASSERT_TRUE(waitFor([&] { return !bench.controller.busy(); }));
    ASSERT_EQ(bench.workbench.runs().size(), 1U);
    const RunRecord& run = *bench.workbench.runs().back();
    EXPECT_EQ(run.history.count(), 30);
    EXPECT_EQ(run.stepsDone, 30);
    EXPECT_EQ(run.outcome, QStringLiteral("finished"));
    ASSERT_NE(bench.workbench.scene()->measured, nullptr);
    EXPECT_TRUE(bench.workbench.scene()->sameConfig());
    EXPECT_TRUE(bench.controller.hasUnsavedResults());
    EXPECT_TRUE(bench.errors.isEmpty()) << bench.errors.join(QLatin1Char('\n')).toStdString();
}

TEST(RunController, PausesResumesAndStops) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    bench.controller.run();
    bench.controller.pauseOrResume();
    ASSERT_TRUE(waitFor([&] { return bench.controller.engineState() == EngineState::Paused; }));
    bench.controller.pauseOrResume();
    ASSERT_TRUE(waitFor([&] { return bench.controller.engineState() == EngineState::Running; }));
    bench.controller.stop();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.busy(); }));
    EXPECT_EQ(bench.workbench.runs().back()->outcome, QStringLiteral("stopped"));
}

TEST(RunController, WhatIfLeavesTheRunAloneAndApplyRestartsIt) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    bench.controller.run();
    EXPECT_FALSE(bench.controller.canApply());
    ASSERT_TRUE(waitFor([&] { return bench.workbench.scene()->measured != nullptr; }));
    const RunConfig first = bench.workbench.config();
    RunConfig second = first;
    second.layers += 3;
    bench.workbench.setConfig(second);
    EXPECT_EQ(bench.controller.runningConfig(), first);
    EXPECT_TRUE(bench.controller.canApply());
    EXPECT_FALSE(bench.workbench.scene()->sameConfig());

    bench.controller.apply();
    ASSERT_TRUE(waitFor([&] { return bench.workbench.runs().size() == 2; }));
    EXPECT_EQ(bench.workbench.runs()[0]->outcome, QStringLiteral("stopped"));
    EXPECT_EQ(bench.controller.runningConfig(), second);
    ASSERT_TRUE(waitFor([&] { return bench.workbench.scene()->sameConfig(); }));
}

TEST(RunController, ProfilesWithoutARunAndCalibratesTheMachine) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    EXPECT_FALSE(bench.controller.calibrated());
    bench.controller.profile();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.busy(); }));
    EXPECT_NE(bench.workbench.scene()->measured, nullptr);
    EXPECT_TRUE(bench.workbench.runs().empty());
    EXPECT_FALSE(bench.workbench.scene()->prediction->totals.seconds);

    bench.controller.calibrate();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.busy(); }));
    EXPECT_TRUE(bench.controller.calibrated());
    EXPECT_TRUE(bench.workbench.scene()->prediction->totals.seconds) << "times are predicted from now on";
}

TEST(RunController, AStepThatDoesNotFitIsRefusedBeforeTheEngineHearsOfIt) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    RunConfig huge;
    huge.dim = 32768;
    huge.layers = 64;
    bench.workbench.setConfig(huge);
    bench.controller.run();
    EXPECT_FALSE(bench.controller.busy());
    ASSERT_EQ(bench.errors.size(), 1);
    EXPECT_TRUE(bench.workbench.runs().empty());
}

TEST(RunController, AMachineOfADataSheetPredictsButDoesNotRun) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    const auto& devices = bench.controller.devices();
    const int last = static_cast<int>(devices.size()) - 1;
    ASSERT_FALSE(devices.back().canRun);
    bench.controller.chooseDevice(last);
    EXPECT_EQ(bench.workbench.scene()->machine.id, devices.back().machine.id);
    EXPECT_FALSE(bench.controller.whyNotRun().isEmpty());
    bench.controller.run();
    EXPECT_FALSE(bench.controller.busy());
    EXPECT_EQ(bench.errors.size(), 1);
}

TEST(RunController, ARefusedRunEndsWithTheReason) {
    Bench bench(QStringLiteral("refuse"));
    ASSERT_TRUE(bench.ready());
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.busy(); }));
    EXPECT_TRUE(bench.workbench.runs().back()->outcome.contains(QStringLiteral("3 columns")));
    ASSERT_EQ(bench.errors.size(), 1);
    EXPECT_TRUE(bench.errors[0].contains(QStringLiteral("use another file")));
}

TEST(EngineClient, RefusesMessagesThatAreNoneAndGoesOn) {
    Bench bench(QStringLiteral("garbage"));
    ASSERT_TRUE(bench.ready());
    bench.controller.setStepsWanted(10);
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.busy(); }));
    EXPECT_EQ(bench.workbench.runs().back()->history.count(), 10) << "every good message arrived";
    EXPECT_EQ(bench.errors.size(), 3);
    EXPECT_TRUE(bench.ends.isEmpty());
}

TEST(EngineClient, RefusesAnOversizedLineOnceAndGoesOn) {
    Bench bench(QStringLiteral("oversized"));
    ASSERT_TRUE(bench.ready());
    bench.controller.setStepsWanted(10);
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.busy(); }, 60000));
    EXPECT_EQ(bench.workbench.runs().back()->history.count(), 10);
    EXPECT_EQ(bench.errors.size(), 1);
}

/// Bytes that the process has written in its life.
qint64 written(qint64 process) {
    QFile file(QStringLiteral("/proc/%1/io").arg(process));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& line : file.readAll().split('\n'))
        if (line.startsWith("wchar: ")) return line.mid(7).toLongLong();
    return 0;
}

TEST(EngineClient, AFloodOfEventsWaitsInThePipeAndNotInTheWindow) {
    const FailOnQtWarnings guard;
    EngineClient engine;
    engine.setCommand(fakeEngine(QStringLiteral("flood")));
    engine.start();
    ASSERT_TRUE(waitFor([&] { return engine.state() == EngineClient::State::Ready; }));
    protocol::Event one;
    one.body = protocol::LossBatch{{{0, 0.5, 0.25}}, 1, 0, 100};
    qint64 line = 0, points = 0, most = 0, farthest = 0;
    std::size_t longest = 0;
    QObject::connect(&engine, &EngineClient::eventArrived, [&](const EngineClient::EventPtr& event) {
        const auto* losses = std::get_if<protocol::LossBatch>(&event->body);
        if (!losses) return;
        one.id = event->id;
        line = static_cast<qint64>(protocol::encode(one).size()) + 1;
        points += static_cast<qint64>(losses->points.size());
        longest = std::max(longest, losses->points.size());
        most = written(engine.processId());
        farthest = std::max(farthest, most - points * line);
    });
    ASSERT_NE(engine.send(protocol::Run{}), 0);
    ASSERT_TRUE(waitFor([&] { return most > qint64{24} << 20; }, 60000)) << most;
    EXPECT_LT(farthest, qint64{2} << 20) << "the engine is at most some reads ahead of the window";
    EXPECT_GT(longest, 1U) << "what waits is put together";
}

TEST(EngineClient, AnEngineThatSaysNothingButJunkIsEndedAndCanBeRestarted) {
    Bench bench(QStringLiteral("junk"));
    ASSERT_TRUE(bench.ready());
    const qint64 process = bench.engine.processId();
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return !bench.lost.isEmpty(); }));
    EXPECT_TRUE(bench.lost[0].contains(QStringLiteral("in a row"))) << bench.lost[0].toStdString();
    EXPECT_LT(bench.errors.size(), 101);
    EXPECT_FALSE(bench.controller.busy());
    EXPECT_TRUE(waitFor([&] { return ::kill(static_cast<pid_t>(process), 0) != 0; }));
    EXPECT_EQ(bench.ends.size(), 1);
    bench.controller.restartEngine();
    EXPECT_TRUE(waitFor([&] { return bench.controller.engineReady(); }));
}

struct BadStart {
    const char* mode;
    const char* expected;  ///< part of the message
};

class EngineThatCannotStart : public testing::TestWithParam<BadStart> {};

TEST_P(EngineThatCannotStart, GivesOneClearEnd) {
    Bench bench(QString::fromLatin1(GetParam().mode));
    bench.engine.setHelloTimeout(300);
    bench.engine.start();
    ASSERT_TRUE(waitFor([&] { return !bench.ends.isEmpty(); }));
    EXPECT_TRUE(bench.ends[0].contains(QString::fromLatin1(GetParam().expected)))
        << bench.ends[0].toStdString();
    EXPECT_EQ(bench.engine.state(), EngineClient::State::Off);
    EXPECT_EQ(bench.lost.size(), 1);
    QCoreApplication::processEvents();
    EXPECT_EQ(bench.ends.size(), 1);
}

INSTANTIATE_TEST_SUITE_P(
    Engines, EngineThatCannotStart,
    testing::Values(BadStart{"exit 3", "exit code 3"}, BadStart{"version 99", "99"},
                    BadStart{"silent", "did not answer"}, BadStart{"greeting", "engine command"},
                    BadStart{"cut 0", "signal 9"}, BadStart{"cut 10", "engine command"}),
    [](const auto& mode) {
        return QString::fromLatin1(mode.param.mode).replace(QLatin1Char(' '), QLatin1Char('_')).toStdString();
    });

TEST(EngineClient, AProgramThatIsNotThereIsNamed) {
    Bench bench(QStringLiteral("normal"));
    bench.engine.setCommand(QStringLiteral("/no/such/engine --at all"));
    bench.engine.start();
    ASSERT_TRUE(waitFor([&] { return !bench.ends.isEmpty(); }));
    EXPECT_TRUE(bench.ends[0].contains(QStringLiteral("/no/such/engine"))) << bench.ends[0].toStdString();
}

TEST(EngineClient, AnUnfinishedMessageIsReportedAtTheEnd) {
    Bench bench(QStringLiteral("truncated"));
    bench.engine.start();
    ASSERT_TRUE(waitFor([&] { return !bench.ends.isEmpty(); }));
    EXPECT_EQ(bench.errors.size(), 1);
}

TEST(EngineClient, SurvivesDeathAtAnyByteAndKeepsWhatArrived) {
    std::mt19937 random(20261120);
    std::uniform_int_distribution<long> anywhere(1, 9000);
    for (int round = 0; round < 40; ++round) {
        const long bytes = anywhere(random);
        SCOPED_TRACE(testing::Message() << "killed after " << bytes << " bytes");
        Bench bench(QStringLiteral("cut %1").arg(bytes));
        bench.engine.start();
        const auto over = [&] { return !bench.ends.isEmpty(); };
        const bool ready = waitFor([&] {
            return over() || (bench.controller.engineReady() && bench.controller.whyNotRun().isEmpty());
        });
        ASSERT_TRUE(ready);
        const bool ran = !over();
        if (ran) bench.controller.run();
        // A fake that has more bytes to say than a run gives dies with the stop.
        if (ran && waitFor([&] { return over() || bench.workbench.scene()->measured != nullptr; }) &&
            !over()) {
            bench.controller.stop();
            if (!waitFor([&] { return over() || !bench.controller.busy(); })) ADD_FAILURE();
            if (!over()) continue;
        }
        ASSERT_TRUE(over());
        EXPECT_EQ(bench.ends.size(), 1);
        EXPECT_FALSE(bench.controller.busy());
        EXPECT_EQ(bench.workbench.activeRun(), nullptr);
        if (!ran || bench.workbench.runs().empty()) continue;
        const RunRecord& run = *bench.workbench.runs().back();
        EXPECT_EQ(run.history.count(), run.stepsDone) << "every whole message counts";
        if (run.outcome.startsWith(QStringLiteral("the engine ended"))) {
            EXPECT_TRUE(bench.lost[0].contains(QStringLiteral("during step %1").arg(run.stepsDone + 1)))
                << bench.lost[0].toStdString();
        }
    }
}

TEST(EngineClient, CanBeStartedAgainAfterItsDeath) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return bench.workbench.scene()->measured != nullptr; }));
    ::kill(static_cast<pid_t>(bench.engine.processId()), SIGKILL);
    ASSERT_TRUE(waitFor([&] { return !bench.lost.isEmpty(); }));
    EXPECT_TRUE(bench.lost[0].contains(QStringLiteral("signal 9"))) << bench.lost[0].toStdString();
    EXPECT_TRUE(bench.lost[0].contains(QStringLiteral("everything received is kept")));
    EXPECT_EQ(bench.workbench.runs().back()->history.count(), 20);
    EXPECT_NE(bench.workbench.scene()->measured, nullptr);

    bench.controller.restartEngine();
    ASSERT_TRUE(waitFor([&] { return bench.controller.whyNotRun().isEmpty(); }));
    bench.controller.setStepsWanted(5);
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.busy(); }));
    EXPECT_EQ(bench.workbench.runs().back()->history.count(), 5);
}

TEST(RunController, AnEngineThatHangsIsReportedAndNotEndedAndMayComeBack) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    bench.engine.setAnswerTimeout(100);
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return bench.workbench.scene()->measured != nullptr; }));
    const auto process = static_cast<pid_t>(bench.engine.processId());
    ASSERT_EQ(::kill(process, SIGSTOP), 0);
    bench.controller.stop();
    ASSERT_TRUE(waitFor([&] { return !bench.silences.isEmpty(); }));
    EXPECT_TRUE(bench.silences[0].contains(QStringLiteral("does not answer (for 0.1 s)")))
        << bench.silences[0].toStdString();
    EXPECT_TRUE(bench.controller.busy());
    EXPECT_EQ(::kill(process, 0), 0);
    EXPECT_TRUE(bench.ends.isEmpty());

    ASSERT_EQ(::kill(process, SIGCONT), 0);
    ASSERT_TRUE(waitFor([&] { return !bench.controller.busy(); }));
    EXPECT_EQ(bench.silences.size(), 1);
    ASSERT_EQ(bench.notices.size(), 1);
    EXPECT_TRUE(bench.notices[0].contains(QStringLiteral("answers again")));
}

TEST(RunController, ATrainingThatFallsSilentIsReportedButAPausedOneIsNot) {
    Bench bench(QStringLiteral("normal"));  // says twenty losses and a reading, then waits
    ASSERT_TRUE(bench.ready());
    bench.engine.setSilenceTimeout(100);
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return !bench.silences.isEmpty(); }));
    EXPECT_TRUE(bench.controller.busy());
    bench.controller.pauseOrResume();
    ASSERT_TRUE(waitFor([&] { return bench.controller.engineState() == EngineState::Paused; }));
    EXPECT_FALSE(waitFor([&] { return bench.silences.size() > 1; }, 300));
}

TEST(EngineClient, ARestartDoesNotWaitForAnEngineThatHangs) {
    Bench bench(QStringLiteral("stubborn"));
    ASSERT_TRUE(bench.ready());
    const auto process = static_cast<pid_t>(bench.engine.processId());
    ASSERT_EQ(::kill(process, SIGSTOP), 0);
    bench.controller.restartEngine();
    EXPECT_EQ(::kill(process, 0), 0) << "it was waited for";
    EXPECT_NE(bench.engine.processId(), process);
    EXPECT_TRUE(waitFor([&] { return bench.controller.engineReady(); }));
    EXPECT_TRUE(waitFor([&] { return ::kill(process, 0) != 0; })) << "it was left behind";
    EXPECT_TRUE(bench.ends.isEmpty());
}

TEST(RunController, AnIdleEngineThatDiesAfterARestartNamesNoStepOfTheRunBefore) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return bench.workbench.scene()->measured != nullptr; }));
    bench.controller.restartEngine();
    ASSERT_TRUE(waitFor([&] { return bench.controller.engineReady(); }));
    ::kill(static_cast<pid_t>(bench.engine.processId()), SIGKILL);
    ASSERT_TRUE(waitFor([&] { return !bench.lost.isEmpty(); }));
    EXPECT_FALSE(bench.lost[0].contains(QStringLiteral("step"))) << bench.lost[0].toStdString();
}

TEST(EngineClient, LeavesNoProcessBehindNotEvenAStubbornOne) {
    qint64 process = 0;
    {
        Bench bench(QStringLiteral("stubborn"));
        ASSERT_TRUE(bench.ready());
        process = bench.engine.processId();
        ASSERT_EQ(::kill(static_cast<pid_t>(process), 0), 0);
    }
    EXPECT_NE(::kill(static_cast<pid_t>(process), 0), 0) << "it was killed and waited for";
}

}  // namespace
}  // namespace plumb::ui
