// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_model.h"

#include "core/measure/filed_prediction.h"
#include "tests/ui/operations/operations_support.h"
#include "tests/ui/support.h"
#include "ui/operations/operations_filter.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>

namespace plumb::ui::test {
namespace {

using Kind = OperationsTree::Kind;

void visit(const QAbstractItemModel& model, const QModelIndex& parent,
           const std::function<void(const QModelIndex&)>& act) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        act(index);
        visit(model, index, act);
    }
}

QVariant raw(const QModelIndex& row, OperationColumn column) {
    return row.siblingAtColumn(static_cast<int>(column)).data(OperationsModel::RawValueRole);
}
QString text(const QModelIndex& row, OperationColumn column) {
    return row.siblingAtColumn(static_cast<int>(column)).data().toString();
}
QModelIndex findRow(const QAbstractItemModel& model, const QString& rowId) {
    QModelIndex found;
    visit(model, {}, [&](const QModelIndex& row) {
        if (row.data(OperationsModel::RowIdRole).toString() == rowId) found = row;
    });
    return found;
}

RunConfig randomConfig(std::mt19937& random) {
    const auto pick = [&](std::initializer_list<std::int64_t> values) {
        return *(values.begin() + random() % values.size());
    };
    RunConfig config;
    config.layers = pick({1, 2, 3, 5, 8, 17});
    config.dim = pick({8, 64, 256});
    config.outputs = pick({1, 4});
    config.batch = pick({8, 16, 64});
    config.microBatch = pick({0, 4, 8});
    config.activation = random() % 2 ? Activation::Relu : Activation::None;
    config.precision = random() % 2 ? Precision::Bf16 : Precision::Fp32;
    config.optimizer = static_cast<Optimizer>(random() % 3);
    config.recompute.kind = static_cast<RecomputePolicy::Kind>(random() % 3);
    config.recompute.interval = pick({1, 2, 4});
    return config;
}

TEST(OperationsModel, IsAConsistentModelThroughRandomConfigurations) {
    FailOnQtWarnings guard;
    OperationsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    OperationsFilter rows(model);
    QAbstractItemModelTester proxyTester(&rows, QAbstractItemModelTester::FailureReportingMode::Warning);
    std::mt19937 random(20261120);
    Workbench workbench;
    EXPECT_TRUE(workbench.show({testMachine(), cpuTraits()}).has_value());
    for (int i = 0; i < 60; ++i) {
        const RunConfig config = randomConfig(random);
        if (!validate(config).has_value()) continue;
        EXPECT_TRUE(workbench.show(config).has_value());
        if (i % 5 == 1) {
            const auto plan = testPlan(config);
            workbench.setMeasured(testReading(*plan, testMachine()), plan);
        }
        model.setScene(workbench.scene());
        rows.sort(static_cast<int>(random() % kOperationColumns),
                  random() % 2 ? Qt::AscendingOrder : Qt::DescendingOrder);
        rows.setQuery(OperationsQuery(i % 3 == 0 ? QStringLiteral("layer 2") : QString()));

        std::set<QString> ids;
        std::size_t operations = 0;
        double flops = 0;
        double bytes = 0;
        double seconds = 0;
        for (int phase = 0; phase < model.rowCount(); ++phase) {
            flops += raw(model.index(phase, 0), OperationColumn::Flops).toDouble();
            bytes += raw(model.index(phase, 0), OperationColumn::Bytes).toDouble();
            seconds += raw(model.index(phase, 0), OperationColumn::Predicted).toDouble();
        }
        visit(model, {}, [&](const QModelIndex& row) {
            ids.insert(row.data(OperationsModel::RowIdRole).toString());
            operations += row.data(OperationsModel::OpIdRole).toString().isEmpty() ? 0 : 1;
            if (model.rowCount(row) == 0) return;
            double below = 0;
            for (int at = 0; at < model.rowCount(row); ++at)
                below += raw(model.index(at, 0, row), OperationColumn::Flops).toDouble();
            EXPECT_EQ(below, raw(row, OperationColumn::Flops).toDouble());
        });
        const StepPlan& plan = *workbench.scene()->whatIf.plan;
        EXPECT_EQ(operations, plan.ops.size());
        EXPECT_EQ(ids.size(), model.tree().nodes().size() - 1) << "row ids are unique";
        EXPECT_EQ(flops, static_cast<double>(plan.flops));
        EXPECT_EQ(bytes, static_cast<double>(plan.bytes));
        EXPECT_NEAR(seconds, *workbench.scene()->whatIf.prediction->totals.seconds, 1e-9 * seconds);
    }
}

