// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/engine_client.h"

#include "core/base/command_line.h"
#include "tests/ui/engine/engine_bench.h"
#include "ui/theme/text.h"

#include <QFile>
#include <QTemporaryDir>

#include <sys/stat.h>

#include <csignal>
#include <fcntl.h>
#include <random>
#include <thread>
#include <unistd.h>

namespace plumb::ui {
namespace {

using Bench = test::EngineBench;
using test::FailOnQtWarnings;
using test::fakeEngine;
using test::waitFor;

TEST(EngineClient, SaysHelloAndListsTheDevicesWithTheReasonOfTheMissingOne) {
    Bench bench(QStringLiteral("normal"));
    ASSERT_TRUE(bench.ready());
    const auto& devices = bench.controller.devices().all();
    ASSERT_GE(devices.size(), 3U);
    EXPECT_TRUE(devices[0].canRun);
    EXPECT_FALSE(devices[1].enabled);
    EXPECT_EQ(devices[1].reason, QStringLiteral("the driver is not installed"));
    EXPECT_EQ(bench.workbench.scene()->whatIf.machine().id, "fake-cpu");
    bench.controller.devices().choose(1);
    EXPECT_EQ(bench.controller.devices().currentIndex(), 0) << "a device that is not there cannot be chosen";
}

TEST(EngineClient, RefusesMessagesThatAreNoneAndGoesOn) {
    Bench bench(QStringLiteral("garbage"));
    ASSERT_TRUE(bench.ready());
    bench.controller.next().setSteps(10);
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.work().busy(); }));
    EXPECT_EQ(bench.workbench.runs().all().back()->history.count(), 10) << "every good message arrived";
    EXPECT_EQ(bench.errors.size(), 3);
    EXPECT_TRUE(bench.ends.isEmpty());
}

TEST(EngineClient, RefusesAnOversizedLineOnceAndGoesOn) {
    Bench bench(QStringLiteral("oversized"));
    ASSERT_TRUE(bench.ready());
    bench.controller.next().setSteps(10);
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.work().busy(); }, 60000));
    EXPECT_EQ(bench.workbench.runs().all().back()->history.count(), 10);
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
    EXPECT_FALSE(bench.controller.work().busy());
    EXPECT_TRUE(waitFor([&] { return ::kill(static_cast<pid_t>(process), 0) != 0; }));
    EXPECT_EQ(bench.ends.size(), 1);
    bench.engine.restart();
    EXPECT_TRUE(waitFor([&] { return bench.controller.work().engineReady(); }));
}

struct BadStart {
    const char* mode;
    const char* expected;  ///< part of the message
};

class EngineThatCannotStart : public testing::TestWithParam<BadStart> {};

TEST_P(EngineThatCannotStart, GivesOneClearEnd) {
    Bench bench(QString::fromLatin1(GetParam().mode));
    bench.engine.setHelloTimeouts(100, 300);
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
    testing::Values(BadStart{"exit 3", "exit code 3"}, BadStart{"version 99", "another release (fake)"},
                    BadStart{"silent", "did not answer"}, BadStart{"greeting", "no engine of Plumbline"},
                    BadStart{"prompt", "it begins with"}, BadStart{"echo", "repeats what it is told"},
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

TEST(EngineClient, ACommandWithAnOpenQuoteIsOneClearEndAndNoProcess) {
    Bench bench(QStringLiteral("normal"));
    bench.engine.setCommand(QStringLiteral("\"/opt/my engine/plumbline-cli engine"));
    bench.engine.start();
    ASSERT_EQ(bench.ends.size(), 1);
    EXPECT_TRUE(bench.ends[0].contains(QStringLiteral("double quote at character 1")))
        << bench.ends[0].toStdString();
    EXPECT_EQ(bench.engine.processId(), 0);
    bench.engine.setCommand(fakeEngine(QStringLiteral("normal")));
    EXPECT_TRUE(bench.ready());
}

TEST(EngineClient, AnEngineWithSpacesAndQuotesInItsPathIsStarted) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("my \"engine\" it's"));
    ASSERT_TRUE(QFile::link(QStringLiteral(PLUMB_FAKE_ENGINE), path));
    Bench bench(QStringLiteral("normal"));
    bench.engine.setCommand(toText(joinCommandLine({path.toStdString(), "normal"})));
    EXPECT_TRUE(bench.ready());
}

