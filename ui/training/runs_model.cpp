// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/runs_model.h"

#include "ui/theme/text.h"
#include "ui/training/training_text.h"

#include <QFont>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace plumb::ui {
namespace {

std::optional<double> finiteLoss(double loss) {
    return std::isfinite(loss) ? std::optional(loss) : std::nullopt;
}

/// Of the marked stretch, or as the run itself says it.
std::optional<double> rateOf(const TrainingRun& run, const MarkedStretch& stretch,
                             const std::optional<StretchFigures>& figures) {
    if (stretch.window) return figures ? figures->stepsPerSecond : std::nullopt;
    return run.stepsPerSecond > 0 ? std::optional(run.stepsPerSecond) : std::nullopt;
}

/// `loss` after `step` / that of the baseline at the same step, or its last where it ended before, − 1.
std::optional<double> toBaseline(double loss, std::int64_t step, const TrainingRun& baseline) {
    const std::vector<StepMetrics> points = baseline.history.points();
    const auto after = std::ranges::upper_bound(points, step, {}, &StepMetrics::step);
    if (after == points.begin()) return std::nullopt;
    const double at = std::prev(after)->loss;
    if (!std::isfinite(at) || !std::isfinite(loss) || !(at > 0)) return std::nullopt;
    return loss / at - 1;
}

int alignmentOf(int column) {
    const bool isText = column == RunsModel::Run || column == RunsModel::State;
    return Qt::Alignment(Qt::AlignVCenter | (isText ? Qt::AlignLeft : Qt::AlignRight)).toInt();
}

QString orDash(const std::optional<double>& value, auto write) {
    return value ? write(*value) : QStringLiteral("–");
}

}  // namespace

const TrainingRun* baselineOf(ShownRuns::Runs runs) {
    const auto found = std::ranges::find_if(runs, [](const auto& run) { return run->look.isBaseline; });
    return found == runs.end() ? nullptr : found->get();
}

std::optional<double> lossToBaseline(const TrainingRun& run, const TrainingRun& baseline) {
    if (&run == &baseline || run.history.empty()) return std::nullopt;
    return toBaseline(run.history.last().loss, run.history.last().step, baseline);
}

std::vector<RunRow> runRows(ShownRuns::Runs runs, const MarkedStretch& stretch) {
    const TrainingRun* baseline = baselineOf(runs);
    const auto ofBaseline = baseline != nullptr ? figuresOf(*baseline, stretch) : std::nullopt;
    std::vector<RunRow> rows;
    rows.reserve(runs.size());
    for (std::size_t i = runs.size(); i-- > 0;) {
        const TrainingRun& run = *runs[i];
        RunRow row{.index = i,
                   .name = run.name(),
                   .title = run.title,
                   .color = colorOfRun(run, i + 1 == runs.size()),
                   .isShown = isRunShown(runs, i),
                   .isBaseline = run.look.isBaseline,
                   .goesOn = run.outcome.isEmpty(),
                   .steps = run.stepsDone};
        row.outcome = run.outcome;
        const auto figures = figuresOf(run, stretch);
        if (figures) {
            row.loss = finiteLoss(figures->lastLoss);
            row.lowest = figures->lowestLoss;
        }
        if (stretch.window) row.steps = figures ? figures->lastStep - figures->firstStep + 1 : 0;
        row.rate = rateOf(run, stretch, figures);
        if (baseline != nullptr && baseline != &run) {
            if (figures) row.lossToBaseline = toBaseline(figures->lastLoss, figures->lastStep - 1, *baseline);
            if (const auto other = rateOf(*baseline, stretch, ofBaseline); row.rate && other)
                row.rateToBaseline = *row.rate / *other - 1;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

void RunsModel::setRows(std::vector<RunRow> rows) {
    if (rows == m_rows) return;
    if (rows.size() != m_rows.size()) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    emit dataChanged(index(0, 0), index(rowCount() - 1, Columns - 1));
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == Run) flags |= Qt::ItemIsEditable | Qt::ItemIsUserCheckable;
    return flags;
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.column() != Run) return false;
    const std::size_t of = row(index.row()).index;
    if (role == Qt::EditRole)
        emit renamed(of, value.toString().simplified());
    else if (role == Qt::CheckStateRole)
        emit shown(of, value.toInt() == Qt::Checked);
    else
        return false;
    return true;
}

QString RunsModel::text(const RunRow& row, int column) const {
    switch (column) {
    case Run:
        return row.isBaseline ? tr("%1 (baseline)").arg(row.name) : row.name;
    case Steps:
        return countText(row.steps);
    case Loss:
        return orDash(row.loss, [](double loss) { return lossText(loss); });
    case LossDifference:
        return orDash(row.lossToBaseline, relativeText);
    case Lowest:
        return orDash(row.lowest, [](double loss) { return lossText(loss); });
    case Rate:
        return orDash(row.rate, [](double rate) { return quantityText(rate, ""); });
    case RateDifference:
        return orDash(row.rateToBaseline, relativeText);
    default:
        return row.goesOn ? tr("running") : outcomeText(row.outcome);
    }
}

QVariant RunsModel::cell(const RunRow& row, int column, int role) const {
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::EditRole:
        return column == Run ? row.name : QVariant();
    case Qt::CheckStateRole:
        return column == Run ? QVariant(row.isShown ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::DecorationRole:
        return column == Run ? QVariant(resolve(m_theme, row.color)) : QVariant();
    case Qt::ToolTipRole:
        if (column == LossDifference) return tr("Newest loss / loss of the baseline at that step − 1");
        if (column == RateDifference) return tr("Steps per second / those of the baseline − 1");
        return column == Run     ? QVariant(row.title)
               : column == State ? QVariant(outcomeText(row.outcome))
                                 : QVariant();
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    case Qt::FontRole: {
        QFont font;
        font.setWeight(row.isBaseline ? QFont::DemiBold : QFont::Normal);
        return row.isBaseline ? QVariant(font) : QVariant();
    }
    default:
        return {};
    }
}

QVariant RunsModel::title(int column, int role) const {
    static constexpr std::array<const char*, Columns> kTitles{
        QT_TR_NOOP("run"),    QT_TR_NOOP("steps"),   QT_TR_NOOP("loss"),        QT_TR_NOOP("to baseline"),
        QT_TR_NOOP("lowest"), QT_TR_NOOP("steps/s"), QT_TR_NOOP("to baseline"), QT_TR_NOOP("state")};
    if (role == Qt::TextAlignmentRole) return alignmentOf(column);
    return role == Qt::DisplayRole ? QVariant(tr(kTitles.at(static_cast<std::size_t>(column)))) : QVariant();
}

}  // namespace plumb::ui
