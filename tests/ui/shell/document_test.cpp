// SPDX-License-Identifier: GPL-3.0-or-later
// What a document holds, and that nothing of it is lost, mixed with another or passed off for something else.
#include "core/base/words.h"
#include "core/machine/local_cpu.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/theme/error_text.h"
#include "ui/workbench/prediction_difference.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

namespace plumb::ui {
namespace {

using test::child;
using test::Shell;
using test::waitFor;

void setLayers(Shell& shell, std::int64_t layers) {
    RunConfig config = shell.window.workbench().config();
    config.layers = layers;
    EXPECT_TRUE(shell.window.workbench().show(config).has_value());
    ASSERT_EQ(shell.window.workbench().config().layers, layers);
}

/// A training of so many layers that is stopped, or ends after `steps`.
void train(Shell& shell, std::int64_t layers, std::int64_t steps = 0) {
    setLayers(shell, layers);
    shell.window.controller().next().setSteps(steps);
    shell.trigger("run.run");
    if (steps == 0) {
        ASSERT_TRUE(waitFor([&] { return shell.window.workbench().scene()->measured.has_value(); }));
        shell.trigger("run.stop");
    }
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
}

void profile(Shell& shell, std::int64_t layers) {
    setLayers(shell, layers);
    shell.trigger("run.profile");
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
}

QMessageBox* question(Shell& shell) { return child<QMessageBox>(shell.window, "unsavedQuestion"); }

Machine otherMachine() {
    return Machine{.id = "a100-of-the-file",
                   .name = "A100 of the file",
                   .backend = "cuda",
                   .computeCapability = 80,
                   .memoryBytes = Bytes{80} * 1000 * 1000 * 1000,
                   .bandwidthBytesPerSecond = 2e12,
                   .peakFlopPerSecond = {{Dtype::Fp32, 1.9e13}, {Dtype::Bf16, 3.1e14}},
                   .source = "data sheet: of the file"};
}

/// A snapshot of another machine whose prediction no program of today would make.
Snapshot foreignSnapshot(std::int64_t layers) {
    RunConfig config;
    config.layers = layers;
    config.precision = Precision::Bf16;
    auto made = makeSnapshot(config, {otherMachine(), traitsFor("cuda", 80)});
    EXPECT_TRUE(made.has_value());
    Snapshot snapshot = std::move(made).value();
    snapshot.program = "plumbline 0.0.1 (old)";
    for (OpReading& op : snapshot.predicted->ops)
        if (op.seconds) *op.seconds *= 2;
    Totals& totals = snapshot.predicted->totals;
    *totals.seconds *= 2;
    for (auto* rate : {&totals.samplesPerSecond, &totals.flopPerSecond, &totals.mfu})
        if (*rate) **rate /= 2;
    return snapshot;
}

/// A snapshot of so many megabytes, most of them blanks.
void writeLarge(Shell& shell, const char* name, qsizetype megabytes) {
    ASSERT_TRUE(shell.save(shell.file("small.plumb")));
    QFile small(shell.file("small.plumb")), large(shell.file(name));
    ASSERT_TRUE(small.open(QIODevice::ReadOnly) && large.open(QIODevice::WriteOnly));
    large.write(small.readAll().trimmed().chopped(1));
    large.write(QByteArray(megabytes << 20, ' '));
    large.write("}\n");
}

TEST(Document, WhatCannotBeOpenedIsToldWithWhatCan) {
    Shell shell;
    QSignalSpy failed(&shell.window.document(), &Document::failed);
    for (const char* name : {"notes.csv", "notes.json", "notes.plumb"}) {
        QFile file(shell.file(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("no file of ours, nor of theirs\n");
        file.close();
        ASSERT_TRUE(shell.open(shell.file(name)));
        ASSERT_TRUE(waitFor([&] { return failed.count() > 0; }));
        const auto error = failed.takeFirst().front().value<Error>();
        const QString said = errorSentence(error);
        EXPECT_TRUE(said.contains(QStringLiteral("is none of the files that can be opened")))
            << said.toStdString();
        for (const char* kind :
             {".pickle", ".plumb", ".sqlite", "Nsight Compute (.csv)", ".json.gz", ".plan.json"})
            EXPECT_TRUE(said.contains(QLatin1String(kind))) << kind;
        setWordsLanguage("zh_CN");
        const QString told = errorSentence(error);
        setWordsLanguage("");
        EXPECT_TRUE(told.contains(QStringLiteral("不是可以打开的文件：请选择其中一种：")) &&
                    !told.contains(QStringLiteral("snapshots")) && !told.contains(QStringLiteral("plans")))
            << told.toStdString();
    }
}

TEST(Document, ReadingALargeOneTellsHowFarItIsAndCanBeGivenUp) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    writeLarge(shell, "large.plumb", 64);
    setLayers(shell, 7);
    Document& document = shell.window.document();
    QSignalSpy opened(&document, &Document::opened), failed(&document, &Document::failed);
    document.open({shell.file("large.plumb"), shell.file("small.plumb")});
    ASSERT_TRUE(document.opening());
    ASSERT_TRUE(waitFor([&] { return document.readShare() > 0; }));
    EXPECT_EQ(document.readingPath(), shell.file("large.plumb"));
    emit document.progressed();  // as after a tenth of a second
    const QRegularExpression told(QStringLiteral(R"(^Reading large\.plumb: \d+ % of 67\D1 MB)"));
    EXPECT_TRUE(told.match(shell.window.bannerText()).hasMatch()) << shell.window.bannerText().toStdString();
    document.cancelOpening();
    EXPECT_FALSE(document.opening());
    EXPECT_EQ(shell.window.bannerText(), QString());
    QCoreApplication::processEvents();
    EXPECT_EQ(opened.count() + failed.count(), 0) << "neither it nor what waited";
    EXPECT_EQ(shell.window.workbench().config().layers, 7);
    ASSERT_TRUE(shell.open(shell.file("large.plumb")));
    EXPECT_EQ(opened.count(), 1) << "a reader that was told to stop holds nothing up";
    EXPECT_EQ(shell.window.bannerText(), QString());
}

TEST(Document, SaveKeepsEveryTrainingOfTheSessionBesideAProfileOfAnotherConfiguration) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    train(shell, 4);
    profile(shell, 3);
    ASSERT_TRUE(shell.save(shell.file("run.plumb")));
    const auto saved = readSnapshot(shell.file("run.plumb").toStdString());
    ASSERT_TRUE(saved.has_value()) << saved.error().text();
    EXPECT_EQ(saved->config.layers, 3);
    EXPECT_FALSE(saved->training.has_value()) << "nothing of this configuration was trained";
    ASSERT_EQ(saved->runs.size(), 1U);
    EXPECT_EQ(saved->runs[0].config.layers, 4);
    EXPECT_EQ(saved->runs[0].series.outcome, "stopped");
    EXPECT_FALSE(saved->runs[0].series.steps.empty());
}

TEST(Document, AllRunsComeBackInTheOrderInWhichTheyBegan) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    for (const std::int64_t layers : {4, 3, 5, 3, 2}) train(shell, layers, 6);
    profile(shell, 3);
    ASSERT_TRUE(shell.save(shell.file("runs.plumb")));
    const auto saved = readSnapshot(shell.file("runs.plumb").toStdString());
    ASSERT_TRUE(saved.has_value()) << saved.error().text();
    ASSERT_TRUE(saved->training.has_value());
    ASSERT_EQ(saved->runs.size(), 4U);

