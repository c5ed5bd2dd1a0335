// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_view.h"

#include "core/measure/plain_memory.h"
#include "tests/support/random_config.h"
#include "tests/ui/charts/chart_scenes.h"
#include "tests/ui/charts/move_to.h"
#include "tests/ui/support.h"
#include "tests/ui/view_fixture.h"
#include "ui/memory/tensor_table_model.h"
#include "ui/theme/scaled.h"
#include "ui/widgets/card.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QTableView>

#include <algorithm>

namespace plumb::ui::test {
namespace {

TEST(StepAxis, GivesEveryOpAWidthInOrderAndNamesTheStretches) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const auto plan = planned(plumb::test::randomConfig(seed));
        const auto run = planned(plumb::test::randomConfig(seed + 1000));
        for (const StepPlan* other : {static_cast<const StepPlan*>(nullptr), run.get(), plan.get()}) {
            const StepAxis axis = alignSteps(*plan, other);
            ASSERT_EQ(axis.planEdges.size(), static_cast<qsizetype>(plan->ops.size()) + 1);
            EXPECT_EQ(axis.runEdges.size(), other ? static_cast<qsizetype>(other->ops.size()) + 1 : 0);
            for (const auto* edges : {&axis.planEdges, &axis.runEdges}) {
                for (qsizetype i = 1; i < edges->size(); ++i)
                    ASSERT_GT((*edges)[i], (*edges)[i - 1]) << "seed " << seed;
            }
            for (std::size_t op = 0; op < plan->ops.size(); ++op) {
                const auto i = static_cast<qsizetype>(op);
                ASSERT_EQ(axis.planOpAt((axis.planEdges[i] + axis.planEdges[i + 1]) / 2),
                          static_cast<int>(op));
            }
            EXPECT_EQ(axis.planOpAt(-5), 0);
            EXPECT_EQ(axis.planOpAt(1e9), static_cast<int>(plan->ops.size()) - 1);
            if (other == plan.get()) {
                EXPECT_EQ(axis.planEdges, axis.runEdges);
            }
            double covered = 0;
            for (const ChartBand& band : axis.bands) covered += band.level == 0 ? band.to - band.from : 0;
            EXPECT_NEAR(covered, axis.width, 1e-6);
        }
    }
}

TEST(StepAxis, PutsTheOptimizersOfTwoStepsBelowEachOther) {
    RunConfig shallow = deepConfig(4);
    RunConfig accumulating = deepConfig(32);
    accumulating.microBatch = 1024;
    const StepAxis axis = alignSteps(*planned(shallow), planned(accumulating).get());
    EXPECT_NEAR(axis.planEdges[axis.planEdges.size() - 2], axis.runEdges[axis.runEdges.size() - 2], 1e-9);
    EXPECT_EQ(axis.bands.last().label.toStdString(), "optimizer");
}

class MemoryViewTest : public ChartViewTest<MemoryView> {
protected:
    MemoryViewTest() : ChartViewTest("memoryChart") {}
};

TEST_F(MemoryViewTest, SaysThatNothingIsMeasuredYet) {
    MemoryView& shown = make(ViewSize::Compact);
    EXPECT_EQ(shown.state().areas, MemoryState::Areas::Predicted);
    EXPECT_TRUE(shown.state().subtitle.startsWith(QStringLiteral("predicted; nothing measured yet")));
    EXPECT_EQ(shown.state().peakBytes, workbench.scene()->whatIf.prediction->memory.peakBytes);
}

TEST_F(MemoryViewTest, KeepsTheMeasuredAreasWhenTheSlidersMoveOn) {
    pretendMeasured(workbench);
    MemoryView& shown = make(ViewSize::Compact);
    EXPECT_EQ(shown.state().areas, MemoryState::Areas::Measured);
    const Bytes measuredPeak = shown.state().peakBytes;
    EXPECT_TRUE(workbench.show(deepConfig(24)).has_value());
    EXPECT_EQ(shown.state().areas, MemoryState::Areas::MeasuredOtherRun);
    EXPECT_EQ(shown.state().peakBytes, measuredPeak);
    EXPECT_EQ(shown.state().areaCurve().size(), workbench.scene()->measured->plan->ops.size());
    EXPECT_TRUE(shown.state().subtitle.contains(QStringLiteral("what-if")));
    EXPECT_GE(shown.state().highest, workbench.scene()->whatIf.prediction->memory.peakBytes);
}

