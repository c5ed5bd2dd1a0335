// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis.h"
#include "ui/charts/painted_chart.h"
#include "ui/ranks/ranks_state.h"

namespace plumb::ui {

/// The most memory of each rank by what it is for: predicted hollow and dashed at the left, measured filled
/// at the right. Arrow keys walk, a click chooses.
class RankMemoryChart final : public PaintedChart {
    Q_OBJECT
public:
    explicit RankMemoryChart(Theme& theme, QWidget* parent = nullptr);

    /// `state` outlives what is shown of it.
    void setState(const RanksState* state);
    void setChosen(int rank);  ///< emits nothing

    [[nodiscard]] QRectF plot() const;
    /// The bar of a rank; empty: there is none.
    [[nodiscard]] QRectF barRect(int rank, bool isMeasured) const;
    /// The texts above and below the bars, as they are placed.
    struct PlacedText {
        QString text;
        QRectF box;
        bool strong = false;
    };
    [[nodiscard]] QVector<PlacedText> texts() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void rankChosen(int rank);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] int count() const;
    [[nodiscard]] QRectF slot(int rank) const;  ///< all of the height
    [[nodiscard]] int rankAt(const QPointF& at) const;
    [[nodiscard]] qreal toY(double bytes) const;
    void paintAxis(QPainter& painter) const;
    void paintBar(QPainter& painter, const RankReading& reading, const QRectF& bar, bool isMeasured) const;
    void point(int rank, const QPoint& at);
    void choose(int rank);

    const RanksState* m_state = nullptr;
    double m_top = 1;  ///< bytes at the upper end of the axis
    QVector<AxisTick> m_ticks;
    int m_chosen = 0;
    int m_pointed = -1;
};

}  // namespace plumb::ui