    Shell other;
    ASSERT_TRUE(other.ready());
    ASSERT_TRUE(other.open(shell.file("runs.plumb")));
    std::vector<std::int64_t> layers;
    for (const auto& run : other.window.workbench().runs().all()) {
        layers.push_back(run->config.layers);
        EXPECT_EQ(run->history.count(), 6);
        EXPECT_EQ(run->outcome, QStringLiteral("finished"));
        EXPECT_EQ(run->end, TrainingEnd::Finished);
    }
    EXPECT_EQ(layers, (std::vector<std::int64_t>{4, 3, 5, 3, 2}));
    ASSERT_TRUE(other.save(other.file("again.plumb")));
    const auto again = readSnapshot(other.file("again.plumb").toStdString());
    ASSERT_TRUE(again.has_value());
    ASSERT_EQ(again->runs.size(), 4U);
    EXPECT_TRUE(again->runs.back().isNewer);
    EXPECT_FALSE(again->runs[2].isNewer);
}

TEST(Document, AProfileIsReplacedOnScreenOnlyAndAllOfThemAreSaved) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    for (const std::int64_t layers : {4, 3, 3}) profile(shell, layers);
    const Workbench& bench = shell.window.workbench();
    ASSERT_EQ(bench.measurements().size(), 3U) << "two of the same step are two measurements";
    EXPECT_EQ(bench.shownMeasurement(), 2U);
    EXPECT_EQ(child<QLabel>(shell.window, "measurementState")->text(), QStringLiteral("Measurement 3 of 3"));
    ASSERT_TRUE(shell.save(shell.file("profiles.plumb")));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("and 2 others")))
        << shell.window.bannerText().toStdString();
    const auto saved = readSnapshot(shell.file("profiles.plumb").toStdString());
    ASSERT_TRUE(saved.has_value()) << saved.error().text();
    EXPECT_EQ(saved->config.layers, 3);
    ASSERT_EQ(saved->measurements.size(), 2U);
    EXPECT_EQ(saved->measurements[0].config.layers, 4);
    EXPECT_FALSE(saved->measurements[0].isNewer);

    Shell other;
    ASSERT_TRUE(other.ready());
    ASSERT_TRUE(other.open(shell.file("profiles.plumb")));
    const Workbench& opened = other.window.workbench();
    ASSERT_EQ(opened.measurements().size(), 3U);
    EXPECT_FALSE(other.enabled("run.laterMeasurement"));
    other.trigger("run.earlierMeasurement");
    other.trigger("run.earlierMeasurement");
    EXPECT_FALSE(other.enabled("run.earlierMeasurement"));
    EXPECT_EQ(opened.scene()->measured->config().layers, 4);
    EXPECT_EQ(opened.scene()->measured->reading->ops.size(), opened.scene()->measured->plan->ops.size());
    EXPECT_EQ(opened.config().layers, 3) << "the sliders stay";
    // What is saved now is the same, around another one of its own.
    ASSERT_TRUE(other.save(other.file("again.plumb")));
    const auto again = readSnapshot(other.file("again.plumb").toStdString());
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->config.layers, 4);
    ASSERT_EQ(again->measurements.size(), 2U);
    EXPECT_TRUE(again->measurements[0].isNewer);
    EXPECT_TRUE(again->measurements[1].isNewer);
}