TEST_F(MemoryViewTest, TellsThePlainSumOfThePartsAndWhatDiffersFromThePeak) {
    MemoryView& shown = make(ViewSize::Full);
    const auto* label = shown.findChild<QLabel*>(QStringLiteral("plainMemory"));
    ASSERT_NE(label, nullptr);
    const auto& scene = *workbench.scene();
    const PlainMemory plain = plainMemory(*scene.whatIf.plan, scene.whatIf.prediction->memory);
    EXPECT_TRUE(label->text().contains(QString::fromStdString(plain.sumText())))
        << label->text().toStdString();
    EXPECT_TRUE(label->text().contains(QString::fromStdString(plain.differenceText())));
    EXPECT_EQ(shown.findChildren<QLabel*>(QStringLiteral("plainMemory")).size(), 1);
}

TEST_F(MemoryViewTest, TabGoesDownThePage) {
    make(ViewSize::Full);
    QCoreApplication::processEvents();
    expectTabGoesDown(*view);
}

TEST_F(MemoryViewTest, TellsWhatTheMemoryOfAGpuIsInUseFor) {
    pretendMeasured(workbench);
    MemoryView& shown = make(ViewSize::Full);
    auto* label = shown.findChild<QLabel*>(QStringLiteral("deviceMemory"));
    ASSERT_NE(label, nullptr);
    EXPECT_FALSE(label->isVisible()) << "a processor's memory has no such parts";
    const auto plan = workbench.scene()->whatIf.plan;
    Reading reading = *workbench.scene()->measured->reading;
    reading.memory->device = {{"tensors", 3'000'000}, {"rounding of the allocator", 0}, {"context", 500'000}};
    workbench.setMeasured(std::make_shared<const Reading>(std::move(reading)), plan);
    EXPECT_TRUE(label->isVisible());
    EXPECT_EQ(label->text().toStdString(),
              "In use on the device, measured: 3.50 MB = tensors 3.00 MB + context 500 kB");
    EXPECT_TRUE(label->toolTip().contains(QStringLiteral("rounding of the allocator: 0 B")))
        << label->toolTip().toStdString();
    EXPECT_TRUE(label->toolTip().endsWith(QStringLiteral("together: ") +
                                          QString::fromStdString(formatExact(3'500'000, "B"))));
}

TEST_F(MemoryViewTest, SelectsTheOpUnderAClickAndShowsSelectionsFromElsewhere) {
    make(ViewSize::Compact);
    const StepPlan& plan = *workbench.scene()->whatIf.plan;
    for (const int op : {0, 5, static_cast<int>(plan.ops.size()) - 1}) {
        const auto& edges = view->state().axis.planEdges;
        const QPointF at = chart().toPixel({(edges[op] + edges[op + 1]) / 2, 1e9});
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, at.toPoint());
        EXPECT_EQ(workbench.selection().op(), idOf(plan, op));
    }
    const QImage before = chart().toImage(1);
    workbench.selection().select(idOf(plan, 3));
    EXPECT_NE(chart().toImage(1), before);
}

TEST_F(MemoryViewTest, MovesTheSelectionWithTheKeys) {
    make(ViewSize::Compact);
    const StepPlan& plan = *workbench.scene()->whatIf.plan;
    const int last = static_cast<int>(plan.ops.size()) - 1;
    QTest::keyClick(&chart(), Qt::Key_Home);
    EXPECT_EQ(workbench.selection().op(), idOf(plan, 0));
    QTest::keyClick(&chart(), Qt::Key_Right);
    QTest::keyClick(&chart(), Qt::Key_Right);
    EXPECT_EQ(workbench.selection().op(), idOf(plan, 2));
    QTest::keyClick(&chart(), Qt::Key_Left);
    EXPECT_EQ(workbench.selection().op(), idOf(plan, 1));
    QTest::keyClick(&chart(), Qt::Key_End);
    QTest::keyClick(&chart(), Qt::Key_Right);
    EXPECT_EQ(workbench.selection().op(), idOf(plan, last));
    QTest::keyClick(&chart(), Qt::Key_Escape);
    EXPECT_TRUE(workbench.selection().op().isEmpty());
}

TEST_F(MemoryViewTest, ShowsTheExactBytesOnHover) {
    pretendMeasured(workbench);
    make(ViewSize::Compact);
    const int op = view->state().peakOp;
    const HoverCardContent card = memoryCard(view->state(), op, op);
    ASSERT_GE(card.rows.size(), 3);
    EXPECT_EQ(card.rows.last().values.first().toStdString(),
              formatExact(workbench.scene()->whatIf.prediction->memory.peakBytes, "B"));
    EXPECT_EQ(card.rows.last().values.size(), 2);
    const auto& edges = view->state().axis.planEdges;
    QTest::mouseMove(&canvas(), chart().toPixel({(edges[op] + edges[op + 1]) / 2, 1e9}).toPoint());
    auto* shown = view->findChild<QWidget*>(QStringLiteral("hoverCard"));
    ASSERT_NE(shown, nullptr);
    EXPECT_TRUE(shown->isVisible());
    EXPECT_EQ(shown->accessibleName(), card.title);
}

TEST_F(MemoryViewTest, LeavesOutCategoriesThatAreSwitchedOff) {
    make(ViewSize::Compact);
    const QImage before = chart().toImage(1);
    const double top = chart().axis(ChartAxis::Y).max;
    child<QAbstractButton>(*view, "legend.optimizer_state")->click();
    EXPECT_NE(chart().toImage(1), before);
    EXPECT_LT(chart().axis(ChartAxis::Y).max, top);
    child<QAbstractButton>(*view, "legend.optimizer_state")->click();
    EXPECT_EQ(chart().toImage(1), before);
}

TEST_F(MemoryViewTest, NeverOverlapsOrClipsItsTexts) {
    make(ViewSize::Compact);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        EXPECT_TRUE(workbench.show(plumb::test::randomConfig(seed)).has_value());
        if (seed % 3 == 0) pretendMeasured(workbench);
        view->resize(300 + static_cast<int>(seed * 13 % 700), 220 + static_cast<int>(seed * 7 % 400));
        auto texts = chart().placedLabels();
        for (const auto& text : texts)
            EXPECT_TRUE(chart().plotRect().contains(text.box)) << text.text.toStdString();
        texts += chart().tickLabels(ChartAxis::X);
        texts += chart().tickLabels(ChartAxis::Y);
        for (qsizetype i = 0; i < texts.size(); ++i) {
            EXPECT_TRUE(QRectF(chart().rect()).contains(texts[i].box)) << texts[i].text.toStdString();
            for (qsizetype j = 0; j < i; ++j)
                EXPECT_FALSE(texts[i].box.intersects(texts[j].box))
                    << texts[i].text.toStdString() << " | " << texts[j].text.toStdString();
        }
    }
}

