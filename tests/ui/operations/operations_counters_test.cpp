// SPDX-License-Identifier: GPL-3.0-or-later
// Columns that hardware counters fill, and the kernels under each operation. The readings are invented here.
#include "core/measure/counter_comparison.h"
#include "tests/ui/support.h"
#include "tests/ui/timeline/timeline_scenes.h"
#include "ui/operations/operations_model.h"
#include "ui/operations/operations_table.h"
#include "ui/operations/operations_view.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

namespace plumb::ui::test {
namespace {

constexpr std::array kCounterColumns{OperationColumn::Executed,  OperationColumn::ExecutedRatio,
                                     OperationColumn::DramBytes, OperationColumn::DramRatio,
                                     OperationColumn::L2Bytes,   OperationColumn::L1Bytes};

/// Executed FLOPs a quarter above the model, DRAM bytes half of it, four times as many in the L2, eight in
/// the L1 and shared memory together.
std::shared_ptr<const Reading> countedReading(const StepPlan& plan, bool withKernels, bool isFull = false) {
    Reading reading = *testReading(plan, testMachine());
    std::vector<OpCounters> counters(plan.ops.size());
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const Op& op = plan.ops[i];
        counters[i][CounterKind::TensorFlops] = Counted{op.flops};
        counters[i][CounterKind::CoreFlops] = Counted{op.flops / 4};
        counters[i][CounterKind::DramBytes] = Counted{op.bytes / 2};
        counters[i][CounterKind::L2Bytes] = Counted{op.bytes * 4};
        counters[i][CounterKind::L1Bytes] = Counted{op.bytes * 3};
        counters[i][CounterKind::SharedBytes] = Counted{op.bytes * 5};
        if (!isFull) continue;
        counters[i][CounterKind::SmCycles] = Counted{1000};
        counters[i][CounterKind::TensorCycles] = Counted{620};
        counters[i][CounterKind::WarpCycles] = Counted{16'000};
        counters[i][CounterKind::MemoryStalls] = Counted{4'000};
        counters[i][CounterKind::BarrierStalls] = Counted{1'600};
        counters[i][CounterKind::MathStalls] = Counted{800};
        counters[i][CounterKind::L2Hits] = Counted{300};
        counters[i][CounterKind::L2Misses] = Counted{100};
    }
    applyCounters(reading, counters,
                  {"GH100",
                   "580",
                   "130001",
                   {"sm__ops_path_tensor_src_fp8_sparsity_off.sum", "dram__bytes_read.sum",
                    "dram__bytes_write.sum", "lts__t_sectors_srcunit_tex.sum", "l1tex__t_bytes.sum",
                    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "sm__cycles_active.sum",
                    "sm__warps_active.sum", "sm__sass_thread_inst_executed_op_ffma_pred_on.sum"},
                   2,
                   {},
                   {}});
    return withKernels ? withTimeline(reading, {.steps = 2, .device = true})
                       : std::make_shared<const Reading>(reading);
}

struct CountedModel {
    explicit CountedModel(bool withKernels) {
        const auto plan = testPlan(config);
        workbench->setMeasured(countedReading(*plan, withKernels), plan);
        model.setScene(workbench->scene());
    }
    [[nodiscard]] QModelIndex cell(const Op& op, OperationColumn column) const {
        return model.indexOfOp(QString::fromStdString(opId(op))).siblingAtColumn(static_cast<int>(column));
    }
    [[nodiscard]] double raw(const Op& op, OperationColumn column) const {
        return cell(op, column).data(OperationsModel::RawValueRole).toDouble();
    }
    FailOnQtWarnings guard;
    RunConfig config = testConfig(4, 256, 64);
    std::unique_ptr<Workbench> workbench = testWorkbench(config);
    OperationsModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Warning};
};

TEST(OperationsCounters, AreShownPerOpWithTheirRatioToTheModel) {
    const CountedModel counted(false);
    for (const Op& op : counted.workbench->scene()->whatIf.plan->ops) {
        if (op.flops <= 0 || op.bytes <= 0) continue;
        const Flops executed = op.flops + op.flops / 4;
        const Bytes half = op.bytes / 2;
        EXPECT_EQ(counted.raw(op, OperationColumn::Executed), static_cast<double>(executed));
        EXPECT_NEAR(counted.raw(op, OperationColumn::ExecutedRatio), 1.25, 0.01);
        EXPECT_EQ(counted.raw(op, OperationColumn::DramBytes), static_cast<double>(half));
        EXPECT_NEAR(counted.raw(op, OperationColumn::DramRatio), 0.5, 0.01);
        EXPECT_EQ(counted.raw(op, OperationColumn::L2Bytes), static_cast<double>(op.bytes * 4));
        EXPECT_EQ(counted.raw(op, OperationColumn::L1Bytes), static_cast<double>(op.bytes * 8));
        const QString tip = counted.cell(op, OperationColumn::Executed).data(Qt::ToolTipRole).toString();
        EXPECT_TRUE(tip.contains(QStringLiteral("GH100"))) << tip.toStdString();
    }
}

TEST(OperationsCounters, AGroupIsTheSumAndAbsentWhenOneOpWasNotCounted) {
    CountedModel counted(false);
    const auto sumOf = [&] {
        double sum = 0;
        for (int phase = 0; phase < counted.model.rowCount(); ++phase)
            sum += counted.model.index(phase, static_cast<int>(OperationColumn::DramBytes))
                       .data(OperationsModel::RawValueRole)
                       .toDouble();
        return sum;
    };
    double expected = 0;
    for (const Op& op : counted.workbench->scene()->whatIf.plan->ops) {
        const Bytes half = op.bytes / 2;
        expected += static_cast<double>(half);
    }
    EXPECT_EQ(sumOf(), expected);
    auto reading = std::make_shared<Reading>(*counted.workbench->scene()->measured->reading);
    for (OpReading& op : reading->ops)
        if (op.phase == Phase::Forward) {
            op.counters[CounterKind::DramBytes].reset();
            break;
        }
    counted.workbench->setMeasured(reading, counted.workbench->scene()->measured->plan);
    counted.model.setScene(counted.workbench->scene());
    EXPECT_LT(sumOf(), expected);
    for (int phase = 0; phase < counted.model.rowCount(); ++phase) {
        const QModelIndex cell = counted.model.index(phase, static_cast<int>(OperationColumn::DramBytes));
        if (cell.data(OperationsModel::PhaseRole).toInt() != static_cast<int>(Phase::Forward)) continue;
        EXPECT_FALSE(cell.data(OperationsModel::RawValueRole).isValid());
        EXPECT_EQ(cell.data().toString(), absentText());
    }
}

TEST(OperationsCounters, WithoutCountersEveryCellSaysWhyThereIsNone) {
    FailOnQtWarnings guard;
    const auto workbench = testWorkbench(testConfig(), true);
    auto reading = std::make_shared<Reading>(*workbench->scene()->measured->reading);
    reading->countersAbsent = "there are no hardware counters on this backend (cpu)";
    workbench->setMeasured(reading, workbench->scene()->measured->plan);
    OperationsModel model;
    model.setScene(workbench->scene());
    const QModelIndex row = model.indexOfOp(QString::fromStdString(reading->ops[1].id));
    for (const OperationColumn column : kCounterColumns) {
        const QModelIndex cell = row.siblingAtColumn(static_cast<int>(column));
        EXPECT_EQ(cell.data().toString(), absentText());
        EXPECT_FALSE(cell.data(OperationsModel::RawValueRole).isValid());
        EXPECT_TRUE(cell.data(Qt::ToolTipRole).toString().contains(QStringLiteral("(cpu)")));
    }
}

TEST(OperationsCounters, RatiosOfCountsNameTheirMetrics) {
    CountedModel counted(false);
    const auto plan = counted.workbench->scene()->measured->plan;
    counted.workbench->setMeasured(countedReading(*plan, false, true), plan);
    counted.model.setScene(counted.workbench->scene());
    const Op& op = plan->ops[1];
    EXPECT_DOUBLE_EQ(counted.raw(op, OperationColumn::TensorPipe), 0.62);
    EXPECT_EQ(counted.cell(op, OperationColumn::TensorPipe).data().toString(), QStringLiteral("62 %"));
    EXPECT_EQ(counted.cell(op, OperationColumn::Warps).data().toString(), QStringLiteral("16.0"));
    EXPECT_DOUBLE_EQ(counted.raw(op, OperationColumn::L2Hits), 0.75);
    EXPECT_DOUBLE_EQ(counted.raw(op, OperationColumn::MemoryStalls), 0.25);
    EXPECT_DOUBLE_EQ(counted.raw(op, OperationColumn::BarrierStalls), 0.1);
    EXPECT_DOUBLE_EQ(counted.raw(op, OperationColumn::MathStalls), 0.05);
    // A phase is the sum of its operations.
    EXPECT_DOUBLE_EQ(counted.model.index(0, static_cast<int>(OperationColumn::TensorPipe))
                         .data(OperationsModel::RawValueRole)
                         .toDouble(),
                     0.62);
    const QString tip = counted.cell(op, OperationColumn::Warps).data(Qt::ToolTipRole).toString();
    EXPECT_TRUE(tip.contains(QStringLiteral("sm__warps_active.sum"))) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("GH100"))) << tip.toStdString();
}

TEST(OperationsCounters, EachColumnNamesTheMetricsOfItsNumber) {
    CountedModel counted(false);
    const auto plan = counted.workbench->scene()->measured->plan;
    counted.workbench->setMeasured(countedReading(*plan, false, true), plan);
    counted.model.setScene(counted.workbench->scene());
    const QString flops = QStringLiteral("metrics: sm__ops_path_tensor_src_fp8_sparsity_off.sum, "
                                         "sm__sass_thread_inst_executed_op_ffma_pred_on.sum\n");
    const QString dram = QStringLiteral("metrics: dram__bytes_{read,write}.sum\n");
    const std::vector<std::pair<OperationColumn, QString>> expected{
        {OperationColumn::Executed, flops},
        {OperationColumn::ExecutedRatio, flops},
        {OperationColumn::DramBytes, dram},
        {OperationColumn::DramRatio, dram},
        {OperationColumn::DramShare, dram},
        {OperationColumn::L2Bytes, QStringLiteral("metrics: lts__t_sectors_srcunit_tex.sum\n")},
        {OperationColumn::L1Bytes,
         QStringLiteral("metrics: l1tex__t_bytes.sum, l1tex__data_pipe_lsu_wavefronts_mem_shared.sum\n")},
        {OperationColumn::Warps, QStringLiteral("metrics: sm__warps_active.sum, sm__cycles_active.sum\n")}};
    for (const auto& [column, names] : expected) {
        const QString tip = counted.cell(plan->ops[1], column).data(Qt::ToolTipRole).toString();
        EXPECT_TRUE(tip.contains(names)) << static_cast<int>(column) << ": " << tip.toStdString();
        EXPECT_EQ(tip.count(QStringLiteral("metrics:")), 1) << tip.toStdString();
    }
    // What was not counted has no names.
    const QString absent =
        counted.cell(plan->ops[1], OperationColumn::L2Hits).data(Qt::ToolTipRole).toString();
    EXPECT_FALSE(absent.contains(QStringLiteral("metrics:"))) << "the run has no metric of it";
}

TEST(OperationsCounters, TheColumnsAreHiddenUntilThereIsSomethingInThem) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    const RunConfig config = testConfig(4, 256, 64);
    const auto workbench = testWorkbench(config, true);
    OperationsView view({*workbench, theme}, ViewSize::Full);
    view.resize(2400, 700);
    view.show();
    auto* table = child<OperationsTable>(view, "operationsTable");
    for (const OperationColumn column : kCounterColumns) EXPECT_FALSE(table->isColumnShown(column));
    const auto plan = testPlan(config);
    workbench->setMeasured(countedReading(*plan, false), plan);
    for (const OperationColumn column : kCounterColumns) EXPECT_TRUE(table->isColumnShown(column));
    EXPECT_FALSE(table->isColumnShown(OperationColumn::TensorPipe)) << "a quick profile has none";
    workbench->setMeasured(countedReading(*plan, false, true), plan);
    EXPECT_TRUE(table->isColumnShown(OperationColumn::TensorPipe));
}