TEST(OperationsModel, KeepsRowsWhenOnlyFiguresChangeAndResetsWhenOperationsDo) {
    const auto workbench = testWorkbench(testConfig());
    OperationsModel model;
    model.setScene(workbench->scene());
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    const QPersistentModelIndex row =
        model.indexOfOp(QString::fromStdString(opId(workbench->scene()->whatIf.plan->ops[3])));
    const double before = raw(row, OperationColumn::Flops).toDouble();

    EXPECT_TRUE(workbench->show(testConfig(8, 512, 512)).has_value());
    model.setScene(workbench->scene());
    EXPECT_EQ(reset.count(), 0);
    EXPECT_GT(changed.count(), 0);
    EXPECT_EQ(raw(row, OperationColumn::Flops).toDouble(), 2 * before);

    EXPECT_TRUE(workbench->show(testConfig(9, 512, 512)).has_value());
    model.setScene(workbench->scene());
    EXPECT_EQ(reset.count(), 1);
    EXPECT_FALSE(row.isValid());
}

TEST(OperationsModel, EveryOperationIsFoundByItsId) {
    const auto workbench = testWorkbench(testConfig(5));
    OperationsModel model;
    model.setScene(workbench->scene());
    for (const Op& op : workbench->scene()->whatIf.plan->ops) {
        const QModelIndex index = model.indexOfOp(QString::fromStdString(opId(op)));
        ASSERT_TRUE(index.isValid()) << opId(op);
        EXPECT_EQ(index.data(OperationsModel::OpIdRole).toString().toStdString(), opId(op));
        EXPECT_EQ(raw(index, OperationColumn::Flops).toDouble(), static_cast<double>(op.flops));
    }
    EXPECT_FALSE(model.indexOfOp(QStringLiteral("no such op")).isValid());
    EXPECT_FALSE(model.indexOfOp({}).isValid());
}

TEST(OperationsModel, NothingMeasuredIsADashThatSaysWhyAndNeverThePrediction) {
    const auto workbench = testWorkbench(testConfig());
    OperationsModel model;
    model.setScene(workbench->scene());
    visit(model, {}, [&](const QModelIndex& row) {
        for (const auto column :
             {OperationColumn::Measured, OperationColumn::Difference, OperationColumn::Rate,
              OperationColumn::Bandwidth, OperationColumn::OfRoof}) {
            EXPECT_EQ(text(row, column), absentText());
            EXPECT_FALSE(raw(row, column).isValid());
            EXPECT_TRUE(row.siblingAtColumn(static_cast<int>(column))
                            .data(Qt::ToolTipRole)
                            .toString()
                            .contains(QStringLiteral("Not measured yet")));
        }
        EXPECT_TRUE(raw(row, OperationColumn::Predicted).isValid());
    });
}

TEST(OperationsModel, WithoutCeilingsTimesAreAbsentAndSayWhichCeilingsAreMissing) {
    Workbench workbench;
    Machine machine = testMachine();
    machine.bandwidthBytesPerSecond.reset();
    machine.peakFlopPerSecond.clear();
    EXPECT_TRUE(workbench.show({machine, cpuTraits()}).has_value());
    OperationsModel model;
    model.setScene(workbench.scene());
    const QModelIndex row = model.index(0, 0);
    EXPECT_EQ(text(row, OperationColumn::Predicted), absentText());
    EXPECT_TRUE(row.siblingAtColumn(static_cast<int>(OperationColumn::Predicted))
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("ceiling")));
    EXPECT_GT(raw(model.index(1, 0), OperationColumn::Flops).toDouble(), 0) << "costs need no ceilings";
}

TEST(OperationsModel, ShareOfRoofIsRooflineTimeWithoutOverheadOverMeasuredTime) {
    const auto workbench = testWorkbench(testConfig(), true);
    OperationsModel model;
    model.setScene(workbench->scene());
    const Scene& scene = *workbench->scene();
    for (std::size_t i = 0; i < scene.whatIf.plan->ops.size(); ++i) {
        const Op& op = scene.whatIf.plan->ops[i];
        const QModelIndex row = model.indexOfOp(QString::fromStdString(opId(op)));
        const double bySums =
            std::max(static_cast<double>(op.flops) / 1e12, static_cast<double>(op.bytes) / 1e11);
        const double measured = *scene.measured->reading->ops[i].seconds;
        EXPECT_EQ(raw(row, OperationColumn::Measured).toDouble(), measured);
        EXPECT_NEAR(raw(row, OperationColumn::OfRoof).toDouble(), bySums / measured, 1e-6) << opId(op);
        EXPECT_NEAR(raw(row, OperationColumn::Rate).toDouble(), static_cast<double>(op.flops) / measured,
                    1e-3);
    }
}

