// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

class QAction;
class QColor;
class QPainter;
class QPointF;

namespace plumb::ui {

class Theme;

/// A drawing of a few strokes that stands for an action where there is no room for its name.
enum class Glyph { Menu, Open, Close, Sliders, Step, Chip, Gear, Play, Pause, Stop, Gauge, Search };

/// Draws the glyph around `centre`, `side` logical pixels high and wide.
void drawGlyph(QPainter& painter, Glyph glyph, const QPointF& centre, double side, const QColor& color);

/// A square button with a glyph. Its name is in its tool tip and its accessible name.
class GlyphButton final : public QPushButton {
    Q_OBJECT
public:
    GlyphButton(Theme& theme, Glyph glyph, const QString& name, QWidget* parent = nullptr);

    void setGlyph(Glyph glyph);
    /// Runs the action and follows whether it can be run, and its name and shortcut.
    void follow(QAction* action);
    /// Grows with the letters of the window.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme& m_theme;
    Glyph m_glyph;
};

}  // namespace plumb::ui