// Docked beside another view it is narrow, and its legend is of many lines.
TEST_F(MemoryViewTest, HasRoomForAllLinesOfItsLegendWhereItIsNarrow) {
    make(ViewSize::Full);
    for (const int width : {900, 460, 340}) {
        view->resize(scaled(width), view->minimumSizeHint().height());
        for (int round = 0; round < 4; ++round) {
            QCoreApplication::processEvents();
            view->resize(view->width(), view->minimumSizeHint().height());
        }
        const auto* const legend = child<QWidget>(*child<QWidget>(*view, "memoryChart"), "legend");
        ASSERT_TRUE(legend->isVisible()) << width;
        EXPECT_GE(legend->height(), legend->heightForWidth(legend->width())) << width;
        EXPECT_LE(legend->geometry().bottom(), legend->parentWidget()->rect().bottom()) << width;
    }
}

TEST_F(MemoryViewTest, DoesNothingWhileHiddenAndCatchesUp) {
    make(ViewSize::Compact).hide();
    EXPECT_TRUE(workbench.show(deepConfig(16)).has_value());
    EXPECT_NE(view->state().scene, workbench.scene());
    view->show();
    EXPECT_EQ(view->state().scene, workbench.scene());
}

TEST_F(MemoryViewTest, HighlightsTheLifetimeOfTheChosenTensor) {
    make(ViewSize::Full);
    const QImage before = chart().toImage(1);
    auto* table = child<QTableView>(*view, "tensorTable");
    table->selectRow(0);
    EXPECT_NE(chart().toImage(1), before);
    child<QLineEdit>(*view, "tensorFilter")->setText(QStringLiteral("gradients"));
    EXPECT_GT(table->model()->rowCount(), 0);
    EXPECT_LT(table->model()->rowCount(), static_cast<int>(workbench.scene()->whatIf.plan->tensors.size()));
    EXPECT_TRUE(child<QLabel>(*view, "tensorTotals")->text().contains(QStringLiteral("of them shown")));
}

