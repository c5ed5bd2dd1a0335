// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run_panel.h"

#include "tests/ui/fake_engine.h"
#include "tests/ui/support.h"
#include "ui/actions/config_history.h"
#include "ui/theme/theme.h"
#include "ui/widgets/key_figures_state.h"
#include "ui/widgets/meter.h"
#include "ui/widgets/size_field.h"
#include "ui/widgets/stop_slider.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTest>

#include <algorithm>

namespace plumb::ui {
namespace {

using test::child;
using test::FailOnQtWarnings;
using test::waitFor;

struct Panel {
    Panel() { panel.show(); }
    FailOnQtWarnings guard{{QStringLiteral("This plugin does not support")}};
    Theme theme;
    Workbench workbench;
    EngineClient engine;
    RunController controller{workbench, engine};
    ConfigHistory history{workbench};
    RunPanel panel{ViewContext{workbench, theme}, controller, history};

    void type(const char* field, const QString& text) {
        auto* box = child<QLineEdit>(panel, field);
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, text);
        QTest::keyClick(box, Qt::Key_Return);
    }
    [[nodiscard]] const RunConfig& config() const { return workbench.config(); }
};

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
    QTest::mouseClick(child<QPushButton>(panel.panel, "precision1"), Qt::LeftButton);
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
    Machine machine = panel.workbench.scene()->machine;
    machine.memoryBytes = Bytes{50} * 1000 * 1000;
    panel.workbench.setMachine(machine, panel.workbench.traits());
    auto* button = child<QPushButton>(panel.panel, "maximumBatch");
    const auto expected =
        largestBatchThatFits(panel.config(), panel.workbench.traits(), *machine.memoryBytes);
    ASSERT_GT(expected, 0);
    ASSERT_TRUE(waitFor([&] { return button->toolTip().contains(groupedDigits(expected)); }));
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(panel.config().batch, expected);
    EXPECT_LE(panel.workbench.scene()->prediction->memory.peakBytes, *machine.memoryBytes);
    EXPECT_LE(child<Meter>(panel.panel, "memoryMeter")->share().value_or(2), 1.0);
}

TEST(RunPanel, TheGhostMarksTheRunThatGoesOnAndApplyAppears) {
    Panel panel;
    panel.engine.setCommand(test::fakeEngine(QStringLiteral("normal")));
    panel.engine.start();
    ASSERT_TRUE(waitFor([&] {
        return panel.controller.whyNotRun().isEmpty() && panel.workbench.scene()->machine.id == "fake-cpu";
    }));
    const auto* model = qobject_cast<QStandardItemModel*>(child<QComboBox>(panel.panel, "device")->model());
    EXPECT_FALSE(model->item(1)->isEnabled());
    EXPECT_TRUE(model->item(1)->toolTip().contains(QStringLiteral("the driver is not installed")));

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
    ASSERT_TRUE(waitFor([&] { return !panel.controller.busy(); }));
    EXPECT_EQ(child<QPushButton>(panel.panel, "runButton")->text(), QStringLiteral("Run"));
    EXPECT_TRUE(child<QPushButton>(panel.panel, "applyButton")->isHidden());
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

TEST(KeyFigures, OneByteTooManyIsBadAndAnotherStepIsAWhatIf) {
    Workbench bench;
    const auto plan = bench.scene()->plan;
    Reading reading = predictedReading(*plan, bench.scene()->machine);
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

    RunConfig other = bench.config();
    other.layers += 1;
    bench.setConfig(other);
    const auto figures = makeKeyFigures(*bench.scene(), nullptr);
    EXPECT_EQ(figures[0].difference, QStringLiteral("what-if"));
    EXPECT_EQ(figures[0].verdict, Verdict::None);
    EXPECT_TRUE(figures[0].toolTip.contains(runTitle(plan->config)));
}

}  // namespace
}  // namespace plumb::ui