TEST(OperationsKernels, StandUnderTheirOpWithTheirTimeAlone) {
    const CountedModel counted(true);
    const Reading& reading = *counted.workbench->scene()->measured->reading;
    int seen = 0;
    for (const Op& op : counted.workbench->scene()->whatIf.plan->ops) {
        const QModelIndex row = counted.model.indexOfOp(QString::fromStdString(opId(op)));
        ASSERT_EQ(counted.model.rowCount(row), 2) << opId(op);
        Seconds sum = 0;
        for (int i = 0; i < 2; ++i) {
            const QModelIndex kernel = counted.model.index(i, 0, row);
            EXPECT_EQ(kernel.data(OperationsModel::KindRole).toInt(),
                      static_cast<int>(OperationsTree::Kind::Kernel));
            EXPECT_EQ(kernel.data(OperationsModel::OpIdRole).toString().toStdString(), opId(op));
            sum += kernel.siblingAtColumn(static_cast<int>(OperationColumn::Measured))
                       .data(OperationsModel::RawValueRole)
                       .toDouble();
            for (const auto column : {OperationColumn::Flops, OperationColumn::Predicted,
                                      OperationColumn::Bound, OperationColumn::Executed})
                EXPECT_EQ(kernel.siblingAtColumn(static_cast<int>(column)).data().toString(), absentText());
        }
        // 60 % and 25 % of the op, as the timeline was made.
        EXPECT_NEAR(sum, *reading.ops[static_cast<std::size_t>(seen)].seconds * 0.85, 1e-8);
        ++seen;
    }
    EXPECT_GT(seen, 5);
    // The figures of the ops themselves are those of the reading.
    EXPECT_EQ(counted.raw(counted.workbench->scene()->whatIf.plan->ops[1], OperationColumn::Measured),
              *reading.ops[1].seconds);
}

