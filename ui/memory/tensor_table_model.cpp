// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/tensor_table_model.h"

#include "ui/theme/text.h"
#include "ui/widgets/size_field.h"

#include <algorithm>
#include <numeric>

namespace plumb::ui {
namespace {

bool sameTensors(const StepPlan& a, const StepPlan& b) {
    return std::equal(
        a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(),
        [](const Tensor& x, const Tensor& y) { return x.role == y.role && x.layer == y.layer; });
}

}  // namespace

TensorTableModel::TensorTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void TensorTableModel::setPlan(std::shared_ptr<const StepPlan> plan) {
    if (plan == m_plan) return;
    if (m_plan && plan && sameTensors(*m_plan, *plan)) {
        m_plan = std::move(plan);
        rearrange();
        if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kTensorColumns - 1));
        return;
    }
    beginResetModel();
    m_plan = std::move(plan);
    m_rows = arranged();
    endResetModel();
}

void TensorTableModel::setFilter(const QString& text) {
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (words == m_words) return;
    beginResetModel();
    m_words = words;
    m_rows = arranged();
    endResetModel();
}

std::optional<TensorId> TensorTableModel::tensorAt(int row) const {
    if (row < 0 || static_cast<std::size_t>(row) >= m_rows.size()) return std::nullopt;
    return m_rows[static_cast<std::size_t>(row)];
}

int TensorTableModel::rowOf(TensorId tensor) const {
    const auto found = std::find(m_rows.begin(), m_rows.end(), tensor);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

Bytes TensorTableModel::shownBytes() const {
    Bytes sum = 0;
    for (const TensorId tensor : m_rows) sum += m_plan->tensor(tensor).bytes();
    return sum;
}

int TensorTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TensorTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kTensorColumns;
}

std::int64_t TensorTableModel::raw(TensorId id, TensorColumn column) const {
    const Tensor& tensor = m_plan->tensor(id);
    switch (column) {
    case TensorColumn::Name:
        return (static_cast<std::int64_t>(tensor.role) << 32) + tensor.layer;
    case TensorColumn::Category:
        return static_cast<std::int64_t>(tensor.category);
    case TensorColumn::Shape:
        return tensor.elements();
    case TensorColumn::Dtype:
        return static_cast<std::int64_t>(tensor.dtype);
    case TensorColumn::Bytes:
        return tensor.bytes();
    case TensorColumn::FirstOp:
        return tensor.firstOp;
    case TensorColumn::LastOp:
        return tensor.lastOp;
    }
    return 0;
}

QString TensorTableModel::text(TensorId id, TensorColumn column) const {
    const Tensor& tensor = m_plan->tensor(id);
    const auto op = [&](std::int32_t index) { return toText(opName(*m_plan, m_plan->op(index))); };
    const bool beyond = static_cast<std::size_t>(std::max(tensor.lastOp, 0)) >= m_plan->ops.size();
    switch (column) {
    case TensorColumn::Name:
        return toText(tensorName(*m_plan, tensor));
    case TensorColumn::Category:
        return toText(categoryLabel(tensor.category));
    case TensorColumn::Shape:
        return tr("%1 × %2").arg(groupedDigits(tensor.rows), groupedDigits(tensor.columns));
    case TensorColumn::Dtype:
        return toText(dtypeName(tensor.dtype));
    case TensorColumn::Bytes:
        return QString::fromStdString(formatQuantity(static_cast<double>(tensor.bytes()), "B"));
    case TensorColumn::FirstOp:
        return tensor.persistent() ? tr("before the step") : op(tensor.firstOp);
    case TensorColumn::LastOp:
        return beyond ? tr("beyond the step") : op(tensor.lastOp);
    }
    return {};
}

QVariant TensorTableModel::data(const QModelIndex& index, int role) const {
    const std::optional<TensorId> tensor = tensorAt(index.row());
    if (!index.isValid() || !tensor || index.column() >= kTensorColumns) return {};
    const auto column = static_cast<TensorColumn>(index.column());
    const bool number = column == TensorColumn::Bytes;
    switch (role) {
    case Qt::DisplayRole:
        return text(*tensor, column);
    case kTensorRawRole:
        return static_cast<qlonglong>(raw(*tensor, column));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft)));
    case Qt::ToolTipRole:
        if (column == TensorColumn::Bytes)
            return tr("%1 = %2 × %3, predicted from the plan")
                .arg(QString::fromStdString(formatExact(raw(*tensor, column), "B")),
                     text(*tensor, TensorColumn::Shape),
                     tr("%n byte(s)", nullptr, static_cast<int>(dtypeSize(m_plan->tensor(*tensor).dtype))));
        return text(*tensor, column);
    default:
        return {};
    }
}

QVariant TensorTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kTensorColumns) return {};
    const auto column = static_cast<TensorColumn>(section);
    if (role == Qt::TextAlignmentRole) {
        const bool number = column == TensorColumn::Bytes;
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft)));
    }
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case TensorColumn::Name:
        return tr("tensor");
    case TensorColumn::Category:
        return tr("category");
    case TensorColumn::Shape:
        return tr("shape");
    case TensorColumn::Dtype:
        return tr("dtype");
    case TensorColumn::Bytes:
        return tr("bytes");
    case TensorColumn::FirstOp:
        return QStringLiteral("\u00a0\u00a0\u00a0\u00a0") + tr("first op");  // as far in as its cells
    case TensorColumn::LastOp:
        return tr("last op");
    }
    return {};
}

void TensorTableModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= kTensorColumns) return;
    m_column = static_cast<TensorColumn>(column);
    m_order = order;
    if (m_plan) rearrange();
}

bool TensorTableModel::passesFilter(TensorId tensor) const {
    if (m_words.isEmpty()) return true;
    const QString searched =
        text(tensor, TensorColumn::Name) + QLatin1Char(' ') + text(tensor, TensorColumn::Category);
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return searched.contains(word, Qt::CaseInsensitive); });
}

std::vector<TensorId> TensorTableModel::arranged() const {
    if (!m_plan) return {};
    struct Row {
        std::int64_t key;
        TensorId tensor;
    };
    std::vector<Row> rows;
    rows.reserve(m_plan->tensors.size());
    for (TensorId id = 0; id < static_cast<TensorId>(m_plan->tensors.size()); ++id) {
        if (passesFilter(id)) rows.push_back({raw(id, m_column), id});
    }
    const bool descending = m_order == Qt::DescendingOrder;
    std::stable_sort(rows.begin(), rows.end(), [descending](const Row& a, const Row& b) {
        return descending ? a.key > b.key : a.key < b.key;
    });
    std::vector<TensorId> result;
    result.reserve(rows.size());
    for (const Row& row : rows) result.push_back(row.tensor);
    return result;
}

void TensorTableModel::rearrange() {
    std::vector<TensorId> rows = arranged();
    if (rows == m_rows) return;
    if (rows.size() != m_rows.size()) {  // the filter reads names, which a new plan may change
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<TensorId> held;
    for (const QModelIndex& old : before) held.push_back(m_rows[static_cast<std::size_t>(old.row())]);
    m_rows = std::move(rows);
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const int row = rowOf(held[static_cast<std::size_t>(i)]);
        after.push_back(row < 0 ? QModelIndex() : index(row, before[i].column()));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

}  // namespace plumb::ui
