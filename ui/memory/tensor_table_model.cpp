// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/tensor_table_model.h"

#include "core/base/entry_at.h"
#include "ui/theme/text.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/size_field.h"
#include "ui/workbench/step_text.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace plumb::ui {
namespace {

std::int64_t elementsOf(const std::vector<std::int64_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// "64 × 1 024"
QString shapeText(const std::vector<std::int64_t>& shape) {
    QStringList sizes;
    for (const std::int64_t size : shape) sizes << groupedDigits(size);
    return sizes.join(QStringLiteral(" × "));
}

bool isNumber(TensorColumn column) { return column == TensorColumn::Bytes || column == TensorColumn::Share; }

}  // namespace

TensorTableModel::TensorTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void TensorTableModel::setStep(std::shared_ptr<const Step> step, int op) {
    if (step == m_step) return setOp(op);
    if (m_step && step && m_step->hasSameTensors(*step)) {
        m_step = std::move(step);
        m_op = op;
        rearrange();
        if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kTensorColumns - 1));
        return;
    }
    beginResetModel();
    m_step = std::move(step);
    m_op = op;
    m_rows = arranged();
    endResetModel();
}

void TensorTableModel::setOp(int op) {
    if (op == m_op) return;
    m_op = op;
    if (!m_step) return;
    rearrange();
    // Shares are of another whole.
    if (!m_rows.empty())
        emit dataChanged(index(0, static_cast<int>(TensorColumn::Share)),
                         index(rowCount() - 1, static_cast<int>(TensorColumn::Share)));
}

void TensorTableModel::setRange(const OpSet& ops) {
    if (ops == m_range) return;
    m_range = ops;
    if (m_step) rearrange();
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
    return entryAt(m_rows, row);
}

int TensorTableModel::rowOf(TensorId tensor) const {
    const auto found = std::find(m_rows.begin(), m_rows.end(), tensor);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

Bytes TensorTableModel::shownBytes() const {
    Bytes sum = 0;
    for (const TensorId tensor : m_rows) sum += m_step->tensorBytes(tensor);
    return sum;
}

int TensorTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TensorTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kTensorColumns;
}

std::int64_t TensorTableModel::raw(TensorId id, TensorColumn column) const {
    const StepTensor& tensor = m_step->tensor(id);
    switch (column) {
    case TensorColumn::Name:
        return m_step->tensorOrder(id);
    case TensorColumn::Category:
        return static_cast<std::int64_t>(tensor.category);
    case TensorColumn::Shape:
        return elementsOf(m_step->tensorShape(id));
    case TensorColumn::Dtype:
        return static_cast<std::int64_t>(tensor.dtype);
    case TensorColumn::Bytes:
    case TensorColumn::Share:  // of one whole
        return m_step->tensorBytes(id);
    case TensorColumn::FirstOp:
        return tensor.firstOp;
    case TensorColumn::LastOp:
        return tensor.lastOp;
    }
    return 0;
}

QString TensorTableModel::text(TensorId id, TensorColumn column) const {
    const StepTensor& tensor = m_step->tensor(id);
    const auto op = [&](std::int32_t index) { return stepText(*m_step, m_step->opName(index)); };
    const bool beyond = tensor.lastOp >= m_step->opCount();
    switch (column) {
    case TensorColumn::Name:
        return stepText(*m_step, m_step->tensorName(id));
    case TensorColumn::Category:
        return coreText(categoryLabel(tensor.category));
    case TensorColumn::Shape:
        return shapeText(m_step->tensorShape(id));
    case TensorColumn::Dtype:
        return toText(dtypeName(tensor.dtype));
    case TensorColumn::Bytes:
        return bytesText(m_step->tensorBytes(id));
    case TensorColumn::Share:
        if (m_aliveBytes <= 0) return QStringLiteral("–");
        return quantityText(
            100 * static_cast<double>(m_step->tensorBytes(id)) / static_cast<double>(m_aliveBytes), "%");
    case TensorColumn::FirstOp:
        return tensor.persistent() ? tr("before the step") : op(tensor.firstOp);
    case TensorColumn::LastOp:
        // A gradient that the last step left goes where a step begins by setting them to none.
        if (tensor.lastOp < 0) return tr("before the first operation");
        return beyond ? tr("beyond the step") : op(tensor.lastOp);
    }
    return {};
}

