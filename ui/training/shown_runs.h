// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"
#include "ui/training/training_state.h"
#include "ui/workbench/workbench.h"

#include <memory>
#include <span>
#include <vector>

namespace plumb::ui {

/// A run that is drawn, with its curve.
struct ShownRun {
    std::shared_ptr<const TrainingRun> run;
    QString id;               ///< id of its line; the smooth one is id + "~", that of held-out data id + "^"
    std::int64_t count = -1;  ///< points of the history when the curve was made
    TrainingOptions options;  ///< options of the curve
    TrainingCurve curve;
    bool newest = false;

    [[nodiscard]] ChartColor color() const;
};

/// Whether the run at an index is drawn: as the user chose, else when it is one of the newest.
[[nodiscard]] bool isRunShown(std::span<const std::shared_ptr<TrainingRun>> runs, std::size_t index);
/// What the user chose, else that of the newest or of an earlier one.
[[nodiscard]] ChartColor colorOfRun(const TrainingRun& run, bool newest);

/// The runs of the session that are drawn: the newest, some before it, and what the user chose. The curve of
/// a run is made again only when it or the options have changed.
class ShownRuns {
public:
    using Runs = std::span<const std::shared_ptr<TrainingRun>>;

    void collect(Runs runs, const TrainingOptions& options);
    [[nodiscard]] const std::vector<ShownRun>& all() const { return m_shown; }
    /// The newest run of the session, if that is drawn; else null.
    [[nodiscard]] const ShownRun* newest() const;
    /// Some losses have no place on a log axis.
    [[nodiscard]] bool haveUnseen() const;
    [[nodiscard]] std::size_t keptPoints() const;

private:
    std::vector<ShownRun> m_shown;
};

}  // namespace plumb::ui
