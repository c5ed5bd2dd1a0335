// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/run/key_figures_state.h"
#include "ui/workbench/view.h"

#include <QWidget>

#include <vector>

namespace plumb::ui {

/// One figure: title and difference above, predicted and measured below. As a tile it is a card of its own,
/// with a caption under each number; in the strip of a low window it is a cell without captions, which
/// KeyFigures has once for all.
class KeyFigureTile final : public QWidget {
    Q_OBJECT
public:
    enum class Form { Tile, Strip };

    KeyFigureTile(Theme& theme, QWidget* parent);
    void setFigure(const KeyFigure& figure);
    [[nodiscard]] const KeyFigure& figure() const { return m_figure; }
    void setForm(Form form);
    /// The width in which no text is cut, and the height of its lines.
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintTop(QPainter& painter, int side) const;
    void paintNumbers(QPainter& painter, int side) const;
    [[nodiscard]] int captionWidth(const QString& caption) const;

    Theme& m_theme;
    KeyFigure m_figure;
    Form m_form = Form::Tile;
};

/// The key figures, every number predicted and measured: in one row of tiles where they have room, else in
/// several; in a low window a strip.
class KeyFigures final : public QWidget {
    Q_OBJECT
public:
    explicit KeyFigures(ViewContext context, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void arrange();
    void paintLegend(QPainter& painter) const;
    [[nodiscard]] int legendHeight() const;
    [[nodiscard]] int leastOfColumn(int column, int columns) const;
    [[nodiscard]] std::vector<int> columnEnds(int columns) const;

    ViewContext m_context;
    std::vector<KeyFigureTile*> m_tiles;
    KeyFigureTile::Form m_form = KeyFigureTile::Form::Tile;
    std::vector<int> m_least;  ///< widest that each was since the width changed: a slider moves no tile
};

}  // namespace plumb::ui
