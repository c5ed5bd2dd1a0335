// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the engine does for the window stands in the history afterwards, with its figures and its
// snapshot.
#include "tests/ui/history/history_support.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/engine/curve_measurer.h"
#include "ui/history/history.h"
#include "ui/history/history_record.h"
#include "ui/shell/session.h"

#include <gtest/gtest.h>

namespace plumb::ui {
namespace {

using test::Shell;
using test::waitFor;

std::vector<HistoryEntry> entriesOf(Shell& shell) {
    std::optional<std::vector<HistoryEntry>> found;
    History& history = shell.window.session().kept;
    history.ask(
        &history, [](HistoryStore& store) { return store.entries(); },
        [&](std::vector<HistoryEntry> entries) { found = std::move(entries); });
    EXPECT_TRUE(waitFor([&] { return found.has_value(); }));
    return found.value_or(std::vector<HistoryEntry>());
}

Snapshot snapshotOf(Shell& shell, std::int64_t id) {
    std::optional<QByteArray> packed;
    History& history = shell.window.session().kept;
    history.ask(
        &history, [id](HistoryStore& store) { return store.snapshot(id); },
        [&](const QByteArray& found) { packed = found; });
    EXPECT_TRUE(waitFor([&] { return packed.has_value(); }));
    Result<Snapshot> snapshot = unpackedSnapshot(packed.value_or(QByteArray()), QStringLiteral("it"));
    EXPECT_TRUE(snapshot.has_value()) << snapshot.error().text();
    return snapshot.has_value() ? std::move(*snapshot) : Snapshot();
}

[[nodiscard]] bool idle(Shell& shell) {
    return waitFor([&] { return !shell.window.controller().work().busy(); });
}

TEST(HistoryRecorder, KeepsATrainingWhenItEnds) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.window.controller().next().setSteps(30);
    shell.trigger("run.run");
    ASSERT_TRUE(idle(shell));
    const TrainingRun& run = *shell.window.workbench().runs().all().back();
    const std::vector<HistoryEntry> entries = entriesOf(shell);
    ASSERT_EQ(entries.size(), 1U);
    const HistoryEntry& entry = entries[0];
    EXPECT_EQ(entry.kind, HistoryKind::Training);
    EXPECT_EQ(entry.title, run.title);
    EXPECT_EQ(entry.deviceId, QStringLiteral("fake-cpu"));
    EXPECT_EQ(entry.outcome, run.outcome);
    EXPECT_EQ(entry.steps, run.stepsDone);
    EXPECT_EQ(entry.configKey, configKeyOf(run.config));
    EXPECT_GE(entry.ended, entry.began);
    EXPECT_TRUE(entry.program.startsWith(QStringLiteral("plumbline")));
    const HistoryFigure* loss = entry.figure(QStringLiteral("loss"), true);
    ASSERT_NE(loss, nullptr);
    EXPECT_EQ(loss->value, run.history.last().loss);
    EXPECT_EQ(entry.figure(QStringLiteral("step_time"), false), nullptr) << "nobody knows its ceilings";
    ASSERT_NE(entry.figure(QStringLiteral("peak_memory"), false), nullptr);
    const Snapshot snapshot = snapshotOf(shell, entry.id);
    EXPECT_EQ(snapshot.config, run.config);
    ASSERT_TRUE(snapshot.training);
    EXPECT_EQ(snapshot.training->stepsDone, run.stepsDone);
    EXPECT_EQ(snapshot.training->steps.size(), run.history.points().size());
}

TEST(HistoryRecorder, KeepsEachProfileOnceAndWhereItWasSaved) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    for (int i = 0; i < 2; ++i) {
        shell.trigger("run.profile");
        ASSERT_TRUE(idle(shell));
    }
    const QString path = shell.file("run.plumb");
    ASSERT_TRUE(shell.save(path));
    const std::vector<HistoryEntry> entries = entriesOf(shell);
    ASSERT_EQ(entries.size(), 2U);
    for (const HistoryEntry& entry : entries) {
        EXPECT_EQ(entry.kind, HistoryKind::Profile);
        EXPECT_EQ(entry.path, path);
        const Reading& reading = *shell.window.workbench().measurements().back().reading;
        const HistoryFigure* time = entry.figure(QStringLiteral("step_time"), true);
        ASSERT_NE(time, nullptr);
        EXPECT_EQ(time->unit, QStringLiteral("s"));
        EXPECT_EQ(entry.steps, reading.stepsMeasured);
        EXPECT_TRUE(snapshotOf(shell, entry.id).measured.has_value());
    }
}

