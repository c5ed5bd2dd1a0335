// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/ranks_view.h"

#include "core/model/rank_choices.h"
#include "tests/ui/charts/move_to.h"
#include "tests/ui/ranks/rank_scenes.h"
#include "tests/ui/support.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/run_controller.h"
#include "ui/ranks/category_model.h"
#include "ui/ranks/collectives_model.h"
#include "ui/ranks/lane_chart.h"
#include "ui/ranks/rank_grid.h"
#include "ui/ranks/rank_memory_chart.h"
#include "ui/ranks/what_if_row.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/size_field.h"
#include "ui/workbench/config_history.h"
#include "ui/workbench/first_focus.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace plumb::ui::test {
namespace {

class RanksViewTest : public ::testing::Test {
protected:
    RanksView& make(QSize size = {1500, 860}) {
        view = std::make_unique<RanksView>(ViewContext{workbench, theme}, history, controller);
        view->resize(size);
        view->show();
        QCoreApplication::processEvents();
        return *view;
    }
    RankGrid& grid() { return *child<RankGrid>(*view, "rankGrid"); }
    RankMemoryChart& memory() { return *child<RankMemoryChart>(*view, "rankMemory"); }
    LaneChart& lanes() { return *child<LaneChart>(*view, "rankLanes"); }
    QTableView& table() { return *child<QTableView>(*view, "collectivesTable"); }
    QTableView& categories() { return *child<QTableView>(*view, "rankCategories"); }
    QString label(const char* name) { return child<QLabel>(*view, name)->text(); }
    void click(const char* name) { QTest::mouseClick(child<QPushButton>(*view, name), Qt::LeftButton); }
    QString cell(const QTableView& of, int row, int column) {
        return of.model()->index(row, column).data().toString();
    }
    [[nodiscard]] bool isAlone() { return child<QLabel>(*view, "devicesEmpty")->isVisible(); }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    Workbench workbench;
    ConfigHistory history{workbench};
    EngineClient engine;
    RunController controller{workbench, engine};
    std::unique_ptr<RanksView> view;
};

TEST_F(RanksViewTest, SaysWhatRanksAreWhereThereIsOneAndOffersTwo) {
    ASSERT_TRUE(workbench.show(RunConfig{.dim = 64, .layers = 3, .batch = 96, .microBatch = 96}).has_value());
    make();
    EXPECT_TRUE(isAlone());
    EXPECT_FALSE(grid().isVisible());
    EXPECT_EQ(firstFocusOf(*view), child<QPushButton>(*view, "devicesTwoRanks")) << "one key takes two ranks";
    EXPECT_TRUE(label("devicesEmpty").contains(QStringLiteral("threads that share this processor")));
    click("devicesTwoRanks");
    EXPECT_EQ(workbench.config().parallel.data, 2);
    EXPECT_EQ(workbench.config().microBatchSize(), 48) << "all of a rank's part, as it was before";
    view->refresh();
    EXPECT_FALSE(isAlone());
    EXPECT_EQ(firstFocusOf(*view), &grid());
    EXPECT_EQ(view->state().shown.size(), 2U);
    EXPECT_EQ(history.stack().count(), 1);
    history.stack().undo();
    view->refresh();
    EXPECT_TRUE(isAlone());
}

TEST_F(RanksViewTest, SaysWhyTwoRanksCannotShareABatch) {
    ASSERT_TRUE(workbench.show(RunConfig{.dim = 64, .layers = 3, .batch = 97}).has_value());
    make();
    QString refused;
    QObject::connect(&history, &ConfigHistory::refused,
                     [&](const Error& error) { refused = toText(error.text()); });
    click("devicesTwoRanks");
    EXPECT_TRUE(refused.contains(QStringLiteral("97"))) << refused.toStdString();
    EXPECT_EQ(workbench.config().parallel.data, 1);
}

TEST_F(RanksViewTest, ShowsOfEveryRankWhatItsPlanAndItsReadingSay) {
    const RunConfig config = rankedConfig(4);
    showRanked(workbench, config);
    make();
    const RanksState& state = view->state();
    ASSERT_EQ(state.shown.size(), 4U);
    EXPECT_TRUE(state.isMeasured);
    EXPECT_EQ(state.share, (Bytes{16} << 30U) / 4);
    for (const ShownRank& rank : state.shown) {
        const StepPlan plan = planStep(config, cpuTraits(), {.data = rank.number}).value();
        const MemoryReading planned = predict(plan, {}).memory;
        EXPECT_EQ(rank.predicted->peakBytes, planned.peakBytes);
        EXPECT_EQ(rank.predicted->atPeak, planned.atPeak);
        EXPECT_EQ(rank.predicted->sentBytes, plan.wireBytes);
        EXPECT_EQ(rank.measured->peakBytes, planned.peakBytes);
    }
    // The table is of the rank that is chosen, and its rows add up to the last one.
    auto& model = static_cast<CategoryModel&>(*categories().model());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (const int rank : {0, 3}) {
        view->chooseRank(rank);
        for (const CategoryColumn column : {CategoryColumn::Predicted, CategoryColumn::Measured}) {
            qlonglong sum = 0;
            const int last = model.rowCount() - 1;
            for (int row = 0; row <= last; ++row) {
                const qlonglong bytes =
                    model.index(row, static_cast<int>(column)).data(CategoryModel::kRawRole).toLongLong();
                if (row == last) {
                    EXPECT_EQ(bytes, sum) << rank;
                }
                sum += bytes;
            }
            EXPECT_EQ(sum, 2 * state.shown[static_cast<std::size_t>(rank)].predicted->peakBytes);
        }
    }
    EXPECT_EQ(categories().accessibleName(), QStringLiteral("Memory of rank 3"));
}

TEST_F(RanksViewTest, ChoosesTheSameRankInAllPartsByPointerAndByKeys) {
    showRanked(workbench, rankedConfig(4));
    make();
    QTest::mouseClick(&grid(), Qt::LeftButton, {}, grid().cellRect(2).center().toPoint());
    EXPECT_EQ(view->chosenRank(), 2);
    EXPECT_EQ(categories().accessibleName(), QStringLiteral("Memory of rank 2"));
    QTest::mouseClick(&memory(), Qt::LeftButton, {}, memory().barRect(1, true).center().toPoint());
    EXPECT_EQ(grid().chosen(), 1);
    grid().setFocus();
    QTest::keyClick(&grid(), Qt::Key_Right);
    EXPECT_EQ(view->chosenRank(), 2);
    QTest::keyClick(&grid(), Qt::Key_End);
    EXPECT_EQ(view->chosenRank(), 3);
    QTest::keyClick(&grid(), Qt::Key_Right);
    EXPECT_EQ(view->chosenRank(), 3) << "there are no more";
    QTest::keyClick(&memory(), Qt::Key_Home);
    EXPECT_EQ(view->chosenRank(), 0);
    ASSERT_NE(memory().cardShown(), nullptr);
    EXPECT_EQ(memory().cardShown()->title, QStringLiteral("rank 0"));
    QTest::keyClick(&memory(), Qt::Key_Escape);
    EXPECT_EQ(memory().cardShown(), nullptr);
    EXPECT_TRUE(grid().accessibleDescription().contains(QStringLiteral("rank 0 is chosen")))
        << grid().accessibleDescription().toStdString();
}

TEST_F(RanksViewTest, ColoursRanksByMemoryTimeOrWaiting) {
    showRanked(workbench, rankedConfig(2));
    make();
    auto& choice = *child<SegmentedControl>(*view, "rankFigure");
    EXPECT_EQ(grid().cellColor(0), grid().cellColor(1)) << "they hold nearly the same";
    QTest::mouseClick(child<QAbstractButton>(choice, "rankFigure2"), Qt::LeftButton);
    EXPECT_EQ(grid().colouredBy(), RankFigure::Waiting);
    EXPECT_NE(grid().cellColor(0), grid().cellColor(1)) << "the second waits half as long";
    moveTo(grid(), grid().cellRect(1).center());
    ASSERT_NE(grid().cardShown(), nullptr);
    EXPECT_EQ(grid().cardShown()->rows.size(), 5);
}

TEST_F(RanksViewTest, PutsPredictedBarsBesideMeasuredOnesAndTheirTextsApart) {
    showRanked(workbench, rankedConfig(8));
    make();
    for (int rank = 0; rank < 8; ++rank) {
        const QRectF predicted = memory().barRect(rank, false), measured = memory().barRect(rank, true);
        EXPECT_FALSE(predicted.isEmpty());
        EXPECT_LE(predicted.right(), measured.left() + 0.01);
        EXPECT_TRUE(memory().plot().adjusted(-1, -1, 1, 1).contains(measured)) << rank;
        EXPECT_NEAR(predicted.top(), measured.top(), 0.01) << "both are as high as the plan says";
    }
    for (const QSize size : {QSize(1500, 860), QSize(700, 500), QSize(420, 300)}) {
        view->resize(size);
        QCoreApplication::processEvents();
        view->resize(size.expandedTo(view->minimumSizeHint()));  // as its page in the window has it
        QCoreApplication::processEvents();
        const auto texts = memory().texts();
        EXPECT_FALSE(texts.isEmpty());
        for (qsizetype i = 0; i < texts.size(); ++i)
            for (qsizetype j = 0; j < i; ++j)
                EXPECT_FALSE(texts[i].box.adjusted(1, 1, -1, -1).intersects(texts[j].box))
                    << size.width() << ' ' << texts[i].text.toStdString();
    }
    showRanked(workbench, rankedConfig(2), false);
    workbench.clearMeasured();
    view->refresh();
    EXPECT_TRUE(memory().barRect(0, true).isEmpty()) << "nothing stands in for a measurement";
    EXPECT_EQ(cell(categories(), 0, static_cast<int>(CategoryColumn::Measured)), QStringLiteral("–"));
}

TEST_F(RanksViewTest, HasRoomForTheNumbersOfAMeasurementThatComesLater) {
    const RunConfig config = rankedConfig(2);
    showRanked(workbench, config, false);
    make({960, 700});
    showRanked(workbench, config);
    view->refresh();
    const int column = static_cast<int>(CategoryColumn::Measured);
    for (int row = 0; row < categories().model()->rowCount(); ++row) {
        const QModelIndex at = categories().model()->index(row, column);
        EXPECT_NE(at.data().toString(), QStringLiteral("–")) << row;
        EXPECT_LE(categories().sizeHintForIndex(at).width(), categories().columnWidth(column)) << row;
    }
}

TEST_F(RanksViewTest, SaysThatNobodyMeasuredSoManyRanksAndCopiesTheCommand) {
    ASSERT_TRUE(workbench.show(rankedConfig(2)).has_value());
    make();
    const QString note = label("rankLanesNote").remove(QChar(0x2060));
    EXPECT_TRUE(note.contains(QStringLiteral("plumbline-cli calibrate --backend cpu --ranks 2")))
        << note.toStdString();
    EXPECT_FALSE(lanes().isVisible());
    ASSERT_TRUE(child<QPushButton>(*view, "copyRankCalibration")->isVisible());
    click("copyRankCalibration");
    EXPECT_EQ(QGuiApplication::clipboard()->text(),
              QStringLiteral("plumbline-cli calibrate --backend cpu --ranks 2"));
    EXPECT_EQ(cell(table(), 0, static_cast<int>(CollectiveColumn::Bandwidth)), QStringLiteral("–"));
    EXPECT_NE(cell(table(), 0, static_cast<int>(CollectiveColumn::Planned)), QStringLiteral("–"));
    showRanked(workbench, rankedConfig(2), false);
    view->refresh();
    EXPECT_TRUE(lanes().isVisible());
    EXPECT_FALSE(child<QPushButton>(*view, "copyRankCalibration")->isVisible());
}

TEST_F(RanksViewTest, SortsAndCopiesCollectivesAndSelectsTheirOpEverywhere) {
    showRanked(workbench, rankedConfig(2));
    make();
    auto& model = static_cast<CollectivesModel&>(*table().model());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto planned = collectivesOf(*workbench.session()->whatIf.plan);
    ASSERT_EQ(model.rowCount(), static_cast<int>(planned.size()));
    ASSERT_GT(model.rowCount(), 2);
    for (int row = 0; row < model.rowCount(); ++row) {
        EXPECT_EQ(model.row(row).op, planned[static_cast<std::size_t>(row)].op) << "in the order of the step";
        EXPECT_EQ(model.row(row).counted, planned[static_cast<std::size_t>(row)].sentBytes);
        const CollectiveFigures& figures = model.row(row).measured;
        ASSERT_TRUE(figures.bandwidth.has_value());
        // Of two ranks each sends as many bytes as are reduced.
        EXPECT_NEAR(*figures.bandwidth, static_cast<double>(model.row(row).bytes) / *figures.seconds,
                    1e-6 * *figures.bandwidth);
    }
    const auto isSorted = [&](CollectiveColumn column, bool isDown) {
        for (int row = 1; row < model.rowCount(); ++row) {
            const auto raw = [&](int at) {
                return model.index(at, static_cast<int>(column)).data(CollectivesModel::kRawRole).toDouble();
            };
            if (isDown ? raw(row - 1) < raw(row) : raw(row - 1) > raw(row)) return false;
        }
        return true;
    };
    QHeaderView& header = *table().horizontalHeader();
    for (const CollectiveColumn column : {CollectiveColumn::Planned, CollectiveColumn::Exposed}) {
        header.setSortIndicator(static_cast<int>(column), Qt::AscendingOrder);
        EXPECT_TRUE(isSorted(column, false));
        header.setSortIndicator(static_cast<int>(column), Qt::DescendingOrder);
        EXPECT_TRUE(isSorted(column, true));
    }
    table().selectRow(1);
    const std::int32_t op = model.row(1).op;
    EXPECT_EQ(workbench.selection().op(), toText(workbench.session()->whatIf.step->opId(op)));
    header.setSortIndicator(static_cast<int>(CollectiveColumn::Name), Qt::AscendingOrder);
    const QModelIndexList chosen = table().selectionModel()->selectedRows();
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(model.row(chosen.first().row()).op, op) << "the row goes on being chosen where it stands now";
    table().setFocus();
    QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split(QStringLiteral("\r\n"));
    ASSERT_EQ(lines.size(), 3) << "titles and the row that is chosen";
    EXPECT_TRUE(lines[0].startsWith(QStringLiteral("collective,ranks,bytes,"))) << lines[0].toStdString();
    // What another view selects is chosen here.
    workbench.selection().select(toText(workbench.session()->whatIf.step->opId(planned[0].op)));
    EXPECT_EQ(model.row(table().selectionModel()->selectedRows().first().row()).op, planned[0].op);
    workbench.selection().select({});
    EXPECT_TRUE(table().selectionModel()->selectedRows().isEmpty());
}

TEST_F(RanksViewTest, AsksByEnterAndTakesByEnterOnceMore) {
    RunConfig config = rankedConfig(2);
    config.batch = 96;
    showRanked(workbench, config, false);
    make();
    auto& field = *child<SizeField>(*view, "whatIfRanks");
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, QStringLiteral("4"));
    QTest::keyClick(&field, Qt::Key_Return);
    EXPECT_EQ(child<WhatIfRow>(*view, "whatIfRow")->ranks(), 4);
    EXPECT_EQ(workbench.config().parallel.data, 2);
    QTest::keyClick(&field, Qt::Key_Return);
    EXPECT_EQ(workbench.config().parallel.data, 4);
}