TEST(Document, ATrainingThatMeasuresNothingTakesNoMeasurementAway) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    profile(shell, 4);
    setLayers(shell, 3);
    shell.window.controller().next().setSteps(0);
    shell.trigger("run.run");
    EXPECT_FALSE(shell.window.workbench().scene()->measured.has_value());
    const auto held = shell.window.document().snapshot();
    ASSERT_TRUE(held.has_value());
    ASSERT_EQ(held->measurements.size(), 1U);
    EXPECT_EQ(held->measurements[0].config.layers, 4);
    ASSERT_TRUE(waitFor([&] { return shell.window.workbench().scene()->measured.has_value(); }));
    shell.trigger("run.stop");
    ASSERT_TRUE(waitFor([&] { return !shell.window.controller().work().busy(); }));
    EXPECT_EQ(shell.window.workbench().measurements().size(), 2U)
        << "the readings of one training are one measurement";
}

TEST(Document, TheMenuOfMeasurementsNamesThemAndShowsThem) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    profile(shell, 4);
    profile(shell, 3);
    auto* menu = child<QMenu>(shell.window, "measurementsMenu");
    emit menu->aboutToShow();
    QAction* last = menu->actions().constLast();
    EXPECT_TRUE(last->text().startsWith(QStringLiteral("1 · ")));
    EXPECT_TRUE(last->text().contains(QStringLiteral("L 4"))) << last->text().toStdString();
    EXPECT_FALSE(last->isChecked());
    last->trigger();
    EXPECT_EQ(shell.window.workbench().shownMeasurement(), 0U);
    EXPECT_EQ(shell.window.workbench().scene()->measured->config().layers, 4);
    profile(shell, 5);
    EXPECT_EQ(shell.window.workbench().measurements().size(), 3U) << "it replaces none, whichever is shown";
    EXPECT_EQ(shell.window.workbench().measurements()[0].config.layers, 4);
}

