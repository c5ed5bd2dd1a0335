// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/layer_scales.h"

#include "tests/ui/operations/operations_support.h"
#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/theme/theme.h"
#include "ui/training/range_table_model.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plumb::ui::test {
namespace {

RunConfig config(Precision precision, Initialisation init = Initialisation::Naive) {
    return RunConfig{.dim = 16, .layers = 3, .batch = 8, .precision = precision, .initialisation = init};
}

/// Activations that grow as naive weights let expect, and what else is tracked at 1.
LayerStatistics statistics(const RunConfig& config, std::int64_t step, double growth) {
    LayerStatistics all;
    all.step = step;
    const auto layers = static_cast<std::int32_t>(config.layers);
    for (std::int32_t layer = 0; layer <= layers; ++layer)
        all.tensors.push_back({TensorRole::Activation, layer, std::pow(growth, layer), 1.0, 0, 0});
    for (const TensorRole role : {TensorRole::Weight, TensorRole::Gradient, TensorRole::ActivationGradient})
        for (std::int32_t layer = 1; layer <= layers + 1; ++layer)
            all.tensors.push_back({role, layer, 1.0, 1.0, 0, 0});
    return all;
}

std::shared_ptr<TrainingRun> runOf(const RunConfig& config, double growth) {
    auto run = std::make_shared<TrainingRun>();
    run->config = config;
    run->history.add({0, 1, 0.1});
    run->firstScales = run->lastScales = statistics(config, 0, growth);
    return run;
}

struct ScalesFixture {
    ScalesFixture() {
        view.resize(1000, 700);
        view.show();
    }
    ChartPanel* chart(const char* name) { return child<ChartPanel>(view, name); }
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    Workbench workbench;
    LayerScales view{{workbench, theme}};
};

TEST(LayerScales, TheExpectedLineMeetsWeightsThatGrowAsTheyWereDrawn) {
    const auto run = runOf(config(Precision::Fp32), 4);  // sqrt(16)
    const ScaleCurves curves = makeScaleCurves(*run, ScaleKind::Activations);
    ASSERT_EQ(curves.expected.size(), 4);
    for (qsizetype i = 0; i < curves.expected.size(); ++i)
        EXPECT_NEAR(curves.expected[i].y(), curves.first[i].y(), 1e-9 * curves.first[i].y()) << i;
    EXPECT_TRUE(curves.newest.isEmpty()) << "one step with statistics is not two";
    EXPECT_EQ(growthText(run->config, ScaleKind::Activations), QStringLiteral("× 4.00"));
    EXPECT_TRUE(growthText(run->config, ScaleKind::Weights).isEmpty());
    EXPECT_EQ(measuredGrowthText(*run, ScaleKind::Activations), QStringLiteral("× 4.00"));
    EXPECT_EQ(measuredGrowthText(*runOf(config(Precision::Fp32), 2.5), ScaleKind::Activations),
              QStringLiteral("× 2.50"));
    EXPECT_TRUE(measuredGrowthText(*run, ScaleKind::Weights).isEmpty());
    const ScaleCurves back = makeScaleCurves(*run, ScaleKind::ActivationGradients);
    ASSERT_EQ(back.expected.size(), 3) << "not the gradient of y, which no layer's weights made";
    EXPECT_NEAR(back.expected.front().y(), 16, 1e-9) << "grows towards the first layer";
}

TEST(LayerScales, SaysWhatToDoWhereThereIsNothing) {
    ScalesFixture f;
    f.view.showRun(nullptr);
    EXPECT_TRUE(f.chart("scaleForward")->emptyText().contains(QStringLiteral("Press Run")));
    auto run = std::make_shared<TrainingRun>();
    run->config = config(Precision::Fp32);
    f.view.showRun(run);
    EXPECT_EQ(f.chart("scaleForward")->emptyText(), QStringLiteral("Waiting for the first step."));
    run->outcome = QStringLiteral("from file");
    f.view.showRun(run);
    EXPECT_TRUE(f.chart("scaleBackward")->emptyText().contains(QStringLiteral("without")));
    run->firstScales = run->lastScales = statistics(run->config, 0, 1);
    f.view.showRun(run);
    EXPECT_TRUE(f.chart("scaleForward")->emptyText().isEmpty());
}

TEST(LayerScales, AFlatScaleIsSeenToBeFlatAndAnExplosionToExplode) {
    ScalesFixture f;
    f.view.showRun(runOf(config(Precision::Fp32, Initialisation::Scaled), 1));
    const AxisOptions flat = f.chart("scaleForward")->axis(ChartAxis::Y);
    EXPECT_TRUE(flat.log);
    EXPECT_GE(flat.max / flat.min, 100);
    f.view.showRun(runOf(config(Precision::Fp32), 1e6));
    const AxisOptions steep = f.chart("scaleForward")->axis(ChartAxis::Y);
    EXPECT_GE(steep.max / steep.min, 1e18);
    EXPECT_TRUE(child<QLabel>(f.view, "layersNote")->isHidden());
}

TEST(LayerScales, ScalesThatAreNotFiniteAreMarkedAndExplained) {
    ScalesFixture f;
    auto run = runOf(config(Precision::Fp32), 4);
    run->firstScales->tensors[2].rootMeanSquare = std::numeric_limits<double>::infinity();
    run->firstScales->tensors[3].rootMeanSquare = std::numeric_limits<double>::quiet_NaN();
    run->lastScales = run->firstScales;
    f.view.showRun(run);
    f.view.grab();
    ChartPanel* chart = f.chart("scaleForward");
    const double top = chart->axis(ChartAxis::Y).max;
    EXPECT_TRUE(chart->markAt(chart->toPixel({2, top})).has_value());
    const QString note = child<QLabel>(f.view, "layersNote")->text();
    EXPECT_TRUE(note.contains(QStringLiteral("From layer 2")) && note.contains(QStringLiteral("scaled")))
        << note.toStdString();
}

TEST(LayerScales, OutOfRangeIsAShareOfWhatWasRoundedAndExplainedWhereNothingIsCounted) {
    const auto fp32 = runOf(config(Precision::Fp32), 1);
    EXPECT_TRUE(makeRangeRows(*fp32).empty());
    EXPECT_TRUE(whyNoRanges(*fp32).contains(QStringLiteral("fp32")));

    auto run = runOf(config(Precision::Fp16), 1);
    run->lastScales->step = 9;
    run->lastScales->tensors[1].underflowed = 128;  // of 8 x 16 values in each of 10 steps
    run->lastScales->tensors[1].overflowed = 1;
    const auto rows = makeRangeRows(*run);
    ASSERT_EQ(rows.size(), 5U) << "features, three layers, head";
    const auto& cell = rows[1].cells[ScaleKind::Activations];
    ASSERT_TRUE(cell.has_value());
    EXPECT_DOUBLE_EQ(cell->underflowedShare, 0.1);
    EXPECT_DOUBLE_EQ(cell->overflowedShare, 1.0 / 1280);
    run->lastScales->observedSteps = 2;
    EXPECT_DOUBLE_EQ(makeRangeRows(*run)[1].cells[ScaleKind::Activations]->underflowedShare, 0.5)
        << "of the observed steps";
    EXPECT_FALSE(rows[0].cells[ScaleKind::Weights].has_value()) << "features have no weights";
    EXPECT_EQ(shareText(0), QStringLiteral("0"));
    EXPECT_EQ(shareText(0.1), QStringLiteral("10.0 %"));

    RunConfig wide = run->config;
    wide.gradientPrecision = GradientPrecision::Fp32;
    run->config = wide;
    EXPECT_FALSE(makeRangeRows(*run)[1].cells[ScaleKind::Gradients].has_value())
        << "fp32 gradients are not counted";
}

TEST(LayerScales, TheTableShowsTheSharesAndTheirCounts) {
    ScalesFixture f;
    RangeTableModel model(f.theme, nullptr);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    auto run = runOf(config(Precision::Fp16), 1);
    run->lastScales->tensors[1].underflowed = 64;
    model.setRows(makeRangeRows(*run));
    EXPECT_EQ(model.data(model.index(1, 2), Qt::DisplayRole).toString(), QStringLiteral("50.0 %"));
    EXPECT_TRUE(model.data(model.index(1, 2), Qt::ToolTipRole).toString().startsWith(QStringLiteral("64 ")));
    EXPECT_EQ(model.data(model.index(0, 3), Qt::DisplayRole).toString(), QStringLiteral("–"));
    model.setRows({});
    f.view.showRun(run);
    EXPECT_TRUE(child<QTableView>(f.view, "rangeTable")->isVisible());
    f.view.showRun(runOf(config(Precision::Bf16), 1));
    EXPECT_FALSE(child<QTableView>(f.view, "rangeTable")->isVisible());
    EXPECT_TRUE(child<QLabel>(f.view, "rangesNote")->text().contains(QStringLiteral("bf16")));
}

TEST(LayerScales, HundredsOfLayersAndThePointerDoNoHarm) {
    ScalesFixture f;
    RunConfig deep = config(Precision::Fp16);
    deep.layers = 512;
    const auto run = runOf(deep, 1.01);
    f.view.showRun(run);
    f.view.grab();
    for (const double x : {-3.0, 0.0, 17.4, 512.4, 600.0})
        emit f.chart("scaleForward")->hovered({x, 1}, {80, 60});
    QTest::mouseClick(child<QPushButton>(f.view, "scaleForwardKind1"), Qt::LeftButton);
    QTest::mouseClick(child<QPushButton>(f.view, "scaleBackwardKind1"), Qt::LeftButton);
    f.view.grab();
    EXPECT_EQ(f.chart("scaleForward")->axis(ChartAxis::X).max, 513.5);
}

}  // namespace
}  // namespace plumb::ui::test
