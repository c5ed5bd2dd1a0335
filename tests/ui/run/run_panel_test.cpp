// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_panel.h"

#include "core/machine/hardware_database.h"
#include "core/machine/local_cpu.h"
#include "tests/ui/engine/fake_engine.h"
#include "tests/ui/run/panel_fixture.h"
#include "tests/ui/support.h"
#include "ui/run/key_figures.h"
#include "ui/run/key_figures_state.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/meter.h"
#include "ui/widgets/size_field.h"
#include "ui/widgets/stop_slider.h"

#include "test_paths.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTest>

#include <algorithm>

namespace plumb::ui {
namespace {

using test::child;
using test::Panel;
using test::waitFor;

TEST(RunPanel, FieldsTakeSizesAsPeopleWriteThem) {
    Panel panel;
    panel.type("dimField", QStringLiteral("1Ki"));
    EXPECT_EQ(panel.config().dim, 1024);
    panel.type("batchField", QStringLiteral("4k"));
    EXPECT_EQ(panel.config().batch, 4000);
    panel.type("layersField", QStringLiteral(" 1 2"));
    EXPECT_EQ(panel.config().layers, 12);
    EXPECT_EQ(child<StopSlider>(panel.panel, "layersSlider")
                  ->stops()
                  .at(static_cast<std::size_t>(child<StopSlider>(panel.panel, "layersSlider")->value())),
              12);
}

TEST(RunPanel, NoLayersAreTheHeadAloneAndWithoutAHeadTheOutputsAreTheWidth) {
    Panel panel;
    panel.type("layersField", QStringLiteral("0"));
    EXPECT_EQ(panel.config().layers, 0);
    EXPECT_EQ(child<StopSlider>(panel.panel, "layersSlider")->value(), 0);
    panel.type("layersField", QStringLiteral("3"));
    auto* head = child<QCheckBox>(panel.panel, "headOption");
    head->click();
    EXPECT_FALSE(panel.config().head);
    EXPECT_FALSE(child<StopSlider>(panel.panel, "outputsSlider")->isEnabled());
    panel.type("layersField", QStringLiteral("0"));
    EXPECT_EQ(panel.config().layers, 3) << "nothing would be left to train";
    EXPECT_FALSE(child<QLabel>(panel.panel, "layersError")->isHidden());
}

TEST(RunPanel, AnImpossibleEntryIsExplainedAndChangesNothing) {
    Panel panel;
    const RunConfig before = panel.config();
    for (const char* text : {"banana", "0", "-5", "99999999999999999999", "1e30"}) {
        panel.type("dimField", QString::fromLatin1(text));
        EXPECT_EQ(panel.config(), before) << text;
        auto* error = child<QLabel>(panel.panel, "dimError");
        EXPECT_FALSE(error->isHidden()) << text;
        EXPECT_FALSE(error->text().isEmpty()) << text;
    }
    panel.type("dimField", QStringLiteral("64"));
    EXPECT_EQ(panel.config().dim, 64);
    EXPECT_TRUE(child<QLabel>(panel.panel, "dimError")->isHidden());
    panel.type("microBatchField", QStringLiteral("100"));  // does not divide 256
    EXPECT_EQ(panel.config().microBatchSize(), 256);
    EXPECT_TRUE(child<QLabel>(panel.panel, "microBatchError")->text().contains(QStringLiteral("100")));
}

TEST(RunPanel, EveryStopOfEverySliderIsAValidConfiguration) {
    Panel panel;
    for (const char* name :
         {"dimSlider", "layersSlider", "outputsSlider", "batchSlider", "microBatchSlider"}) {
        auto* slider = child<StopSlider>(panel.panel, name);
        for (int i = slider->minimum(); i <= slider->maximum(); ++i) {
            slider->setValue(i);
            EXPECT_TRUE(validate(panel.config()).has_value()) << name << " at " << i;
            EXPECT_EQ(slider->value(), i) << name;
        }
        slider->setValue(slider->maximum() / 2);
    }
}

TEST(RunPanel, TheMicroBatchSliderStopsAtTheDivisorsOfTheBatch) {
    Panel panel;
    panel.type("batchField", QStringLiteral("360"));
    const auto* slider = child<StopSlider>(panel.panel, "microBatchSlider");
    std::vector<std::int64_t> expected;
    for (std::int64_t d = 1; d <= 360; ++d)
        if (360 % d == 0) expected.push_back(d);
    EXPECT_EQ(slider->stops(), expected);
}

TEST(RunPanel, AMicroBatchStaysADivisorWhenTheBatchMoves) {
    RunConfig config;
    config.batch = 256;
    config.microBatch = 64;
    EXPECT_EQ(withBatch(config, 512).microBatch, 64);
    EXPECT_EQ(withBatch(config, 100).microBatch, 50);
    EXPECT_EQ(withBatch(config, 8).microBatch, 8);
    config.microBatch = 0;
    EXPECT_EQ(withBatch(config, 100).microBatch, 0);
    for (std::int64_t batch = 1; batch < 400; ++batch) {
        config.microBatch = 32;
        EXPECT_TRUE(validate(withBatch(config, batch)).has_value()) << batch;
    }
}

TEST(RunPanel, TheMasterCopyIsAskedForOnlyWhereItMeansSomething) {
    Panel panel;
    auto* box = child<QCheckBox>(panel.panel, "masterWeights");
    EXPECT_FALSE(box->isEnabled());
    QTest::mouseClick(child<QPushButton>(panel.panel, "precision2"), Qt::LeftButton);
    EXPECT_EQ(panel.config().precision, Precision::Bf16);
    EXPECT_TRUE(box->isEnabled());
    EXPECT_TRUE(box->isChecked());
    box->click();
    EXPECT_FALSE(panel.config().hasMasterCopy());
}

TEST(RunPanel, UndoTakesBackADragAsOneStep) {
    Panel panel;
    auto* slider = child<StopSlider>(panel.panel, "layersSlider");
    const std::int64_t before = panel.config().layers;
    for (int drag = 0; drag < 2; ++drag) {
        slider->setSliderDown(true);
        for (int i = 1; i <= 4; ++i) slider->setValue(slider->value() + 1);
        slider->setSliderDown(false);
    }
    EXPECT_EQ(panel.history.stack().count(), 2) << "two drags, two steps";
    panel.history.stack().undo();
    panel.history.stack().undo();
    EXPECT_EQ(panel.config().layers, before);
    EXPECT_FALSE(panel.history.stack().canUndo());
    panel.history.stack().redo();
    panel.history.stack().redo();
    EXPECT_NE(panel.config().layers, before);
}

TEST(RunPanel, TheLargestBatchFitsAndOneClickTakesIt) {
    Panel panel;
    Machine machine = panel.workbench.scene()->whatIf.machine();
    machine.memoryBytes = Bytes{50} * 1000 * 1000;
    EXPECT_TRUE(panel.workbench.show({machine, panel.workbench.traits()}).has_value());
    auto* button = child<QPushButton>(panel.panel, "maximumBatch");
    const auto expected =
        largestBatchThatFits(panel.config(), panel.workbench.traits(), *machine.memoryBytes);
    ASSERT_GT(expected, 0);
    ASSERT_TRUE(waitFor([&] { return button->toolTip().contains(groupedDigits(expected)); }));
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(panel.config().batch, expected);
    EXPECT_LE(panel.workbench.scene()->whatIf.prediction->memory.peakBytes, *machine.memoryBytes);
    EXPECT_LE(child<Meter>(panel.panel, "memoryMeter")->share().value_or(2), 1.0);
}

TEST(RunPanel, TheGhostMarksTheRunThatGoesOnAndApplyAppears) {
    Panel panel;
    panel.engine.setCommand(test::fakeEngine(QStringLiteral("normal")));
    panel.engine.start();
    ASSERT_TRUE(waitFor([&] {
        return panel.controller.chosen().whyNotRun().isEmpty() &&
               panel.workbench.scene()->whatIf.machine().id == "fake-cpu";
    }));
    const auto* const devices = child<QComboBox>(panel.panel, "device");
    const int absent = devices->findText(QStringLiteral("not available"), Qt::MatchContains);
    ASSERT_GE(absent, 0);
    const auto* const item = qobject_cast<QStandardItemModel*>(devices->model())->item(absent);
    EXPECT_FALSE(item->isEnabled());
    EXPECT_TRUE(item->toolTip().contains(QStringLiteral("the driver is not installed")));
    EXPECT_TRUE(panel.sentence("deviceNote").endsWith(QStringLiteral("the driver is not installed")));
    QStringList notices;
    QObject::connect(&panel.controller, &RunController::noticed, &panel.panel,
                     [&](const QString& text) { notices << text; });
    panel.press("rescanDevices");
    ASSERT_TRUE(waitFor([&] { return !notices.isEmpty(); }));
    EXPECT_TRUE(notices.first().endsWith(QStringLiteral("1 of 2 can run")));
    // A device of a data sheet predicts, and the panel says that it does no more.
    const int sheet =
        child<QComboBox>(panel.panel, "device")->findText(QStringLiteral("predict"), Qt::MatchContains);
    ASSERT_GE(sheet, 0);
    emit child<QComboBox>(panel.panel, "device")->activated(sheet);
    EXPECT_TRUE(panel.sentence("deviceNote").contains(QStringLiteral("data sheet")));
    auto* profile = child<QPushButton>(panel.panel, "profileButton");
    EXPECT_FALSE(profile->isEnabled());
    EXPECT_EQ(profile->toolTip(), panel.controller.chosen().whyNotRun()) << "a button that is off says why";
    panel.controller.devices().choose(0);
    EXPECT_FALSE(profile->toolTip().isEmpty());

    QTest::mouseClick(child<QPushButton>(panel.panel, "runButton"), Qt::LeftButton);
    EXPECT_EQ(child<QPushButton>(panel.panel, "runButton")->text(), QStringLiteral("Pause"));
    EXPECT_TRUE(child<QPushButton>(panel.panel, "stopButton")->isEnabled());
    EXPECT_FALSE(child<QPushButton>(panel.panel, "profileButton")->isEnabled());
    auto* slider = child<StopSlider>(panel.panel, "layersSlider");
    EXPECT_FALSE(slider->ghost().has_value());
    slider->setValue(slider->value() + 2);
    EXPECT_EQ(slider->ghost(), std::optional<std::int64_t>(4));
    EXPECT_FALSE(child<QPushButton>(panel.panel, "applyButton")->isHidden());
    QTest::mouseClick(child<QPushButton>(panel.panel, "stopButton"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !panel.controller.work().busy(); }));
    EXPECT_EQ(child<QPushButton>(panel.panel, "runButton")->text(), QStringLiteral("Run"));
    EXPECT_TRUE(child<QPushButton>(panel.panel, "applyButton")->isHidden());
}

QString digits(const char* name) {
    return QStringLiteral(PLUMB_RESOURCES "/samples/digits/") + QLatin1String(name);
}

TEST(RunPanel, OwnDataIsChosenFileByFileAndBringsItsSizes) {
    for (const bool featuresFirst : {true, false}) {
        Panel panel;
        const RunConfig before = panel.config();
        const auto choose = [&](bool features) {
            panel.panel.chooseFile(features ? RunPanel::DataFile::Features : RunPanel::DataFile::Targets,
                                   digits(features ? "features.npy" : "targets.npy"));
        };
        auto* sentence = child<QLabel>(panel.panel, "dataError");
        choose(featuresFirst);
        EXPECT_EQ(panel.config(), before);
        EXPECT_EQ(sentence->text(), featuresFirst ? QStringLiteral("Choose the targets as well.")
                                                  : QStringLiteral("Choose the features as well."));
        EXPECT_FALSE(sentence->isHidden());
        EXPECT_FALSE(panel.panel.commitEntries()) << "synthetic data must not run under a chosen file";
        EXPECT_TRUE(child<QPushButton>(panel.panel, featuresFirst ? "dataButton" : "targetsButton")
                        ->toolTip()
                        .endsWith(QStringLiteral(".npy")));
        choose(!featuresFirst);
        EXPECT_TRUE(sentence->isHidden()) << sentence->text().toStdString();
        EXPECT_EQ(panel.config().data, digits("features.npy").toStdString());
        EXPECT_EQ(panel.config().targets, digits("targets.npy").toStdString());
        EXPECT_EQ(panel.config().dim, 64);
        EXPECT_EQ(panel.config().outputs, 1);
        EXPECT_TRUE(panel.panel.commitEntries());
        EXPECT_EQ(panel.history.stack().count(), 1);
        panel.history.stack().undo();
        EXPECT_EQ(panel.config(), before);
    }
}

TEST(RunPanel, ClearingAFileOfOwnDataKeepsTheOtherHalf) {
    Panel panel;
    panel.panel.chooseFile(RunPanel::DataFile::Features, digits("features.npy"));
    panel.panel.chooseFile(RunPanel::DataFile::Targets, digits("targets.npy"));
    child<QPushButton>(panel.panel, "targetsClear")->click();
    EXPECT_EQ(panel.config().data, "synthetic");
    EXPECT_FALSE(child<QLabel>(panel.panel, "dataError")->isHidden());
    child<QPushButton>(panel.panel, "dataClear")->click();
    EXPECT_TRUE(child<QLabel>(panel.panel, "dataError")->isHidden());
    EXPECT_TRUE(panel.panel.commitEntries());
    panel.panel.chooseFile(RunPanel::DataFile::Features, digits("README.md"));
    panel.panel.chooseFile(RunPanel::DataFile::Targets, digits("targets.npy"));
    EXPECT_TRUE(child<QLabel>(panel.panel, "dataError")->text().contains(QStringLiteral("README.md")));
    EXPECT_EQ(panel.config().data, "synthetic");
}

TEST(RunPanel, AChosenFileIsKeptByItsAbsolutePath) {
    Panel panel;
    const QDir here;
    panel.panel.chooseFile(RunPanel::DataFile::Features, here.relativeFilePath(digits("features.npy")));
    panel.panel.chooseFile(RunPanel::DataFile::Targets, here.relativeFilePath(digits("targets.npy")));
    EXPECT_EQ(panel.config().data, digits("features.npy").toStdString());
    EXPECT_EQ(panel.config().targets, digits("targets.npy").toStdString());
}

TEST(RunPanel, EveryRefusalShowsItsSentence) {
    Panel panel;
    const RunConfig before = panel.config();
    for (const auto& [field, text] : {std::pair{"learningRate", "0"}, std::pair{"learningRate", "banana"},
                                      std::pair{"seed", "-1x"}, std::pair{"steps", "many"}}) {
        panel.type(field, QString::fromLatin1(text));
        EXPECT_FALSE(child<QLabel>(panel.panel, "inputError")->isHidden()) << field << text;
        EXPECT_EQ(child<QLineEdit>(panel.panel, field)->text(), QString::fromLatin1(text));
        EXPECT_FALSE(panel.panel.commitEntries()) << field << text;
        QTest::keyClick(child<QLineEdit>(panel.panel, field), Qt::Key_Escape);
        EXPECT_TRUE(child<QLabel>(panel.panel, "inputError")->isHidden()) << field << text;
        EXPECT_TRUE(panel.panel.commitEntries());
    }
    EXPECT_EQ(panel.config(), before);
}

TEST(RunPanel, SaysInItsLastLineWhatHasNoRowOfItsOwn) {
    Panel panel;
    ASSERT_TRUE(panel.workbench.show({localCpu(), traitsFor("cuda", 90)}).has_value());
    RunConfig fp8 = panel.config();
    fp8.precision = Precision::Fp8;
    const RunConfig before = panel.config();
    ASSERT_TRUE(panel.history.change(fp8, QStringLiteral("precision")).has_value());
    ASSERT_TRUE(panel.history.change(before, QStringLiteral("precision")).has_value());
    ASSERT_TRUE(panel.workbench.show({localCpu(), traitsFor("cuda", 80)}).has_value());
    EXPECT_EQ(panel.sentence("panelError"), QString());
    panel.history.stack().undo();  // there is no fp8 here
    EXPECT_EQ(panel.config(), before);
    EXPECT_TRUE(panel.sentence("panelError").contains(QStringLiteral("fp8")))
        << panel.sentence("panelError").toStdString();
}

TEST(RunPanel, AStartTakesWhatIsTypedAndNotYetEntered) {
    Panel panel;
    const auto typeOnly = [&](const char* field, const char* text) {
        auto* box = child<QLineEdit>(panel.panel, field);
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QString::fromLatin1(text));
    };
    typeOnly("layersField", "7");
    EXPECT_TRUE(panel.panel.commitEntries());
    EXPECT_EQ(panel.config().layers, 7);
    typeOnly("learningRate", "0.25");
    EXPECT_TRUE(panel.panel.commitEntries());
    EXPECT_EQ(panel.config().learningRate, 0.25);
    typeOnly("layersField", "seven");
    EXPECT_FALSE(panel.panel.commitEntries());
    EXPECT_FALSE(child<QLabel>(panel.panel, "layersError")->isHidden());
}

