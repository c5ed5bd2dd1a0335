// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/ranks_view.h"

#include "core/base/entry_at.h"
#include "ui/charts/legend_row.h"
#include "ui/engine/cpu_ranks.h"
#include "ui/engine/run_controller.h"
#include "ui/ranks/category_model.h"
#include "ui/ranks/collectives_model.h"
#include "ui/ranks/lane_chart.h"
#include "ui/ranks/rank_grid.h"
#include "ui/ranks/rank_memory_chart.h"
#include "ui/ranks/what_if_row.h"
#include "ui/theme/house_style.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/help_anchor.h"
#include "ui/widgets/note_label.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/slider_row.h"
#include "ui/widgets/splitter.h"
#include "ui/widgets/tone_label.h"
#include "ui/workbench/config_history.h"
#include "ui/workbench/empty_view.h"
#include "ui/workbench/first_focus.h"
#include "ui/workbench/workbench.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr int kCardGap = 10;              // between cards, logical pixels
constexpr int kTwoColumns = 780;          // from this width on cards stand beside each other
constexpr int kTableInHalf = 1040;        // and from this one on the table of collectives beside the lanes
constexpr int kTableBeside = 520;         // and from this one on the table beside the chart in its card
constexpr std::int64_t kQuickRanks = 16;  // that are planned within a frame
constexpr int kLeastRows = 4;
constexpr int kLanesStretch = 100;
constexpr int kLeastWidth = 420;
constexpr int kNumbersOfTable = 196;  // swatch, two columns of bytes, and what lies between
constexpr int kEmptyText = 560, kWideButton = 130;

/// Ctrl+C on a table, and its context menu, put what `text()` says on the clipboard.
template <class Text>
void makeCopyable(QTableView& table, const Text& text) {
    const auto copy = [text] { QGuiApplication::clipboard()->setText(text()); };
    auto* keys = new QShortcut(QKeySequence(QKeySequence::Copy), &table);
    keys->setContext(Qt::WidgetShortcut);
    QObject::connect(keys, &QShortcut::activated, &table, copy);
    table.setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(&table, &QWidget::customContextMenuRequested, &table, [&table, copy](const QPoint& at) {
        auto* menu = new QMenu(&table);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        QObject::connect(menu->addAction(RanksView::tr("Copy as CSV")), &QAction::triggered, &table, copy);
        menu->popup(table.viewport()->mapToGlobal(at));
    });
}

}  // namespace