TEST(OperationsModel, ADifferenceOfMoreThanAThousandPercentIsAFactor) {
    for (const auto& [slower, written] :
         {std::pair(1.5, "+50.0 %"), std::pair(9.99, "+899 %"), std::pair(10.999, "×11.0"),
          std::pair(157.61, "×158"), std::pair(15661.0, "×15.7 k")}) {
        const auto workbench = testWorkbench(testConfig());
        const auto plan = testPlan(testConfig());
        workbench->setMeasured(testReading(*plan, testMachine(), slower), plan);
        OperationsModel model;
        model.setScene(workbench->scene());
        // Every third op is slower still.
        const QModelIndex row = model.indexOfOp(QString::fromStdString(opId(plan->op(1))));
        EXPECT_EQ(text(row, OperationColumn::Difference), QString::fromUtf8(written));
    }
}

TEST(OperationsModel, MeasuredValuesBelongToTheRunAndAreMatchedById) {
    const RunConfig ran = testConfig(4, 512, 256);
    const auto workbench = testWorkbench(ran, true);
    const auto reading = workbench->scene()->measured->reading;
    RunConfig whatIf = testConfig(6, 512, 1024);
    EXPECT_TRUE(workbench->show(whatIf).has_value());
    ASSERT_FALSE(workbench->scene()->sameConfig());
    OperationsModel model;
    model.setScene(workbench->scene());

    for (const OpReading& op : reading->ops) {
        const QModelIndex row = model.indexOfOp(QString::fromStdString(op.id));
        if (!row.isValid() || op.id.find("head") != std::string::npos) continue;
        EXPECT_EQ(raw(row, OperationColumn::Measured).toDouble(), *op.seconds) << op.id;
        // What-if and run are set against each other as what they are ...
        EXPECT_NEAR(raw(row, OperationColumn::Difference).toDouble(),
                    raw(row, OperationColumn::Predicted).toDouble() / *op.seconds - 1, 1e-9)
            << op.id;
        // ... and a rate of the run does not stand beside the FLOPs of the larger batch.
        for (const auto column : {OperationColumn::Rate, OperationColumn::Bandwidth, OperationColumn::OfRoof})
            EXPECT_FALSE(raw(row, column).isValid()) << op.id;
    }
    const auto header = [&](OperationColumn column) {
        return model.headerData(static_cast<int>(column), Qt::Horizontal).toString();
    };
    EXPECT_EQ(header(OperationColumn::Predicted), QStringLiteral("what-if"));
    EXPECT_EQ(header(OperationColumn::Measured), QStringLiteral("run"));
    const QModelIndex group = findRow(model, QStringLiteral("phase/backward/weight_gradient"));
    EXPECT_TRUE(text(group, OperationColumn::Name).contains(QStringLiteral("×6 (run ×4)")))
        << text(group, OperationColumn::Name).toStdString();

    EXPECT_TRUE(workbench->show(ran).has_value());
    model.setScene(workbench->scene());
    EXPECT_EQ(header(OperationColumn::Measured), QStringLiteral("measured"));
    EXPECT_TRUE(
        raw(model.indexOfOp(QString::fromStdString(reading->ops[1].id)), OperationColumn::Rate).isValid());
}

