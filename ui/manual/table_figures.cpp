// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/manual/table_figures.h"

#include "core/base/entry_at.h"
#include "ui/allocator/allocator_state.h"
#include "ui/allocator/compared_model.h"
#include "ui/allocator/living_model.h"
#include "ui/compare/difference_model.h"
#include "ui/findings/findings_model.h"
#include "ui/history/history_model.h"
#include "ui/lab/collective_state.h"
#include "ui/lab/tensor_model.h"
#include "ui/memory/tensor_table_model.h"
#include "ui/modules/modules_model.h"
#include "ui/operations/operations_model.h"
#include "ui/planner/evidence_model.h"
#include "ui/planner/evidence_parts.h"
#include "ui/planner/evidence_rows.h"
#include "ui/planner/planner_columns.h"
#include "ui/ranks/category_model.h"
#include "ui/ranks/collectives_model.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_sums_model.h"
#include "ui/trace/trace_columns.h"
#include "ui/training/range_table_model.h"
#include "ui/training/runs_model.h"

#include <array>
#include <memory>
#include <span>

namespace plumb::ui {
namespace {

/// Where the numbers of a column come from.
enum class Origin : std::uint8_t {
    Plan,
    Prediction,
    Clock,
    Counters,
    Beside,
    Allocator,
    Training,
    Published,
    Setting,
    Rule,
    Shape,
    Trace,
    Planner
};

QString originText(Origin origin) {
    switch (origin) {
    case Origin::Plan:
        return tr("counted from the step's operations and tensors");
    case Origin::Prediction:
        return tr("predicted, as the tier says");
    case Origin::Clock:
        return tr("measured: the clock, or events of the device");
    case Origin::Counters:
        return tr("measured: hardware counters");
    case Origin::Beside:
        return tr("worked out from other columns");
    case Origin::Allocator:
        return tr("read from the memory snapshot");
    case Origin::Training:
        return tr("measured: the training");
    case Origin::Published:
        return tr("published trainings and the planner's predictions of them");
    case Origin::Setting:
        return tr("what was chosen or is known of it");
    case Origin::Rule:
        return tr("a rule of the findings");
    case Origin::Shape:
        return tr("follows from the shapes");
    case Origin::Trace:
        return tr("read from the trace, or counted from it");
    case Origin::Planner:
        return tr("worked out by the planner from its inputs");
    }
    return {};
}

struct ColumnNote {
    Origin origin = Origin::Setting;
    const char* unit = "";
    const char* meaning = nullptr;  ///< of a column without a tool tip
    const char* formula = nullptr;  ///< null: it is counted or read as it is
};

/// A column that is worked out.
constexpr ColumnNote by(Origin origin, const char* unit, const char* formula, const char* meaning = nullptr) {
    return {origin, unit, meaning, formula};
}

using enum Origin;

constexpr const char* kDifference =
    QT_TRANSLATE_NOOP("plumb::ui", "measured / predicted − 1; of a what-if: what-if / run − 1");
constexpr const char* kPredictedTime = QT_TRANSLATE_NOOP(
    "plumb::ui", "calibrated: executions × interpolated time; data sheet: max(FLOP / (peak × "
                 "share), bytes / (bandwidth × share)) + executions × launch");
constexpr const char* kMfu = QT_TRANSLATE_NOOP(
    "plumb::ui", "FLOP of the model in a step / (step time × devices × peak of the format of the products)");
constexpr const char* kTrainingTime =
    QT_TRANSLATE_NOOP("plumb::ui", "FLOP of the training / (devices × peak × MFU × goodput)");
constexpr const char* kEnergy = QT_TRANSLATE_NOOP(
    "plumb::ui", "devices × power × share of it that is drawn × (1 + share of the hosts) × PUE × time");
constexpr const char* kTooLarge =
    QT_TRANSLATE_NOOP("plumb::ui", "values that were too large / all values of the steps that were observed");
constexpr const char* kBecameZero =
    QT_TRANSLATE_NOOP("plumb::ui", "values that became 0 / all values of the steps that were observed");

constexpr std::array kOperationNotes{
    ColumnNote{Setting},
    by(Plan, "FLOP", QT_TRANSLATE_NOOP("plumb::ui", "2·M·K·N of a product; the element-wise work of others")),
    by(Plan, "B",
       QT_TRANSLATE_NOOP("plumb::ui", "of a product of M×K by K×N with e bytes an element: e·(M·K + K·N + "
                                      "M·N)")),
    by(Plan, "FLOP/B", QT_TRANSLATE_NOOP("plumb::ui", "FLOP / bytes")),
    by(Prediction, "s", kPredictedTime),
    ColumnNote{Clock, "s"},
    by(Beside, "%", kDifference),
    by(Beside, "FLOP/s", QT_TRANSLATE_NOOP("plumb::ui", "FLOP / measured time")),
    by(Beside, "B/s", QT_TRANSLATE_NOOP("plumb::ui", "bytes / measured time")),
    by(Beside, "%", QT_TRANSLATE_NOOP("plumb::ui", "time at the roof / measured time")),
    by(Beside, "", QT_TRANSLATE_NOOP("plumb::ui", "largest of FLOP / peak, bytes / bandwidth and overhead")),
    ColumnNote{Counters, "FLOP"},
    by(Beside, "", QT_TRANSLATE_NOOP("plumb::ui", "executed FLOP / FLOP of the model")),
    ColumnNote{Counters, "B"},
    by(Beside, "", QT_TRANSLATE_NOOP("plumb::ui", "DRAM bytes / compulsory bytes")),
    ColumnNote{Counters, "B"},
    ColumnNote{Counters, "B"},
    by(Counters, "%", QT_TRANSLATE_NOOP("plumb::ui", "DRAM bytes / (measured time × bandwidth)")),
    ColumnNote{Counters, "%"},
    ColumnNote{Counters, ""},
    ColumnNote{Counters, "%"},
    ColumnNote{Counters, "%"},
    ColumnNote{Counters, "%"},
    ColumnNote{Counters, "%"}};
constexpr std::array kModuleNotes{
    ColumnNote{Setting},
    ColumnNote{Plan, "B"},
    by(Plan, "FLOP", QT_TRANSLATE_NOOP("plumb::ui", "sum over its operations")),
    by(Prediction, "s", QT_TRANSLATE_NOOP("plumb::ui", "sum over its operations")),
    ColumnNote{Clock, "s"},
    ColumnNote{Clock, "s"},
    ColumnNote{Clock, "s"},
    by(Clock, "s", QT_TRANSLATE_NOOP("plumb::ui", "forward + backward + optimizer")),
    ColumnNote{Plan, "B"},
    by(Beside, "%", QT_TRANSLATE_NOOP("plumb::ui", "its time / sum of the times of all operations"))};
constexpr std::array kTensorNotes{
    ColumnNote{Plan, "", QT_TRANSLATE_NOOP("plumb::ui", "Name of the tensor in the step")},
    ColumnNote{Plan, "", QT_TRANSLATE_NOOP("plumb::ui", "What its bytes are for")},
    ColumnNote{Plan, "", QT_TRANSLATE_NOOP("plumb::ui", "Elements along each of its dimensions")},
    ColumnNote{Plan, "", QT_TRANSLATE_NOOP("plumb::ui", "Format of its elements")},
    by(Plan, "B", QT_TRANSLATE_NOOP("plumb::ui", "elements × bytes of an element"),
       QT_TRANSLATE_NOOP("plumb::ui", "Bytes that it takes, as allocated")),
    by(Plan, "%", QT_TRANSLATE_NOOP("plumb::ui", "its bytes / bytes of all tensors that the table is of"),
       QT_TRANSLATE_NOOP("plumb::ui", "How much of what is alive it is")),
    ColumnNote{Plan, "", QT_TRANSLATE_NOOP("plumb::ui", "First operation during which it is alive")},
    ColumnNote{Plan, "", QT_TRANSLATE_NOOP("plumb::ui", "Last operation that names it")}};
constexpr std::array kSumNotes{
    ColumnNote{Setting},
    ColumnNote{Clock},
    ColumnNote{Clock, "s"},
    by(Beside, "%", QT_TRANSLATE_NOOP("plumb::ui", "measured / length of the range")),
    by(Prediction, "s", QT_TRANSLATE_NOOP("plumb::ui", "sum over its operations")),
    by(Beside, "%", kDifference),
    by(Plan, "FLOP", QT_TRANSLATE_NOOP("plumb::ui", "sum over its operations")),
    by(Beside, "FLOP/s", QT_TRANSLATE_NOOP("plumb::ui", "FLOP / measured time")),
    by(Plan, "B", QT_TRANSLATE_NOOP("plumb::ui", "sum over its operations")),
    by(Beside, "B/s", QT_TRANSLATE_NOOP("plumb::ui", "bytes / measured time"))};
constexpr std::array kCategoryNotes{
    ColumnNote{Setting},
    by(Plan, "B", QT_TRANSLATE_NOOP("plumb::ui", "sum over the tensors that are in memory")),
    ColumnNote{Training, "B"}};
constexpr std::array kTrafficNotes{
    ColumnNote{Setting},
    ColumnNote{Setting},
    by(Plan, "B",
       QT_TRANSLATE_NOOP("plumb::ui", "of an all-reduce of N ranks about 2 (N − 1) / N of its bytes")),
    ColumnNote{Training, "B"},
    ColumnNote{Clock, "s"},
    by(Beside, "B/s",
       QT_TRANSLATE_NOOP("plumb::ui", "bytes / time · (N − 1) / N, twice that of an all-reduce")),
    by(Beside, "%", QT_TRANSLATE_NOOP("plumb::ui", "what the step waited / time"))};
constexpr std::array kRunNotes{
    ColumnNote{Setting, "", QT_TRANSLATE_NOOP("plumb::ui", "Name of the run, which you may change")},
    ColumnNote{Training, "", QT_TRANSLATE_NOOP("plumb::ui", "Optimizer steps that are done")},
    ColumnNote{Training, "", QT_TRANSLATE_NOOP("plumb::ui", "Newest loss that is a number")},
    by(Beside, "%", QT_TRANSLATE_NOOP("plumb::ui", "newest loss / loss of the baseline at that step − 1"),
       QT_TRANSLATE_NOOP("plumb::ui", "How far its loss is from that of the baseline")),
    ColumnNote{Training, "", QT_TRANSLATE_NOOP("plumb::ui", "Lowest loss so far")},
    ColumnNote{Training, "1/s",
               QT_TRANSLATE_NOOP("plumb::ui", "Steps per second, with what lies between steps")},
    by(Beside, "%", QT_TRANSLATE_NOOP("plumb::ui", "steps per second / those of the baseline − 1"),
       QT_TRANSLATE_NOOP("plumb::ui", "How far its rate is from that of the baseline")),
    ColumnNote{Training, "", QT_TRANSLATE_NOOP("plumb::ui", "Whether it goes on, or how it ended")}};
constexpr std::array kRangeNotes{
    ColumnNote{Setting, "", QT_TRANSLATE_NOOP("plumb::ui", "Number of the layer")},
    by(Training, "%", kTooLarge),
    by(Training, "%", kBecameZero),
    by(Training, "%", kTooLarge),
    by(Training, "%", kBecameZero),
    by(Training, "%", kTooLarge),
    by(Training, "%", kBecameZero),
    by(Training, "%", kTooLarge),
    by(Training, "%", kBecameZero)};
constexpr std::array kFindingNotes{ColumnNote{Rule}, ColumnNote{Rule}, ColumnNote{Rule}, ColumnNote{Rule},
                                   ColumnNote{Rule}};
constexpr std::array kHistoryNotes{ColumnNote{Setting},    ColumnNote{Setting},  ColumnNote{Setting},
                                   ColumnNote{Setting},    ColumnNote{Setting},  ColumnNote{Clock, "s"},
                                   ColumnNote{Clock, "B"}, ColumnNote{Training}, ColumnNote{Training},
                                   ColumnNote{Setting},    ColumnNote{Setting}};
constexpr std::array kDifferenceNotes{
    ColumnNote{Setting},
    ColumnNote{Clock},
    ColumnNote{Clock},
    by(Beside, "", QT_TRANSLATE_NOOP("plumb::ui", "other − baseline")),
    by(Beside, "%", QT_TRANSLATE_NOOP("plumb::ui", "difference / baseline")),
    by(Beside, "", QT_TRANSLATE_NOOP("plumb::ui", "difference / largest difference of the table")),
    ColumnNote{Clock},
    by(Beside, "", QT_TRANSLATE_NOOP("plumb::ui", "real where |difference| > noise"))};
constexpr std::array kLivingNotes{
    ColumnNote{Allocator, "B", QT_TRANSLATE_NOOP("plumb::ui", "Bytes that were asked for")},
    ColumnNote{Allocator, "", QT_TRANSLATE_NOOP("plumb::ui", "What the snapshot says that they are for")},
    ColumnNote{Allocator, "", QT_TRANSLATE_NOOP("plumb::ui", "Operation that allocated them")},
    ColumnNote{Allocator, "", QT_TRANSLATE_NOOP("plumb::ui", "Module, or innermost frame of your own code")},
    ColumnNote{Allocator, "", QT_TRANSLATE_NOOP("plumb::ui", "When they were allocated")},
    ColumnNote{Allocator, "", QT_TRANSLATE_NOOP("plumb::ui", "Stream that they belong to")}};
constexpr std::array kComparedNotes{
    ColumnNote{Allocator, "", QT_TRANSLATE_NOOP("plumb::ui", "Place in the code that allocated the bytes")},
    ColumnNote{Allocator, "B", QT_TRANSLATE_NOOP("plumb::ui", "Its bytes that live in the earlier snapshot")},
    ColumnNote{Allocator, "", QT_TRANSLATE_NOOP("plumb::ui", "Their number of blocks")},
    ColumnNote{Allocator, "B", QT_TRANSLATE_NOOP("plumb::ui", "Its bytes that live in the later snapshot")},
    ColumnNote{Allocator, "", QT_TRANSLATE_NOOP("plumb::ui", "Their number of blocks")},
    by(Beside, "B", QT_TRANSLATE_NOOP("plumb::ui", "bytes after − bytes before"),
       QT_TRANSLATE_NOOP("plumb::ui", "How much they grew")),
    ColumnNote{Allocator, "",
               QT_TRANSLATE_NOOP("plumb::ui", "Whether they grew, are new, are less or are gone")}};
constexpr std::array kTensorStepNotes{
    ColumnNote{Setting},
    ColumnNote{Shape},
    ColumnNote{Shape},
    ColumnNote{Shape},
    ColumnNote{Shape},
    by(Shape, "B, s",
       QT_TRANSLATE_NOOP("plumb::ui", "elements × bytes of an element, read and written; / bandwidth"))};
constexpr std::array kWayNotes{
    ColumnNote{Setting},
    by(Shape, "",
       QT_TRANSLATE_NOOP("plumb::ui",
                         "of N ranks: 2 (N − 1) of a ring, half of that where nothing is reduced and "
                         "gathered both; 2 log2 N of a tree, rounded up; 2 or 1 of an exchange")),
    by(Shape, "B",
       QT_TRANSLATE_NOOP("plumb::ui",
                         "of S bytes and N ranks: 2 (N − 1) / N · S of an all-reduce, half of it of "
                         "the others; a tree sends whole buffers")),
    by(Beside, "s",
       QT_TRANSLATE_NOOP("plumb::ui",
                         "sum over the steps of latency + most bytes of a rank / rate of the link")),
    by(Beside, "B/s",
       QT_TRANSLATE_NOOP("plumb::ui", "bytes / time · (N − 1) / N, twice that of an all-reduce"))};
constexpr std::array kPartNotes{
    ColumnNote{Published},
    ColumnNote{Published},
    by(Published, "%", QT_TRANSLATE_NOOP("plumb::ui", "median of |predicted / published − 1|")),
    by(Published, "%", QT_TRANSLATE_NOOP("plumb::ui", "quantile 0.9 of |predicted / published − 1|")),
    by(Published, "", QT_TRANSLATE_NOOP("plumb::ui", "mean of ln(predicted / published)")),
    by(Published, "%", QT_TRANSLATE_NOOP("plumb::ui", "rows within their predicted range / rows")),
    ColumnNote{Published}};
constexpr std::array kPublishedNotes{
    ColumnNote{Published, "", QT_TRANSLATE_NOOP("plumb::ui", "Model, devices and settings of the training")},
    ColumnNote{Published, "", QT_TRANSLATE_NOOP("plumb::ui", "Where it was published")},
    ColumnNote{Published, "", QT_TRANSLATE_NOOP("plumb::ui", "What it ran on")},
    ColumnNote{Published, "s, B", QT_TRANSLATE_NOOP("plumb::ui", "Step time or memory as published")},
    ColumnNote{Published, "s, B", QT_TRANSLATE_NOOP("plumb::ui", "The same as the planner predicts it")},
    ColumnNote{Published, "s, B", QT_TRANSLATE_NOOP("plumb::ui", "Range of the prediction")},
    by(Published, "%", QT_TRANSLATE_NOOP("plumb::ui", "predicted / published − 1"),
       QT_TRANSLATE_NOOP("plumb::ui", "How far the prediction is from what was published")),
    ColumnNote{Published, "", QT_TRANSLATE_NOOP("plumb::ui", "What has to be known to judge it")}};

constexpr std::array kShardingNotes{
    by(Planner, "", QT_TRANSLATE_NOOP("plumb::ui", "memory of the fullest device ≤ memory of the device")),
    ColumnNote{Planner},
    ColumnNote{Planner},
    by(Planner, "B",
       QT_TRANSLATE_NOOP("plumb::ui",
                         "(weights + gradients + master copy + states, divided as the layout says "
                         "+ activations + buffers) × (1 + fragmentation) + overhead")),
    by(Planner, "s",
       QT_TRANSLATE_NOOP("plumb::ui", "computation + recomputation + update + exposed traffic + bubble + "
                                      "waiting, of the slowest stage")),
    by(Planner, "%", kMfu),
    ColumnNote{Planner},
    ColumnNote{Planner},
    ColumnNote{Planner},
    ColumnNote{Planner},
    ColumnNote{Planner},
    ColumnNote{Planner},
    ColumnNote{Planner}};
constexpr std::array kDeviceNotes{
    ColumnNote{Setting},
    by(Planner, "",
       QT_TRANSLATE_NOOP("plumb::ui",
                         "⌈parameters × bytes per parameter / (memory of a device × usable share)⌉")),
    by(Planner, "s", kTrainingTime),
    by(Planner, "",
       QT_TRANSLATE_NOOP("plumb::ui", "FLOP of the training / (time × peak × MFU × goodput), up to the next "
                                      "number that can share the batch")),
    by(Planner, "J", kEnergy),
    by(Planner, "FLOP/B", QT_TRANSLATE_NOOP("plumb::ui", "peak / bandwidth")),
    ColumnNote{Planner}};
constexpr std::array kCandidateNotes{
    ColumnNote{Setting},
    ColumnNote{Planner},
    ColumnNote{Planner},
    by(Planner, "s", kTrainingTime),
    by(Planner, "$", QT_TRANSLATE_NOOP("plumb::ui", "devices × price of an hour × hours")),
    by(Planner, "J", kEnergy),
    by(Planner, "%", kMfu),
    ColumnNote{Setting, "$/h"},
    ColumnNote{Planner},
    ColumnNote{Planner}};
constexpr std::array kTraceStepNotes{
    ColumnNote{Trace}, ColumnNote{Trace, "s"},
    by(Trace, "%", QT_TRANSLATE_NOOP("plumb::ui", "time in which the device works / time to the next step")),
    by(Beside, "%", QT_TRANSLATE_NOOP("plumb::ui", "time / time of the step of median length − 1"))};
constexpr std::array kTraceSectionNotes{
    ColumnNote{Trace}, ColumnNote{Trace, "s"},
    by(Trace, "%", QT_TRANSLATE_NOOP("plumb::ui", "time / time of what it is a share of"))};
constexpr std::array kTraceRangeNotes{
    ColumnNote{Trace},      ColumnNote{Trace},
    ColumnNote{Trace, "s"}, by(Trace, "%", QT_TRANSLATE_NOOP("plumb::ui", "sum / length of the range")),
    ColumnNote{Trace, "s"}, by(Trace, "s", QT_TRANSLATE_NOOP("plumb::ui", "sum − hidden")),
    ColumnNote{Trace, "B"}, ColumnNote{Trace}};
constexpr std::array kRankNotes{ColumnNote{Trace},      ColumnNote{Trace, "s"}, ColumnNote{Trace, "s"},
                                ColumnNote{Trace, "s"}, ColumnNote{Trace, "s"}, ColumnNote{Trace},
                                ColumnNote{Trace, "s"}, ColumnNote{Trace, "s"}};
constexpr std::array kCollectiveNotes{ColumnNote{Trace}, ColumnNote{Trace}, ColumnNote{Trace, "s"},
                                      ColumnNote{Trace}, ColumnNote{Trace, "s"}};

struct TableSpec {
    const char* page;
    const char* table;
    std::span<const ColumnNote> notes;
    ColumnTexts (*columns)() = nullptr;  ///< of a table without a model of its own
};
// In the order in which they stand on the page.
const std::array kTableSpecs{TableSpec{"memory", "tensorTable", kTensorNotes},
                             TableSpec{"operations", "operationsTable", kOperationNotes},
                             TableSpec{"modules", "modulesTable", kModuleNotes},
                             TableSpec{"timeline", "timelineSums", kSumNotes},
                             TableSpec{"devices", "rankCategories", kCategoryNotes},
                             TableSpec{"devices", "collectivesTable", kTrafficNotes},
                             TableSpec{"training", "runsTable", kRunNotes},
                             TableSpec{"training", "rangeTable", kRangeNotes},
                             TableSpec{"planner", "plannerTable", kShardingNotes, shardingColumns},
                             TableSpec{"planner", "plannerDevices", kDeviceNotes, deviceColumns},
                             TableSpec{"planner", "plannerCandidates", kCandidateNotes, candidateColumns},
                             TableSpec{"planner", "evidenceParts", kPartNotes},
                             TableSpec{"planner", "evidenceRows", kPublishedNotes},
                             TableSpec{"lab", "tensorStepTable", kTensorStepNotes},
                             TableSpec{"lab", "collectiveTable", kWayNotes, collectiveWayColumns},
                             TableSpec{"findings", "findingsTable", kFindingNotes},
                             TableSpec{"history", "historyTable", kHistoryNotes},
                             TableSpec{"compare", "compareTable", kDifferenceNotes},
                             TableSpec{"trace", "traceSteps", kTraceStepNotes, traceStepColumns},
                             TableSpec{"trace", "traceTables", kTraceSectionNotes, traceSectionColumns},
                             TableSpec{"trace", "rangeRows", kTraceRangeNotes, traceRangeColumns},
                             TableSpec{"trace", "ranksTable", kRankNotes, rankColumns},
                             TableSpec{"trace", "ranksCollectives", kCollectiveNotes, collectiveColumns},
                             TableSpec{"allocator", "allocatorTable", kLivingNotes},
                             TableSpec{"allocator", "allocatorComparedTable", kComparedNotes}};

QString tableTitle(const TableSpec& spec) {
    static constexpr std::array kTitles{
        QT_TRANSLATE_NOOP("plumb::ui", "Memory: tensors"),
        QT_TRANSLATE_NOOP("plumb::ui", "Operations"),
        QT_TRANSLATE_NOOP("plumb::ui", "Modules"),
        QT_TRANSLATE_NOOP("plumb::ui", "Timeline: sums of a range"),
        QT_TRANSLATE_NOOP("plumb::ui", "Devices: memory of a rank"),
        QT_TRANSLATE_NOOP("plumb::ui", "Devices: collectives"),
        QT_TRANSLATE_NOOP("plumb::ui", "Training: runs"),
        QT_TRANSLATE_NOOP("plumb::ui", "Training: overflow and underflow by layer"),
        QT_TRANSLATE_NOOP("plumb::ui", "Planner: ways to spread the work"),
        QT_TRANSLATE_NOOP("plumb::ui", "Planner: every device"),
        QT_TRANSLATE_NOOP("plumb::ui", "Planner: devices that are compared"),
        QT_TRANSLATE_NOOP("plumb::ui", "Evidence: errors of parts"),
        QT_TRANSLATE_NOOP("plumb::ui", "Evidence: published trainings"),
        QT_TRANSLATE_NOOP("plumb::ui", "Lab: steps of a tensor"),
        QT_TRANSLATE_NOOP("plumb::ui", "Lab: ways of a collective"),
        QT_TRANSLATE_NOOP("plumb::ui", "Findings"),
        QT_TRANSLATE_NOOP("plumb::ui", "History"),
        QT_TRANSLATE_NOOP("plumb::ui", "Compare"),
        QT_TRANSLATE_NOOP("plumb::ui", "Trace: steps"),
        QT_TRANSLATE_NOOP("plumb::ui", "Trace: tables"),
        QT_TRANSLATE_NOOP("plumb::ui", "Trace: sums of a range"),
        QT_TRANSLATE_NOOP("plumb::ui", "Trace: ranks"),
        QT_TRANSLATE_NOOP("plumb::ui", "Trace: collectives"),
        QT_TRANSLATE_NOOP("plumb::ui", "Allocator: what is alive"),
        QT_TRANSLATE_NOOP("plumb::ui", "Allocator: two snapshots compared")};
    static_assert(kTitles.size() == std::tuple_size_v<decltype(kTableSpecs)>);
    return tr(kTitles.at(static_cast<std::size_t>(&spec - kTableSpecs.data())));
}

/// Empty models of the tables, which know their titles, and what they need to be made.
struct TableModels {
    explicit TableModels(Theme& theme)
        : sums(theme, nullptr),
          categories(theme),
          traffic(theme),
          runs(theme),
          ranges(theme, nullptr),
          published(evidence),
          steps(theme),
          findings(theme),
          living(allocator),
          compared(theme) {}