RanksView::RanksView(ViewContext context, ConfigHistory& history, RunController& controller, QWidget* parent)
    : LateView(parent), m_context(context), m_history(history), m_controller(controller) {
    setObjectName(QStringLiteral("devicesView"));
    setAccessibleName(tr("Devices"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kCardGap);
    layout->setSizeConstraint(QLayout::SetNoConstraint);  // cards go below each other where they must
    m_whatIf = new WhatIfRow(context, history, this);
    setHelpAnchor(*m_whatIf, QStringLiteral("devices#what-if"));
    layout->addWidget(m_whatIf);
    m_pages = new QStackedWidget(this);
    layout->addWidget(m_pages, 1);
    m_pages->addWidget(buildEmpty());
    m_rows = makeSplitter(Qt::Vertical, QStringLiteral("devicesRows"), m_pages, kCardGap);
    m_above = makeSplitter(Qt::Horizontal, QStringLiteral("devicesAbove"), m_rows, kCardGap);
    m_below = makeSplitter(Qt::Horizontal, QStringLiteral("devicesBelow"), m_rows, kCardGap);
    m_pages->addWidget(m_rows);
    buildGrid();
    buildMemory();
    buildLanes();
    buildCollectives();
    m_above->addWidget(m_gridCard);
    m_above->addWidget(m_memoryCard);
    m_below->addWidget(m_lanesCard);
    m_below->addWidget(m_collectivesCard);
    m_rows->addWidget(m_above);
    m_rows->addWidget(m_below);
    m_above->setSizes({360, 640});
    m_below->setSizes({560, 440});
    m_rows->setSizes({460, 400});
    arrange();
    connect(&context.workbench, &Workbench::sceneChanged, this, [this] {
        m_whatIf->follow();
        invalidate();
    });
    connect(&context.workbench.selection(), &OpSelection::changed, this, &RanksView::takeSelection);
    connect(&context.theme, &Theme::changed, this, [this] {
        for (QTableView* table : {m_categoryTable, m_collectiveTable}) table->viewport()->update();
    });
}

RanksView::~RanksView() = default;

QWidget* RanksView::buildEmpty() {
    auto* card = new Card(m_context.theme, tr("Devices"), m_pages);
    card->setObjectName(QStringLiteral("devicesEmptyCard"));
    auto* page = new QWidget(card);
    auto* layout = new QVBoxLayout(page);
    auto* title = new ToneLabel(m_context.theme, ColorRole::TextStrong, page);
    title->setStrong(1);
    title->setText(tr("One rank takes the step"));
    m_empty = new QLabel(page);
    m_empty->setObjectName(QStringLiteral("devicesEmpty"));
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setMaximumWidth(scaled(kEmptyText));
    m_empty->setMinimumWidth(scaled(kEmptyText) / 2);
    m_empty->setText(
        tr("Ranks are those that take a step together: each has a part of the samples, and the gradients "
           "that they find are added up between them. Here they are threads that share this processor."));
    followColor(m_empty, m_context.theme, ColorRole::TextMuted);
    m_twoRanks = new QPushButton(cpuRanksText(2), page);
    m_twoRanks->setObjectName(QStringLiteral("devicesTwoRanks"));
    m_twoRanks->setProperty(kPrimaryButton, true);
    m_twoRanks->setMinimumWidth(scaled(kWideButton));
    m_twoRanks->setToolTip(tr("Has two ranks on this processor take the step together; can be undone"));
    connect(m_twoRanks, &QPushButton::clicked, this, &RanksView::takeTwoRanks);
    layout->setSpacing(8);
    layout->addStretch(2);
    layout->addWidget(title, 0, Qt::AlignHCenter);
    auto* sentence = new QHBoxLayout;
    sentence->addStretch(1);
    sentence->addWidget(m_empty, 10);
    sentence->addStretch(1);
    layout->addLayout(sentence);
    layout->addSpacing(6);
    layout->addWidget(m_twoRanks, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    card->setContent(page);
    return card;
}

void RanksView::buildGrid() {
    m_gridCard = new Card(m_context.theme, tr("Ranks"), m_above);
    m_gridCard->setObjectName(QStringLiteral("rankGridCard"));
    setHelpAnchor(*m_gridCard, QStringLiteral("devices#ranks"));
    m_figure = new SegmentedControl(m_context.theme, {tr("memory"), tr("time"), tr("waiting")},
                                    QStringLiteral("rankFigure"), m_gridCard);
    m_figure->setAccessibleName(tr("What the ranks are coloured by"));
    m_figure->setSegmentToolTip(0, withHelpHint(tr("Most memory at one operation")));
    m_figure->setSegmentToolTip(1, withHelpHint(tr("Time of a step")));
    m_figure->setSegmentToolTip(2, withHelpHint(tr("Time of a step in which the rank waits for traffic")));
    m_figure->setCurrent(0);
    m_gridCard->addHeaderWidget(m_figure);
    m_grid = new RankGrid(m_context.theme, m_gridCard);
    m_grid->setObjectName(QStringLiteral("rankGrid"));
    m_grid->setAccessibleName(tr("Ranks"));
    m_gridCard->setContent(m_grid);
    m_gridCard->setContentMargins(8, 6, 8, 10);
    connect(m_figure, &SegmentedControl::chosen, this,
            [this](int index) { colourBy(static_cast<RankFigure>(index)); });
    connect(m_grid, &RankGrid::rankChosen, this, &RanksView::chooseRank);
}

void RanksView::buildMemory() {
    m_memoryCard = new Card(m_context.theme, tr("Memory per rank"), m_above);
    m_memoryCard->setObjectName(QStringLiteral("rankMemoryCard"));
    setHelpAnchor(*m_memoryCard, QStringLiteral("devices#memory"));
    m_memoryParts = makeSplitter(Qt::Horizontal, QStringLiteral("devicesMemory"), m_memoryCard, kCardGap);
    m_memory = new RankMemoryChart(m_context.theme, m_memoryParts);
    m_memory->setObjectName(QStringLiteral("rankMemory"));
    m_memory->setAccessibleName(tr("Memory per rank"));
    m_categories = new CategoryModel(m_context.theme, this);
    m_categoryTable = new QTableView(m_memoryParts);
    m_categoryTable->setObjectName(QStringLiteral("rankCategories"));
    m_categoryTable->setModel(m_categories);
    setUpDataTable(*m_categoryTable);
    chooseRowAtFocus(*m_categoryTable);
    m_categoryTable->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    new ColumnFit(*m_categoryTable, static_cast<int>(CategoryColumn::Name), {});
    makeCopyable(*m_categoryTable, [this] { return m_categories->csv(); });
    m_memoryParts->addWidget(m_memory);
    m_memoryParts->addWidget(m_categoryTable);
    m_memoryParts->setStretchFactor(0, 1);
    m_memoryParts->setSizes({440, 260});
    m_memoryCard->setContent(m_memoryParts);
    m_memoryCard->setContentMargins(8, 6, 8, 10);
    connect(m_memory, &RankMemoryChart::rankChosen, this, &RanksView::chooseRank);
}

void RanksView::buildLanes() {
    m_lanesCard = new Card(m_context.theme, tr("Timeline"), m_below);
    m_lanesCard->setObjectName(QStringLiteral("rankLanesCard"));
    setHelpAnchor(*m_lanesCard, QStringLiteral("devices#lanes"));
    auto* content = new QWidget(m_lanesCard);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addStretch(0);
    m_lanes = new LaneChart(m_context.theme, content);
    m_lanes->setObjectName(QStringLiteral("rankLanes"));
    m_lanes->setAccessibleName(tr("Lanes of the first rank"));
    layout->addWidget(m_lanes, kLanesStretch);
    m_laneLegend = new LegendRow(m_context.theme, content);
    m_laneLegend->setObjectName(QStringLiteral("rankLanesLegend"));
    m_laneLegend->setIndent(8);
    layout->addWidget(m_laneLegend);
    m_laneNote = new NoteLabel(content);
    m_laneNote->setObjectName(QStringLiteral("rankLanesNote"));
    m_laneNote->setContentsMargins(8, 0, 8, 0);
    followColor(m_laneNote, m_context.theme, ColorRole::TextMuted);
    layout->addWidget(m_laneNote);
    m_copyCommand = new QPushButton(tr("Copy the command"), content);
    m_copyCommand->setObjectName(QStringLiteral("copyRankCalibration"));
    m_copyCommand->setToolTip(
        tr("Copies the command that measures as many ranks; the window follows it when it is done"));
    layout->addWidget(m_copyCommand, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    m_lanesCard->setContent(content);
    m_lanesCard->setContentMargins(8, 6, 8, 10);
    connect(m_copyCommand, &QPushButton::clicked, this, &RanksView::copyCommand);
    connect(m_lanes, &LaneChart::collectiveChosen, this, [this](int op) {
        m_context.workbench.selection().select(toText(m_context.workbench.session()->whatIf.step->opId(op)));
    });
}

void RanksView::buildCollectives() {
    m_collectivesCard = new Card(m_context.theme, tr("Collectives"), m_below);
    m_collectivesCard->setObjectName(QStringLiteral("collectivesCard"));
    setHelpAnchor(*m_collectivesCard, QStringLiteral("devices#collectives"));
    m_collectives = new CollectivesModel(m_context.theme, this);
    m_collectiveTable = new QTableView(m_collectivesCard);
    m_collectiveTable->setObjectName(QStringLiteral("collectivesTable"));
    m_collectiveTable->setAccessibleName(tr("Collectives of a step"));
    m_collectiveTable->setModel(m_collectives);
    setUpDataTable(*m_collectiveTable);
    chooseRowAtFocus(*m_collectiveTable);
    const auto at = [](CollectiveColumn column) { return static_cast<int>(column); };
    new ColumnFit(*m_collectiveTable, at(CollectiveColumn::Name),
                  {at(CollectiveColumn::Time), at(CollectiveColumn::Group), at(CollectiveColumn::Counted),
                   at(CollectiveColumn::Bandwidth)});
    m_collectiveTable->setItemDelegateForColumn(at(CollectiveColumn::Bandwidth),
                                                new BandwidthDelegate(m_context.theme, m_collectiveTable));
    QHeaderView* const header = m_collectiveTable->horizontalHeader();
    header->setSectionsClickable(true);
    header->setSortIndicatorShown(true);
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::DescendingOrder);
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this](int column, Qt::SortOrder order) {
        const QScopedValueRollback<bool> quiet(m_choosing, true);
        m_collectives->sort(column, order);
        takeSelection(m_context.workbench.selection().op());
    });
    m_collectiveTable->setMinimumHeight(kLeastRows *
                                        m_collectiveTable->verticalHeader()->defaultSectionSize());
    makeCopyable(*m_collectiveTable, [this] {
        std::vector<int> rows;
        const QModelIndexList chosen = m_collectiveTable->selectionModel()->selectedRows();
        for (const QModelIndex& row : chosen) rows.push_back(row.row());
        if (rows.empty())
            for (int row = 0; row < m_collectives->rowCount(); ++row) rows.push_back(row);
        return m_collectives->csv(rows);
    });
    m_collectivesCard->setContent(m_collectiveTable);
    m_collectivesCard->setContentMargins(10, 6, 10, 10);
    connect(m_collectiveTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &RanksView::publishSelection);
}