TEST(EngineClient, ALateEngineIsToldOfAndStaysWhenItAnswers) {
    const QTemporaryDir folder;
    const QByteArray gate = QFile::encodeName(folder.filePath(QStringLiteral("gate")));
    ASSERT_EQ(::mkfifo(gate.constData(), 0600), 0);
    Bench bench(QStringLiteral("gate ") + QString::fromLocal8Bit(gate));
    bench.engine.setHelloTimeouts(1, 600000);
    QStringList told;
    QObject::connect(&bench.engine, &EngineClient::late, [&](const QString& sentence) { told << sentence; });
    bench.engine.start();
    ASSERT_TRUE(waitFor([&] { return !told.isEmpty(); }));
    EXPECT_TRUE(told[0].contains(QStringLiteral("said nothing for"))) << told[0].toStdString();
    EXPECT_EQ(bench.engine.state(), EngineClient::State::Starting);
    int pipe = -1;
    ASSERT_TRUE(waitFor([&] { return (pipe = ::open(gate.constData(), O_WRONLY | O_NONBLOCK)) >= 0; }));
    ::close(pipe);
    EXPECT_TRUE(waitFor([&] { return bench.engine.state() == EngineClient::State::Ready; }));
    EXPECT_EQ(told.size(), 1);
    EXPECT_TRUE(bench.ends.isEmpty());
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
            return over() ||
                   (bench.controller.work().engineReady() && bench.controller.chosen().whyNotRun().isEmpty());
        });
        ASSERT_TRUE(ready);
        const bool ran = !over();
        if (ran) bench.controller.run();
        // A fake that has more bytes to say than a run gives dies with the stop.
        if (ran && waitFor([&] { return over() || bench.workbench.scene()->measured.has_value(); }) &&
            !over()) {
            bench.controller.stop();
            if (!waitFor([&] { return over() || !bench.controller.work().busy(); })) ADD_FAILURE();
            if (!over()) continue;
        }
        ASSERT_TRUE(over());
        EXPECT_EQ(bench.ends.size(), 1);
        EXPECT_FALSE(bench.controller.work().busy());
        EXPECT_EQ(bench.workbench.runs().active(), nullptr);
        if (!ran || bench.workbench.runs().all().empty()) continue;
        const TrainingRun& run = *bench.workbench.runs().all().back();
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
    ASSERT_TRUE(waitFor([&] { return bench.workbench.scene()->measured.has_value(); }));
    ::kill(static_cast<pid_t>(bench.engine.processId()), SIGKILL);
    ASSERT_TRUE(waitFor([&] { return !bench.lost.isEmpty(); }));
    EXPECT_TRUE(bench.lost[0].contains(QStringLiteral("signal 9"))) << bench.lost[0].toStdString();
    EXPECT_TRUE(bench.lost[0].contains(QStringLiteral("everything received is kept")));
    EXPECT_EQ(bench.workbench.runs().all().back()->history.count(), 20);
    EXPECT_TRUE(bench.workbench.scene()->measured.has_value());

    bench.engine.restart();
    ASSERT_TRUE(waitFor([&] { return bench.controller.chosen().whyNotRun().isEmpty(); }));
    bench.controller.next().setSteps(5);
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.work().busy(); }));
    EXPECT_EQ(bench.workbench.runs().all().back()->history.count(), 5);
}

TEST(EngineClient, ARestartDoesNotWaitForAnEngineThatHangs) {
    Bench bench(QStringLiteral("stubborn"));
    ASSERT_TRUE(bench.ready());
    const auto process = static_cast<pid_t>(bench.engine.processId());
    ASSERT_EQ(::kill(process, SIGSTOP), 0);
    bench.engine.restart();
    EXPECT_EQ(::kill(process, 0), 0) << "it was waited for";
    EXPECT_NE(bench.engine.processId(), process);
    EXPECT_TRUE(waitFor([&] { return bench.controller.work().engineReady(); }));
    EXPECT_TRUE(waitFor([&] { return ::kill(process, 0) != 0; })) << "it was left behind";
    EXPECT_TRUE(bench.ends.isEmpty());
}

