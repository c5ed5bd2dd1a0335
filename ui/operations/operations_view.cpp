// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_view.h"

#include "ui/operations/operations_filter_bar.h"
#include "ui/operations/operations_menu.h"
#include "ui/operations/operations_table.h"
#include "ui/operations/operations_totals.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/keys.h"
#include "ui/workbench/first_focus.h"
#include "ui/workbench/recording.h"
#include "ui/workbench/workbench.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QScopeGuard>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace plumb::ui {

namespace {

constexpr double kNoticedOverhead = 1.05;

QString rowId(const QModelIndex& index) { return index.data(OperationsModel::RowIdRole).toString(); }

}  // namespace

OperationsView::OperationsView(ViewContext context, ViewSize size, QWidget* parent)
    : SceneView(context, size, QStringLiteral("operations"), tr("Operations"), parent) {
    m_model = new OperationsModel(this);
    m_rows = new OperationsFilter(*m_model, this);
    m_table = new OperationsTable(context.theme, fontMetrics().height() + (isCompact() ? 14 : 10), this);
    m_table->setObjectName(QStringLiteral("operationsTable"));
    m_table->setAccessibleName(tr("Operations of one step"));
    m_table->setModel(m_rows);
    setFirstFocus(*this, m_table);
    m_table->setSortingEnabled(true);
    m_table->header()->setSortIndicatorClearable(true);
    m_table->sortByColumn(-1, Qt::DescendingOrder);
    if (isCompact()) m_card->setContent(m_table);  // in the full view below its filter
    m_card->setContentMargins(8, 6, 8, 8);

    for (int i = 1; i < kOperationColumns; ++i)
        if (needsCounters(static_cast<OperationColumn>(i)))
            m_table->setColumnShown(static_cast<OperationColumn>(i), false);
    if (isCompact()) {
        for (const auto column : {OperationColumn::Difference, OperationColumn::Rate,
                                  OperationColumn::Bandwidth, OperationColumn::Bound})
            m_table->setColumnShown(column, false);
        m_table->setYielding({OperationColumn::Intensity, OperationColumn::Bytes, OperationColumn::OfRoof,
                              OperationColumn::Flops});
    } else {
        // What was counted outlives what follows from other columns.
        m_table->setYielding({OperationColumn::MathStalls, OperationColumn::BarrierStalls,
                              OperationColumn::Bandwidth, OperationColumn::Rate, OperationColumn::Intensity,
                              OperationColumn::L1Bytes, OperationColumn::L2Bytes, OperationColumn::Bound,
                              OperationColumn::DramRatio, OperationColumn::L2Hits, OperationColumn::DramBytes,
                              OperationColumn::Warps, OperationColumn::MemoryStalls,
                              OperationColumn::DramShare, OperationColumn::TensorPipe});
        buildFilter();
        buildColumnMenu();
    }

    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &OperationsView::openMenu);
    connect(m_table, &OperationsTable::copyRequested, this, &OperationsView::copy);
    // A key can unfold a whole branch without a signal for each row: what is open is read when it would be
    // lost.
    connect(m_rows, &QAbstractItemModel::modelAboutToBeReset, this, &OperationsView::rememberExpansion);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &OperationsView::publishSelection);
    // Sorting and filtering rebuild the rows of the proxy; what was open stays open.
    connect(m_rows, &QAbstractItemModel::modelReset, this, &OperationsView::restoreExpansion);
    connect(m_table->header(), &QHeaderView::sortIndicatorChanged, this, [this] {
        m_sortWaits = false;
        m_sorted.start();
        describe();
    });
    m_table->viewport()->installEventFilter(this);
    connect(&context.workbench.runs(), &TrainingRuns::changed, this, &OperationsView::sortWhenNobodyReads);
    connect(&context.workbench.selection(), &OpSelection::changed, this, &OperationsView::showSelection);
    connect(&context.workbench.selection().range(), &OpRange::changed, this, &OperationsView::applyRange);
    connect(&context.workbench.marks, &DocumentMarks::changed, this, [this] {
        if (!isStale()) m_model->setMarks(markedOps(m_context.workbench));
    });
}