TEST_F(MemoryViewTest, HasTheTensorsOfThePeakThenOfThePointerThenOfTheSelectionAndSaysWhich) {
    make(ViewSize::Full);
    const Scene& scene = *workbench.scene();
    const int peak = scene.whatIf.prediction->memory.peakOp;
    const auto* card = child<Card>(*view, "tensorCard");
    const auto nameOf = [&](int op) { return QString::fromStdString(scene.whatIf.step->opName(op)); };
    EXPECT_EQ(view->tableOp(), peak);
    const auto names = [&](int op) {
        return card->subtitle().startsWith(nameOf(op) + QStringLiteral(" · "));
    };
    EXPECT_EQ(card->title(), QStringLiteral("In memory at the peak"));
    EXPECT_TRUE(names(peak)) << card->subtitle().toStdString();

    const int hovered = peak == 2 ? 3 : 2;
    const auto& edges = view->state().axis.planEdges;
    const auto pixelOf = [&](int op) {
        return chart().toPixel({(edges[op] + edges[op + 1]) / 2, 1e9}).toPoint();
    };
    QTest::mouseMove(&canvas(), pixelOf(hovered));
    EXPECT_EQ(view->tableOp(), hovered);
    EXPECT_TRUE(card->title().contains(QStringLiteral("pointer"))) << card->title().toStdString();
    EXPECT_TRUE(names(hovered)) << card->subtitle().toStdString();

    workbench.selection().select(idOf(*scene.whatIf.plan, 5));
    QTest::mouseMove(&canvas(), pixelOf(7));
    EXPECT_EQ(view->tableOp(), 5) << "what is selected stays while the pointer goes to the table";
    EXPECT_TRUE(card->title().contains(QStringLiteral("selected"))) << card->title().toStdString();
    EXPECT_TRUE(names(5)) << card->subtitle().toStdString();
    EXPECT_TRUE(child<QTableView>(*view, "tensorTable")->accessibleName().endsWith(nameOf(5)));
    QTest::keyClick(&chart(), Qt::Key_Escape);
    QTest::mouseMove(&canvas(), QPoint(1, 1));
    EXPECT_EQ(view->tableOp(), peak);

    child<QAbstractButton>(*view, "tensorScope1")->click();
    EXPECT_EQ(view->tableOp(), -1);
    EXPECT_EQ(child<QTableView>(*view, "tensorTable")->model()->rowCount(), scene.whatIf.step->tensorCount());
    EXPECT_FALSE(child<QLabel>(*view, "tensorTotals")->text().contains(QStringLiteral("B")))
        << "tensors that are never in memory together have no sum";
}

TEST_F(MemoryViewTest, KeepsTheChosenTensorWhileTheTableShowsOtherOps) {
    make(ViewSize::Full);
    const auto* table = child<QTableView>(*view, "tensorTable");
    auto* model = dynamic_cast<TensorTableModel*>(table->model());
    ASSERT_NE(model, nullptr);
    const StepPlan& plan = *workbench.scene()->whatIf.plan;
    constexpr int kLater = 6;
    workbench.selection().select(idOf(plan, kLater));
    int row = 0;
    while (row < model->rowCount() - 1 && model->step()->tensor(*model->tensorAt(row)).firstOp <= 0) ++row;
    const TensorId brief = *model->tensorAt(row);  // not in memory at the beginning
    child<QTableView>(*view, "tensorTable")->selectRow(row);
    workbench.selection().select(idOf(plan, 0));
    EXPECT_EQ(model->rowOf(brief), -1);
    workbench.selection().select(idOf(plan, kLater));
    ASSERT_EQ(table->selectionModel()->selectedRows().size(), 1);
    EXPECT_EQ(model->tensorAt(table->selectionModel()->selectedRows().first().row()), brief);
}

