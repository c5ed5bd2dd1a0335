// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/manual/table_figures.h"

#include "core/base/entry_at.h"
#include "ui/allocator/allocator_state.h"
#include "ui/allocator/compared_model.h"
#include "ui/allocator/living_model.h"
#include "ui/compare/difference_model.h"
#include "ui/findings/findings_model.h"
#include "ui/history/history_model.h"
#include "ui/lab/tensor_model.h"
#include "ui/memory/tensor_table_model.h"
#include "ui/modules/modules_model.h"
#include "ui/operations/operations_model.h"
#include "ui/planner/evidence_model.h"
#include "ui/planner/evidence_parts.h"
#include "ui/planner/evidence_rows.h"
#include "ui/planner/planner_columns.h"
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
};

using enum Origin;

constexpr std::array kOperationNotes{
    ColumnNote{Setting},        ColumnNote{Plan, "FLOP"},     ColumnNote{Plan, "B"},
    ColumnNote{Plan, "FLOP/B"}, ColumnNote{Prediction, "s"},  ColumnNote{Clock, "s"},
    ColumnNote{Beside, "%"},    ColumnNote{Beside, "FLOP/s"}, ColumnNote{Beside, "B/s"},
    ColumnNote{Beside, "%"},    ColumnNote{Beside},           ColumnNote{Counters, "FLOP"},
    ColumnNote{Beside},         ColumnNote{Counters, "B"},    ColumnNote{Beside},
    ColumnNote{Counters, "B"},  ColumnNote{Counters, "B"},    ColumnNote{Counters, "%"},
    ColumnNote{Counters, "%"},  ColumnNote{Counters, ""},     ColumnNote{Counters, "%"},
    ColumnNote{Counters, "%"},  ColumnNote{Counters, "%"},    ColumnNote{Counters, "%"}};
constexpr std::array kModuleNotes{
    ColumnNote{Setting},    ColumnNote{Plan, "B"},  ColumnNote{Plan, "FLOP"}, ColumnNote{Prediction, "s"},
    ColumnNote{Clock, "s"}, ColumnNote{Clock, "s"}, ColumnNote{Clock, "s"},   ColumnNote{Clock, "s"},
    ColumnNote{Plan, "B"},  ColumnNote{Beside, "%"}};
constexpr std::array kTensorNotes{
    ColumnNote{Plan, "", QT_TRANSLATE_NOOP("plumb::ui", "Name of the tensor in the step")},
    ColumnNote{Plan, "", QT_TRANSLATE_NOOP("plumb::ui", "What its bytes are for")},
    ColumnNote{Plan, "", QT_TRANSLATE_NOOP("plumb::ui", "Elements along each of its dimensions")},
    ColumnNote{Plan, "", QT_TRANSLATE_NOOP("plumb::ui", "Format of its elements")},
    ColumnNote{Plan, "B", QT_TRANSLATE_NOOP("plumb::ui", "Elements × bytes of an element, as allocated")},
    ColumnNote{Plan, "%",
               QT_TRANSLATE_NOOP("plumb::ui", "Its bytes / the bytes of all tensors that the table is of")},
    ColumnNote{Plan, "", QT_TRANSLATE_NOOP("plumb::ui", "First operation during which it is alive")},
    ColumnNote{Plan, "", QT_TRANSLATE_NOOP("plumb::ui", "Last operation that names it")}};
constexpr std::array kSumNotes{ColumnNote{Setting},         ColumnNote{Clock},
                               ColumnNote{Clock, "s"},      ColumnNote{Beside, "%"},
                               ColumnNote{Prediction, "s"}, ColumnNote{Beside, "%"},
                               ColumnNote{Plan, "FLOP"},    ColumnNote{Beside, "FLOP/s"},
                               ColumnNote{Plan, "B"},       ColumnNote{Beside, "B/s"}};