TEST(OperationsModel, AGroupSaysWhereItsMeasuredTimeLiesWhenAllOfItsOperationsDo) {
    const auto workbench = testWorkbench(testConfig(), true);
    Reading reading = *workbench->scene()->measured->reading;
    for (OpReading& op : reading.ops) op.spread = Spread{*op.seconds * 0.9, *op.seconds * 1.2};
    OperationsModel model;
    const auto show = [&] {
        workbench->setMeasured(std::make_shared<const Reading>(reading), workbench->scene()->measured->plan);
        model.setScene(workbench->scene());
    };
    const auto tipOf = [&](const QModelIndex& row) {
        return row.siblingAtColumn(static_cast<int>(OperationColumn::Measured))
            .data(Qt::ToolTipRole)
            .toString();
    };
    show();
    const QModelIndex phase = model.index(0, 0);
    ASSERT_EQ(OperationsModel::kindOf(phase), OperationsTree::Kind::Phase);
    const double seconds = phase.siblingAtColumn(static_cast<int>(OperationColumn::Measured))
                               .data(OperationsModel::RawValueRole)
                               .toDouble();
    for (const double end : {seconds * 0.9, seconds * 1.2})
        EXPECT_TRUE(tipOf(phase).contains(quantityText(end, "s"))) << tipOf(phase).toStdString();
    reading.ops.front().spread.reset();
    show();
    EXPECT_FALSE(tipOf(phase).contains(QStringLiteral("10 %"))) << tipOf(phase).toStdString();
}

}  // namespace
}  // namespace plumb::ui::test