QVariant TensorTableModel::data(const QModelIndex& index, int role) const {
    const std::optional<TensorId> tensor = tensorAt(index.row());
    if (!index.isValid() || !tensor || index.column() >= kTensorColumns) return {};
    const auto column = static_cast<TensorColumn>(index.column());
    const bool number = isNumber(column);
    switch (role) {
    case Qt::DisplayRole:
        return text(*tensor, column);
    case kTensorRawRole:
        return static_cast<qlonglong>(raw(*tensor, column));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft)));
    case Qt::ToolTipRole:
        // A storage is larger than the tensor that is a view of it, and of a type that has no name here.
        if (column == TensorColumn::Bytes &&
            raw(*tensor, column) != raw(*tensor, TensorColumn::Shape) *
                                        static_cast<std::int64_t>(dtypeSize(m_step->tensor(*tensor).dtype)))
            return tr("%1, of the whole storage").arg(exactText(raw(*tensor, column), "B"));
        if (column == TensorColumn::Bytes)
            return tr("%1 = %2 × %3, predicted from the plan")
                .arg(exactText(raw(*tensor, column), "B"), text(*tensor, TensorColumn::Shape),
                     tr("%n byte(s)", nullptr, static_cast<int>(dtypeSize(m_step->tensor(*tensor).dtype))));
        if (column == TensorColumn::Share && m_aliveBytes > 0)
            return tr("%1 of the %2 in memory during this operation")
                .arg(exactText(raw(*tensor, column), "B"), exactText(m_aliveBytes, "B"));
        return text(*tensor, column);
    default:
        return {};
    }
}

QVariant TensorTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kTensorColumns) return {};
    const auto column = static_cast<TensorColumn>(section);
    if (role == Qt::TextAlignmentRole) {
        const bool number = isNumber(column);
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
        return indentedTitle(tr("shape"));
    case TensorColumn::Dtype:
        return tr("dtype");
    case TensorColumn::Bytes:
        return tr("bytes");
    case TensorColumn::Share:
        return tr("share");
    case TensorColumn::FirstOp:
        return tr("made by");
    case TensorColumn::LastOp:
        return tr("freed after");
    }
    return {};
}

void TensorTableModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= kTensorColumns) return;
    m_column = static_cast<TensorColumn>(column);
    m_order = order;
    if (m_step) rearrange();
}

bool TensorTableModel::passesFilter(TensorId tensor) const {
    if (m_words.isEmpty()) return true;
    const QString searched =
        text(tensor, TensorColumn::Name) + QLatin1Char(' ') + text(tensor, TensorColumn::Category);
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return searched.contains(word, Qt::CaseInsensitive); });
}

bool TensorTableModel::isShown(const StepTensor& tensor) const {
    if (m_op >= 0) return tensor.firstOp <= m_op && m_op <= tensor.lastOp;
    return m_range.empty() || m_range.meets({tensor.firstOp, tensor.lastOp});
}

std::vector<TensorId> TensorTableModel::arranged() {
    m_aliveBytes = 0;
    m_aliveCount = 0;
    if (!m_step) return {};
    struct Row {
        std::int64_t key;
        Bytes bytes;
        TensorId tensor;
    };
    std::vector<Row> rows;
    for (TensorId id = 0; id < m_step->tensorCount(); ++id) {
        if (!isShown(m_step->tensor(id))) continue;
        const Bytes bytes = m_step->tensorBytes(id);
        if (m_op >= 0) {
            m_aliveBytes += bytes;
            ++m_aliveCount;
        }
        if (passesFilter(id)) rows.push_back({raw(id, m_column), bytes, id});
    }
    const bool descending = m_order == Qt::DescendingOrder;
    // Among equals, as within a category, the largest come first.
    std::stable_sort(rows.begin(), rows.end(), [descending](const Row& a, const Row& b) {
        if (a.key == b.key) return a.bytes > b.bytes;
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
    for (const QModelIndex& old : before) held.push_back(entryAt(m_rows, old.row()));
    m_rows = std::move(rows);
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const int row = rowOf(entryAt(held, i));
        after.push_back(row < 0 ? QModelIndex() : index(row, before[i].column()));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

}  // namespace plumb::ui