TEST_F(MemoryViewTest, HasAnAxisOfTimeOnWhichAnOpIsAsWideAsItTakes) {
    pretendMeasured(workbench);
    make(ViewSize::Full);
    EXPECT_EQ(chart().axis(ChartAxis::X).title.toStdString(), "operations, in the order in which they run");
    child<QAbstractButton>(*view, "memoryAxis1")->click();
    ASSERT_TRUE(view->state().isByTime);
    EXPECT_EQ(chart().axis(ChartAxis::X).title.toStdString(), "time, measured");
    const auto& edges = view->state().axis.planEdges;
    const Scene& scene = *workbench.scene();
    Seconds sum = 0;
    for (int op = 0; op < scene.whatIf.step->opCount(); ++op) {
        const Seconds seconds = *scene.measuredOp(scene.whatIf.step->opId(op))->seconds;
        EXPECT_NEAR(edges[op + 1] - edges[op], seconds, 1e-12 + 1e-9 * seconds);
        sum += seconds;
    }
    EXPECT_NEAR(view->state().axis.width, sum, 1e-9 * sum);
    EXPECT_EQ(view->state().axis.runEdges, edges);
}

TEST_F(MemoryViewTest, HasNoAxisOfTimeWhereATimeIsNotKnownAndSaysWhy) {
    ASSERT_TRUE(workbench.show({bareMachine(), cpuTraits()}).has_value());
    make(ViewSize::Full);
    auto* kind = child<QWidget>(*view, "memoryAxis");
    EXPECT_FALSE(kind->isEnabled());
    EXPECT_TRUE(kind->toolTip().contains(QStringLiteral("calibrate")));
    EXPECT_FALSE(makeMemoryState(workbench.scene(), true).isByTime);
}

