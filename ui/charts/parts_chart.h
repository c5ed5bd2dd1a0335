// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/painted_chart.h"

#include <QStringList>
#include <QVector>

namespace plumb::ui {

/// One whole cut into parts: what the charts of it share. Each part has a row with its colour, name, value
/// and share; the pointer and the arrow keys show a card of it.
class PartsChart : public PaintedChart {
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
    [[nodiscard]] const QVector<Part>& parts() const { return m_parts; }

protected:
    explicit PartsChart(Theme& theme, QWidget* parent);

    /// `said`: what is told of the whole before the parts to who does not see it.
    void takeParts(const QVector<Part>& parts, QStringList said = {});
    [[nodiscard]] double sum() const { return m_sum; }
    [[nodiscard]] qsizetype pointed() const { return m_pointed; }  ///< -1: none
    [[nodiscard]] qreal rowHeight() const { return fontMetrics().height() + 5; }

    [[nodiscard]] virtual QRectF rowRect(qsizetype index) const = 0;
    [[nodiscard]] virtual qsizetype partAt(const QPointF& at) const = 0;  ///< -1: none

    /// Room that the columns of the rows take.
    struct Columns {
        qreal name = 0;  ///< of the widest
        qreal value = 0;
        qreal share = 0;
    };
    [[nodiscard]] Columns columns() const;
    /// What is left of a row of this width for a name, without the share.
    [[nodiscard]] static qreal nameRoom(qreal width, const Columns& columns);
    /// Paints the row of a part; `columns.share` of 0 leaves the shares out.
    void paintRow(QPainter& painter, qsizetype index, const QColor& fill, ColorRole text,
                  const Columns& columns) const;

    void keyPressEvent(QKeyEvent* event) override;

private:
    void point(qsizetype index, const QPoint& at);
    [[nodiscard]] QFont strongFont() const;
    [[nodiscard]] QString shareText(const Part& part, int digits) const;

    QVector<Part> m_parts;
    double m_sum = 0;
    qsizetype m_pointed = -1;
};

}  // namespace plumb::ui
