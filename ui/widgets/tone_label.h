// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QLabel>

namespace plumb::ui {

/// A label whose colour may change with what it says, and which follows the theme.
class ToneLabel final : public QLabel {
    Q_OBJECT
public:
    explicit ToneLabel(Theme& theme, ColorRole tone = ColorRole::Text, QWidget* parent = nullptr);
    void setTone(ColorRole tone);
    [[nodiscard]] ColorRole tone() const { return m_tone; }
    void showText(const QString& text, ColorRole tone);
    void showText(const QString& text) { showText(text, m_tone); }
    /// Makes it of medium weight and `points` larger than the text around it.
    void setStrong(qreal points = 0);
    /// Takes whatever width it is given and ends in "…" where that is too little.
    void setElided(int leastWidth = 0);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void restyle();
    Theme& m_theme;
    ColorRole m_tone;
    bool m_elided = false;
};

}  // namespace plumb::ui
