// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/engine/fake_engine.h"
#include "tests/ui/lab/lab_support.h"
#include "ui/charts/chart_panel.h"
#include "ui/lab/dtype_page.h"
#include "ui/lab/einsum_page.h"
#include "ui/lab/live_panel.h"
#include "ui/theme/house_style.h"
#include "ui/widgets/tone_label.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>

#include <cmath>
#include <numeric>

namespace plumb::ui::test {
namespace {

/// Gradients spread evenly over the powers of two from 2^-30 to 2^-10.
TensorInspection smallGradients() {
    std::vector<float> values;
    for (int power = -30; power < -10; ++power)
        for (int i = 0; i < 50; ++i) values.push_back(std::ldexp(1.0F + static_cast<float>(i) / 50, power));
    values.push_back(0);
    return TensorInspection{.role = TensorRole::Gradient,
                            .layer = 3,
                            .steps = 12,
                            .dtype = Dtype::Fp32,
                            .rows = 7,
                            .columns = 143,
                            .histogram = histogramOf(values)};
}

const LiveRow& rowOf(const LiveState& state, std::string_view name) {
    const auto found =
        std::ranges::find_if(state.rows, [&](const LiveRow& row) { return row.format.name == name; });
    EXPECT_NE(found, state.rows.end()) << name;
    return *found;
}

TEST(LiveState, SharesAddUpAndAgreeWithTheHistogram) {
    const LiveState state = makeLiveState(smallGradients());
    ASSERT_FALSE(state.rows.empty());
    for (const LiveRow& row : state.rows)
        EXPECT_NEAR(row.exact + row.rounded + row.subnormal + row.toZero + row.beyond, 1, 1e-12)
            << row.format.name;
    const auto& bins = state.areas.layers.first().values;
    EXPECT_EQ(state.areas.edges.size(), bins.size() + 1);
    EXPECT_NEAR(std::accumulate(bins.begin(), bins.end(), 0.0), 1000.0 / 1001, 1e-12);
    EXPECT_LT(state.least, state.areas.edges.first());
    EXPECT_GT(state.most, state.areas.edges.last());
}

TEST(LiveState, SaysWhichLossScaleSavesFp16AndThatBf16NeedsNone) {
    const LiveState state = makeLiveState(smallGradients());
    const LiveRow& fp16 = rowOf(state, "fp16");
    EXPECT_GT(fp16.toZero, 0.1);
    EXPECT_EQ(fp16.tone, ColorRole::Warning);
    EXPECT_TRUE(fp16.window.contains(QStringLiteral("2^"))) << fp16.window.toStdString();
    EXPECT_EQ(rowOf(state, "bf16").window, QStringLiteral("needs none"));
    EXPECT_EQ(rowOf(state, "bf16").lost(), 0);
    EXPECT_EQ(rowOf(state, "fp4_e2m1").window, QStringLiteral("no scale does"));
}

TEST(LiveState, ATensorOfZerosHasNoBinsAndNeedsNothing) {
    TensorInspection inspection = smallGradients();
    inspection.histogram = histogramOf(std::vector<float>(16, 0.0F));
    const LiveState state = makeLiveState(inspection);
    EXPECT_LT(state.least, state.most);
    EXPECT_EQ(rowOf(state, "fp16").window, QStringLiteral("needs none"));
}

TEST(LiveState, TheMapHasEveryNumberInItsPlaceWithRow0AtTheTop) {
    TensorInspection inspection = smallGradients();
    inspection.rows = 2;
    inspection.columns = 3;
    inspection.grid = gridOf(std::vector<float>{1, 2, 3, 4, 5, std::nanf("")}, 2, 3);
    const HeatMap::Content map = makeLiveMap(inspection);
    ASSERT_EQ(map.cells.size(), 6);
    EXPECT_EQ(map.x.ticks, (QStringList{QStringLiteral("0"), QStringLiteral("1"), QStringLiteral("2")}));
    EXPECT_EQ(map.y.ticks, (QStringList{QStringLiteral("1"), QStringLiteral("0")}));
    EXPECT_EQ(map.cells[0].value, 4) << "the lowest row of the map is the last of the matrix";
    EXPECT_EQ(map.cells[3].value, 1);
    EXPECT_FALSE(map.cells[2].value.has_value());
    EXPECT_FALSE(map.cells[2].footer.isEmpty());
}

TEST(LiveState, WithoutAHeadThereIsNoneToLookAt) {
    EXPECT_EQ(layersOf(TensorRole::Weight, 3).second, 4);
    EXPECT_EQ(layersOf(TensorRole::Weight, 3, false).second, 3);
    EXPECT_EQ(layersOf(TensorRole::Weight, 0).second, 1);
}

struct ShownPanel {
    ShownPanel() {
        panel.resize(1100, 360);
        panel.show();
    }
    LabBench bench;
    LivePanel panel{bench.context()};
};

TEST(LivePanel, SaysHowToFillItAndShowsWhatItIsGiven) {
    ShownPanel shown;
    LivePanel& panel = shown.panel;
    auto* chart = child<ChartPanel>(panel, "liveChart");
    EXPECT_TRUE(chart->emptyText().contains(QStringLiteral("Press Run (F5)")));
    EXPECT_FALSE(child<QPushButton>(panel, "liveLook")->isEnabled());
    panel.showInspection(smallGradients());
    EXPECT_TRUE(chart->emptyText().isEmpty());
    auto* table = child<QTableView>(panel, "liveTable");
    EXPECT_EQ(table->model()->rowCount(), static_cast<int>(panel.state()->rows.size()));
    EXPECT_TRUE(child<ToneLabel>(panel, "liveTitle")->text().contains(QStringLiteral("layer 3")));
    const QImage before = chart->toImage(1);
    table->setCurrentIndex(table->model()->index(table->model()->rowCount() - 1, 0));
    EXPECT_NE(chart->toImage(1), before) << "the range of the marked format is shown";
}

TEST(LivePanel, ColumnsOfTheTableTakeWhatTheyNeed) {
    ShownPanel shown;
    LivePanel& panel = shown.panel;
    panel.showInspection(smallGradients());
    auto* table = child<QTableView>(panel, "liveTable");
    for (const int width : {1210, 1500}) {
        panel.resize(width, 400);
        panel.show();
        QCoreApplication::processEvents();
        const QHeaderView& header = *table->horizontalHeader();
        for (int column = 0; column < header.count(); ++column) {
            EXPECT_GE(header.sectionSize(column), header.sectionSizeHint(column)) << column;
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                const QString text = table->model()->index(row, column).data().toString();
                EXPECT_GE(header.sectionSize(column), table->fontMetrics().horizontalAdvance(text) + 4)
                    << text.toStdString();
            }
        }
        EXPECT_EQ(table->horizontalScrollBar()->maximum(), 0) << width;
        EXPECT_GT(child<ChartPanel>(panel, "liveChart")->width(), width / 6);
    }
}

TEST(LivePanel, TheChosenLayerIsNotCut) {
    const Theme theme;
    HouseStyle style(theme);
    ShownPanel shown;
    auto* layer = child<QComboBox>(shown.panel, "liveLayer");
    layer->setStyle(&style);
    ASSERT_GT(layer->count(), 0);
    for (int i = 0; i < layer->count(); ++i)
        EXPECT_GE(layer->sizeHint().width(), layer->fontMetrics().horizontalAdvance(layer->itemText(i)) + 33);
}

TEST(LivePanel, OffersTheLayersThatATensorHas) {
    LabBench bench;
    RunConfig config;
    config.layers = 5;
    EXPECT_TRUE(bench.workbench.show(config).has_value());
    LivePanel panel(bench.context());
    panel.show();
    auto* kind = child<QComboBox>(panel, "liveKind");
    auto* layer = child<QComboBox>(panel, "liveLayer");
    EXPECT_EQ(layer->count(), 6);
    EXPECT_EQ(layer->itemText(5), QStringLiteral("head"));
    kind->setCurrentIndex(2);
    emit kind->activated(2);
    EXPECT_EQ(layer->count(), 5);
}

TEST(LivePanel, TheProductOfALinearModelStandsBesideTheNumbersOfTheTask) {
    ShownPanel shown;
    LivePanel& panel = shown.panel;
    auto* recovered = child<QTableView>(panel, "liveRecovered");
    EXPECT_FALSE(recovered->isVisible());
    TensorInspection inspection = smallGradients();
    inspection.role = TensorRole::Weight;
    inspection.layer = 0;
    inspection.recovered = RecoveredNumbers{{0, 1, 2}, {0.004, 0.99, std::nan("")}, 0.01, 0.008};
    inspection.savedTo = "/tmp/w.npy";
    panel.showInspection(inspection);
    EXPECT_TRUE(recovered->isVisible());
    EXPECT_FALSE(child<QTableView>(panel, "liveTable")->isVisible()) << "no format is asked about";
    ASSERT_EQ(recovered->model()->rowCount(), 3);
    const auto text = [&](int row, int column) {
        return recovered->model()->index(row, column).data().toString();
    };
    EXPECT_EQ(text(1, 1), QStringLiteral("1"));
    EXPECT_EQ(text(1, 2), QStringLiteral("0.990"));
    EXPECT_EQ(text(1, 3), QStringLiteral("-0.01"));
    EXPECT_EQ(text(2, 2), QStringLiteral("not finite"));
    EXPECT_TRUE(panel.state()->title.contains(QStringLiteral("Product of all weights")));
    EXPECT_TRUE(panel.state()->summary.contains(QStringLiteral("/tmp/w.npy")));
    panel.showInspection(smallGradients());
    EXPECT_FALSE(recovered->isVisible());
    EXPECT_TRUE(child<QTableView>(panel, "liveTable")->isVisible());
}

class LabWithEngine : public ::testing::Test {
protected:
    bool start() {
        bench.engine.setCommand(fakeEngine(QStringLiteral("normal")));
        bench.engine.start();
        return waitFor([this] { return bench.workbench.scene()->whatIf.machine().id == "fake-cpu"; });
    }
    LabBench bench;
};

TEST_F(LabWithEngine, ALookFetchesTheTensorOfTheTraining) {
    DtypePage page(bench.context());
    page.resize(1200, 900);
    page.show();
    QTest::mouseClick(child<QPushButton>(page, "dtypePart2"), Qt::LeftButton);
    auto* panel = child<LivePanel>(page, "livePanel");
    ASSERT_TRUE(start());
    bench.controller.next().setSteps(0);
    bench.controller.run();
    auto* look = child<QPushButton>(page, "liveLook");
    ASSERT_TRUE(waitFor([&] { return look->isEnabled(); }));
    QTest::mouseClick(look, Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return panel->state().has_value(); }));
    EXPECT_TRUE(panel->state()->title.contains(QStringLiteral("Weight of layer 1")));
    EXPECT_EQ(rowOf(*panel->state(), "fp16").toZero, 0.2);
}