void OperationsView::buildFilter() {
    auto* content = new QWidget(m_card);
    m_filter = new OperationsFilterBar(m_context.theme, content);
    m_totals = new OperationsTotals(m_context.theme, *m_table, *m_model, content);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_filter);
    column->addWidget(m_table, 1);
    column->addWidget(m_totals);
    m_card->setContent(content);
    m_sortNow = m_card->addHeaderButton(tr("Sort now"), QStringLiteral("operationsSortNow"),
                                        tr("Puts the rows into the order of the newest figures"));
    m_sortNow->hide();
    connect(m_sortNow, &QPushButton::clicked, this, [this] {
        keepSorted(false);
        describe();
    });
    connect(m_filter, &OperationsFilterBar::queryChanged, this, &OperationsView::applyFilter);
    connect(m_filter, &OperationsFilterBar::rangeCleared, this,
            [this] { m_context.workbench.selection().range().clear(); });
    connect(m_filter, &OperationsFilterBar::flatChosen, this, &OperationsView::setFlat);
    connect(m_filter, &OperationsFilterBar::tableWanted, this,
            [this] { m_table->setFocus(Qt::ShortcutFocusReason); });
    connect(findKey(*this), &QShortcut::activated, m_filter, &OperationsFilterBar::focusField);
}

void OperationsView::setFlat(bool flat) {
    {
        const QScopedValueRollback<bool> quiet(m_quiet, true);
        m_model->setFlat(flat);
    }
    m_table->setRootIsDecorated(!flat || !m_model->tree().kernels().empty());
    showSelection();
    describe();
}

void OperationsView::openMenu(const QPoint& at) {
    QModelIndex cell = m_table->indexAt(at);
    if (!cell.isValid()) cell = m_table->currentIndex();
    if (!cell.isValid()) return;
    const QPersistentModelIndex row(cell.siblingAtColumn(0));
    const auto why = [this, row](OperationColumn column) {
        if (row.isValid())
            showPage(*this, tr("Why this number"),
                     cellPage(m_model->tree(), m_model->node(m_rows->mapToSource(row)), column));
    };
    makeOperationsMenu(cell, *m_table,
                       {[this] { QGuiApplication::clipboard()->setText(copied(true, CopyFormat::Tsv)); },
                        [this] { QGuiApplication::clipboard()->setText(copied(false, CopyFormat::Tsv)); },
                        [this](const QString& view) { emit viewWanted(view); }, why},
                       this)
        ->popup(m_table->viewport()->mapToGlobal(at));
}

void OperationsView::buildColumnMenu() {
    QHeaderView* header = m_table->header();
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::customContextMenuRequested, this, [this, header](const QPoint& at) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->setObjectName(QStringLiteral("operationsColumns"));
        for (int i = 1; i < kOperationColumns; ++i) {
            const auto column = static_cast<OperationColumn>(i);
            QAction* action = menu->addAction(columnTitle(column));
            action->setToolTip(columnHelp(column));
            action->setCheckable(true);
            action->setChecked(m_table->isColumnShown(column));
            connect(action, &QAction::toggled, this,
                    [this, column](bool on) { m_table->setColumnShown(column, on); });
        }
        menu->addSeparator();
        menu->addAction(tr("Copy rows as CSV"), QKeySequence::Copy, this, &OperationsView::copy);
        menu->popup(header->mapToGlobal(at));
    });
}

