// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/run/key_figures_state.h"
#include "ui/workbench/view.h"

#include <QWidget>

#include <vector>

class QTimer;

namespace plumb::ui {

/// One card of the row: title and difference above, predicted and measured below.
class KeyFigureTile final : public QWidget {
    Q_OBJECT
public:
    KeyFigureTile(Theme& theme, QWidget* parent);
    void setFigure(const KeyFigure& figure);
    [[nodiscard]] const KeyFigure& figure() const { return m_figure; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme& m_theme;
    KeyFigure m_figure;
};

/// The row of key figures: every number predicted and measured.
class KeyFigures final : public QWidget {
    Q_OBJECT
public:
    explicit KeyFigures(ViewContext context, QWidget* parent = nullptr);

private:
    void refresh();

    ViewContext m_context;
    std::vector<KeyFigureTile*> m_tiles;
};

}  // namespace plumb::ui
