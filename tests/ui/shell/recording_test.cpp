// SPDX-License-Identifier: GPL-3.0-or-later
// A step that another program recorded, opened in the window in front of the session.
#include "tests/ui/shell/shell_fixture.h"
#include "ui/charts/chart_panel.h"
#include "ui/run/key_figures.h"
#include "ui/run/recording_panel.h"
#include "ui/run/run_panel.h"
#include "ui/widgets/meter.h"

#include "test_paths.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>

#include <gtest/gtest.h>

namespace plumb::ui::test {
namespace {

QString decoder() { return QString::fromUtf8(PLUMB_TEST_DATA "/step/decoder.plumb"); }
QString predictedDecoder() { return QString::fromUtf8(PLUMB_TEST_DATA "/step/decoder_predicted.plumb"); }

const KeyFigure& figure(Shell& shell, const char* id) {
    return child<KeyFigureTile>(shell.window, id)->figure();
}

TEST(Recording, StandsInFrontOfTheSession) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    const RunConfig config = shell.window.workbench().config();
    shell.trigger("view.training");
    ASSERT_TRUE(shell.open(decoder()));
    EXPECT_EQ(shell.window.bannerText(), QString());
    const Workbench& workbench = shell.window.workbench();
    ASSERT_NE(workbench.recording(), nullptr);
    EXPECT_EQ(workbench.scene()->whatIf.plan, nullptr);
    EXPECT_EQ(workbench.scene()->whatIf.step->opCount(), 763);
    ASSERT_TRUE(workbench.scene()->measured.has_value());
    EXPECT_NE(workbench.session()->whatIf.plan, nullptr);
    EXPECT_EQ(workbench.config(), config);
    EXPECT_TRUE(child<RecordingPanel>(shell.window, "recordingPanel")->isVisible());
    EXPECT_FALSE(child<RunPanel>(shell.window, "runPanel")->isVisible());
    EXPECT_TRUE(shell.window.windowTitle().contains(QStringLiteral("decoder.plumb")));
    EXPECT_EQ(shell.settings.recentFiles().value(0), QStringList{decoder()});
    for (const char* id : {"run.run", "run.profile", "run.apply", "run.measureCurve"})
        EXPECT_FALSE(shell.enabled(id)) << id;
    EXPECT_EQ(figure(shell, "peakMemory").measured, QStringLiteral("172 kB"));
    EXPECT_EQ(figure(shell, "peakMemory").predictedCaption, QStringLiteral("tensors"));
    EXPECT_EQ(figure(shell, "peakMemory").measuredCaption, QStringLiteral("allocator"));
    EXPECT_NE(figure(shell, "stepTime").measured, QStringLiteral("–"));
    EXPECT_FALSE(figure(shell, "flops").toolTip.contains(QStringLiteral("6·B·N")))
        << "a rule of another model";
    EXPECT_TRUE(figure(shell, "loss").toolTip.contains(QStringLiteral("noted none")));
    const auto* const loss = child<ChartPanel>(*child<QWidget>(shell.window, "trainingView"), "lossChart");
    EXPECT_TRUE(waitFor([&] { return loss->emptyText().contains(QStringLiteral("noted none")); }))
        << "nobody can press Run";