TEST_F(LabWithEngine, ARefusedLookSaysWhy) {
    ASSERT_TRUE(start());
    QSignalSpy refused(&bench.labEngine, &LabEngine::inspectionRefused);
    bench.labEngine.inspect(TensorRole::Weight, 1);
    EXPECT_TRUE(bench.labEngine.inspecting());
    ASSERT_TRUE(waitFor([&] { return !refused.isEmpty(); }));
    EXPECT_TRUE(refused[0][0].toString().contains(QStringLiteral("start a training first")));
    EXPECT_FALSE(bench.labEngine.inspecting());
}

TEST_F(LabWithEngine, TimesAnExpressionAndForgetsItWhenItChanges) {
    ASSERT_TRUE(start());
    EinsumPage page(bench.context());
    page.resize(1200, 800);
    page.show();
    auto* time = child<QPushButton>(page, "einsumTime");
    auto* said = child<ToneLabel>(page, "einsumTimed");
    ASSERT_TRUE(waitFor([&] { return time->isEnabled(); }));
    QTest::mouseClick(time, Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return said->text().contains(QStringLiteral("1.00 ms")); }));
    EXPECT_TRUE(said->text().contains(QStringLiteral("median of 25")));
    ASSERT_TRUE(waitFor([&] { return time->isEnabled() && !bench.labEngine.timing(); }));
    auto* text = child<QLineEdit>(page, "einsumText");
    text->selectAll();
    QTest::keyClicks(text, QStringLiteral("relu: a b"));
    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_TRUE(said->text().isEmpty()) << "a time belongs to what was timed";
    QTest::mouseClick(time, Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return said->text().contains(QStringLiteral("No kernel does relu")); }));
}