TEST(Document, RecomputeCurvesOfOtherConfigurationsAreSaved) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    CurveMeasurer& measurer = shell.window.session().measurer;
    const RecomputePolicy all, none{RecomputePolicy::Kind::None};
    for (const std::int64_t layers : {4, 8}) {
        setLayers(shell, layers);
        measurer.start(shell.window.workbench().config(), {all, none});
        ASSERT_TRUE(waitFor([&] { return !measurer.running() && !shell.window.controller().work().busy(); }));
    }
    RunConfig four = shell.window.workbench().config();
    four.layers = 4;
    ASSERT_TRUE(shell.save(shell.file("curves.plumb")));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("2 checkpoint curves")))
        << shell.window.bannerText().toStdString();
    const auto saved = readSnapshot(shell.file("curves.plumb").toStdString());
    ASSERT_TRUE(saved.has_value()) << saved.error().text();
    EXPECT_EQ(saved->recomputeCurve.size(), 2U);
    ASSERT_EQ(saved->curves.size(), 1U);
    EXPECT_EQ(saved->curves[0].config.layers, 4);
    EXPECT_EQ(saved->curves[0].points.size(), 2U);

    Shell other;
    ASSERT_TRUE(other.ready());
    ASSERT_TRUE(other.open(shell.file("curves.plumb")));
    const std::string& machine = other.window.workbench().scene()->whatIf.machine().id;
    const RunConfig eight = other.window.workbench().config();
    EXPECT_NE(other.window.session().measurer.find(eight, none, machine), nullptr);
    EXPECT_NE(other.window.session().measurer.find(four, none, machine), nullptr);
}

TEST(Document, TheTitleMarksWhatNoFileHoldsAndSaveSaysWhatItWrote) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    EXPECT_FALSE(shell.window.isWindowModified());
    train(shell, 4, 5);
    EXPECT_TRUE(shell.window.isWindowModified());
    EXPECT_TRUE(shell.window.windowTitle().contains(QStringLiteral("[*]")));
    ASSERT_TRUE(shell.save(shell.file("run.plumb")));
    EXPECT_FALSE(shell.window.isWindowModified());
    EXPECT_TRUE(shell.window.windowTitle().startsWith(QStringLiteral("run.plumb[*]")));
    const QString said = shell.window.bannerText();
    EXPECT_TRUE(said.startsWith(QStringLiteral("Saved run.plumb"))) << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("1 training"))) << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("measurement of 7 steps"))) << said.toStdString();
    profile(shell, 3);
    EXPECT_TRUE(shell.window.isWindowModified());
}

TEST(Document, ThatCannotBeWrittenIsOfferedToBeSavedElsewhere) {
    Shell shell;
    ASSERT_TRUE(QDir(shell.folder.path()).mkdir(QStringLiteral("gone")));
    ASSERT_TRUE(shell.save(shell.file("gone/run.plumb")));
    ASSERT_TRUE(QDir(shell.file("gone")).removeRecursively());
    shell.trigger("file.save");
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("cannot write"), Qt::CaseInsensitive))
        << shell.window.bannerText().toStdString();
    auto* const button = child<QPushButton>(shell.window, "bannerButton");
    ASSERT_TRUE(button->isVisible());
    EXPECT_EQ(button->text(), QStringLiteral("Save as…"));
    button->click();
    const auto* const dialog = shell.window.findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->windowTitle(), QStringLiteral("Save the snapshot"));
}

TEST(Document, ClosingNamesTheFileAndTheTrainingThatGoesOn) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    train(shell, 4, 5);
    ASSERT_TRUE(shell.save(shell.file("run.plumb")));
    setLayers(shell, 6);
    shell.window.controller().next().setSteps(0);
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return shell.window.workbench().scene()->measured.has_value(); }));
    EXPECT_FALSE(shell.window.close());
    ASSERT_NE(question(shell), nullptr);
    const QString asked = question(shell)->text();
    EXPECT_TRUE(asked.contains(QStringLiteral("run.plumb"))) << asked.toStdString();
    EXPECT_TRUE(asked.contains(QStringLiteral("L 6"))) << asked.toStdString();
    EXPECT_TRUE(asked.contains(QStringLiteral("step 20"))) << asked.toStdString();
    QTest::mouseClick(question(shell)->button(QMessageBox::Save), Qt::LeftButton);
    EXPECT_FALSE(shell.window.isVisible()) << "saved, and closed";
    const auto saved = readSnapshot(shell.file("run.plumb").toStdString());
    ASSERT_TRUE(saved.has_value());
    EXPECT_EQ(saved->training->outcome, "running when it was saved");
    EXPECT_EQ(saved->runs.size(), 1U);
}