void RanksView::takeTwoRanks() {
    DeviceChoices& devices = m_controller.devices();
    if (!m_context.workbench.traits().exchanges) {
        const auto found = std::ranges::find_if(devices.all(), sharesRanks);
        if (found != devices.all().end()) devices.choose(static_cast<int>(found - devices.all().begin()));
    }
    const Result<void> taken = takeRanks(m_context.workbench.config(), m_history, 2);
    if (!taken.has_value()) emit m_history.refused(taken.error());
}

void RanksView::copyCommand() {
    const Scene& scene = *m_context.workbench.session();
    QGuiApplication::clipboard()->setText(QStringLiteral("%1 --ranks %2")
                                              .arg(toText(calibrateCommand(scene.whatIf.machine().backend)))
                                              .arg(scene.config().parallel.ranks()));
}

void RanksView::catchUp() {
    const ScenePtr scene = m_context.workbench.session();
    const auto make = [scene] {
        const auto predicted = predictedRanks(scene->config(), scene->whatIf.target);
        return makeRanksState(*scene, predicted.has_value() ? *predicted : std::vector<RankReading>());
    };
    m_worker.cancel();
    setProperty(kBusyView, false);
    if (scene->config().parallel.ranks() <= kQuickRanks) return showState(make());
    setProperty(kBusyView, true);
    m_worker.run(make, [this](RanksState state) {
        setProperty(kBusyView, false);
        showState(std::move(state));
    });
}

