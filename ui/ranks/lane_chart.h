// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/painted_chart.h"
#include "ui/ranks/lane_rows.h"

#include <memory>

namespace plumb::ui {

/// Two lanes of the first rank, what it computes and what is on its way, predicted hollow above measured. The
/// pointer and the arrow keys show what a bar is; a collective that is clicked is chosen.
class LaneChart final : public PaintedChart {
    Q_OBJECT
public:
    explicit LaneChart(Theme& theme, QWidget* parent = nullptr);

    void setRows(LaneRows rows, std::shared_ptr<const Step> step);
    [[nodiscard]] const LaneRows& rows() const { return m_rows; }
    /// Index into the ops of a collective that is framed; -1: none.
    void setSelectedOp(std::int32_t op);

    [[nodiscard]] QRectF rowRect(int row) const;
    [[nodiscard]] QRectF barRect(int row, int bar) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void collectiveChosen(int op);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct BarAt {
        int row = -1, bar = -1;
        bool operator==(const BarAt&) const = default;
    };
    [[nodiscard]] QString rowName(int row) const;
    [[nodiscard]] qreal labelWidth() const;
    [[nodiscard]] qreal asideWidth() const;
    [[nodiscard]] qreal laneEnd() const { return width() - kChartSide - asideWidth(); }
    [[nodiscard]] qreal rulerHeight() const;
    [[nodiscard]] qreal leastLane() const;  ///< height in which a text can be read
    [[nodiscard]] qreal toX(Seconds at) const;
    [[nodiscard]] const LaneBar& barAt(const BarAt& at) const;
    [[nodiscard]] BarAt placeAt(const QPointF& at) const;
    void paintRuler(QPainter& painter) const;
    void paintRow(QPainter& painter, int row) const;
    void paintEnds(QPainter& painter) const;
    void point(const BarAt& at, const QPoint& pixel);

    LaneRows m_rows;
    std::shared_ptr<const Step> m_step;
    BarAt m_pointed;
    std::int32_t m_selectedOp = -1;
};

}  // namespace plumb::ui
