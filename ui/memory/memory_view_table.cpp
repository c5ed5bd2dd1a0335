// SPDX-License-Identifier: GPL-3.0-or-later
// The table of tensors below the curve of the full memory view.
#include "core/base/entry_at.h"
#include "ui/charts/chart_panel.h"
#include "ui/memory/memory_view.h"
#include "ui/memory/tensor_table_model.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/in_sight.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/note_label.h"
#include "ui/widgets/segmented_control.h"
#include "ui/workbench/step_text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

/// The name of a category behind its colour in the curve.
class CategoryDelegate final : public QStyledItemDelegate {
public:
    CategoryDelegate(Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

protected:
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(kSwatch + kBeside, 0);
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        if (option.widget)
            option.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter,
                                                  option.widget);
        QStyleOptionViewItem behind = option;
        behind.rect.setLeft(option.rect.left() + kSwatch + kBeside);
        QStyledItemDelegate::paint(painter, behind, index);
        const auto category = static_cast<Category>(index.data(kTensorRawRole).toLongLong());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(m_theme.categoryColor(category));
        painter->drawRoundedRect(QRectF(option.rect.left() + kBeside,
                                        option.rect.center().y() - kSwatch / 2.0 + 1, kSwatch, kSwatch),
                                 2.5, 2.5);
        painter->restore();
    }

private:
    static constexpr int kBeside = 4;
    Theme& m_theme;
};

constexpr int kAliveOnly = 0, kAllTensors = 1;  // scopes of the table

}  // namespace

void MemoryView::buildTable() {
    auto* card = m_tableCard = new Card(m_context.theme, tr("Tensors"), this);
    card->setObjectName(QStringLiteral("tensorCard"));
    card->setContentMargins(10, 6, 10, 10);
    auto* content = new QWidget(card);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_tableScope = new SegmentedControl(m_context.theme, {tr("In memory here"), tr("All of the step")},
                                        QStringLiteral("tensorScope"), content);
    m_filter = new QLineEdit(content);
    m_filter->setObjectName(QStringLiteral("tensorFilter"));
    m_filter->setAccessibleName(tr("Filter tensors"));
    m_filter->setPlaceholderText(tr("Filter by name or category"));
    m_filter->setClearButtonEnabled(true);
    connect(findKey(*this), &QShortcut::activated, m_filter, qOverload<>(&QWidget::setFocus));
    const int words = m_filter->fontMetrics().horizontalAdvance(m_filter->placeholderText());
    constexpr int kFieldRoom = 40;  // frame and the button that clears it
    m_filter->setMinimumWidth(words + kFieldRoom / 2);
    m_filter->setMaximumWidth(words + 2 * kFieldRoom);
    m_tableScope->setAccessibleName(tr("Which tensors the table has"));
    m_tableScope->setCurrent(kAliveOnly);
    m_tableScope->setSegmentToolTip(
        kAliveOnly, tr("Those that are in memory during the selected operation, else the one under the "
                       "pointer, else the one of the peak: together they are the height of the curve there"));
    m_tableScope->setSegmentToolTip(kAllTensors, tr("Every tensor of the step, whenever it is in memory"));
    // Beside the title they would ask for more than a small window has.
    auto* choices = new QHBoxLayout;
    choices->setSpacing(10);
    choices->addWidget(m_tableScope);
    choices->addWidget(m_filter);
    choices->addStretch(1);
    layout->addLayout(choices);
    m_tensors = new TensorTableModel(this);
    m_table = new QTableView(content);
    m_table->setObjectName(QStringLiteral("tensorTable"));
    m_table->setAccessibleName(tr("Tensors"));
    m_table->setModel(m_tensors);
    setUpDataTable(*m_table);
    m_columns =
        new ColumnFit(*m_table, static_cast<int>(TensorColumn::Name),
                      {static_cast<int>(TensorColumn::LastOp), static_cast<int>(TensorColumn::FirstOp),
                       static_cast<int>(TensorColumn::Dtype), static_cast<int>(TensorColumn::Shape)});
    indentColumn(*m_table, static_cast<int>(TensorColumn::Shape));
    m_table->setItemDelegateForColumn(static_cast<int>(TensorColumn::Category),
                                      new CategoryDelegate(m_context.theme, m_table));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(static_cast<int>(TensorColumn::Bytes), Qt::DescendingOrder);
    layout->addWidget(m_table);
    m_tableTotals = new NoteLabel(content);
    m_tableTotals->setObjectName(QStringLiteral("tensorTotals"));
    m_tableTotals->setContentsMargins(6, 0, 6, 0);
    layout->addWidget(m_tableTotals);
    m_plain = new NoteLabel(content);
    m_plain->setObjectName(QStringLiteral("plainMemory"));
    m_plain->setContentsMargins(6, 0, 6, 0);
    m_plain->setToolTip(
        tr("What parameters, gradients, optimizer states and activations take, each whole and "
           "all at once, and why the predicted peak differs from their sum"));
    layout->addWidget(m_plain);
    m_device = new NoteLabel(content);
    m_device->setObjectName(QStringLiteral("deviceMemory"));
    m_device->setContentsMargins(6, 0, 6, 0);
    layout->addWidget(m_device);
    for (QLabel* text : {m_plain, m_device}) letTabReach(*text);
    constexpr int kLeastRows = 5;
    m_table->setMinimumHeight(kLeastRows * m_table->verticalHeader()->defaultSectionSize());
    card->setContent(content);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_isArranging = true;
        m_tensors->setFilter(text);
        m_isArranging = false;
        showTensor();
        sayTable();
    });
    connect(m_tableScope, &SegmentedControl::chosen, this, &MemoryView::showTable);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &MemoryView::takeTensor);
}