TEST_F(MemoryViewTest, ARangeThatIsDrawnOrSteppedByKeysIsThatOfAllViews) {
    make(ViewSize::Full);
    OpRange& range = workbench.selection().range();
    const auto& edges = view->state().axis.planEdges;
    const auto middle = [&](int op) {
        return chart().toPixel({(edges[op] + edges[op + 1]) / 2, 1e9}).toPoint();
    };
    QTest::mousePress(&canvas(), Qt::LeftButton, Qt::ShiftModifier, middle(9));
    moveTo(canvas(), middle(4), Qt::LeftButton, Qt::ShiftModifier);
    QTest::mouseRelease(&canvas(), Qt::LeftButton, Qt::ShiftModifier, middle(4));
    EXPECT_EQ(range.span(), (OpSpan{4, 9}));
    auto* clear = child<QAbstractButton>(*view, "memoryClearRange");
    EXPECT_TRUE(clear->isVisible());
    EXPECT_TRUE(clear->text().contains(u'6')) << clear->text().toStdString();
    QTest::keyClick(&chart(), Qt::Key_Escape);
    EXPECT_FALSE(range.span().has_value());
    EXPECT_FALSE(clear->isVisible());

    workbench.selection().select(idOf(*workbench.scene()->whatIf.plan, 5));
    QTest::keyClick(&chart(), Qt::Key_M);
    EXPECT_EQ(range.span(), (OpSpan{5, 5}));
    QTest::keyClick(&chart(), Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(&chart(), Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(range.span(), (OpSpan{5, 7}));
    for (int i = 0; i < 3; ++i) QTest::keyClick(&chart(), Qt::Key_Left, Qt::ShiftModifier);
    EXPECT_EQ(range.span(), (OpSpan{4, 5})) << "through the op where it began";
    QTest::keyClick(&chart(), Qt::Key_Escape);  // and no Shift that is held down for the tests after this
    EXPECT_FALSE(range.span().has_value());
}

TEST_F(MemoryViewTest, TheWheelDragsKeysAndADoubleClickZoomAndPan) {
    make(ViewSize::Full);
    expectZoomByHand(*child<QAbstractButton>(*view, "memoryShowAll"), false);
    // A click is still one where the curve is zoomed, and keys bring what they select into sight.
    wheelOn(canvas(), chart().plotRect().center(), 10);
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, chart().plotRect().center().toPoint());
    EXPECT_FALSE(workbench.selection().op().isEmpty());
    QTest::keyClick(&chart(), Qt::Key_End);
    const auto& edges = view->state().axis.planEdges;
    EXPECT_LT(chart().toPixel({edges[edges.size() - 2], 0}).x(), chart().plotRect().right());
    make(ViewSize::Compact);
    EXPECT_FALSE(wheelOn(canvas(), chart().plotRect().center(), 4)) << "a card is not zoomed";
}

TEST_F(MemoryViewTest, ARangeOfSeveralStretchesIsMarkedAndNarrowsTheTable) {
    make(ViewSize::Full);
    const Step& step = *view->state().scene->whatIf.step;
    auto* const model = child<QTableView>(*view, "tensorTable")->model();
    workbench.selection().range().select(OpSet(std::vector<int>{1, 7, 6, 13}));
    const QImage before = chart().toImage(1);
    const OpSet ops(std::vector<int>{1, 7, 6, 12});
    workbench.selection().range().select(ops);
    EXPECT_EQ(chart().toImage(1).size(), before.size());
    EXPECT_NE(chart().toImage(1), before) << "each stretch is marked";
    EXPECT_TRUE(ops.contains(view->tableOp())) << "the highest of them";
    child<QAbstractButton>(*view, "tensorScope1")->click();
    int during = 0;
    for (TensorId id = 0; id < step.tensorCount(); ++id)
        during += ops.meets({step.tensor(id).firstOp, step.tensor(id).lastOp}) ? 1 : 0;
    EXPECT_EQ(model->rowCount(), during);
    EXPECT_LT(during, step.tensorCount());
    child<QAbstractButton>(*view, "memoryClearRange")->click();
    EXPECT_FALSE(workbench.selection().range().isChosen());
    EXPECT_EQ(model->rowCount(), step.tensorCount());
}

TEST_F(MemoryViewTest, ARangeNarrowsTheTableToItsTensorsAndItsPeak) {
    make(ViewSize::Full);
    const Step& step = *view->state().scene->whatIf.step;
    const auto& memory = view->state().scene->whatIf.prediction->memory;
    auto* const model = child<QTableView>(*view, "tensorTable")->model();
    OpRange& range = workbench.selection().range();
    ASSERT_NE(memory.peakOp, 0);
    range.select(OpSpan{0, 1});
    const int peak = total(memory.curve[0]) >= total(memory.curve[1]) ? 0 : 1;
    EXPECT_EQ(view->tableOp(), peak);
    EXPECT_TRUE(child<Card>(*view, "tensorCard")
                    ->title()
                    .startsWith(QStringLiteral("In memory at the peak of the range")));
    child<QAbstractButton>(*view, "tensorScope1")->click();
    EXPECT_EQ(view->tableOp(), -1);
    int during = 0;
    for (TensorId id = 0; id < step.tensorCount(); ++id)
        during += step.tensor(id).firstOp <= 1 && step.tensor(id).lastOp >= 0 ? 1 : 0;
    EXPECT_EQ(model->rowCount(), during);
    EXPECT_LT(during, step.tensorCount());
    EXPECT_TRUE(child<Card>(*view, "tensorCard")->title().contains(QStringLiteral("range of 2 operation")));
    range.clear();
    EXPECT_EQ(model->rowCount(), step.tensorCount());
    child<QAbstractButton>(*view, "tensorScope0")->click();
    EXPECT_EQ(view->tableOp(), memory.peakOp);
}

TEST_F(MemoryViewTest, NamesEverythingForScreenReaders) {
    make(ViewSize::Full);
    EXPECT_FALSE(view->accessibleName().isEmpty());
    EXPECT_TRUE(chart().accessibleName().contains(QStringLiteral("peak")));
    for (const char* name : {"tensorTable", "tensorFilter", "tensorScope", "memoryAxis"})
        EXPECT_FALSE(child<QWidget>(*view, name)->accessibleName().isEmpty());
}

TEST(TensorTable, IsAProperModelThroughPlansSortsAndFilters) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    TensorTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        model.setStep(planned(plumb::test::randomConfig(seed / 2)), seed % 5 == 0 ? -1 : 1);
        if (seed % 5 == 2) model.setOp(2);
        model.sort(static_cast<int>(seed) % kTensorColumns,
                   seed % 3 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
        model.setFilter(seed % 4 == 1 ? QStringLiteral("gradient") : QString());
        Bytes sum = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            sum += model.index(row, static_cast<int>(TensorColumn::Bytes)).data(kTensorRawRole).toLongLong();
            EXPECT_EQ(model.rowOf(*model.tensorAt(row)), row);
        }
        EXPECT_EQ(sum, model.shownBytes());
    }
}