TEST(Document, ATrainingThatGoesOnIsAskedForEvenWhenAllOfItIsSaved) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    shell.window.controller().next().setSteps(0);
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return shell.window.workbench().scene()->measured.has_value(); }));
    ASSERT_TRUE(shell.save(shell.file("run.plumb")));
    ASSERT_FALSE(shell.window.isWindowModified());
    EXPECT_FALSE(shell.window.close());
    ASSERT_NE(question(shell), nullptr);
    EXPECT_EQ(question(shell)->button(QMessageBox::Save), nullptr) << "there is nothing to save";
    QTest::mouseClick(question(shell)->button(QMessageBox::Discard), Qt::LeftButton);
    EXPECT_FALSE(shell.window.isVisible());
}

TEST(Document, AFileThatCannotBeReadTakesNothingAway) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    train(shell, 4, 5);
    shell.window.openFile(shell.file("missing.plumb"));
    ASSERT_TRUE(waitFor([&] { return !shell.window.document().opening(); }));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("missing.plumb")));
    EXPECT_EQ(shell.window.findChild<QMessageBox*>(QStringLiteral("unsavedQuestion")), nullptr)
        << "nobody has to decide what becomes of what stays anyway";
    EXPECT_EQ(shell.window.workbench().runs().all().size(), 1U);
    EXPECT_TRUE(shell.window.isWindowModified()) << "it is still in no file";
}

TEST(Document, OpeningTakesThePlaceOfAllThereIs) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    train(shell, 4, 5);
    ASSERT_TRUE(shell.save(shell.file("first.plumb")));
    auto second = makeSnapshot(RunConfig{}, {localCpu(), cpuTraits()});
    ASSERT_TRUE(second.has_value());
    ASSERT_TRUE(writeSnapshot(shell.file("second.plumb").toStdString(), *second).has_value());
    QSignalSpy scenes(&shell.window.workbench(), &Workbench::sceneChanged);
    ASSERT_TRUE(shell.open(shell.file("second.plumb")));
    EXPECT_EQ(scenes.size(), 1) << "one change";
    EXPECT_TRUE(shell.window.workbench().runs().all().empty()) << "the loss of the first is not the second's";
    EXPECT_FALSE(shell.window.workbench().scene()->measured.has_value());
    ASSERT_TRUE(shell.open(shell.file("first.plumb")));
    EXPECT_EQ(shell.window.workbench().runs().all().size(), 1U);
    EXPECT_TRUE(shell.window.workbench().scene()->measured.has_value());
}

TEST(Document, TheStepsOfTheNextRunComeBackWithTheFile) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    train(shell, 4, 5);
    ASSERT_TRUE(shell.save(shell.file("five.plumb")));
    auto silent = makeSnapshot(RunConfig{}, {localCpu(), cpuTraits()});
    ASSERT_TRUE(silent.has_value());
    ASSERT_TRUE(writeSnapshot(shell.file("silent.plumb").toStdString(), *silent).has_value());
    shell.window.controller().next().setSteps(0);
    ASSERT_TRUE(shell.open(shell.file("five.plumb")));
    EXPECT_EQ(shell.window.controller().next().steps(), 5);
    EXPECT_EQ(child<QLineEdit>(shell.window, "steps")->text(), QStringLiteral("5"));
    ASSERT_TRUE(shell.open(shell.file("silent.plumb")));
    EXPECT_EQ(shell.window.controller().next().steps(), 5) << "a file of before does not say";
}

TEST(Document, FilesThatAreOpenedTogetherAreComparedAndTheLastIsTheDocument) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    train(shell, 4, 5);
    ASSERT_TRUE(shell.save(shell.file("four.plumb")));
    Shell other;
    ASSERT_TRUE(other.ready());
    train(other, 3, 8);
    ASSERT_TRUE(other.save(other.file("three.plumb")));

    Shell both;
    ASSERT_TRUE(both.ready());
    both.window.openFiles({shell.file("four.plumb"), other.file("three.plumb")});
    ASSERT_TRUE(waitFor([&] { return !both.window.document().opening(); }));
    ASSERT_EQ(both.window.workbench().runs().all().size(), 2U);
    EXPECT_EQ(both.window.workbench().runs().all().back()->config.layers, 3);
    EXPECT_FALSE(both.window.isWindowModified());
    const auto held = both.window.document().snapshot();
    ASSERT_TRUE(held.has_value());
    EXPECT_EQ(held->config.layers, 3);
    EXPECT_TRUE(held->runs.empty()) << "the other file's run is compared with, not taken over";
}

