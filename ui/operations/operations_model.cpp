// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_model.h"

#include "core/base/entry_at.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <utility>

namespace plumb::ui {

namespace {

std::int32_t nodeOf(const QModelIndex& index) { return static_cast<std::int32_t>(index.internalId()); }

OperationColumn columnOf(const QModelIndex& index) { return static_cast<OperationColumn>(index.column()); }

QString quoted(QString text, CopyFormat format) {
    // A name that starts like a formula must not be run as one by a spreadsheet.
    if (!text.isEmpty() && QStringLiteral("=+-@").contains(text.front())) text.prepend(u'\'');
    if (format == CopyFormat::Tsv) return text.replace(u'\t', u' ').replace(u'\n', u' ');
    if (!text.contains(u'"') && !text.contains(u',') && !text.contains(u'\n')) return text;
    return u'"' + text.replace(QStringLiteral("\""), QStringLiteral("\"\"")) + u'"';
}

QString csvHeader(OperationColumn column) {
    switch (column) {
    case OperationColumn::Name:
        return QStringLiteral("operation");
    case OperationColumn::Flops:
        return QStringLiteral("flops");
    case OperationColumn::Bytes:
        return QStringLiteral("bytes");
    case OperationColumn::Intensity:
        return QStringLiteral("flops_per_byte");
    case OperationColumn::Predicted:
        return QStringLiteral("predicted_seconds");
    case OperationColumn::Measured:
        return QStringLiteral("measured_seconds");
    case OperationColumn::Difference:
        return QStringLiteral("difference");
    case OperationColumn::Rate:
        return QStringLiteral("flop_per_s");
    case OperationColumn::Bandwidth:
        return QStringLiteral("bytes_per_s");
    case OperationColumn::OfRoof:
        return QStringLiteral("of_roof");
    case OperationColumn::Bound:
        return QStringLiteral("bound");
    case OperationColumn::Executed:
        return QStringLiteral("executed_flops");
    case OperationColumn::ExecutedRatio:
        return QStringLiteral("executed_per_model");
    case OperationColumn::DramBytes:
        return QStringLiteral("dram_bytes");
    case OperationColumn::DramRatio:
        return QStringLiteral("dram_per_model");
    case OperationColumn::L2Bytes:
        return QStringLiteral("l2_bytes");
    case OperationColumn::L1Bytes:
        return QStringLiteral("l1_bytes");
    case OperationColumn::DramShare:
        return QStringLiteral("dram_share");
    default:
        return toText(ratioOfColumn(column)->name);
    }
}

}  // namespace

OperationsModel::OperationsModel(QObject* parent) : QAbstractItemModel(parent) {}

void OperationsModel::setScene(const ScenePtr& scene) {
    if (scene == m_tree.scene()) return;
    const auto isWhatIf = [](const ScenePtr& of) { return of && of->measured && !of->sameConfig(); };
    const bool before = isWhatIf(m_tree.scene());
    if (m_tree.keepsRows(*scene)) {
        m_tree.update(scene);
        announceFigures();
    } else {
        beginResetModel();
        m_tree.update(scene);
        listOps();
        endResetModel();
    }
    if (isWhatIf(scene) != before) emit headerDataChanged(Qt::Horizontal, 0, kOperationColumns - 1);
}

void OperationsModel::setFlat(bool flat) {
    if (flat == m_flat) return;
    beginResetModel();
    m_flat = flat;
    endResetModel();
}

void OperationsModel::setMarks(const std::vector<MarkedOps>& marks) {
    QHash<std::int32_t, QString> titles;
    for (const MarkedOps& mark : marks) {
        const QString title = mark.title.isEmpty() ? tr("bookmark") : mark.title;
        const int end = std::min(mark.span.last + 1, static_cast<int>(m_ops.size()));
        for (int op = mark.span.first; op < end; ++op) {
            // A group names each bookmark in it once.
            for (std::int32_t node = entryAt(m_ops, op); node > 0; node = m_tree.node(node).parent) {
                QString& known = titles[node];
                if (known.isEmpty())
                    known = title;
                else if (!known.split(QLatin1Char('\n')).contains(title))
                    known += QLatin1Char('\n') + title;
            }
        }
    }
    if (titles == m_marks) return;
    m_marks = std::move(titles);
    announceFigures();
}

void OperationsModel::listOps() {
    m_ops.assign(static_cast<std::size_t>(m_tree.step().opCount()), -1);
    for (std::size_t i = 0; i < m_tree.nodes().size(); ++i)
        if (const std::int32_t op = m_tree.nodes()[i].op; op >= 0)
            entryAt(m_ops, op) = static_cast<std::int32_t>(i);
}

const std::vector<std::int32_t>& OperationsModel::children(const QModelIndex& parent) const {
    return m_flat && !parent.isValid() ? m_ops : node(parent).children;
}

QModelIndex OperationsModel::indexOf(std::int32_t node) const {
    const OperationsTree::Node& of = m_tree.node(node);
    const bool isListed = m_flat && of.kind == OperationsTree::Kind::Operation;
    return createIndex(isListed ? of.op : of.row, 0, static_cast<quintptr>(node));
}

void OperationsModel::announceFigures() {
    const auto announce = [this](const std::vector<std::int32_t>& rows) {
        if (rows.empty()) return;
        emit dataChanged(createIndex(0, 0, static_cast<quintptr>(rows.front())),
                         createIndex(static_cast<int>(rows.size()) - 1, kOperationColumns - 1,
                                     static_cast<quintptr>(rows.back())));
    };
    if (m_flat) announce(m_ops);
    for (const OperationsTree::Node& node : m_tree.nodes())
        if (!m_flat || node.op >= 0) announce(node.children);
}

QModelIndex OperationsModel::indexOfOp(const QString& opId) const {
    const std::int32_t at = m_tree.find(opId.toStdString());
    return at < 0 ? QModelIndex() : indexOf(at);
}

const OperationsTree::Node& OperationsModel::node(const QModelIndex& index) const {
    return m_tree.node(index.isValid() ? static_cast<std::int32_t>(index.internalId()) : 0);
}

QModelIndex OperationsModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, static_cast<quintptr>(entryAt(children(parent), row)));
}

