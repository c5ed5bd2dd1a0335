// SPDX-License-Identifier: GPL-3.0-or-later
// The table of tensors below the curve of the full memory view.
#include "ui/charts/chart_panel.h"
#include "ui/memory/memory_view.h"
#include "ui/memory/tensor_table_model.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

/// Keeps a text that follows a right-aligned number away from it.
class IndentedDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem indented = option;
        if (option.widget)
            option.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter,
                                                  option.widget);
        indented.rect.setLeft(option.rect.left() + kIndent);
        QStyledItemDelegate::paint(painter, indented, index);
    }

private:
    static constexpr int kIndent = 14;
};

}  // namespace

void MemoryView::buildTable() {
    auto* card = new Card(m_context.theme, tr("Tensors"), this);
    card->setObjectName(QStringLiteral("tensorCard"));
    card->setContentMargins(10, 6, 10, 10);
    auto* content = new QWidget(card);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_filter = new QLineEdit(card);
    m_filter->setObjectName(QStringLiteral("tensorFilter"));
    m_filter->setAccessibleName(tr("Filter tensors"));
    m_filter->setPlaceholderText(tr("Filter by name or category"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(240);
    card->addHeaderWidget(m_filter);
    m_tensors = new TensorTableModel(this);
    m_table = new QTableView(content);
    m_table->setObjectName(QStringLiteral("tensorTable"));
    m_table->setAccessibleName(tr("Tensors of one step"));
    m_table->setModel(m_tensors);
    setUpDataTable(*m_table);
    m_table->horizontalHeader()->setStretchLastSection(true);
    const int letter = m_table->fontMetrics().horizontalAdvance(QLatin1Char('0'));
    for (const auto& [column, letters] : {std::pair{TensorColumn::Name, 34},
                                          {TensorColumn::Category, 20},
                                          {TensorColumn::Shape, 18},
                                          {TensorColumn::Dtype, 9},
                                          {TensorColumn::Bytes, 12},
                                          {TensorColumn::FirstOp, 30},
                                          {TensorColumn::LastOp, 30}})
        m_table->setColumnWidth(static_cast<int>(column), letters * letter);
    m_table->setItemDelegateForColumn(static_cast<int>(TensorColumn::FirstOp), new IndentedDelegate(m_table));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(static_cast<int>(TensorColumn::Bytes), Qt::DescendingOrder);
    layout->addWidget(m_table);
    m_tableTotals = new QLabel(content);
    m_tableTotals->setObjectName(QStringLiteral("tensorTotals"));
    m_tableTotals->setTextFormat(Qt::PlainText);
    m_tableTotals->setWordWrap(true);
    m_tableTotals->setContentsMargins(6, 0, 6, 0);
    layout->addWidget(m_tableTotals);
    m_plain = new QLabel(content);
    m_plain->setObjectName(QStringLiteral("plainMemory"));
    m_plain->setTextFormat(Qt::PlainText);
    m_plain->setWordWrap(true);
    m_plain->setContentsMargins(6, 0, 6, 0);
    m_plain->setToolTip(
        tr("What parameters, gradients, optimizer states and activations take, each whole and "
           "all at once, and why the predicted peak differs from their sum"));
    layout->addWidget(m_plain);
    m_device = new QLabel(content);
    m_device->setObjectName(QStringLiteral("deviceMemory"));
    m_device->setTextFormat(Qt::PlainText);
    m_device->setWordWrap(true);
    m_device->setContentsMargins(6, 0, 6, 0);
    layout->addWidget(m_device);
    card->setContent(content);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_tensors->setFilter(text);
        showTensor();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &MemoryView::showTensor);
    connect(m_tensors, &QAbstractItemModel::modelReset, this, &MemoryView::showTensor, Qt::QueuedConnection);
}

void MemoryView::showTensor() {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    const std::optional<TensorId> id =
        rows.isEmpty() ? std::nullopt : m_tensors->tensorAt(rows.first().row());
    if (!id) {
        m_chart->setHighlight(std::nullopt);
    } else {
        const StepTensor& tensor = m_state.scene->whatIf.step->tensor(*id);
        const QVector<double>& edges = m_state.axis.planEdges;
        const auto last = static_cast<qsizetype>(tensor.lastOp) + 1;
        m_chart->setHighlight(std::pair(edges[std::max(tensor.firstOp, 0)],
                                        edges[std::clamp<qsizetype>(last, 0, edges.size() - 1)]),
                              tensor.category);
    }
    showSelection();
}

}  // namespace plumb::ui