TEST(Document, OpeningEndsTheTrainingOfTheDocumentBeforeAndTakesNothingOfIt) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    ASSERT_TRUE(shell.save(shell.file("empty.plumb")));
    shell.window.controller().next().setSteps(0);
    shell.trigger("run.run");
    ASSERT_TRUE(waitFor([&] { return shell.window.workbench().scene()->measured.has_value(); }));
    shell.window.openFile(shell.file("empty.plumb"));
    ASSERT_TRUE(waitFor([&] { return !shell.window.document().opening(); }));
    QTest::mouseClick(question(shell)->button(QMessageBox::Discard), Qt::LeftButton);
    ASSERT_TRUE(waitFor(
        [&] { return !shell.window.document().opening() && !shell.window.controller().work().busy(); }));
    EXPECT_TRUE(shell.window.workbench().runs().all().empty());
    EXPECT_FALSE(shell.window.workbench().scene()->measured.has_value());
    EXPECT_FALSE(shell.window.isWindowModified());
    train(shell, 2, 4);
    EXPECT_EQ(shell.window.workbench().runs().all().size(), 1U);
}

TEST(Document, AFileShowsThePredictionThatItHoldsUntilAnotherIsAskedFor) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    const Snapshot snapshot = foreignSnapshot(7);
    ASSERT_TRUE(writeSnapshot(shell.file("old.plumb").toStdString(), snapshot).has_value());
    ASSERT_TRUE(shell.open(shell.file("old.plumb")));
    const auto scene = [&] { return shell.window.workbench().scene(); };
    auto* state = child<QLabel>(shell.window, "predictionState");
    EXPECT_EQ(scene()->whatIf.prediction->totals.seconds, snapshot.predicted->totals.seconds);
    EXPECT_EQ(scene()->whatIf.prediction->opSeconds[1], snapshot.predicted->ops[1].seconds);
    EXPECT_TRUE(state->text().contains(QStringLiteral("of the file"))) << state->text().toStdString();
    EXPECT_TRUE(state->toolTip().contains(QStringLiteral("plumbline 0.0.1 (old)")));

    // What is saved is what is shown, and who made it.
    ASSERT_TRUE(shell.save(shell.file("copy.plumb")));
    const auto copy = readSnapshot(shell.file("copy.plumb").toStdString());
    ASSERT_TRUE(copy.has_value());
    EXPECT_EQ(copy->predicted->totals.seconds, snapshot.predicted->totals.seconds);
    EXPECT_EQ(copy->predictedBy, "plumbline 0.0.1 (old)");

    // A slider asks for another step; back at the file's, its prediction is back.
    setLayers(shell, 8);
    EXPECT_FALSE(scene()->whatIf.isFiled);
    EXPECT_FALSE(shell.enabled("run.predictAgain"));
    setLayers(shell, 7);
    EXPECT_TRUE(scene()->whatIf.isFiled);

    ASSERT_TRUE(shell.enabled("run.predictAgain"));
    shell.trigger("run.predictAgain");
    EXPECT_FALSE(scene()->whatIf.isFiled);
    EXPECT_NEAR(*scene()->whatIf.prediction->totals.seconds, *snapshot.predicted->totals.seconds / 2, 1e-12);
    EXPECT_TRUE(state->text().contains(QStringLiteral("again"))) << state->text().toStdString();
    shell.trigger("run.predictAgain");
    EXPECT_TRUE(scene()->whatIf.isFiled);
}

TEST(Document, APredictionOfOtherOperationsIsNotPassedOffAsThoseOfThisVersion) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    Snapshot snapshot = foreignSnapshot(7);
    snapshot.predicted->ops[1].flops = 1;
    snapshot.predicted->totals.flops.reset();
    ASSERT_TRUE(writeSnapshot(shell.file("other.plumb").toStdString(), snapshot).has_value());
    ASSERT_TRUE(shell.open(shell.file("other.plumb")));
    EXPECT_FALSE(shell.window.workbench().scene()->whatIf.isFiled);
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("other operations")))
        << shell.window.bannerText().toStdString();
}