QModelIndex OperationsModel::parent(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    const OperationsTree::Node& of = node(index);
    if (m_flat && of.kind == OperationsTree::Kind::Operation) return {};
    return of.parent <= 0 ? QModelIndex() : indexOf(of.parent);
}

int OperationsModel::rowCount(const QModelIndex& parent) const {
    if (m_tree.nodes().empty() || parent.column() > 0) return 0;
    return static_cast<int>(children(parent).size());
}

int OperationsModel::columnCount(const QModelIndex&) const { return kOperationColumns; }

QVariant OperationsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const OperationsTree::Node& row = node(index);
    const OperationColumn column = columnOf(index);
    switch (role) {
    case Qt::DisplayRole:
        if (m_flat && column == OperationColumn::Name && row.op >= 0) return operationFullName(m_tree, row);
        return cellText(m_tree, row, column);
    case Qt::ToolTipRole:
        if (column == OperationColumn::Name && m_marks.contains(nodeOf(index)))
            return tr("Bookmarked: %1\n\n%2")
                .arg(m_marks.value(nodeOf(index)), cellToolTip(m_tree, row, column));
        return cellToolTip(m_tree, row, column);
    case MarkRole:
        return m_marks.contains(nodeOf(index)) ? QVariant(m_marks.value(nodeOf(index))) : QVariant();
    case Qt::AccessibleTextRole:
        if (column == OperationColumn::Name)
            return m_marks.contains(nodeOf(index))
                       ? tr("%1, bookmarked: %2")
                             .arg(operationFullName(m_tree, row), m_marks.value(nodeOf(index)))
                       : operationFullName(m_tree, row);
        return columnTitle(column, row.figures.isWhatIf) + u' ' + cellText(m_tree, row, column);
    case Qt::TextAlignmentRole:
        return static_cast<int>((column == OperationColumn::Name ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    case RawValueRole: {
        const std::optional<double> value = cellValue(row, column);
        return value ? QVariant(*value) : QVariant();
    }
    case OpIdRole:  // a kernel belongs to the op above it
        if (row.kind == OperationsTree::Kind::Kernel) return toText(m_tree.id(m_tree.node(row.parent)));
        return row.op >= 0 ? toText(m_tree.id(row)) : QString();
    case RowIdRole:
        return toText(m_tree.id(row));
    case KindRole:
        return static_cast<int>(row.kind);
    case PhaseRole:
        return static_cast<int>(row.phase);
    case TierRole: {
        const OperationFigures& figures = row.figures;
        return figures.predicted() && figures.tier ? tierText(*figures.tier) : QString();
    }
    case BoundRole:
        return row.figures.bound ? QVariant(static_cast<int>(*row.figures.bound)) : QVariant();
    case FullNameRole:
        return operationFullName(m_tree, row);
    default:
        return {};
    }
}

QVariant OperationsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kOperationColumns) return {};
    const auto column = static_cast<OperationColumn>(section);
    const bool isWhatIf = m_tree.scene() && m_tree.node(0).figures.isWhatIf;
    switch (role) {
    case Qt::DisplayRole:
        return columnTitle(column, isWhatIf);
    case Qt::ToolTipRole:
        return columnHelp(column, isWhatIf);
    case Qt::InitialSortOrderRole:
        // Of figures the largest are looked for, of names the order of execution.
        return static_cast<int>(column == OperationColumn::Name || column == OperationColumn::Bound
                                    ? Qt::AscendingOrder
                                    : Qt::DescendingOrder);
    case Qt::TextAlignmentRole:
        return static_cast<int>((column == OperationColumn::Name ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    default:
        return {};
    }
}

QString operationsToText(const QModelIndexList& rows, const QList<OperationColumn>& columns,
                         CopyFormat format) {
    const QChar between = format == CopyFormat::Csv ? u',' : u'\t';
    const QString end = format == CopyFormat::Csv ? QStringLiteral("\r\n") : QStringLiteral("\n");
    QStringList lines;
    QStringList header;
    for (const OperationColumn column : columns) {
        header << csvHeader(column);
        if (column == OperationColumn::Predicted) header << QStringLiteral("predicted_tier");
    }
    lines << header.join(between);
    for (const QModelIndex& row : rows) {
        QStringList fields;
        for (const OperationColumn column : columns) {
            const QModelIndex cell = row.siblingAtColumn(static_cast<int>(column));
            const QVariant raw = cell.data(OperationsModel::RawValueRole);
            if (column == OperationColumn::Name)
                fields << quoted(cell.data(OperationsModel::FullNameRole).toString(), format);
            else if (column == OperationColumn::Bound)
                fields << (cell.data(OperationsModel::BoundRole).isValid()
                               ? quoted(cell.data().toString(), format)
                               : QString());
            else
                fields << (raw.isValid() ? QString::number(raw.toDouble(), 'g', 17) : QString());
            if (column == OperationColumn::Predicted)
                fields << cell.data(OperationsModel::TierRole).toString();
        }
        lines << fields.join(between);
    }
    return lines.join(end) + end;
}

}  // namespace plumb::ui