constexpr std::array kRunNotes{
    ColumnNote{Setting, "", QT_TRANSLATE_NOOP("plumb::ui", "Name of the run, which you may change")},
    ColumnNote{Training, "", QT_TRANSLATE_NOOP("plumb::ui", "Optimizer steps that are done")},
    ColumnNote{Training, "", QT_TRANSLATE_NOOP("plumb::ui", "Newest loss that is a number")},
    ColumnNote{Beside, "%",
               QT_TRANSLATE_NOOP("plumb::ui", "Newest loss / loss of the baseline at that step − 1")},
    ColumnNote{Training, "", QT_TRANSLATE_NOOP("plumb::ui", "Lowest loss so far")},
    ColumnNote{Training, "1/s",
               QT_TRANSLATE_NOOP("plumb::ui", "Steps per second, with what lies between steps")},
    ColumnNote{Beside, "%", QT_TRANSLATE_NOOP("plumb::ui", "Steps per second / those of the baseline − 1")},
    ColumnNote{Training, "", QT_TRANSLATE_NOOP("plumb::ui", "Whether it goes on, or how it ended")}};
constexpr std::array kRangeNotes{
    ColumnNote{Setting, "", QT_TRANSLATE_NOOP("plumb::ui", "Number of the layer")},
    ColumnNote{Training, "%"},
    ColumnNote{Training, "%"},
    ColumnNote{Training, "%"},
    ColumnNote{Training, "%"},
    ColumnNote{Training, "%"},
    ColumnNote{Training, "%"},
    ColumnNote{Training, "%"},
    ColumnNote{Training, "%"}};
constexpr std::array kFindingNotes{ColumnNote{Rule}, ColumnNote{Rule}, ColumnNote{Rule}, ColumnNote{Rule},
                                   ColumnNote{Rule}};
constexpr std::array kHistoryNotes{ColumnNote{Setting},    ColumnNote{Setting},  ColumnNote{Setting},
                                   ColumnNote{Setting},    ColumnNote{Setting},  ColumnNote{Clock, "s"},
                                   ColumnNote{Clock, "B"}, ColumnNote{Training}, ColumnNote{Training},
                                   ColumnNote{Setting},    ColumnNote{Setting}};
constexpr std::array kDifferenceNotes{ColumnNote{Setting}, ColumnNote{Clock},       ColumnNote{Clock},
                                      ColumnNote{Beside},  ColumnNote{Beside, "%"}, ColumnNote{Beside},
                                      ColumnNote{Clock},   ColumnNote{Beside}};
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
    ColumnNote{Beside, "B", QT_TRANSLATE_NOOP("plumb::ui", "Bytes after less bytes before")},
    ColumnNote{Beside, "",
               QT_TRANSLATE_NOOP("plumb::ui", "Whether they grew, are new, are less or are gone")}};
constexpr std::array kTensorStepNotes{ColumnNote{Setting}, ColumnNote{Shape}, ColumnNote{Shape},
                                      ColumnNote{Shape},   ColumnNote{Shape}, ColumnNote{Shape, "B, s"}};
constexpr std::array kPartNotes{ColumnNote{Published},      ColumnNote{Published}, ColumnNote{Published, "%"},
                                ColumnNote{Published, "%"}, ColumnNote{Published}, ColumnNote{Published, "%"},
                                ColumnNote{Published}};
constexpr std::array kPublishedNotes{
    ColumnNote{Published, "", QT_TRANSLATE_NOOP("plumb::ui", "Model, devices and settings of the training")},
    ColumnNote{Published, "", QT_TRANSLATE_NOOP("plumb::ui", "Where it was published")},
    ColumnNote{Published, "", QT_TRANSLATE_NOOP("plumb::ui", "What it ran on")},
    ColumnNote{Published, "s, B", QT_TRANSLATE_NOOP("plumb::ui", "Step time or memory as published")},
    ColumnNote{Published, "s, B", QT_TRANSLATE_NOOP("plumb::ui", "The same as the planner predicts it")},
    ColumnNote{Published, "s, B", QT_TRANSLATE_NOOP("plumb::ui", "Range of the prediction")},
    ColumnNote{Published, "%", QT_TRANSLATE_NOOP("plumb::ui", "Predicted / published − 1")},
    ColumnNote{Published, "", QT_TRANSLATE_NOOP("plumb::ui", "What has to be known to judge it")}};