TEST(RunPanel, ALongNumberShowsItsLeadingDigits) {
    Panel panel;
    panel.type("batchField", QStringLiteral("1e9"));
    auto* field = child<QLineEdit>(panel.panel, "batchField");
    EXPECT_EQ(panel.config().batch, 1'000'000'000);
    child<QLineEdit>(panel.panel, "dimField")->setFocus();
    EXPECT_GT(field->width(), field->fontMetrics().horizontalAdvance(field->text()));
    EXPECT_EQ(field->cursorPosition(), 0);
}

TEST(NiceStops, AreSortedUniqueAndReachBothEnds) {
    for (const auto& [low, high] :
         {std::pair{1, 512}, std::pair{8, 32768}, std::pair{3, 100}, std::pair{1, 1}, std::pair{7, 7}}) {
        const auto stops = niceStops(low, high);
        ASSERT_FALSE(stops.empty());
        EXPECT_EQ(stops.front(), low);
        EXPECT_EQ(stops.back(), high);
        EXPECT_TRUE(std::ranges::is_sorted(stops));
        EXPECT_EQ(std::ranges::adjacent_find(stops), stops.end());
    }
}

TEST(NearestStop, IsTheOneWithTheSmallestRatio) {
    const auto stops = niceStops(1, 1024);
    for (std::int64_t value = 1; value <= 1500; ++value) {
        const double ours = std::abs(
            std::log(double(value) / double(stops[static_cast<std::size_t>(nearestStop(stops, value))])));
        for (const std::int64_t stop : stops)
            EXPECT_LE(ours, std::abs(std::log(double(value) / double(stop))) + 1e-12);
    }
}

TEST(KeyFigures, ShowADashForWhatIsNotKnown) {
    Workbench bench;  // no ceilings, nothing measured
    const auto figures = makeKeyFigures(*bench.scene(), nullptr);
    ASSERT_EQ(figures.size(), 6U);
    EXPECT_NE(figures[0].predicted, QStringLiteral("–")) << "memory needs no ceilings";
    EXPECT_EQ(figures[1].predicted, QStringLiteral("–"));
    for (const KeyFigure& figure : figures) {
        EXPECT_EQ(figure.measured, QStringLiteral("–")) << figure.id.toStdString();
        EXPECT_EQ(figure.verdict, Verdict::None);
        EXPECT_FALSE(figure.toolTip.isEmpty());
    }
}

// A dash is narrower than the word below it, which the room is for.
TEST(KeyFigures, PrintNothingOverTheEdgeOfATileOfTheLeastWidth) {
    Theme theme;
    KeyFigureTile tile(theme, nullptr);
    KeyFigure figure;
    figure.id = QStringLiteral("peak");
    figure.title = QStringLiteral("Peak");
    figure.predicted = QStringLiteral("274 MB");
    figure.measured = QStringLiteral("–");
    figure.predictedCaption = figure.narrowCaption = QStringLiteral("predicted");
    figure.measuredCaption = QStringLiteral("measured by it");
    tile.setFigure(figure);
    tile.resize(tile.minimumSizeHint());
    const QImage picture = tile.grab().toImage();
    const QColor card = theme.color(ColorRole::Card);
    const auto pixels = [&](int units) { return static_cast<int>(units * picture.devicePixelRatio()); };
    for (int y = pixels(12); y < picture.height() - pixels(8); ++y)
        for (int x = picture.width() - pixels(6); x < picture.width() - pixels(2); ++x)
            ASSERT_EQ(picture.pixelColor(x, y).rgb(), card.rgb()) << x << " " << y;
}

// A dash in front of a number is a minus sign to who reads them in one line.
TEST(KeyFigures, OfALowWindowHaveNoDashBeforeWhatWasMeasured) {
    Theme theme;
    KeyFigureTile tile(theme, nullptr);
    tile.setForm(KeyFigureTile::Form::Strip);
    tile.resize(400, 60);
    const auto picture = [&](const char* predicted, const char* measured) {
        KeyFigure figure;
        figure.predicted = QString::fromUtf8(predicted);
        figure.measured = QString::fromUtf8(measured);
        tile.setFigure(figure);
        return tile.grab().toImage();
    };
    EXPECT_EQ(picture("–", "12.7 ms"), picture("", "12.7 ms"));
    EXPECT_NE(picture("–", "–"), picture("", "–")) << "neither is known";
    EXPECT_NE(picture("12 ms", "12.7 ms"), picture("", "12.7 ms"));
}

TEST(KeyFigures, SayThePlainSumAndJudgeTheUtilisation) {
    Workbench bench;
    EXPECT_TRUE(
        bench.show({HardwareDatabase::builtIn().find("H100 SXM").value(), *cudaTraits(90)}).has_value());
    const auto figures = makeKeyFigures(*bench.scene(), nullptr);
    EXPECT_TRUE(figures[0].toolTip.contains(QStringLiteral("Plain sum: parameters ")));
    EXPECT_TRUE(figures[0].toolTip.contains(QStringLiteral("the peak is ")));
    const auto mfu = std::ranges::find(figures, QStringLiteral("mfu"), &KeyFigure::id);
    ASSERT_NE(mfu, figures.end());
    EXPECT_TRUE(mfu->toolTip.contains(QStringLiteral("is poor (below 20 % poor, above 50 % good)")))
        << mfu->toolTip.toStdString();
    for (const KeyFigure& figure : figures)
        for (const QString& line : figure.toolTip.split(QLatin1Char('\n')))
            EXPECT_LT(line.size(), 160) << line.toStdString();
}

TEST(KeyFigures, ADataSheetWithoutThePeakIsNotToBeCalibrated) {
    Workbench bench;
    EXPECT_TRUE(bench.show({HardwareDatabase::builtIn().find("TPU v5p").value(), cpuTraits()}).has_value());
    const QString toolTip = makeKeyFigures(*bench.scene(), nullptr)[1].toolTip;
    EXPECT_TRUE(toolTip.contains(QStringLiteral("has no fp32 peak: it has bf16"))) << toolTip.toStdString();
    EXPECT_FALSE(toolTip.contains(QStringLiteral("calibrate"))) << toolTip.toStdString();
}

TEST(KeyFigures, OneByteTooManyIsBadAndAnotherStepIsAWhatIf) {
    Workbench bench;
    const auto plan = bench.scene()->whatIf.plan;
    Reading reading = predictedReading(*plan, bench.scene()->whatIf.machine());
    reading.source = Source::Clock;
    reading.totals.seconds = 0.5;
    bench.setMeasured(std::make_shared<const Reading>(reading), plan);
    EXPECT_EQ(makeKeyFigures(*bench.scene(), nullptr)[0].difference, QStringLiteral("0 B"));
    EXPECT_EQ(makeKeyFigures(*bench.scene(), nullptr)[0].verdict, Verdict::Good);
    EXPECT_EQ(makeKeyFigures(*bench.scene(), nullptr)[2].measured, QStringLiteral("–"))
        << "a clock counts no FLOP";

    reading.memory->peakBytes += 1;
    bench.setMeasured(std::make_shared<const Reading>(reading), plan);
    EXPECT_EQ(makeKeyFigures(*bench.scene(), nullptr)[0].verdict, Verdict::Bad);
    EXPECT_TRUE(makeKeyFigures(*bench.scene(), nullptr)[0].difference.startsWith(QLatin1Char('+')));

    // More than the peak is not possible, and no number says how much.
    reading.totals.mfu = 11.39;
    bench.setMeasured(std::make_shared<const Reading>(reading), plan);
    const auto impossible = makeKeyFigures(*bench.scene(), nullptr)[3];
    EXPECT_EQ(impossible.measured, QStringLiteral("> 100 %"));
    EXPECT_EQ(impossible.difference, QStringLiteral("ceiling too low"));
    EXPECT_TRUE(impossible.toolTip.contains(QStringLiteral("not possible")));
    // What a clock may be off by is no reason to doubt the peak.
    reading.totals.mfu = 1.01;
    bench.setMeasured(std::make_shared<const Reading>(reading), plan);
    const auto close = makeKeyFigures(*bench.scene(), nullptr)[3];
    EXPECT_EQ(close.measured, QStringLiteral("100.0 %"));
    EXPECT_FALSE(close.toolTip.contains(QStringLiteral("more than there is")));

    RunConfig other = bench.config();
    other.layers += 1;
    EXPECT_TRUE(bench.show(other).has_value());
    const auto figures = makeKeyFigures(*bench.scene(), nullptr);
    EXPECT_EQ(figures[0].predictedCaption, QStringLiteral("what-if"));
    EXPECT_EQ(figures[0].measuredCaption, QStringLiteral("run"));
    EXPECT_TRUE(figures[0].difference.startsWith(QLatin1Char('+'))) << "one layer more needs more";
    EXPECT_EQ(figures[0].verdict, Verdict::None) << "two models: neither is wrong";
    EXPECT_TRUE(figures[0].toolTip.contains(runTitle(plan->config)));
}

TEST(KeyFigures, TheLossIsOfTheStepThatTheOthersAreOf) {
    Workbench bench;
    const RunConfig ran = bench.config();
    bench.runs().beginRun(ran, 10);
    bench.runs().addLosses({{0, 0.5, 0.1}}, 1, 10);
    bench.runs().endRun(TrainingEnd::Finished, QStringLiteral("finished"));
    const auto shown = [&] { return trainingOf(*bench.scene(), bench.runs().all()); };
    EXPECT_EQ(shown(), bench.runs().all().front().get());
    RunConfig other = ran;
    other.dim *= 2;
    ASSERT_TRUE(bench.show(other).has_value());
    EXPECT_EQ(shown(), nullptr) << "the loss of another step";
    // What ran beside the what-if of the sliders is the step that was measured.
    const auto plan = std::make_shared<const StepPlan>(planStep(ran, bench.traits()).value());
    Reading reading = predictedReading(*plan, bench.scene()->whatIf.machine());
    reading.source = Source::Clock;
    bench.setMeasured(std::make_shared<const Reading>(reading), plan);
    ASSERT_EQ(bench.scene()->config(), other);
    EXPECT_EQ(shown(), bench.runs().all().front().get());
}

TEST(KeyFigures, MeasuredRatesSayWhereTheyLieWhereTheTimeOfTheStepDoes) {
    Workbench bench;
    Machine machine = localCpu();
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e12}};
    ASSERT_TRUE(bench.show({machine, cpuTraits()}).has_value());
    const auto plan = std::make_shared<const StepPlan>(planStep(bench.config(), bench.traits()).value());
    Reading reading = predictedReading(*plan, machine);
    reading.source = Source::Clock;
    reading.totals = makeTotals(*plan, machine, 0.010);
    const auto figure = [&](std::size_t index) {
        bench.setMeasured(std::make_shared<const Reading>(reading), plan);
        return makeKeyFigures(*bench.scene(), nullptr)[index];
    };
    const QString words = QStringLiteral("10 % of the steps reached at most");
    for (const std::size_t rate : {3U, 4U}) EXPECT_FALSE(figure(rate).toolTip.contains(words));
    reading.totals.spread = Spread{0.008, 0.0125};
    for (const std::size_t rate : {3U, 4U})
        EXPECT_TRUE(figure(rate).toolTip.contains(words)) << figure(rate).toolTip.toStdString();
    const auto batch = static_cast<double>(bench.config().batch);
    for (const double end : {batch / 0.0125, batch / 0.008})
        EXPECT_TRUE(figure(4).toolTip.contains(quantityText(end, "")));
}