void RanksView::showState(RanksState state) {
    m_grid->setState(nullptr, m_by);  // they must not see the state while that is replaced
    m_memory->setState(nullptr);
    m_state = std::move(state);
    m_rank = std::clamp(m_rank, 0, std::max(0, static_cast<int>(m_state.shown.size()) - 1));
    const bool isAlone = m_state.ranks < 2;
    m_pages->setCurrentIndex(isAlone ? 0 : 1);
    setFirstFocus(*this, isAlone ? static_cast<QWidget*>(m_twoRanks) : m_grid);
    setProperty(kEmptyView, isAlone);
    const QString many =
        isAlone || !m_state.shown.empty()
            ? QString()
            : tr("More than %1 ranks are not told one by one. The row above has the first of them.")
                  .arg(kMostToldRanks);
    m_grid->setEmptyText(many);
    m_memory->setEmptyText(many);
    m_grid->setState(&m_state, m_by);
    m_grid->setChosen(m_rank);
    m_memory->setState(&m_state);
    m_memory->setChosen(m_rank);
    m_categoryTable->setVisible(!m_state.shown.empty());
    showCategories();
    showLanes();
    showCollectives();
    sayState();
}

void RanksView::chooseRank(int rank) {
    m_rank = std::clamp(rank, 0, std::max(0, static_cast<int>(m_state.shown.size()) - 1));
    m_grid->setChosen(m_rank);
    m_memory->setChosen(m_rank);
    showCategories();
    sayState();
}

void RanksView::colourBy(RankFigure figure) {
    m_by = figure;
    m_grid->setState(&m_state, m_by);
    sayState();
}

void RanksView::showCategories() {
    m_categories->setRank(m_state, m_rank);
    m_categoryTable->setAccessibleName(tr("Memory of %1").arg(rankText(m_rank)));
    // All rows, where the card has room for them.
    const int rows = m_categories->rowCount();
    int names = 0;
    for (int row = 0; row < rows; ++row)
        names =
            std::max(names, fontMetrics().horizontalAdvance(m_categories->index(row, 0).data().toString()));
    m_categoryTable->setMinimumWidth(names + scaled(kNumbersOfTable));
    m_categoryTable->setMinimumHeight(rows * m_categoryTable->verticalHeader()->defaultSectionSize() +
                                      m_categoryTable->horizontalHeader()->sizeHint().height() + 2);
}