TEST(LabEngine, WithoutAnEngineNothingIsAsked) {
    LabBench bench;
    EXPECT_FALSE(bench.labEngine.whyNotTime().isEmpty());
    QSignalSpy refused(&bench.labEngine, &LabEngine::inspectionRefused);
    bench.labEngine.inspect(TensorRole::Weight, 1);
    EXPECT_EQ(refused.size(), 1);
    bench.labEngine.time(QStringLiteral("a b -> a"), {{"a", 2}, {"b", 2}}, Dtype::Fp32);
    EXPECT_FALSE(bench.labEngine.timing());
}

TEST_F(LabWithEngine, TheReasonAgainstAnExportIsScrolledIntoSight) {
    DtypePage page(bench.context());
    page.resize(900, 420);
    page.show();
    page.exportLive(true);
    auto* note = child<ToneLabel>(page, "liveNote");
    EXPECT_TRUE(waitFor([&] { return note->isVisible() && !note->visibleRegion().isEmpty(); }));
}

TEST_F(LabWithEngine, AnExportWithoutATrainingSaysWhyNot) {
    LivePanel panel(bench.context());
    panel.show();
    panel.exportOrSayWhyNot(true);
    EXPECT_EQ(panel.findChild<QFileDialog*>(), nullptr);
    EXPECT_TRUE(child<ToneLabel>(panel, "liveNote")->text().contains(QStringLiteral("press Run")));
    ASSERT_TRUE(start());
    bench.controller.next().setSteps(0);
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return bench.controller.work().training(); }));
    panel.exportOrSayWhyNot(true);
    EXPECT_NE(panel.findChild<QFileDialog*>(), nullptr);
}