TEST(KeyFigures, APredictedTimeSaysHowWellFoundedItIsAndWhereItLies) {
    Workbench bench;
    Machine sheet = localCpu();
    sheet.peakFlopPerSecond = {{Dtype::Fp32, 1e12}};
    sheet.bandwidthBytesPerSecond = 1e11;
    sheet.source = "data sheet: of a test";
    ASSERT_TRUE(bench.show({sheet, cpuTraits()}).has_value());
    ASSERT_TRUE(bench.scene()->whatIf.prediction->totals.tier.has_value());
    const auto figures = makeKeyFigures(*bench.scene(), nullptr);
    EXPECT_EQ(figures[0].predictedCaption, QStringLiteral("predicted")) << "bytes are counted, not estimated";
    EXPECT_EQ(figures[1].narrowCaption.toStdString(),
              tierName(*bench.scene()->whatIf.prediction->totals.tier));
    EXPECT_TRUE(figures[1].predictedCaption.contains(QStringLiteral(" to "))) << "a range";
    // A narrow tile has no room for the range; the tool tip always says it.
    const Spread range = *bench.scene()->whatIf.prediction->totals.spread;
    for (const double end : {range.low, range.high})
        EXPECT_TRUE(figures[1].toolTip.contains(QString::fromStdString(formatQuantity(end, "s"))));
    const auto batch = static_cast<double>(bench.config().batch);
    for (const double end : {batch / range.high, batch / range.low})
        EXPECT_TRUE(figures[4].toolTip.contains(QString::fromStdString(formatQuantity(end, ""))))
            << figures[4].toolTip.toStdString();
    EXPECT_TRUE(figures[3].predictedCaption.endsWith(figures[3].narrowCaption));
}

}  // namespace
}  // namespace plumb::ui
