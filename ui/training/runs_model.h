// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"
#include "ui/training/marked_stretch.h"
#include "ui/training/shown_runs.h"
#include "ui/widgets/rows_model.h"

#include <cstdint>
#include <optional>

namespace plumb::ui {

/// A run of the session beside its baseline.
struct RunRow {
    std::size_t index = 0;  ///< in the runs of the workbench
    QString name;
    QString title;  ///< its configuration
    ChartColor color;
    bool isShown = false;
    bool isBaseline = false;
    bool goesOn = false;
    std::int64_t steps = 0;
    std::optional<double> loss;            ///< newest, or last of the stretch
    std::optional<double> lowest;          ///< of the finite losses
    std::optional<double> rate;            ///< steps per second
    std::optional<double> lossToBaseline;  ///< newest loss / the baseline's at that step − 1 ...
    std::optional<double> rateToBaseline;  ///< ... and so of the rate
    QString outcome;

    bool operator==(const RunRow&) const = default;
};
/// The newest first. Steps, losses and rates are those of the stretch where one is marked.
[[nodiscard]] std::vector<RunRow> runRows(ShownRuns::Runs runs, const MarkedStretch& stretch = {});
/// The run that the others are compared with; null: there is none.
[[nodiscard]] const TrainingRun* baselineOf(ShownRuns::Runs runs);
/// The newest loss of a run / that of the baseline at the same step, or its last where it ended before, − 1.
[[nodiscard]] std::optional<double> lossToBaseline(const TrainingRun& run, const TrainingRun& baseline);

/// The table of runs: names can be edited, marks switch curves on and off.
class RunsModel final : public RowsModel<RunRow> {
    Q_OBJECT
public:
    enum Column { Run, Steps, Loss, LossDifference, Lowest, Rate, RateDifference, State, Columns };

    explicit RunsModel(const Theme& theme, QObject* parent = nullptr) : RowsModel(parent), m_theme(theme) {}
    void setRows(std::vector<RunRow> rows);
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

signals:
    void renamed(std::size_t index, const QString& name);
    void shown(std::size_t index, bool on);

private:
    [[nodiscard]] int columns() const override { return Columns; }
    [[nodiscard]] QVariant cell(const RunRow& row, int column, int role) const override;
    [[nodiscard]] QVariant title(int column, int role) const override;
    [[nodiscard]] QString text(const RunRow& row, int column) const;

    const Theme& m_theme;
};

}  // namespace plumb::ui