TEST_F(RanksViewTest, AsksWhatAnotherNumberOfRanksWouldCostWithoutTakingIt) {
    RunConfig config = rankedConfig(2);
    config.batch = 96;
    showRanked(workbench, config, false);
    make();
    const ScenePtr before = workbench.session();
    auto& row = *child<WhatIfRow>(*view, "whatIfRow");
    EXPECT_FALSE(child<QPushButton>(row, "whatIfApply")->isEnabled());
    click("whatIfMore");
    EXPECT_EQ(row.ranks(), 3) << "the next number that divides the batch";
    click("whatIfMore");
    EXPECT_EQ(row.ranks(), 4);
    EXPECT_EQ(workbench.session(), before) << "nothing is in force yet";
    const PlannedStep planned = planOn(withRanks(config, 4), before->whatIf.target).value();
    EXPECT_EQ(label("whatIfPeakThen"), bytesText(planned.prediction->memory.peakBytes));
    EXPECT_EQ(label("whatIfSentThen"), bytesText(planned.step->wireBytes));
    EXPECT_EQ(label("whatIfStepThen"), QStringLiteral("–")) << "nobody measured four";
    EXPECT_TRUE(label("whatIfNote").contains(QStringLiteral("--ranks 4")));
    const auto plan = before->whatIf.plan;
    workbench.setMeasured(rankedReading(*plan, before->whatIf.machine()), plan, before->whatIf.machine());
    EXPECT_EQ(row.ranks(), 4) << "what a run tells meanwhile leaves the question";
    click("whatIfReset");
    EXPECT_EQ(row.ranks(), 2);
    EXPECT_FALSE(child<QLabel>(row, "whatIfPeakThen")->isVisible());
    row.ask(5);
    EXPECT_TRUE(label("whatIfError").contains(QStringLiteral("5"))) << label("whatIfError").toStdString();
    EXPECT_FALSE(child<QPushButton>(row, "whatIfApply")->isEnabled());
    click("whatIfMore");
    EXPECT_EQ(row.ranks(), 6);
    EXPECT_FALSE(child<QLabel>(row, "whatIfError")->isVisible());
    click("whatIfApply");
    EXPECT_EQ(workbench.config().parallel.data, 6);
    view->refresh();
    EXPECT_EQ(view->state().shown.size(), 6U);
    history.stack().undo();
    EXPECT_EQ(workbench.config().parallel.data, 2);
    EXPECT_EQ(row.ranks(), 2) << "the question begins anew";
    // By the keyboard alone.
    auto& field = *child<SizeField>(row, "whatIfRanks");
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, QStringLiteral("8"));
    QTest::keyClick(&field, Qt::Key_Return);
    EXPECT_EQ(row.ranks(), 8);
}