void RanksView::showLanes() {
    const ScenePtr scene = m_context.workbench.session();
    LaneRows rows = makeLaneRows(*scene);
    const bool hasPredicted = rows.predicted > 0, hasMeasured = rows.measured > 0;
    const bool isNone = rows.rows.empty();
    QVector<LegendEntry> legend;
    const auto add = [&](const char* id, const QString& label, const ChartColor& color,
                         LegendEntry::Swatch swatch = LegendEntry::Swatch::Square) {
        legend.push_back({QString::fromLatin1(id), label, {}, color, swatch});
    };
    if (!isNone) {
        for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Optimizer})
            add(phaseName(phase).data(), coreText(phaseName(phase)), phase);
        add("traffic", tr("traffic"), Category::Communication);
        add("waits", tr("waits for traffic"), ColorRole::Warning);
        if (hasPredicted && hasMeasured)
            add("predictedEnd", tr("predicted end"), ColorRole::Predicted, LegendEntry::Swatch::DashedLine);
    }
    m_laneLegend->setEntries(legend);
    m_laneLegend->setVisible(!isNone);
    // A file has the times of a step, and not always the calibration that they come from.
    const QString noPredicted =
        m_state.noTime.isEmpty()
            ? tr("The lanes follow from a calibration with as many ranks, which is not here.")
            : m_state.noTime;
    const QString note = hasPredicted ? rows.noMeasured : noPredicted;
    m_lanes->setVisible(!isNone);
    // Where there are no lanes, what is said of them stands in the middle.
    static_cast<QVBoxLayout*>(m_laneNote->parentWidget()->layout())->setStretch(0, isNone ? 1 : 0);
    m_laneNote->setAlignment(isNone ? Qt::AlignCenter : Qt::AlignLeft);
    m_laneNote->setText(QString(note).replace(QStringLiteral("--"), QStringLiteral("--\u2060")));  // not torn
    m_laneNote->setVisible(!note.isEmpty());
    m_copyCommand->setVisible(!hasPredicted && m_state.canCalibrate);
    QStringList parts{tr("first rank")};
    if (hasPredicted) parts << tr("predicted %1").arg(quantityText(rows.predicted, "s"));
    if (hasMeasured)
        parts << tr("step %1 took %2").arg(countText(rows.step), quantityText(rows.measured, "s"));
    m_lanesCard->setSubtitle(isNone ? QString() : parts.join(QStringLiteral(" · ")));
    m_lanes->setAccessibleDescription(isNone ? note : parts.join(QStringLiteral(", ")));
    for (LaneRow& row : rows.rows) row.aside = asideOf(row, rows.measured);
    m_lanes->setRows(std::move(rows), scene->whatIf.step);
}

/// What stands at the right of a lane: which part of the step the first rank waits, and what it sends.
QString RanksView::asideOf(const LaneRow& row, Seconds measured) const {
    if (m_state.shown.empty()) return {};
    const ShownRank& first = m_state.shown.front();
    const std::optional<RankReading>& reading = row.isMeasured ? first.measured : first.predicted;
    if (!reading) return {};
    if (row.lane == Lane::Traffic)
        return tr("%1 sent").arg(quantityText(static_cast<double>(reading->sentBytes), "B"));
    // The step that is drawn, of which a profile's median may differ.
    if (row.isMeasured) return tr("%1 % waits").arg(numberText(100 * row.waiting() / measured, 'f', 1));
    if (!reading->waited || !reading->seconds || *reading->seconds <= 0) return {};
    return tr("%1 % waits").arg(numberText(100 * *reading->waited / *reading->seconds, 'f', 1));
}

void RanksView::showCollectives() {
    {
        const QScopedValueRollback<bool> quiet(m_choosing, true);
        m_collectives->setRows(m_state.collectives);
    }
    takeSelection(m_context.workbench.selection().op());
}

