// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/painted_chart.h"
#include "ui/ranks/ranks_state.h"

namespace plumb::ui {

/// The ranks of a step where they stand, coloured by one figure: a cell each, with as much in it as it has
/// room for. Arrow keys walk, a click chooses.
class RankGrid final : public PaintedChart {
    Q_OBJECT
public:
    explicit RankGrid(Theme& theme, QWidget* parent = nullptr);

    /// `state` outlives what is shown of it.
    void setState(const RanksState* state, RankFigure colouredBy);
    /// Emits nothing.
    void setChosen(int rank);
    [[nodiscard]] int chosen() const { return m_chosen; }
    [[nodiscard]] RankFigure colouredBy() const { return m_by; }

    /// What a cell has room for.
    enum class Form { Whole, Brief, Plain };
    [[nodiscard]] Form form() const { return layout().form; }
    [[nodiscard]] QRectF cellRect(int rank) const;
    [[nodiscard]] QColor cellColor(int rank) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void rankChosen(int rank);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Layout {
        Form form = Form::Whole;
        int columns = 1;
        QSizeF cell;
        qreal top = 0;  ///< below the titles of the columns, where they stand
    };
    [[nodiscard]] const Layout& layout() const;
    [[nodiscard]] Layout laidOut() const;
    [[nodiscard]] int count() const;
    [[nodiscard]] qreal legendHeight() const;
    [[nodiscard]] QSizeF leastCell(Form form) const;
    [[nodiscard]] int rankAt(const QPointF& at) const;
    [[nodiscard]] double shareOfRange(double value) const;
    [[nodiscard]] QString valueText(const ShownRank& rank) const;
    [[nodiscard]] QString predictedText(const ShownRank& rank) const;
    void paintCell(QPainter& painter, const Layout& layout, int rank) const;
    void paintLegend(QPainter& painter) const;
    void point(int rank, const QPoint& at);
    void choose(int rank);

    const RanksState* m_state = nullptr;
    RankFigure m_by = RankFigure::Memory;
    int m_chosen = 0;
    int m_pointed = -1;
    mutable std::optional<Layout> m_layout;  ///< of this state, size and font
};

/// What the card beside the pointer says of a rank.
[[nodiscard]] HoverCardContent rankCard(const RanksState& state, const ShownRank& rank);

}  // namespace plumb::ui