TEST(HistoryRecorder, KeepsAMeasuredCurveAsOneEntry) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    CurveMeasurer& measurer = shell.window.session().measurer;
    const RecomputePolicy all{};
    RecomputePolicy every{};
    every.kind = RecomputePolicy::Kind::Every;
    every.interval = 2;
    measurer.start(shell.window.workbench().config(), {all, every});
    ASSERT_TRUE(waitFor([&] { return !measurer.running(); }));
    const std::vector<HistoryEntry> entries = entriesOf(shell);
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].kind, HistoryKind::Curve);
    ASSERT_NE(entries[0].figure(QStringLiteral("policies"), true), nullptr);
    EXPECT_EQ(entries[0].figure(QStringLiteral("policies"), true)->value, 2);
    EXPECT_EQ(snapshotOf(shell, entries[0].id).recomputeCurve.size(), 2U);
}

TEST(HistoryRecorder, ATrainingThatGoesOnIsKeptWhenTheWindowGoes) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("history.sqlite"));
    {
        Session session(test::fakeEngine(QStringLiteral("normal")), path);
        session.engine.start();
        ASSERT_TRUE(waitFor([&] { return session.controller.chosen().whyNotRun().isEmpty(); }));
        session.controller.run();
        ASSERT_TRUE(waitFor([&] {
            const auto run = session.workbench.runs().active();
            return run && !run->history.empty();
        }));
    }
    const Result<std::vector<HistoryEntry>> entries = test::openHistory(path)->entries();
    ASSERT_TRUE(entries.has_value());
    ASSERT_EQ(entries->size(), 1U);
    EXPECT_GT(entries->front().steps, 0);
    EXPECT_NE(entries->front().figure(QStringLiteral("loss"), true), nullptr);
}

TEST(HistoryRecorder, TheSameTrainingKeptAgainIsOneEntry) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] {
        const auto run = shell.window.workbench().runs().active();
        return run && !run->history.empty();
    }));
    shell.window.session().recorder.keepTraining();
    ASSERT_EQ(entriesOf(shell).size(), 1U);
    EXPECT_EQ(entriesOf(shell)[0].ended, 0) << "it goes on";
    shell.trigger("run.stop");
    ASSERT_TRUE(idle(shell));
    const std::vector<HistoryEntry> entries = entriesOf(shell);
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_GT(entries[0].ended, 0);
    EXPECT_EQ(entries[0].outcome, QStringLiteral("stopped"));
}

TEST(HistoryRecord, APackedSnapshotThatIsDamagedIsRefused) {
    const Result<Snapshot> made =
        makeSnapshot(RunConfig(), {Machine{.id = "m", .name = "M"}, BackendTraits{}});
    ASSERT_TRUE(made.has_value()) << made.error().text();
    const QByteArray packed = packedSnapshot(*made);
    EXPECT_LT(packed.size(), static_cast<qsizetype>(snapshotText(*made).size()) / 3);
    ASSERT_TRUE(unpackedSnapshot(packed, QStringLiteral("it")).has_value());
    test::FailOnQtWarnings guard({QStringLiteral("qUncompress")});
    for (qsizetype at = 0; at < packed.size(); at += 97) {
        QByteArray damaged = packed;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        (void)unpackedSnapshot(damaged, QStringLiteral("it"));
        (void)unpackedSnapshot(packed.left(at), QStringLiteral("it"));
    }
    QByteArray huge = packed;
    huge[0] = '\x7f';
    const Result<Snapshot> refused = unpackedSnapshot(huge, QStringLiteral("it"));
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().message.find("it"), std::string::npos);
}

}  // namespace
}  // namespace plumb::ui