void RanksView::sayState() {
    if (m_state.ranks < 2) return;
    const bool isWhole =
        std::ranges::all_of(m_state.shown, [](const ShownRank& rank) { return rank.measured.has_value(); });
    m_gridCard->setSubtitle(
        !m_state.isMeasured ? tr("not measured")
        : isWhole           ? QString()
                            : tr("first rank measured"),
        m_state.isMeasured && !isWhole
            ? tr("A training measures its first rank alone; a profile measures every rank")
            : QString());
    QStringList parts;
    if (m_state.isMeasured)
        parts << tr("filled: measured") << tr("dashed: predicted");
    else
        parts << tr("dashed: predicted");
    const auto most = m_state.most(RankFigure::Memory);
    if (m_state.share && most)
        parts << (*most <= static_cast<double>(*m_state.share)
                      ? tr("fits the %1 of a rank").arg(bytesText(*m_state.share))
                      : tr("does not fit the %1 of a rank").arg(bytesText(*m_state.share)));
    m_memoryCard->setSubtitle(parts.join(QStringLiteral(" · ")));
    QStringList said;
    for (const RankFigure figure : kEnumerators<RankFigure>) {
        const auto low = m_state.least(figure), high = m_state.most(figure);
        if (!low) continue;
        const QString from = figureText(low, figure), to = figureText(high, figure);
        said << (figure == RankFigure::Memory ? tr("memory %1 to %2").arg(from, to)
                 : figure == RankFigure::Time ? tr("time %1 to %2").arg(from, to)
                                              : tr("waiting %1 to %2").arg(from, to));
    }
    if (!m_state.shown.empty()) {
        const ShownRank& rank = entryAt(m_state.shown, m_rank);
        const auto told = [&](RankFigure figure) {
            return tr("predicted %1, measured %2")
                .arg(figureText(ShownRank::figure(rank.predicted, figure), figure),
                     figureText(ShownRank::figure(rank.measured, figure), figure));
        };
        const QString chosen = tr("%1 is chosen: %2").arg(rankText(rank.number), told(m_by));
        m_grid->setAccessibleDescription(
            tr("%1 ranks, %2. %3").arg(m_state.ranks).arg(said.join(QStringLiteral(", ")), chosen));
        m_memory->setAccessibleDescription(
            tr("%1 ranks, %2")
                .arg(m_state.ranks)
                .arg(tr("%1 is chosen: %2").arg(rankText(rank.number), told(RankFigure::Memory))));
    }
    Bytes sent = 0, counted = 0;
    bool isCounted = !m_state.collectives.empty();
    for (const CollectiveRow& row : m_state.collectives) {
        sent += row.planned.value_or(0);
        counted += row.counted.value_or(0);
        isCounted = isCounted && row.counted.has_value();
    }
    m_collectivesCard->setSubtitle(isCounted ? tr("per rank and step %1, counted").arg(bytesText(counted))
                                             : tr("per rank and step %1").arg(bytesText(sent)),
                                   withHelpHint(tr("What the first rank sends to others in a step")));
}

void RanksView::takeSelection(const QString& opId) {
    if (isStale() || m_state.collectives.empty()) return;
    const std::int32_t op =
        opId.isEmpty() ? -1 : m_context.workbench.session()->whatIf.step->findOp(opId.toStdString());
    m_lanes->setSelectedOp(op);
    const int row = op < 0 ? -1 : m_collectives->rowOf(op);
    const QScopedValueRollback<bool> quiet(m_choosing, true);
    if (row < 0)
        m_collectiveTable->clearSelection();
    else
        m_collectiveTable->selectRow(row);
}

void RanksView::publishSelection() {
    if (m_choosing) return;
    const QModelIndexList rows = m_collectiveTable->selectionModel()->selectedRows();
    if (rows.isEmpty()) return;
    const std::int32_t op = m_collectives->row(rows.first().row()).op;
    m_context.workbench.selection().select(toText(m_context.workbench.session()->whatIf.step->opId(op)));
}

// Cards beside each other, or where they would be too narrow to be read, one below the other.
void RanksView::arrange() {
    const auto turn = [](QSplitter& row, bool isBeside) {
        const auto wanted = isBeside ? Qt::Horizontal : Qt::Vertical;
        if (row.orientation() != wanted) row.setOrientation(wanted);
    };
    const bool isBeside = width() >= scaled(kTwoColumns);
    turn(*m_above, isBeside);
    turn(*m_below, width() >= scaled(kTableInHalf));
    turn(*m_memoryParts, (isBeside ? width() * 6 / 10 : width()) >= scaled(kTableBeside));
}

QSize RanksView::minimumSizeHint() const {
    return {scaled(kLeastWidth), layout()->totalMinimumSize().height()};
}

void RanksView::resizeEvent(QResizeEvent* event) {
    LateView::resizeEvent(event);
    arrange();
}

}  // namespace plumb::ui
