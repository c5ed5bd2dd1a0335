// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/parts_chart.h"

namespace plumb::ui {

/// One whole cut into parts: a bar, and below it the rows of the parts.
class SplitBar final : public PartsChart {
    Q_OBJECT
public:
    explicit SplitBar(Theme& theme, QWidget* parent = nullptr);

    void setParts(const QVector<Part>& parts, const QString& total);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    [[nodiscard]] QRectF rowRect(qsizetype index) const override;
    [[nodiscard]] qsizetype partAt(const QPointF& at) const override;

private:
    [[nodiscard]] QRectF barRect() const;
    [[nodiscard]] QRectF partRect(qsizetype index) const;  ///< in the bar

    QString m_total;
};

}  // namespace plumb::ui
