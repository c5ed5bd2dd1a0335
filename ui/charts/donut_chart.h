// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/painted_chart.h"

#include <QVector>

#include <functional>

namespace plumb::ui {

/// One whole cut into parts: a ring with the whole in its middle, and beside it, or below where it is narrow,
/// every part with its value and its share.
class DonutChart final : public PaintedChart {
    Q_OBJECT
public:
    struct Part {
        QString label;
        QString value;  ///< as it is shown: "3.40 s"
        double size = 0;
        std::function<QColor(const Theme& theme)> fill;
        QString detail{};  ///< lines for the card beside the pointer
    };
    explicit DonutChart(Theme& theme, QWidget* parent = nullptr);

    /// `whole` stands in the middle, `what` below it.
    void setParts(const QVector<Part>& parts, const QString& whole, const QString& what);
    [[nodiscard]] const QVector<Part>& parts() const { return m_parts; }
    [[nodiscard]] QSize sizeHint() const override { return {320, heightForWidth(320)}; }
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] bool isBeside(int width) const;  ///< the rows stand beside the ring
    [[nodiscard]] QRectF ringRect() const;
    [[nodiscard]] QRectF rowRect(qsizetype index) const;
    [[nodiscard]] qsizetype partAt(const QPointF& at) const;  ///< -1: none
    void point(qsizetype index, const QPoint& at);

    QVector<Part> m_parts;
    QString m_whole;
    QString m_what;
    double m_sum = 0;
    qsizetype m_pointed = -1;
};

}  // namespace plumb::ui
