// SPDX-License-Identifier: GPL-3.0-or-later
// A session is planned and predicted where it is read, and the window takes it as it is.
#include "ui/shell/opened_session.h"

#include "core/machine/local_cpu.h"
#include "tests/ui/shell/shell_fixture.h"

#include <QSignalSpy>
#include <QThread>

#include <algorithm>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace plumb::ui {
namespace {

using test::Shell;

RunConfig layersDeep(std::int64_t layers) { return {.dim = 8, .layers = layers, .batch = 8}; }

/// With a measurement of the step and a training.
Snapshot ranSnapshot(std::int64_t layers) {
    auto made = makeSnapshot(layersDeep(layers), {localCpu(), cpuTraits()});
    EXPECT_TRUE(made.has_value());
    Snapshot snapshot = std::move(made).value();
    snapshot.measured = *snapshot.predicted;
    snapshot.measured->source = Source::Clock;
    for (OpReading& op : snapshot.measured->ops) op.seconds = 1e-6;
    snapshot.training = TrainingSeries{.steps = {{1, 0.5, 0.1}}, .stepsDone = 1, .outcome = "finished"};
    return snapshot;
}

/// Begins to open a file of so many layers, and comes back while its step is planned or predicted, or just
/// after, with the window none the wiser.
void beginToPredict(Shell& shell, std::int64_t layers) {
    const QString path = shell.file("deep.plumb");
    ASSERT_TRUE(writeSnapshot(path.toStdString(), ranSnapshot(layers)).has_value());
    shell.window.document().open({path});
    while (shell.window.document().readShare() < kReadShare) QThread::yieldCurrentThread();
    ASSERT_TRUE(shell.window.document().opening());
}

TEST(OpenedSession, IsWholeOnTheThreadThatMakesIt) {
    Snapshot snapshot = ranSnapshot(3);
    snapshot.note = "looked at twice";
    std::optional<Result<OpenedSession>> made;
    std::thread([&] { made = openedSession(QStringLiteral("three.plumb"), snapshot); }).join();
    ASSERT_TRUE(made->has_value());
    OpenedSession& session = made->value();
    EXPECT_EQ(session.scene.whatIf.config().layers, 3);
    EXPECT_TRUE(session.scene.whatIf.isFiled);
    ASSERT_TRUE(session.scene.measured.has_value());
    EXPECT_EQ(session.marks.note, "looked at twice");
    EXPECT_EQ(session.notice, QString());

    const std::shared_ptr<const StepPlan> plan = session.scene.whatIf.plan;
    const std::shared_ptr<const Prediction> prediction = session.scene.whatIf.prediction;
    const std::shared_ptr<const Reading> reading = session.scene.measured->reading;
    Workbench bench;
    bench.open(std::move(session.scene));
    const ScenePtr scene = bench.scene();
    EXPECT_EQ(scene->whatIf.plan, plan) << "nothing is planned again";
    EXPECT_EQ(scene->whatIf.prediction, prediction) << "nor predicted";
    EXPECT_EQ(scene->measured->prediction, prediction);
    EXPECT_EQ(scene->measured->reading, reading);
    EXPECT_EQ(scene->measuredOp(reading->ops.back().id), &reading->ops.back());
    ASSERT_EQ(bench.measurements().size(), 1U);
    EXPECT_EQ(bench.measurements()[0].plan, plan);
    ASSERT_EQ(bench.runs().all().size(), 1U);
    EXPECT_EQ(bench.runs().all()[0]->step, plan);
}

TEST(OpenedSession, PredictsTheStepOfAFileWithoutAPredictionOnce) {
    Snapshot snapshot = ranSnapshot(3);
    snapshot.predicted.reset();
    Result<OpenedSession> made = openedSession(QStringLiteral("three.plumb"), std::move(snapshot));
    ASSERT_TRUE(made.has_value());
    EXPECT_FALSE(made->scene.whatIf.isFiled);
    EXPECT_EQ(made->scene.measured->prediction, made->scene.whatIf.prediction);
    EXPECT_EQ(made->notice, QString()) << "it holds none that could be of another version";
}

TEST(OpenedSession, TellsHowFarItIsAndCanBeGivenUpAtEachStage) {
    const Snapshot snapshot = ranSnapshot(3);
    std::vector<double> told;
    ASSERT_TRUE(openedSession({}, snapshot, {{}, [&](double share) { told.push_back(share); }}).has_value());
    ASSERT_GE(told.size(), 2U);
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_LE(told.back(), 1);
    for (const double last : told) {
        std::stop_source stop;
        const ReadControl control{stop.get_token(), [&](double share) {
                                      EXPECT_LE(share, last) << "it went on";
                                      if (share == last) stop.request_stop();
                                  }};
        const Result<OpenedSession> made = openedSession(QStringLiteral("three.plumb"), snapshot, control);
        ASSERT_FALSE(made.has_value()) << last;
        EXPECT_NE(made.error().message.find("three.plumb was stopped"), std::string::npos);
    }
}

TEST(OpenedSession, RefusesAStepThatCannotBePlanned) {
    Snapshot snapshot = ranSnapshot(3);
    snapshot.config.microBatch = 5;  // does not divide 8
    EXPECT_FALSE(openedSession({}, std::move(snapshot)).has_value());
}

TEST(Document, ADeepFileGivenUpWhileItsStepIsPredictedLeavesTheDocumentAsItWas) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    QSignalSpy scenes(&shell.window.workbench(), &Workbench::sceneChanged);
    Document& document = shell.window.document();
    QSignalSpy opened(&document, &Document::opened), failed(&document, &Document::failed);
    const ScenePtr before = shell.window.workbench().scene();
    beginToPredict(shell, 8192);
    document.cancelOpening();
    EXPECT_FALSE(document.opening());
    ASSERT_TRUE(shell.save(shell.file("small.plumb")));
    ASSERT_TRUE(shell.open(shell.file("small.plumb"))) << "which waits for the worker";
    EXPECT_EQ(opened.count(), 1) << "the small one alone";
    EXPECT_EQ(failed.count(), 0);
    EXPECT_EQ(scenes.count(), 1);
    EXPECT_EQ(shell.window.workbench().config(), before->config());
    EXPECT_TRUE(shell.window.workbench().runs().all().empty());
    EXPECT_EQ(document.path(), shell.file("small.plumb"));
}

TEST(Document, AWindowMayGoWhileADeepStepIsPredicted) {
    auto shell = std::make_unique<Shell>();
    ASSERT_TRUE(shell->ready());
    beginToPredict(*shell, 8192);
    EXPECT_TRUE(shell->window.close());
    shell.reset();
}

}  // namespace
}  // namespace plumb::ui