void OperationsView::catchUp() {
    {
        const QScopedValueRollback<bool> quiet(m_quiet, true);
        m_model->setScene(m_context.workbench.scene());
    }
    const ScenePtr shown = m_context.workbench.scene();
    const bool measured = shown->measured.has_value();
    // Another run has no order yet that somebody could be reading.
    const auto ran = measured ? shown->measured->step : nullptr;
    keepSorted(std::exchange(m_sortedStep, ran) == ran);
    if (isCompact() && (measured != m_hadMeasured || m_table->header()->sortIndicatorSection() < 0)) {
        const auto column = measured ? OperationColumn::Measured : OperationColumn::Predicted;
        m_table->sortByColumn(static_cast<int>(column), Qt::DescendingOrder);
    }
    m_hadMeasured = measured;
    m_model->setMarks(markedOps(m_context.workbench));
    applyRange();
    // Columns of counters show themselves when there are some, and stay as the user wants them from then on.
    const auto& scene = *m_context.workbench.scene();
    const bool counted = scene.measured && scene.measured->reading->counterRun;
    if (!isCompact() && counted)
        for (int i = 1; i < kOperationColumns; ++i) showIfCounted(static_cast<OperationColumn>(i));
    describe();
    showSelection();
}

void OperationsView::showIfCounted(OperationColumn column) {
    bool& shown = m_counted.at(static_cast<std::size_t>(column));
    if (shown || !needsCounters(column)) return;
    // A quick profile counts less than a full one.
    const auto has = [column](const OperationsTree::Node& node) {
        return cellValue(node, column).has_value();
    };
    shown = std::ranges::any_of(m_model->tree().nodes(), has);
    if (shown) m_table->setColumnShown(column, true);
}

void OperationsView::keepSorted(bool mayWait) {
    m_sortWaits = false;
    if (m_table->header()->sortIndicatorSection() < 0) return;
    m_sortWaits = mayWait && (m_context.workbench.runs().active() || m_table->viewport()->underMouse());
    if (m_sortWaits) return;
    m_sorted.start();
    rememberExpansion();
    m_rows->resort();
    restoreExpansion();
}

void OperationsView::sortWhenNobodyReads() {
    if (!m_sortWaits || isStale() || m_context.workbench.runs().active() || m_table->viewport()->underMouse())
        return;
    keepSorted(false);
    describe();
}

bool OperationsView::eventFilter(QObject* watched, QEvent* event) {
    // The pointer counts as inside until the event is through.
    if (event->type() == QEvent::Leave && m_sortWaits)
        QMetaObject::invokeMethod(this, &OperationsView::sortWhenNobodyReads, Qt::QueuedConnection);
    return SceneView::eventFilter(watched, event);
}

bool OperationsView::expandedByDefault(const QModelIndex& row) const {
    if (OperationsModel::kindOf(row) != OperationsTree::Kind::Phase) return false;
    // In the card there is room for what takes time; in the full view every phase is open.
    if (!isCompact()) return true;
    const auto phase = static_cast<Phase>(row.data(OperationsModel::PhaseRole).toInt());
    return phase == Phase::Backward || phase == Phase::Forward || phase == Phase::Optimizer;
}

void OperationsView::restoreExpansion() {
    const auto namesSeen = qScopeGuard([this] { m_table->layoutColumns(); });
    if (m_model->isFlat()) return;
    const QScopedValueRollback<bool> quiet(m_quiet, true);
    const bool filtering = m_rows->filtering();
    const auto restore = [&](const QModelIndex& row) {
        if (OperationsModel::kindOf(row) == OperationsTree::Kind::Operation) return;
        const QString id = rowId(row);
        const bool open =
            filtering || m_expanded.contains(id) || (expandedByDefault(row) && !m_collapsed.contains(id));
        m_table->setExpanded(row, open);
    };
    for (int phase = 0; phase < m_rows->rowCount(); ++phase) {
        const QModelIndex index = m_rows->index(phase, 0);
        for (int group = 0; group < m_rows->rowCount(index); ++group) restore(m_rows->index(group, 0, index));
        restore(index);
    }
}