/// An endless training with checkpoints in a folder of its own.
struct Saving {
    explicit Saving(const QString& place = {}) : where(place.isEmpty() ? own.path() : place) {
        ::mkfifo(go.constData(), 0600);
        bench.engine.endedEngines().setQuitTimeout(
            0);  // any engine that has nothing to save is killed at once
    }
    [[nodiscard]] bool trains() {
        if (!bench.ready()) return false;
        CheckpointOptions options;
        options.folder = where.toStdString();
        bench.controller.next().setCheckpoints(options);
        bench.controller.run();
        return waitFor([&] { return bench.workbench.scene()->measured.has_value(); });
    }
    /// Holds the save from when it has begun, which this waits for, until the returned file is closed.
    [[nodiscard]] int hold() const {
        int pipe = -1;
        return waitFor([&] { return (pipe = ::open(go.constData(), O_WRONLY | O_NONBLOCK)) >= 0; }) ? pipe
                                                                                                    : -1;
    }
    [[nodiscard]] bool saved() const { return QFile::exists(where + QStringLiteral("/saved")); }

    QTemporaryDir own;
    QString where;
    QByteArray go = QFile::encodeName(where + QStringLiteral("/go"));
    Bench bench{QStringLiteral("saving")};
};

TEST(EngineClient, AnEngineThatSavesTheLastStateIsGivenTheTimeForIt) {
    Saving test;
    ASSERT_TRUE(test.trains());
    ASSERT_TRUE(test.bench.engine.keepsCheckpoints());
    test.bench.engine.restart();
    const int pipe = test.hold();
    ASSERT_GE(pipe, 0);
    ASSERT_TRUE(waitFor([&] { return test.bench.controller.work().engineReady(); })) << "nobody waits for it";
    EXPECT_TRUE(test.bench.engine.endedEngines().saving());
    EXPECT_FALSE(test.bench.engine.keepsCheckpoints()) << "the new one trains nothing";
    ::close(pipe);
    EXPECT_TRUE(waitFor([&] { return !test.bench.engine.endedEngines().saving(); }));
    EXPECT_TRUE(test.saved());
    EXPECT_TRUE(test.bench.ends.isEmpty());
}

TEST(EngineClient, AnEngineThatSavesAndDoesNotAnswerIsNotTakenForHanging) {
    Saving test;
    ASSERT_TRUE(test.trains());
    const auto process = static_cast<pid_t>(test.bench.engine.processId());
    ASSERT_EQ(::kill(process, SIGSTOP), 0);
    test.bench.engine.watch().setAnswerTimeout(1);
    test.bench.controller.pauseOrResume();
    ASSERT_TRUE(waitFor([&] { return !test.bench.silences.isEmpty(); }));
    test.bench.engine.restart();
    ASSERT_EQ(::kill(process, SIGCONT), 0);
    const int pipe = test.hold();
    ASSERT_GE(pipe, 0);
    ::close(pipe);
    EXPECT_TRUE(waitFor([&] { return !test.bench.engine.endedEngines().saving(); }));
    EXPECT_TRUE(test.saved());
}

TEST(EngineClient, AClientThatGoesWaitsForTheLastState) {
    const QTemporaryDir folder;
    std::thread writer;
    {
        Saving test(folder.path());
        ASSERT_TRUE(test.trains());
        // Opens when the save has begun, which is while the client is destroyed.
        writer = std::thread([go = test.go] { ::close(::open(go.constData(), O_WRONLY)); });
    }
    EXPECT_TRUE(QFile::exists(folder.filePath(QStringLiteral("saved"))));
    const int reader = ::open(QFile::encodeName(folder.filePath(QStringLiteral("go"))).constData(),
                              O_RDONLY | O_NONBLOCK);  // frees the writer of a save that never began
    writer.join();
    ::close(reader);
}

TEST(EngineClient, AFinishedTrainingHasNothingLeftToSave) {
    Saving test;
    ASSERT_TRUE(test.trains());
    test.bench.controller.stop();
    ASSERT_TRUE(waitFor([&] { return !test.bench.controller.work().busy(); }));
    EXPECT_FALSE(test.bench.engine.keepsCheckpoints());
    test.bench.engine.restart();
    EXPECT_FALSE(test.bench.engine.endedEngines().saving());
}

TEST(EngineClient, ASaveThatIsNotWaitedForIsKilled) {
    Saving test;
    ASSERT_TRUE(test.trains());
    test.bench.engine.end();
    const int pipe = test.hold();
    ASSERT_GE(pipe, 0);
    test.bench.engine.endedEngines().killSaving();
    EXPECT_TRUE(waitFor([&] { return !test.bench.engine.endedEngines().saving(); }));
    EXPECT_FALSE(test.saved());
    ::close(pipe);
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