    EvidenceModel evidence;
    AllocatorState allocator;
    TensorTableModel tensors;
    OperationsModel operations;
    ModulesModel modules;
    TimelineSumsModel sums;
    CategoryModel categories;
    CollectivesModel traffic;
    RunsModel runs;
    RangeTableModel ranges;
    EvidenceParts parts;
    EvidenceRows published;
    TensorModel steps;
    FindingsModel findings;
    HistoryModel history;
    DifferenceModel differences;
    LivingModel living;
    ComparedModel compared;

    /// Of the tables that have one, in their order.
    [[nodiscard]] std::array<const QAbstractItemModel*, 16> all() const {
        return {&tensors, &operations, &modules, &sums,     &categories, &traffic,     &runs,   &ranges,
                &parts,   &published,  &steps,   &findings, &history,    &differences, &living, &compared};
    }
};

ColumnTexts columnsOf(const QAbstractItemModel& model) {
    ColumnTexts columns;
    for (int column = 0; column < model.columnCount(); ++column) {
        const auto text = [&](int role) { return model.headerData(column, Qt::Horizontal, role).toString(); };
        columns.push_back({text(Qt::DisplayRole), text(Qt::ToolTipRole).trimmed()});
    }
    return columns;
}

}  // namespace

std::vector<TableFigures> tableFigures(Theme& theme) {
    const TableModels models(theme);
    std::size_t made = 0;
    std::vector<TableFigures> tables;
    for (const TableSpec& spec : kTableSpecs) {
        const ColumnTexts columns =
            spec.columns != nullptr ? spec.columns() : columnsOf(*models.all().at(made++));
        TableFigures& table = tables.emplace_back();
        table.page = QLatin1String(spec.page);
        table.table = QLatin1String(spec.table);
        table.anchor = table.page + QLatin1Char('-') + table.table;
        table.title = tableTitle(spec);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const ColumnNote note = i < spec.notes.size() ? spec.notes[i] : ColumnNote();
            table.columns.push_back({columns[i].title.trimmed(),
                                     note.meaning != nullptr ? tr(note.meaning) : columns[i].meaning,
                                     QString::fromUtf8(note.unit), originText(note.origin),
                                     note.formula != nullptr ? tr(note.formula) : QString()});
        }
    }
    return tables;
}

QString columnAnchor(const QString& page, const QString& table, int column) {
    for (const TableSpec& spec : kTableSpecs)
        if (page == QLatin1String(spec.page) && table == QLatin1String(spec.table))
            return QStringLiteral("%1-%2-%3").arg(page, table).arg(column);
    return {};
}

}  // namespace plumb::ui