TEST_F(RanksViewTest, ShowsBothLanesPredictedAndMeasured) {
    const RunConfig config = rankedConfig(2, 16);
    showRanked(workbench, config);
    make();
    const LaneRows& rows = lanes().rows();
    ASSERT_EQ(rows.rows.size(), 4U);
    EXPECT_EQ(rows.microBatches, 4);
    EXPECT_NEAR(rows.measured, 1.2 * rows.predicted, 1e-9);
    EXPECT_EQ(rows.step, 8) << "the newest";
    for (const LaneRow& row : rows.rows) {
        Seconds end = 0;
        for (const LaneBar& bar : row.bars) {
            EXPECT_GE(bar.begin, end - 1e-12);
            EXPECT_GE(bar.end, bar.begin);
            end = bar.end;
        }
        EXPECT_LE(end, rows.whole() * (1 + 1e-9));
    }
    const auto names = [&](int row) {
        QStringList all;
        for (const LaneBar& bar : rows.rows[static_cast<std::size_t>(row)].bars)
            if (const QString brief = briefBarName(rows, bar); !brief.isEmpty()) all << brief;
        return all.join(QLatin1Char(' '));
    };
    EXPECT_EQ(names(0), QStringLiteral("F1 B1 2–3 F4 B4"));
    EXPECT_EQ(names(2), QStringLiteral("F1 B1 F2 B2")) << "of which this reading has but two";
    const auto traffic = rows.rows[1].bars.size();
    EXPECT_EQ(traffic, collectivesOf(*workbench.session()->whatIf.plan).size());
    EXPECT_EQ(rows.rows[3].bars.size(), traffic);
    const bool waits = std::ranges::any_of(
        rows.rows[2].bars, [](const LaneBar& bar) { return bar.kind == LaneBar::Kind::Wait; });
    EXPECT_TRUE(waits) << "the optimizer needs the last bucket";
    const double share = 100 * rows.rows[2].waiting() / rows.measured;
    EXPECT_EQ(rows.rows[2].aside, QStringLiteral("%1 % waits").arg(numberText(share, 'f', 1))) << "as drawn";
    // Keys walk from bar to bar, and a collective that is taken is selected everywhere.
    QTest::keyClick(&lanes(), Qt::Key_Down);
    QTest::keyClick(&lanes(), Qt::Key_Home);
    ASSERT_NE(lanes().cardShown(), nullptr);
    QTest::keyClick(&lanes(), Qt::Key_Return);
    const std::int32_t op = rows.rows[1].bars.front().op;
    EXPECT_EQ(workbench.selection().op(), toText(workbench.session()->whatIf.step->opId(op)));
    EXPECT_EQ(table().selectionModel()->selectedRows().size(), 1);
    QTest::mouseClick(&lanes(), Qt::LeftButton, {}, lanes().barRect(3, 1).center().toPoint());
    EXPECT_EQ(workbench.selection().op(),
              toText(workbench.session()->whatIf.step->opId(rows.rows[3].bars[1].op)));
    // All four are to be seen however low the chart is.
    for (const int height : {lanes().minimumSizeHint().height(), 240, 600}) {
        LaneChart apart(theme);
        apart.setRows(rows, workbench.session()->whatIf.step);
        apart.resize(500, height);
        for (int row = 0; row < 4; ++row) {
            EXPECT_LE(apart.rowRect(row).bottom(), apart.height()) << row << ' ' << height;
            EXPECT_TRUE(row == 0 || apart.rowRect(row).top() > apart.rowRect(row - 1).bottom()) << row;
        }
    }
    // A training measures no moments.
    Reading medians = *workbench.session()->measured->reading;
    medians.timeline = nullptr;
    workbench.setMeasured(std::make_shared<const Reading>(medians), workbench.session()->whatIf.plan,
                          workbench.session()->whatIf.machine());
    view->refresh();
    EXPECT_EQ(lanes().rows().rows.size(), 2U);
    EXPECT_TRUE(label("rankLanesNote").contains(QStringLiteral("Profile")));
}