TEST_F(LabWithEngine, ExportAsksTheEngineToWriteWhatIsShownOrAllWeights) {
    LivePanel panel(bench.context());
    panel.show();
    EXPECT_FALSE(child<QPushButton>(panel, "liveExport")->isEnabled());
    ASSERT_TRUE(start());
    bench.controller.next().setSteps(0);
    bench.controller.run();
    ASSERT_TRUE(waitFor([&] { return bench.controller.work().training(); }));
    ASSERT_TRUE(child<QPushButton>(panel, "liveExport")->isEnabled());
    QSignalSpy wanted(&panel, &LivePanel::inspectionWanted);
    const auto exportTo = [&](const char* action, const QString& path) {
        child<QAction>(panel, action)->trigger();
        auto* dialog = panel.findChild<QFileDialog*>();
        ASSERT_NE(dialog, nullptr);
        emit dialog->fileSelected(path);
        delete dialog;
    };
    exportTo("liveExportTensor", QStringLiteral("/tmp/t.npy"));
    ASSERT_FALSE(wanted.isEmpty());
    EXPECT_EQ(wanted.last()[2].toString(), QStringLiteral("/tmp/t.npy"));
    exportTo("liveExportWeights", QStringLiteral("/tmp/w.safetensors"));
    EXPECT_EQ(wanted.last()[2].toString(), QStringLiteral("/tmp/w.safetensors"));
    EXPECT_EQ(wanted.last()[0].value<TensorRole>(), TensorRole::Weight);
    bench.controller.stop();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.work().busy(); }));
    // The engine keeps the weights, and nothing else, until the next training.
    EXPECT_TRUE(child<QAction>(panel, "liveExportTensor")->isEnabled());
    child<QComboBox>(panel, "liveKind")->setCurrentIndex(1);
    emit bench.controller.changed();
    EXPECT_FALSE(child<QAction>(panel, "liveExportTensor")->isEnabled());
    EXPECT_TRUE(child<QAction>(panel, "liveExportWeights")->isEnabled());
}

}  // namespace
}  // namespace plumb::ui::test