TEST(OperationsModel, AGroupsMeasuredTimeIsOfTheRunsWholeGroupAndNeverAPartOfIt) {
    const auto workbench = testWorkbench(testConfig(8), true);
    OperationsModel model;
    const QStringList rows{QStringLiteral("phase/forward"), QStringLiteral("phase/forward/layer_forward"),
                           QStringLiteral("phase/backward")};
    model.setScene(workbench->scene());
    std::vector<double> whole;
    for (const QString& row : rows)
        whole.push_back(raw(findRow(model, row), OperationColumn::Measured).toDouble());
    ASSERT_GT(whole.front(), 0);

    for (const std::int64_t layers : {4, 12}) {
        EXPECT_TRUE(workbench->show(testConfig(layers)).has_value());
        model.setScene(workbench->scene());
        auto expected = whole.begin();
        for (const QString& row : rows)
            EXPECT_DOUBLE_EQ(raw(findRow(model, row), OperationColumn::Measured).toDouble(), *expected++)
                << layers << ' ' << row.toStdString();
    }
    // What the run has not timed in full has no sum.
    auto partial = std::make_shared<Reading>(*workbench->scene()->measured->reading);
    std::ranges::find(partial->ops, Phase::Forward, &OpReading::phase)->seconds.reset();
    workbench->setMeasured(partial, workbench->scene()->measured->plan);
    model.setScene(workbench->scene());
    const QModelIndex phase = findRow(model, QStringLiteral("phase/forward"));
    EXPECT_EQ(text(phase, OperationColumn::Measured), absentText());
    EXPECT_TRUE(phase.siblingAtColumn(static_cast<int>(OperationColumn::Measured))
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("of its")));
}

TEST(OperationsModel, ARateNeedsNoCounterAndMoreThanTheRoofIsExplained) {
    const auto workbench = testWorkbench(testConfig());
    const auto plan = testPlan(testConfig());
    auto reading = std::make_shared<Reading>(*testReading(*plan, testMachine(), 0.2));
    for (OpReading& op : reading->ops) {
        op.flops.reset();  // as a clock's reading is
        op.bytes.reset();
    }
    workbench->setMeasured(reading, plan);
    OperationsModel model;
    model.setScene(workbench->scene());
    const QModelIndex row = model.indexOfOp(QString::fromStdString(opId(plan->ops[1])));
    EXPECT_NEAR(raw(row, OperationColumn::Rate).toDouble(),
                static_cast<double>(plan->ops[1].flops) / *reading->ops[1].seconds, 1e-3);
    EXPECT_TRUE(raw(row, OperationColumn::Bandwidth).isValid());
    ASSERT_GT(raw(row, OperationColumn::OfRoof).toDouble(), 1);
    EXPECT_EQ(text(row, OperationColumn::OfRoof), QStringLiteral("> 100 %"))
        << "no number that is not possible";
    EXPECT_TRUE(row.siblingAtColumn(static_cast<int>(OperationColumn::OfRoof))
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("calibrate again")));
}

TEST(OperationsModel, AnOpThatACacheServedIsASharePossibleThereAndSaysSo) {
    Workbench workbench;
    Machine machine = testMachine();
    machine.costs = CostTables{};
    machine.costs->bandwidth = {{Bytes{1} << 20, 1e12, 1e12, 1e12}, {Bytes{1} << 30, 1e11, 1e11, 1e11}};
    EXPECT_TRUE(workbench.show({machine, cpuTraits()}).has_value());
    EXPECT_TRUE(workbench.show(testConfig(2, 512, 1)).has_value());
    const auto plan = workbench.scene()->whatIf.plan;
    auto reading = std::make_shared<Reading>(predictedReading(*plan, machine));
    reading->source = Source::Clock;
    // Twice as fast as memory delivers: bound by it, and served by a cache.
    for (std::size_t i = 0; i < plan->ops.size(); ++i)
        reading->ops[i].seconds = std::max(static_cast<double>(plan->ops[i].bytes) / 2e11,
                                           static_cast<double>(plan->ops[i].flops) / 5e11);
    workbench.setMeasured(reading, plan);
    OperationsModel model;
    model.setScene(workbench.scene());
    const QModelIndex row = model.indexOfOp(QString::fromStdString(opId(plan->ops[1])));
    EXPECT_LE(raw(row, OperationColumn::OfRoof).toDouble(), 1);
    EXPECT_TRUE(text(row, OperationColumn::OfRoof).contains(QStringLiteral("cache")))
        << text(row, OperationColumn::OfRoof).toStdString();
}

TEST(OperationsModel, AFileThatNamesNoTierHasThatOfItsMachine) {
    const auto plan = testPlan(testConfig());
    Machine sheet = testMachine();
    sheet.perOpOverhead.reset();
    for (const auto& [machine, tier] :
         {std::pair(testMachine(), Tier::Calibrated), std::pair(sheet, Tier::DataSheet)}) {
        Reading reading = predictedReading(*plan, machine);
        reading.totals.tier.reset();
        for (OpReading& op : reading.ops) op.tier.reset();
        const auto filed = filedPrediction(*plan, reading, machine);
        ASSERT_TRUE(filed.has_value());
        EXPECT_EQ(filed->totals.tier, tier);
        EXPECT_EQ(filed->opTiers, std::vector<Tier>(plan->ops.size(), tier));
    }
}