TEST_F(RanksViewTest, HasAsMuchInEachCellAsThereIsRoomFor) {
    ASSERT_TRUE(workbench.show(rankedConfig(64)).has_value());
    make();
    ASSERT_TRUE(waitFor([this] { return !view->property(kBusyView).toBool(); }));
    ASSERT_EQ(view->state().shown.size(), 64U);
    EXPECT_NE(grid().form(), RankGrid::Form::Whole);
    for (const QSize size : {QSize(1500, 860), QSize(700, 500)}) {
        view->resize(size);
        QCoreApplication::processEvents();
        for (int rank = 0; rank < 64; ++rank) {
            EXPECT_TRUE(QRectF(grid().rect()).contains(grid().cellRect(rank))) << rank << ' ' << size.width();
            EXPECT_FALSE(rank > 0 && grid().cellRect(rank).intersects(grid().cellRect(rank - 1))) << rank;
        }
    }
    QTest::keyClick(&grid(), Qt::Key_Down);
    EXPECT_GT(view->chosenRank(), 1) << "the rank below";
    ASSERT_TRUE(workbench.show(rankedConfig(512)).has_value());
    view->refresh();
    ASSERT_TRUE(waitFor([this] { return !view->property(kBusyView).toBool(); }));
    EXPECT_TRUE(view->state().shown.empty());
    EXPECT_TRUE(grid().emptyText().contains(QStringLiteral("256"))) << grid().emptyText().toStdString();
    EXPECT_GT(table().model()->rowCount(), 0);
}

TEST_F(RanksViewTest, PutsCardsBelowEachOtherWhereTheyHaveNoRoomBeside) {
    showRanked(workbench, rankedConfig(2));
    make({1400, 860});
    const auto placeOf = [&](const char* card) {
        const auto* of = child<Card>(*view, card);
        return QRect(of->mapTo(view.get(), QPoint()), of->size());
    };
    EXPECT_GT(placeOf("rankMemoryCard").left(), placeOf("rankGridCard").right());
    EXPECT_GT(placeOf("rankLanesCard").top(), placeOf("rankGridCard").bottom());
    view->resize(600, 1500);
    QCoreApplication::processEvents();
    EXPECT_GT(placeOf("rankMemoryCard").top(), placeOf("rankGridCard").bottom());
    EXPECT_EQ(placeOf("rankMemoryCard").left(), placeOf("rankGridCard").left());
    // Names of categories are whole wherever the table stands.
    for (const int width : {600, 900, 1400}) {
        view->resize(width, 1200);
        QCoreApplication::processEvents();
        EXPECT_GE(categories().columnWidth(0),
                  static_cast<QAbstractItemView&>(categories()).sizeHintForColumn(0))
            << width;
    }
}

}  // namespace
}  // namespace plumb::ui::test
