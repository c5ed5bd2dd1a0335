// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/evidence_rows.h"

#include "core/base/entry_at.h"
#include "core/base/enum_array.h"
#include "ui/planner/evidence_text.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

bool isNumber(EvidenceColumn column) {
    return column >= EvidenceColumn::Published && column <= EvidenceColumn::Error;
}

}  // namespace

EvidenceRows::EvidenceRows(EvidenceModel& model, QObject* parent)
    : QAbstractTableModel(parent), m_model(model) {
    connect(&model, &EvidenceModel::filtered, this, &EvidenceRows::refresh);
}

const planner::ValidatedRow& EvidenceRows::at(int row) const { return entryAt(m_model.rows(), row); }

bool EvidenceRows::has(int row, Only only) const {
    const planner::Figure figure = m_model.filter().figure;
    if (only == Only::Outside) return !at(row).held(figure).value_or(true);
    return only == Only::All || !at(row).error(figure);
}

int EvidenceRows::count(Only only) const {
    return static_cast<int>(std::ranges::count_if(m_model.shown(), [&](int row) { return has(row, only); }));
}

void EvidenceRows::setOnly(Only only) {
    m_only = only;
    refresh();
}

void EvidenceRows::refresh() {
    beginResetModel();
    arrange();
    endResetModel();
}

void EvidenceRows::sort(int column, Qt::SortOrder order) {
    m_by = static_cast<EvidenceColumn>(column);
    m_direction = order;
    refresh();
}

std::optional<double> EvidenceRows::key(const planner::ValidatedRow& row) const {
    const planner::Figure figure = m_model.filter().figure;
    if (m_by == EvidenceColumn::Published) return row.published(figure);
    if (m_by == EvidenceColumn::Error) {
        // By size: half the time is as far off as twice the time.
        const auto error = row.error(figure);
        return error ? std::optional(std::abs(*error)) : std::nullopt;
    }
    const auto& range = row.predicted(figure);
    if (!range) return std::nullopt;
    return m_by == EvidenceColumn::Interval ? range->high / range->low : range->expected;
}

void EvidenceRows::arrange() {
    m_order.clear();
    for (const int row : m_model.shown())
        if (has(row, m_only)) m_order.push_back(row);
    const bool down = m_direction == Qt::DescendingOrder;
    std::ranges::stable_sort(m_order, [&](int one, int other) {
        if (!isNumber(m_by)) {
            const int order = QString::compare(cell(at(one), m_by), cell(at(other), m_by));
            return down ? order > 0 : order < 0;
        }
        const auto a = key(at(one)), b = key(at(other));
        if (!a || !b) return a.has_value();  // unknown ones last either way
        return down ? *a > *b : *a < *b;
    });
}

int EvidenceRows::placeOf(int row) const {
    const auto found = std::ranges::find(m_order, row);
    return found == m_order.end() ? -1 : static_cast<int>(found - m_order.begin());
}

int EvidenceRows::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}
int EvidenceRows::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kEnumCount<EvidenceColumn>);
}

QString EvidenceRows::cell(const planner::ValidatedRow& row, EvidenceColumn column) const {
    const planner::Figure figure = m_model.filter().figure;
    const auto& range = row.predicted(figure);
    switch (column) {
    case EvidenceColumn::Training:
        return evidenceTitle(row);
    case EvidenceColumn::Source:
        return toText(m_model.evidence().sources[row.row->source].id);
    case EvidenceColumn::Device:
        return tr("%1 × %2").arg(row.row->scenario.cluster.devices).arg(toText(row.row->device));
    case EvidenceColumn::Published:
        return evidenceFigure(figure, row.published(figure));
    case EvidenceColumn::Predicted:
        return evidenceFigure(figure, range ? std::optional(range->expected) : std::nullopt);
    case EvidenceColumn::Interval:
        return range ? tr("%1 – %2").arg(evidenceFigure(figure, range->low),
                                         evidenceFigure(figure, range->high))
                     : QStringLiteral("–");
    case EvidenceColumn::Error:
        return evidenceDeviation(row.deviation(figure));
    case EvidenceColumn::Remark:
        break;
    }
    QString problem = evidenceProblem(row, figure);
    if (!problem.isEmpty()) return problem;
    const auto held = row.held(figure);
    return !held ? tr("the source prints none") : *held ? QString() : tr("outside its range");
}

QVariant EvidenceRows::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const planner::ValidatedRow& row = at(entryAt(m_order, index.row()));
    const auto column = static_cast<EvidenceColumn>(index.column());
    if (role == Qt::DisplayRole) return cell(row, column);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) |
                                static_cast<int>(Qt::AlignVCenter));
    if (role == Qt::ToolTipRole && column == EvidenceColumn::Source)
        return toText(m_model.evidence().sources[row.row->source].title);
    if (role == Qt::ToolTipRole && column == EvidenceColumn::Device)
        return deviceText(*row.row->scenario.cluster.device);
    if (role == Qt::ToolTipRole && (column == EvidenceColumn::Remark || !isNumber(column)))
        return cell(row, column);
    if (role == Qt::AccessibleTextRole && column == EvidenceColumn::Training)
        return tr("%1, %2").arg(cell(row, column), m_model.fits(row) ? tr("fitted") : tr("validated only"));
    return {};
}

QVariant EvidenceRows::headerData(int section, Qt::Orientation orientation, int role) const {
    static const EnumArray<EvidenceColumn, const char*> kTitles{
        QT_TR_NOOP("training"),  QT_TR_NOOP("source"), QT_TR_NOOP("devices"), QT_TR_NOOP("published"),
        QT_TR_NOOP("predicted"), QT_TR_NOOP("range"),  QT_TR_NOOP("error"),   QT_TR_NOOP("remark")};
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const auto column = static_cast<EvidenceColumn>(section);
    if (role == Qt::DisplayRole) return tr(kTitles[column]);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) |
                                static_cast<int>(Qt::AlignVCenter));
    if (role == Qt::ToolTipRole && column == EvidenceColumn::Error)
        return tr("predicted / published − 1; sorted by its logarithm without the sign");
    if (role == Qt::ToolTipRole && column == EvidenceColumn::Training)
        return tr("Filled: priors were fitted on its source; hollow: nothing was");
    return {};
}

QString EvidenceRows::text() const {
    QStringList lines, cells;
    for (int column = 0; column < columnCount(); ++column)
        cells << headerData(column, Qt::Horizontal).toString();
    lines << cells.join(QLatin1Char('\t'));
    for (const int row : m_order) {
        cells.clear();
        for (const EvidenceColumn column : kEnumerators<EvidenceColumn>) cells << cell(at(row), column);
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace plumb::ui