TEST(OperationsModel, ATimeThatIsNotFromACalibrationIsMarked) {
    const auto workbench = testWorkbench(testConfig());
    OperationsModel model;
    model.setScene(workbench->scene());
    ASSERT_EQ(workbench->scene()->whatIf.prediction->totals.tier, Tier::Calibrated);
    EXPECT_FALSE(text(model.index(1, 0), OperationColumn::Predicted).contains(u'~'));

    Machine sheet = testMachine();
    sheet.perOpOverhead.reset();  // known from a calibration alone
    EXPECT_TRUE(workbench->show({sheet, cpuTraits()}).has_value());
    model.setScene(workbench->scene());
    ASSERT_EQ(workbench->scene()->whatIf.prediction->totals.tier, Tier::DataSheet);
    for (int phase = 0; phase < model.rowCount(); ++phase)
        EXPECT_TRUE(text(model.index(phase, 0), OperationColumn::Predicted).startsWith(u'~')) << phase;
    const QModelIndex tip = model.index(1, static_cast<int>(OperationColumn::Predicted));
    EXPECT_TRUE(tip.data(Qt::ToolTipRole).toString().contains(QStringLiteral("data sheet")));
}

TEST(OperationsModel, AMeasuredTimeSaysWhereTheMiddleOfItsRepeatsLies) {
    const auto workbench = testWorkbench(testConfig(2));
    const auto plan = workbench->scene()->whatIf.plan;
    Reading reading = *testReading(*plan, testMachine());
    for (OpReading& op : reading.ops) op.spread = Spread{1.25e-3, 7.5e-3};
    workbench->setMeasured(std::make_shared<const Reading>(std::move(reading)), plan);
    OperationsModel model;
    model.setScene(workbench->scene());
    const QModelIndex op = model.indexOfOp(QString::fromStdString(opId(plan->ops[1])));
    const QString tip =
        op.siblingAtColumn(static_cast<int>(OperationColumn::Measured)).data(Qt::ToolTipRole).toString();
    EXPECT_TRUE(tip.contains(QStringLiteral("at most 1.25 ms"))) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("at least 7.50 ms"))) << tip.toStdString();
}

TEST(OperationsModel, AMeasuredTimeSaysWhichAlgorithmsOfTheLibraryItIsOf) {
    const auto workbench = testWorkbench(testConfig(2));
    const auto plan = workbench->scene()->whatIf.plan;
    Reading reading = *testReading(*plan, testMachine());
    LibraryProduct product;
    product.product = "forward 8x4x4 fp32*fp32>fp32";
    product.algorithm.id = 66;
    product.algorithm.tile = "128x256";
    product.origin = AlgorithmOrigin::Autotune;
    product.apart = {PassApart::ReluAndMask};
    product.fallback = "the library offers none";
    reading.products = {LibraryProduct{}, product};
    reading.ops[1].products = {1};
    workbench->setMeasured(std::make_shared<const Reading>(std::move(reading)), plan);
    OperationsModel model;
    model.setScene(workbench->scene());
    const auto tipOf = [&](std::size_t op) {
        return model.indexOfOp(QString::fromStdString(opId(plan->ops[op])))
            .siblingAtColumn(static_cast<int>(OperationColumn::Measured))
            .data(Qt::ToolTipRole)
            .toString();
    };
    for (const char* const part : {"forward 8x4x4", "algorithm 66, tile 128x256", "chosen by autotune",
                                   "the ReLU and its mask in a pass of its own: the library offers none"})
        EXPECT_TRUE(tipOf(1).contains(QLatin1String(part))) << part << "\n" << tipOf(1).toStdString();
    EXPECT_FALSE(tipOf(2).contains(QLatin1String("algorithm"))) << tipOf(2).toStdString();
}

