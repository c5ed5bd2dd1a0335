// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"
#include "ui/planner/evidence_model.h"

#include <QObject>
#include <QSet>

class QPointF;

namespace plumb::ui {

class Card;
class ChartPanel;
class SegmentedControl;

/// Predicted against published, a dot for each training: filled where priors were fitted on its source,
/// hollow where nothing was. Colours tell families of devices, regimes or software apart; the legend hides
/// them.
class EvidenceChart final : public QObject {
    Q_OBJECT
public:
    /// All outlive it; `parent` gets the card.
    EvidenceChart(Theme& theme, EvidenceModel& model, QWidget* parent);

    [[nodiscard]] Card* card() const { return m_card; }
    void show();

signals:
    void planWanted(int row);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Point {
        int row = 0;
        int group = 0;
        QPointF at;
    };
    void gather();
    [[nodiscard]] QString groupOf(const planner::PublishedTraining& row) const;
    [[nodiscard]] bool isDrawn(const Point& point) const;
    void showLines();
    void showMarks();
    void showLegend();
    void showCard(int row, const QPointF& at);
    void step(int key);
    void zoom(double factor, const QPointF& about);

    EvidenceModel& m_model;
    Card* m_card;
    ChartPanel* m_chart;
    SegmentedControl* m_colours;
    QStringList m_groups;
    std::vector<Point> m_points;                       ///< by what was published
    QSet<QString> m_hidden;                            ///< ids of the legend
    std::optional<std::pair<double, double>> m_whole;  ///< logarithms of the ends of both axes, all in sight
};

}  // namespace plumb::ui