int MemoryView::tableOp() const {
    if (!m_tableScope || m_tableScope->current() == kAllTensors || !m_state.emptyText.isEmpty()) return -1;
    if (const int selected = selectedOp(); selected >= 0) return selected;
    return m_hoveredOp >= 0 ? m_hoveredOp : peakOp();
}

int MemoryView::peakOp() const {
    const MemoryReading& memory = m_state.scene->whatIf.prediction->memory;
    if (shownRange().empty()) return memory.peakOp;
    int highest = -1;
    for (const OpSpan& span : shownRange().spans())
        for (int op = span.first; op <= span.last; ++op)
            if (highest < 0 || total(entryAt(memory.curve, op)) > total(entryAt(memory.curve, highest)))
                highest = op;
    return highest;
}

void MemoryView::showTable() {
    if (!m_tensors) return;
    const std::shared_ptr<const Step>& step = m_state.scene->whatIf.step;
    if (m_tensor && m_tensors->step() != step && !m_tensors->step()->hasSameTensors(*step)) m_tensor.reset();
    const int op = tableOp();
    m_isArranging = true;
    m_tensors->setRange(shownRange());
    m_tensors->setStep(step, op);
    m_isArranging = false;
    if (m_table->isColumnHidden(static_cast<int>(TensorColumn::Share)) != (op < 0)) {
        m_table->setColumnHidden(static_cast<int>(TensorColumn::Share), op < 0);
        m_columns->fit();
    }
    showTensor();
    sayTable();
}

/// The heading says which op it is, the line below what the rows come to.
void MemoryView::sayTable() {
    m_plain->setText(m_state.plain);
    m_plain->setVisible(!m_state.plain.isEmpty());
    m_device->setText(m_state.device);
    m_device->setToolTip(m_state.deviceHelp);
    m_device->setVisible(!m_state.device.isEmpty());
    const Step& step = *m_state.scene->whatIf.step;
    const int op = m_tensors->op();
    const int rows = m_tensors->rowCount();
    const OpSet& range = shownRange();
    if (op < 0) {
        m_tableCard->setTitle(
            range.empty() ? tr("All tensors of the step")
                          : tr("In memory during the range of %n operation(s)", nullptr, range.count()));
        m_tableCard->setSubtitle(tr("they are not all in memory at once"));
        m_tableTotals->setText(tr("%1 of %2 tensors shown").arg(rows).arg(step.tensorCount()));
        m_table->setAccessibleName(m_tableCard->title());
        return;
    }
    const QString name = stepText(step, step.opName(op));
    const bool isSelected = op == selectedOp();
    m_tableCard->setTitle(isSelected          ? tr("In memory at the selected operation")
                          : op == m_hoveredOp ? tr("In memory at the operation under the pointer")
                          : !range.empty()    ? tr("In memory at the peak of the range")
                                              : tr("In memory at the peak"));
    // A name may be long, and a title has one line.
    m_tableCard->setSubtitle(isSelected          ? tr("%1 · Esc in the curve lets go").arg(name)
                             : op == m_hoveredOp ? tr("%1 · a click keeps it").arg(name)
                                                 : tr("%1 · point at the curve for another one").arg(name));
    m_table->setAccessibleName(tr("%1, %2").arg(m_tableCard->title(), name));
    QStringList parts{tr("%1 in %2 tensors, predicted (%3)")
                          .arg(bytesText(m_tensors->aliveBytes()))
                          .arg(m_tensors->aliveCount())
                          .arg(exactText(m_tensors->aliveBytes(), "B"))};
    if (m_state.areas == MemoryState::Areas::Measured)
        parts << tr("measured %1").arg(exactText(total(entryAt(m_state.areaCurve(), op)), "B"));
    if (rows < m_tensors->aliveCount())
        parts << tr("%1 of them shown, %2").arg(rows).arg(bytesText(m_tensors->shownBytes()));
    m_tableTotals->setText(parts.join(QStringLiteral(" · ")));
}

/// The choice of the user, not what becomes of it where the rows are others.
void MemoryView::takeTensor() {
    if (m_isArranging) return;
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    m_tensor = rows.isEmpty() ? std::nullopt : m_tensors->tensorAt(rows.first().row());
    showTensor();
}

void MemoryView::showTensor() {
    const int row = m_tensor ? m_tensors->rowOf(*m_tensor) : -1;
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if ((rows.isEmpty() ? -1 : rows.first().row()) != row) {
        m_isArranging = true;
        if (row >= 0)
            m_table->selectRow(row);
        else
            m_table->clearSelection();
        m_isArranging = false;
    }
    if (!m_tensor) return m_chart->setHighlight(std::nullopt);
    const StepTensor& tensor = m_state.scene->whatIf.step->tensor(*m_tensor);
    const QVector<double>& edges = m_state.axis.planEdges;
    const auto last = static_cast<qsizetype>(tensor.lastOp) + 1;
    m_chart->setHighlight(std::pair(edges[std::max(tensor.firstOp, 0)],
                                    edges[std::clamp<qsizetype>(last, 0, edges.size() - 1)]),
                          tensor.category);
}

}  // namespace plumb::ui