    QTest::mouseClick(child<QPushButton>(shell.window, "closeRecording"), Qt::LeftButton);
    EXPECT_EQ(workbench.recording(), nullptr);
    EXPECT_EQ(workbench.scene(), workbench.session());
    EXPECT_TRUE(child<RunPanel>(shell.window, "runPanel")->isVisible());
    EXPECT_TRUE(shell.enabled("run.run"));
}

TEST(Recording, DrawsItsLossesInPlaceOfThoseOfTheSession) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.window.controller().next().setSteps(12);
    QTest::mouseClick(child<QPushButton>(shell.window, "runButton"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    shell.trigger("view.training");
    ASSERT_TRUE(shell.open(QString::fromUtf8(PLUMB_TEST_DATA "/step/perceptron.plumb")));
    auto& view = *child<QWidget>(shell.window, "trainingView");
    auto* const chart = child<ChartPanel>(view, "lossChart");
    auto* const steps = child<QLabel>(view, "figureStep");
    ASSERT_TRUE(waitFor([&] { return steps->text() == QStringLiteral("30"); }));
    EXPECT_TRUE(chart->lineIds().contains(QStringLiteral("run0")));
    EXPECT_GE(chart->axis(ChartAxis::X).max, 29);
    EXPECT_LT(chart->axis(ChartAxis::Y).min, 1.3464032411575317);
    EXPECT_GT(chart->axis(ChartAxis::Y).max, 1.4607093334197998);
    EXPECT_EQ(chart->emptyText(), QString());
    EXPECT_EQ(child<QLabel>(view, "figureLoss")->text(), QStringLiteral("1.35"));
    EXPECT_TRUE(child<QLabel>(view, "trainingNote")->text().contains(QStringLiteral("given to step()")));
    EXPECT_FALSE(child<QLabel>(view, "trainingOutcome")->isVisible());
    EXPECT_EQ(figure(shell, "loss").measured, QStringLiteral("1.35"));
    EXPECT_TRUE(figure(shell, "loss").toolTip.contains(QStringLiteral("pass T")));
    QTest::mouseClick(child<QPushButton>(shell.window, "closeRecording"), Qt::LeftButton);
    EXPECT_TRUE(waitFor([&] { return steps->text() == QStringLiteral("12 of 12"); })) << "the session's";
}

TEST(Recording, FillsEveryView) {
    Shell shell;
    ASSERT_TRUE(shell.open(decoder()));
    for (int tab = 0; tab < ViewStack::tabCount(); ++tab) {
        shell.window.views().setCurrentTab(tab);
        EXPECT_FALSE(shell.window.grab().isNull()) << ViewStack::views()[static_cast<std::size_t>(tab)].id;
    }
    EXPECT_EQ(shell.window.workbench().scene()->measured->reading->timeline->steps.size(), 1U);
}

TEST(Recording, IsPredictedForTheDeviceThatIsChosen) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    ASSERT_TRUE(shell.open(predictedDecoder()));
    const Workbench& workbench = shell.window.workbench();
    EXPECT_EQ(workbench.scene()->whatIf.machine().name, "NVIDIA H200 SXM 141GB") << "that of the file";
    EXPECT_FALSE(workbench.scene()->measured.has_value());
    const Seconds there = workbench.scene()->whatIf.prediction->totals.seconds.value();
    auto* const devices = child<QComboBox>(shell.window, "recordingDevice");
    const int other = devices->findText(QStringLiteral("A100"), Qt::MatchContains);
    ASSERT_GE(other, 0);
    devices->setCurrentIndex(other);
    emit devices->activated(other);
    EXPECT_TRUE(workbench.scene()->whatIf.machine().name.find("A100") != std::string::npos);
    EXPECT_NE(workbench.scene()->whatIf.prediction->totals.seconds, there);
    EXPECT_EQ(workbench.session()->whatIf.machine().id, workbench.scene()->whatIf.machine().id);
    EXPECT_GT(child<Meter>(shell.window, "recordingMeter")->share().value_or(0), 0);
}

TEST(Recording, HidesNothingOfARunBehindItAndIsLeftAlone) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.window.controller().next().setSteps(12);
    QTest::mouseClick(child<QPushButton>(shell.window, "runButton"), Qt::LeftButton);
    ASSERT_TRUE(shell.open(decoder()));
    const ScenePtr shown = shell.window.workbench().scene();
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    EXPECT_EQ(shell.window.workbench().scene(), shown)
        << "a reading of the session makes no other step of it";
    EXPECT_EQ(shell.window.workbench().runs().all().size(), 1U);
    EXPECT_TRUE(shell.window.document().isModified());
    ASSERT_TRUE(shell.save(shell.file("session.plumb"))) << "what is saved is the session";
    ASSERT_TRUE(shell.open(shell.file("session.plumb")));
    EXPECT_EQ(shell.window.workbench().recording(), nullptr) << "a snapshot takes the place of all";
}

TEST(Recording, OpensWithoutAskingForUnsavedResults) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.window.controller().next().setSteps(12);
    QTest::mouseClick(child<QPushButton>(shell.window, "runButton"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    ASSERT_TRUE(shell.window.document().isModified());
    ASSERT_TRUE(shell.open(decoder()));
    EXPECT_EQ(shell.window.findChild<QWidget*>(QStringLiteral("unsavedQuestion")), nullptr);
    EXPECT_NE(shell.window.workbench().recording(), nullptr);
}

TEST(Recording, ADamagedOneIsRefusedByItsFieldAndChangesNothing) {
    Shell shell;
    const ScenePtr before = shell.window.workbench().scene();
    QFile original(decoder());
    ASSERT_TRUE(original.open(QIODevice::ReadOnly));
    QByteArray text = original.readAll();
    text.replace("\"recompute\"", "\"sideways\"");
    QFile damaged(shell.file("damaged.plumb"));
    ASSERT_TRUE(damaged.open(QIODevice::WriteOnly));
    damaged.write(text);
    damaged.close();
    ASSERT_TRUE(shell.open(shell.file("damaged.plumb")));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("sideways")))
        << shell.window.bannerText().toStdString();
    EXPECT_EQ(shell.window.workbench().scene(), before);
}

}  // namespace
}  // namespace plumb::ui::test
