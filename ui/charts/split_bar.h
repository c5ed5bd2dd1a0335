// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/painted_chart.h"

#include <QVector>

namespace plumb::ui {

/// One whole cut into parts: a bar, and below it every part with its value and its share.
class SplitBar final : public PaintedChart {
    Q_OBJECT
public:
    struct Part {
        QString label;
        QString value;  ///< as it is shown: "3.40 s"
        double size = 0;
        ChartColor color = ColorRole::Accent;
        bool hatched = false;  ///< time in which nothing is done
        QString detail;        ///< lines for the card beside the pointer
    };
    explicit SplitBar(Theme& theme, QWidget* parent = nullptr);

    void setParts(const QVector<Part>& parts, const QString& total);
    [[nodiscard]] const QVector<Part>& parts() const { return m_parts; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRectF barRect() const;
    [[nodiscard]] QRectF partRect(qsizetype index) const;  ///< in the bar
    [[nodiscard]] QRectF rowRect(qsizetype index) const;
    void point(qsizetype index, const QPoint& at);

    QVector<Part> m_parts;
    QString m_total;
    double m_sum = 0;
    qsizetype m_pointed = -1;
};

}  // namespace plumb::ui
