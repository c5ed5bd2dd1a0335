// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/painted_chart.h"

#include <QVector>

#include <functional>

namespace plumb::ui {

/// What moves an answer most: a bar for each input, from the answer at its low end to that at its high end,
/// around the expected one; the widest at the top.
class TornadoChart final : public PaintedChart {
    Q_OBJECT
public:
    struct Bar {
        QString label;
        QString low, high;  ///< the input's ends, as they are shown
        double atLow = 0;   ///< the answer there
        double atHigh = 0;
        QString help;
    };
    struct Content {
        QVector<Bar> bars;
        double expected = 0;
        QString title;                          ///< title of the axis, with what the answer is
        std::function<QString(double)> format;  ///< text of an answer
    };
    explicit TornadoChart(Theme& theme, QWidget* parent = nullptr);

    void setContent(const Content& content);
    [[nodiscard]] const Content& content() const { return m_content; }
    /// The box of a bar in pixels, for tests and the keyboard.
    [[nodiscard]] QRectF barRect(qsizetype index) const;
    /// The box of its name, and the name as it stands there.
    [[nodiscard]] std::pair<QRectF, QString> placedName(qsizetype index) const;
    [[nodiscard]] QSize sizeHint() const override { return {420, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 120}; }

signals:
    void chosen(int index);  ///< a click or Enter

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] qsizetype rows() const;                  ///< as many as there is room for
    [[nodiscard]] QSizeF nameSize(qsizetype index) const;  ///< in as many lines as it needs
    [[nodiscard]] qreal rowHeight(qsizetype index) const;
    [[nodiscard]] qreal rowsHeight(qsizetype count) const;  ///< of the first ones
    [[nodiscard]] qreal labelsWidth() const;
    [[nodiscard]] qreal room() const;  ///< height for the rows
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QRectF rowRect(qsizetype index) const;
    [[nodiscard]] double toX(double value) const;
    [[nodiscard]] std::pair<double, double> range() const;
    [[nodiscard]] qsizetype rowAt(const QPointF& at) const;
    void point(qsizetype index, const QPoint& at);

    Content m_content;
    qsizetype m_pointed = -1;
};

}  // namespace plumb::ui