constexpr std::array kShardingNotes{
    ColumnNote{Planner},      ColumnNote{Planner},      ColumnNote{Planner}, ColumnNote{Planner, "B"},
    ColumnNote{Planner, "s"}, ColumnNote{Planner, "%"}, ColumnNote{Planner}, ColumnNote{Planner},
    ColumnNote{Planner},      ColumnNote{Planner},      ColumnNote{Planner}, ColumnNote{Planner},
    ColumnNote{Planner}};
constexpr std::array kDeviceNotes{
    ColumnNote{Setting},      ColumnNote{Planner},           ColumnNote{Planner, "s"}, ColumnNote{Planner},
    ColumnNote{Planner, "J"}, ColumnNote{Planner, "FLOP/B"}, ColumnNote{Planner}};
constexpr std::array kCandidateNotes{
    ColumnNote{Setting},      ColumnNote{Planner},      ColumnNote{Planner},      ColumnNote{Planner, "s"},
    ColumnNote{Planner, "$"}, ColumnNote{Planner, "J"}, ColumnNote{Planner, "%"}, ColumnNote{Setting, "$/h"},
    ColumnNote{Planner},      ColumnNote{Planner}};
constexpr std::array kTraceStepNotes{ColumnNote{Trace}, ColumnNote{Trace, "s"}, ColumnNote{Trace, "%"},
                                     ColumnNote{Beside, "%"}};
constexpr std::array kTraceSectionNotes{ColumnNote{Trace}, ColumnNote{Trace, "s"}, ColumnNote{Trace, "%"}};
constexpr std::array kTraceRangeNotes{ColumnNote{Trace},      ColumnNote{Trace},      ColumnNote{Trace, "s"},
                                      ColumnNote{Trace, "%"}, ColumnNote{Trace, "s"}, ColumnNote{Trace, "s"},
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
                             TableSpec{"training", "runsTable", kRunNotes},
                             TableSpec{"training", "rangeTable", kRangeNotes},
                             TableSpec{"planner", "plannerTable", kShardingNotes, shardingColumns},
                             TableSpec{"planner", "plannerDevices", kDeviceNotes, deviceColumns},
                             TableSpec{"planner", "plannerCandidates", kCandidateNotes, candidateColumns},
                             TableSpec{"planner", "evidenceParts", kPartNotes},
                             TableSpec{"planner", "evidenceRows", kPublishedNotes},
                             TableSpec{"lab", "tensorStepTable", kTensorStepNotes},
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
        QT_TRANSLATE_NOOP("plumb::ui", "Training: runs"),
        QT_TRANSLATE_NOOP("plumb::ui", "Training: overflow and underflow by layer"),
        QT_TRANSLATE_NOOP("plumb::ui", "Planner: ways to spread the work"),
        QT_TRANSLATE_NOOP("plumb::ui", "Planner: every device"),
        QT_TRANSLATE_NOOP("plumb::ui", "Planner: devices that are compared"),
        QT_TRANSLATE_NOOP("plumb::ui", "Evidence: errors of parts"),
        QT_TRANSLATE_NOOP("plumb::ui", "Evidence: published trainings"),
        QT_TRANSLATE_NOOP("plumb::ui", "Lab: steps of a tensor"),
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
    [[nodiscard]] std::array<const QAbstractItemModel*, 14> all() const {
        return {&tensors,   &operations, &modules,  &sums,    &runs,        &ranges, &parts,
                &published, &steps,      &findings, &history, &differences, &living, &compared};
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
                                     QString::fromUtf8(note.unit), originText(note.origin)});
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