TEST(OperationsFilter, SortsByRawValuesWithUnknownOnesLastBothWays) {
    const auto workbench = testWorkbench(testConfig(4), true);
    EXPECT_TRUE(workbench->show(testConfig(6)).has_value());
    OperationsModel model;
    model.setScene(workbench->scene());
    OperationsFilter rows(model);
    for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        for (const auto column : {OperationColumn::Flops, OperationColumn::Predicted,
                                  OperationColumn::Measured, OperationColumn::OfRoof}) {
            rows.sort(static_cast<int>(column), order);
            visit(rows, {}, [&](const QModelIndex& row) {
                const QModelIndex next = row.siblingAtRow(row.row() + 1);
                if (!next.isValid()) return;
                const QVariant a = raw(row, column);
                const QVariant b = raw(next, column);
                if (!a.isValid()) {
                    EXPECT_FALSE(b.isValid()) << "an unknown value stands before a known one";
                    return;
                }
                if (!b.isValid()) return;
                if (order == Qt::AscendingOrder)
                    EXPECT_LE(a.toDouble(), b.toDouble());
                else
                    EXPECT_GE(a.toDouble(), b.toDouble());
            });
        }
    }
}

TEST(OperationsFilter, ARowHasRowsBelowItExactlyWhereSomeAreShown) {
    const auto workbench = testWorkbench(testConfig(4), true);
    OperationsModel model;
    OperationsFilter rows(model);
    model.setScene(workbench->scene());
    const std::function<int(const QModelIndex&)> check = [&](const QModelIndex& row) {
        EXPECT_EQ(rows.hasChildren(row), rows.rowCount(row) > 0);
        int all = 0;
        for (int below = 0; below < rows.rowCount(row); ++below) all += 1 + check(rows.index(below, 0, row));
        return all;
    };
    const int all = check({});
    EXPECT_GT(all, 12);
    rows.setQuery(OperationsQuery(QStringLiteral("backward")));
    EXPECT_LT(check({}), all);
    rows.setQuery(OperationsQuery(QStringLiteral("no such operation")));
    EXPECT_EQ(check({}), 0);
}

TEST(OperationsFilter, LayerWordsMatchLayersExactlyAndOtherWordsNamesPhasesAndBounds) {
    const auto workbench = testWorkbench(testConfig(32), false);
    OperationsModel model;
    model.setScene(workbench->scene());
    OperationsFilter rows(model);
    const auto layersShown = [&](const char* query) {
        rows.setQuery(OperationsQuery(QString::fromUtf8(query)));
        std::set<int> layers;
        visit(rows, {}, [&](const QModelIndex& row) {
            const OperationsTree::Node& node = model.node(rows.mapToSource(row));
            if (node.op >= 0) layers.insert(model.tree().step().opLayer(node.op));
        });
        return layers;
    };
    EXPECT_EQ(layersShown("layer 3"), (std::set<int>{3}));
    EXPECT_EQ(layersShown("LAYERS 30-40"), (std::set<int>{30, 31, 32}));
    EXPECT_EQ(layersShown("layer 3 weight"), (std::set<int>{3}));
    EXPECT_EQ(rows.matchCount(), 1);
    EXPECT_TRUE(layersShown("layer 99").empty());
    EXPECT_EQ(rows.rowCount(), 0);
    (void)layersShown("optimizer");
    EXPECT_EQ(rows.matchCount(), 1);
    (void)layersShown("memory");
    EXPECT_GT(rows.matchCount(), 0);
    visit(rows, {}, [&](const QModelIndex& row) {
        const OperationsTree::Node& node = model.node(rows.mapToSource(row));
        EXPECT_TRUE(node.op < 0 || node.figures.bound == Bound::Memory);
    });
    (void)layersShown("");
    EXPECT_EQ(rows.matchCount(), static_cast<int>(workbench->scene()->whatIf.plan->ops.size()));
}

TEST(OperationsCsv, APredictedTimeHasItsTierBesideIt) {
    const auto workbench = testWorkbench(testConfig(2));
    OperationsModel model;
    model.setScene(workbench->scene());
    const QString csv = operationsToText(
        {model.index(0, 0)}, {OperationColumn::Predicted, OperationColumn::Measured}, CopyFormat::Csv);
    const QStringList lines = csv.split(QStringLiteral("\r\n"));
    EXPECT_EQ(lines[0], QStringLiteral("predicted_seconds,predicted_tier,measured_seconds"));
    const auto tier = tierName(*workbench->scene()->whatIf.prediction->totals.tier);
    EXPECT_EQ(lines[1].split(u',')[1].toStdString(), tier);
}

