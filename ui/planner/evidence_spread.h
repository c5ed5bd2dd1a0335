// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/evidence_model.h"
#include "ui/theme/theme.h"

#include <QObject>

namespace plumb::ui {

class ChartPanel;

/// How many trainings are how far off: a histogram of ln(predicted / published) of what is shown.
class EvidenceSpread final : public QObject {
    Q_OBJECT
public:
    /// All outlive it; `parent` gets the chart.
    EvidenceSpread(Theme& theme, EvidenceModel& model, QWidget* parent);
    [[nodiscard]] ChartPanel* chart() const { return m_chart; }
    void show();

private:
    void showCard(double at);

    EvidenceModel& m_model;
    ChartPanel* m_chart;
    QVector<double> m_edges;
    QVector<double> m_fitted, m_validated;  ///< rows of each bin
};

}  // namespace plumb::ui