TEST(Document, TheDifferenceOfTwoPredictionsNamesTotalsAndTheOperationsThatMoved) {
    const Snapshot snapshot = foreignSnapshot(3);
    const auto plan = planStep(snapshot.config, snapshot.target.traits);
    ASSERT_TRUE(plan.has_value());
    const Prediction file = predict(*plan, snapshot.target.machine);
    EXPECT_TRUE(comparePredictions(*plan, file, file).isNone());
    Prediction again = file;
    *again.opSeconds[2] += 1;
    *again.opSeconds[5] += 3;
    *again.totals.seconds += 4;
    const PredictionDifference difference = comparePredictions(*plan, file, again);
    EXPECT_EQ(difference.opsThatDiffer, 2U);
    ASSERT_EQ(difference.ops.size(), 2U);
    EXPECT_EQ(difference.ops[0].name.toStdString(), opName(*plan, plan->ops[5]));
    const QString page = differencePage(difference, QStringLiteral("<b>old</b>"), QStringLiteral("new"));
    EXPECT_TRUE(page.contains(QStringLiteral("&lt;b&gt;old"))) << "a file's text is no markup";
    EXPECT_TRUE(page.contains(QStringLiteral("2 operations differ")));
}

TEST(Document, AFileOfAnotherDeviceIsShownInOneChangeWhateverTheSlidersAskedFor) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    // fp8 cannot be planned on the file's device: on the way there the sliders must not be.
    RunConfig fp8 = shell.window.workbench().config();
    fp8.precision = Precision::Fp8;
    EXPECT_TRUE(shell.window.workbench().show(fp8).has_value());
    ASSERT_EQ(shell.window.workbench().config().precision, Precision::Fp8);
    ASSERT_FALSE(planStep(fp8, traitsFor("cuda", 80)).has_value());
    const Snapshot snapshot = foreignSnapshot(7);
    ASSERT_TRUE(writeSnapshot(shell.file("a100.plumb").toStdString(), snapshot).has_value());
    QSignalSpy rejected(&shell.window.controller().devices(), &DeviceChoices::refused);
    QSignalSpy scenes(&shell.window.workbench(), &Workbench::sceneChanged);
    ASSERT_TRUE(shell.open(shell.file("a100.plumb")));
    EXPECT_TRUE(rejected.isEmpty());
    EXPECT_EQ(scenes.size(), 1);
    const Scene& scene = *shell.window.workbench().scene();
    EXPECT_EQ(scene.whatIf.machine().id, "a100-of-the-file");
    EXPECT_EQ(scene.config().precision, Precision::Bf16);
    EXPECT_EQ(shell.window.workbench().traits(), snapshot.target.traits);
    auto& controller = shell.window.controller();
    EXPECT_EQ(controller.devices()
                  .all()[static_cast<std::size_t>(controller.devices().currentIndex())]
                  .target.machine.id,
              "a100-of-the-file");
}

TEST(Document, ADeviceThatCannotTakeTheSlidersIsNotChosenHalfway) {
    Shell shell;
    ASSERT_TRUE(shell.ready());
    ASSERT_TRUE(writeSnapshot(shell.file("a100.plumb").toStdString(), foreignSnapshot(7)).has_value());
    ASSERT_TRUE(shell.open(shell.file("a100.plumb")));
    RunController& controller = shell.window.controller();
    const int a100 = controller.devices().currentIndex();
    controller.devices().choose(0);
    RunConfig fp8 = shell.window.workbench().config();
    fp8.precision = Precision::Fp8;
    EXPECT_TRUE(shell.window.workbench().show(fp8).has_value());
    ASSERT_EQ(shell.window.workbench().config().precision, Precision::Fp8);
    QSignalSpy rejected(&shell.window.controller().devices(), &DeviceChoices::refused);
    controller.devices().choose(a100);
    EXPECT_EQ(rejected.size(), 1) << "it says why";
    EXPECT_EQ(controller.devices().currentIndex(), 0);
    EXPECT_EQ(shell.window.workbench().scene()->whatIf.machine().id,
              controller.devices().all()[0].target.machine.id);
}

}  // namespace
}  // namespace plumb::ui