TEST(OperationsCsv, QuotesNamesAndLeavesUnknownValuesEmpty) {
    const auto workbench = testWorkbench(testConfig(2));
    OperationsModel model;
    model.setScene(workbench->scene());
    const QString csv = operationsToText(
        {model.index(0, 0)}, {OperationColumn::Name, OperationColumn::Flops, OperationColumn::Measured},
        CopyFormat::Csv);
    const QStringList lines = csv.split(QStringLiteral("\r\n"));
    ASSERT_EQ(lines.size(), 3);
    EXPECT_EQ(lines[0], QStringLiteral("operation,flops,measured_seconds"));
    EXPECT_TRUE(lines[1].endsWith(u',')) << lines[1].toStdString();
}

TEST(OperationsCsv, WithTabsTheCellsAreTheSameAndNoTextBreaksThem) {
    const auto workbench = testWorkbench(testConfig(2));
    OperationsModel model;
    model.setScene(workbench->scene());
    const QModelIndexList rows{model.index(0, 0), model.index(1, 0)};
    const QList<OperationColumn> columns{OperationColumn::Name, OperationColumn::Flops,
                                         OperationColumn::Bytes};
    const QStringList lines =
        operationsToText(rows, columns, CopyFormat::Tsv).split(u'\n', Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 3);
    for (const QString& line : lines) EXPECT_EQ(line.count(u'\t'), 2) << line.toStdString();
    EXPECT_EQ(lines[1].split(u'\t')[1].toDouble(), raw(rows[0], OperationColumn::Flops).toDouble());
}

TEST(OperationsModel, AsAListItHasEveryOperationOnceInOrderByItsWholeName) {
    const auto workbench = testWorkbench(testConfig(8), true);
    OperationsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    model.setScene(workbench->scene());
    model.setFlat(true);
    const auto& plan = *workbench->scene()->whatIf.plan;
    ASSERT_EQ(model.rowCount(), static_cast<int>(plan.ops.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex index = model.index(row, 0);
        EXPECT_EQ(index.data(OperationsModel::OpIdRole).toString().toStdString(),
                  opId(plan.ops[static_cast<std::size_t>(row)]));
        EXPECT_EQ(index.data().toString(), index.data(OperationsModel::FullNameRole).toString());
        EXPECT_FALSE(index.parent().isValid());
        EXPECT_EQ(model.indexOfOp(index.data(OperationsModel::OpIdRole).toString()), index);
    }
    EXPECT_TRUE(workbench->show(testConfig(12)).has_value());
    model.setScene(workbench->scene());
    EXPECT_EQ(model.rowCount(), static_cast<int>(workbench->scene()->whatIf.plan->ops.size()));
    model.setFlat(false);
    EXPECT_LT(model.rowCount(), 10) << "phases again";
}

TEST(OperationsModel, AFigureBeginsWithTheLargestAndNamesWithTheFirst) {
    const OperationsModel model;
    const auto first = [&](OperationColumn column) {
        return model.headerData(static_cast<int>(column), Qt::Horizontal, Qt::InitialSortOrderRole).toInt();
    };
    for (int i = 1; i < kOperationColumns; ++i) {
        const auto column = static_cast<OperationColumn>(i);
        EXPECT_EQ(first(column) == Qt::DescendingOrder, column != OperationColumn::Bound) << i;
    }
    EXPECT_EQ(first(OperationColumn::Name), Qt::AscendingOrder);
}

TEST(OperationsFilter, ItsTotalIsTheSumOfWhatIsShown) {
    const auto workbench = testWorkbench(testConfig(8), true);
    OperationsModel model;
    model.setScene(workbench->scene());
    OperationsFilter rows(model);
    for (const char* query :
         {"", "layer 3", "bound:memory", "phase:backward time>1us", "nothing is called so"}) {
        rows.setQuery(OperationsQuery(QString::fromLatin1(query)));
        double flops = 0, seconds = 0;
        int ops = 0;
        visit(rows, {}, [&](const QModelIndex& row) {
            const OperationsTree::Node& node = model.node(rows.mapToSource(row));
            if (node.op < 0) return;
            ++ops;
            flops += static_cast<double>(node.figures.flops);
            seconds += node.figures.measured().value_or(0);
        });
        const OperationsTree::Node total = rows.total();
        EXPECT_EQ(total.figures.ops, ops) << query;
        EXPECT_EQ(static_cast<double>(total.figures.flops), flops) << query;
        EXPECT_NEAR(total.figures.measuredSum, seconds, seconds * 1e-9) << query;
    }
}

}  // namespace
}  // namespace plumb::ui::test
