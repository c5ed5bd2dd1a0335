// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/parts_chart.h"

namespace plumb::ui {

/// One whole cut into parts: a ring with the whole in its middle, and beside it, or below where it is narrow,
/// the rows of the parts.
class DonutChart final : public PartsChart {
    Q_OBJECT
public:
    explicit DonutChart(Theme& theme, QWidget* parent = nullptr);

    /// `whole` stands in the middle, `what` below it.
    void setParts(const QVector<Part>& parts, const QString& whole, const QString& what);
    [[nodiscard]] QSize sizeHint() const override { return {320, heightForWidth(320)}; }
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    [[nodiscard]] QRectF rowRect(qsizetype index) const override;
    [[nodiscard]] qsizetype partAt(const QPointF& at) const override;

private:
    [[nodiscard]] bool isBeside(int width) const;  ///< the rows stand beside the ring
    [[nodiscard]] QRectF ringRect() const;

    QString m_whole;
    QString m_what;
};

}  // namespace plumb::ui