TEST(TensorTable, ComesToTheMemoryCurveAtEveryOpToTheByteByCategory) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto plan = planned(plumb::test::randomConfig(seed));
        const std::vector<CategoryBytes> curve = memoryCurve(*plan);
        TensorTableModel model;
        for (int op = 0; op < plan->opCount(); op += 1 + plan->opCount() / 40) {
            model.setStep(plan, op);
            CategoryBytes sums{};
            for (int row = 0; row < model.rowCount(); ++row) {
                const TensorId id = *model.tensorAt(row);
                sums[plan->tensor(id).category] +=
                    model.index(row, static_cast<int>(TensorColumn::Bytes)).data(kTensorRawRole).toLongLong();
            }
            const CategoryBytes& at = curve[static_cast<std::size_t>(op)];
            for (const Category category : kAllCategories)
                ASSERT_EQ(sums[category], at[category]) << "seed " << seed << ", op " << op;
            ASSERT_EQ(model.aliveBytes(), total(at));
            ASSERT_EQ(model.aliveCount(), model.rowCount());
            model.setFilter(QStringLiteral("gradients"));
            ASSERT_EQ(model.aliveBytes(), total(at)) << "a filter hides, it frees nothing";
            model.setFilter({});
        }
    }
}

TEST(TensorTable, HasTheLargestFirstAndTheirSharesOfWhatIsInMemory) {
    TensorTableModel model;
    model.setStep(planned(deepConfig(6)), 3);
    const auto share = static_cast<int>(TensorColumn::Share), bytes = static_cast<int>(TensorColumn::Bytes);
    for (int row = 1; row < model.rowCount(); ++row)
        EXPECT_GE(model.index(row - 1, bytes).data(kTensorRawRole).toLongLong(),
                  model.index(row, bytes).data(kTensorRawRole).toLongLong());
    const double first = model.index(0, bytes).data(kTensorRawRole).toDouble();
    EXPECT_EQ(model.index(0, share).data().toString().toStdString(),
              formatQuantity(100 * first / static_cast<double>(model.aliveBytes()), "%"));
    model.sort(static_cast<int>(TensorColumn::Category), Qt::AscendingOrder);
    for (int row = 1; row < model.rowCount(); ++row) {
        const auto category = static_cast<int>(TensorColumn::Category);
        if (model.index(row - 1, category).data() == model.index(row, category).data()) {
            EXPECT_GE(model.index(row - 1, bytes).data(kTensorRawRole).toLongLong(),
                      model.index(row, bytes).data(kTensorRawRole).toLongLong());
        }
    }
}

TEST(TensorTable, GroupsTheDigitsOfShapesWhateverTheLocale) {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    RunConfig config;
    config.dim = 4096;
    TensorTableModel model;
    model.setStep(planned(config));
    QStringList shapes;
    for (int row = 0; row < model.rowCount(); ++row)
        shapes << model.index(row, static_cast<int>(TensorColumn::Shape)).data().toString();
    QLocale::setDefault(before);
    const QString thousands = QStringLiteral("4\u2009096");
    EXPECT_TRUE(shapes.contains(thousands + QStringLiteral(" × ") + thousands))
        << shapes.join(u'\n').toStdString();
}

TEST(TensorTable, SortsByTheValueBehindTheText) {
    TensorTableModel model;
    model.setStep(planned(deepConfig(12)));
    for (int column = 0; column < kTensorColumns; ++column) {
        model.sort(column, Qt::AscendingOrder);
        for (int row = 1; row < model.rowCount(); ++row)
            ASSERT_LE(model.index(row - 1, column).data(kTensorRawRole).toLongLong(),
                      model.index(row, column).data(kTensorRawRole).toLongLong());
    }
    EXPECT_FALSE(model.data({}, Qt::DisplayRole).isValid());
}

TEST(TensorTable, KeepsTheSelectionThroughASliderMove) {
    TensorTableModel model;
    QTableView table;
    table.setModel(&model);
    model.setStep(planned(deepConfig(12)));
    model.sort(static_cast<int>(TensorColumn::Bytes), Qt::DescendingOrder);
    const TensorId chosen = *model.tensorAt(5);
    table.selectRow(5);
    model.setStep(planned(deepConfig(12, 1024, 65536)));  // activations are now larger than weights
    ASSERT_EQ(table.selectionModel()->selectedRows().size(), 1);
    EXPECT_EQ(model.tensorAt(table.selectionModel()->selectedRows().first().row()), chosen);
}

}  // namespace
}  // namespace plumb::ui::test