void OperationsView::rememberExpansion() {
    // Everything is open then, and not by the user's choice; a list has nothing to unfold.
    if (m_rows->filtering() || m_model->isFlat()) return;
    m_expanded.clear();
    m_collapsed.clear();
    const auto remember = [this](const QModelIndex& row) {
        if (OperationsModel::kindOf(row) == OperationsTree::Kind::Operation) return;
        const bool open = m_table->isExpanded(row);
        if (open != expandedByDefault(row)) (open ? m_expanded : m_collapsed).insert(rowId(row));
    };
    for (int phase = 0; phase < m_rows->rowCount(); ++phase) {
        const QModelIndex index = m_rows->index(phase, 0);
        remember(index);
        for (int group = 0; group < m_rows->rowCount(index); ++group)
            remember(m_rows->index(group, 0, index));
    }
}

void OperationsView::applyFilter(const QString& text) {
    rememberExpansion();
    m_query = OperationsQuery(text);
    m_rows->setQuery(m_query);
    restoreExpansion();
    showSelection();
    describe();
}

void OperationsView::applyRange() {
    if (isCompact() || isStale()) return;
    rememberExpansion();
    const OpSet& ops = m_context.workbench.selection().range().ops();
    m_rows->setRange(ops);
    m_filter->showRange(ops);
    restoreExpansion();
    showSelection();
    describe();
}

void OperationsView::showSelection() {
    if (isStale()) return;
    const QScopedValueRollback<bool> quiet(m_quiet, true);
    const QString id = m_context.workbench.selection().op();
    if (id != m_chosen.op) m_chosen = {};
    if (m_table->currentIndex().data(OperationsModel::OpIdRole).toString() == id &&
        m_table->selectionModel()->hasSelection())
        return;
    if (id.isEmpty()) {
        // A phase or group that the user stands on is nobody else's selection, and stays.
        if (m_table->currentIndex().isValid() &&
            OperationsModel::kindOf(m_table->currentIndex()) == OperationsTree::Kind::Operation)
            m_table->selectionModel()->clear();
        return;
    }
    const QModelIndex row = m_rows->mapFromSource(m_model->indexOfOp(id));
    // The user chose a phase or a group: its row stays, and not that of the operation that stands for it,
    // which may be gone with its layer.
    if (id == m_chosen.op)
        for (int phase = 0; phase < m_rows->rowCount(); ++phase) {
            const QModelIndex above = m_rows->index(phase, 0);
            QModelIndex chosen = rowId(above) == m_chosen.row ? above : QModelIndex();
            for (int group = 0; group < m_rows->rowCount(above) && !chosen.isValid(); ++group)
                if (const QModelIndex below = m_rows->index(group, 0, above); rowId(below) == m_chosen.row)
                    chosen = below;
            if (!chosen.isValid()) continue;
            if (m_table->currentIndex().siblingAtColumn(0) != chosen ||
                !m_table->selectionModel()->hasSelection())
                m_table->setCurrentIndex(chosen);
            return;
        }
    if (!row.isValid()) {
        m_table->selectionModel()->clear();
        return;
    }
    // In the card a group stands for its operations: unfolding 32 layers there would push out all the rest.
    const bool inside = isCompact() && OperationsModel::kindOf(row.parent()) == OperationsTree::Kind::Group &&
                        !m_table->isExpanded(row.parent());
    const QModelIndex shown = inside ? row.parent() : row;
    m_table->setCurrentIndex(shown);
    m_table->scrollTo(shown);
}

void OperationsView::publishSelection(const QModelIndex& current) {
    if (m_quiet) return;
    QModelIndex row = current.siblingAtColumn(0);
    // A phase or a group stands for its operations; elsewhere the first one shows where they are.
    while (row.isValid() && row.data(OperationsModel::OpIdRole).toString().isEmpty())
        row = m_rows->index(0, 0, row);
    const QString op = row.data(OperationsModel::OpIdRole).toString();
    m_chosen = {rowId(current.siblingAtColumn(0)), op};
    m_context.workbench.selection().select(op);
}

void OperationsView::describe() {
    const Scene& scene = *m_context.workbench.scene();
    QStringList parts;
    QString toolTip;
    if (scene.measured && !scene.sameConfig()) {
        parts << (scene.measured->step->isSameStep(*scene.whatIf.step)
                      ? tr("what-if: on %1; ran on %2")
                            .arg(deviceText(scene.whatIf.machine()), deviceText(scene.measured->machine()))
                      : tr("what-if: the sliders; run: %1").arg(coreText(scene.measured->step->title())));
        toolTip =
            tr("Measured times belong to what ran, which is another step than the sliders ask for. They "
               "stand beside the operation of the same name, and the difference is what-if / run − 1. "
               "Rates and shares of roof are empty until the sliders ask for what ran.");
    } else if (!scene.measured) {
        parts << tr("predicted; not measured yet");
    }
    const Recording* const recording = m_context.workbench.recording();
    const auto overhead = recording && scene.measured ? recording->file->overhead() : std::nullopt;
    if (overhead && *overhead > kNoticedOverhead) {
        parts << tr("timed in a step of %1 × a clean one").arg(numberText(*overhead, 'f', 1));
        toolTip = tr("The operations have the times of the step that was written down, which took that much "
                     "longer; the step's own time is the median of clean steps. So they add up to more.");
    }
    if (const auto& tier = scene.whatIf.prediction->totals.tier;
        tier && scene.whatIf.prediction->totals.seconds) {
        parts << tierMark(tier) + tierText(*tier);
    }
    if (const int column = m_table->header()->sortIndicatorSection();
        column >= 0 && column < kOperationColumns) {
        const QString name = column == static_cast<int>(OperationColumn::Predicted) ||
                                     column == static_cast<int>(OperationColumn::Measured)
                                 ? tr("%1 time").arg(m_model->headerData(column, Qt::Horizontal).toString())
                                 : columnTitle(static_cast<OperationColumn>(column));
        const auto seconds =
            std::chrono::floor<std::chrono::seconds>(std::chrono::milliseconds(m_sorted.elapsed()));
        const auto minutes = std::chrono::floor<std::chrono::minutes>(seconds);
        const QString age = minutes.count() > 0 ? tr("%1 min").arg(countText(minutes.count()))
                                                : tr("%1 s").arg(countText(seconds.count()));
        parts << (m_sortWaits ? tr("sorted by %1 of an earlier reading, %2 ago").arg(name, age)
                              : tr("sorted by %1").arg(name));
    }
    m_card->setSubtitle(parts.join(QStringLiteral(" · ")), toolTip);
    if (isCompact()) return;
    m_sortNow->setVisible(m_sortWaits);
    m_filter->showMatches(m_query, m_rows->filtering() ? m_rows->matchCount() : 0);
    m_totals->setTotal(m_rows->total(), m_rows->filtering());
}

QString OperationsView::csv() const { return copied(true, CopyFormat::Csv); }

QString OperationsView::copied(bool selectedAlone, CopyFormat format) const {
    QList<OperationColumn> columns;
    const QHeaderView* header = m_table->header();
    for (int visual = 0; visual < header->count(); ++visual)
        if (const int column = header->logicalIndex(visual); !m_table->isColumnHidden(column))
            columns << static_cast<OperationColumn>(column);
    QModelIndexList rows;
    const QItemSelectionModel* selection = m_table->selectionModel();
    const bool all = !selectedAlone || !selection->hasSelection();
    for (QModelIndex row = m_rows->index(0, 0); row.isValid(); row = m_table->indexBelow(row))
        if (all || selection->isSelected(row)) rows << row.siblingAtColumn(0);
    return operationsToText(rows, columns, format);
}

void OperationsView::copy() { QGuiApplication::clipboard()->setText(csv()); }

}  // namespace plumb::ui
