// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"
#include "ui/charts/hover_card.h"
#include "ui/charts/pointer.h"

#include <QFont>
#include <QWidget>

#include <optional>

namespace plumb::ui {

/// Pixels between the sides of a painted chart and what it draws.
inline constexpr qreal kChartSide = 8;

/// What the charts that paint themselves share: the card beside the pointer, the small font, the frame of the
/// focus and the sentence in place of the picture. Colours follow the theme. GUI thread only.
class PaintedChart : public QWidget {
    Q_OBJECT
public:
    explicit PaintedChart(Theme& theme, QWidget* parent = nullptr);

    /// Shows in place of the picture why there is nothing and what to do; empty: the picture.
    void setEmptyText(const QString& text);
    [[nodiscard]] QString emptyText() const { return m_emptyText; }
    [[nodiscard]] const HoverCardContent* cardShown() const {
        return m_card.content();
    }  ///< null: none; for tests

protected:
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    [[nodiscard]] QColor color(const ChartColor& color) const { return resolve(m_theme, color); }
    [[nodiscard]] QFont smallFont() const;
    void showCard(const HoverCardContent& content, const QPoint& at) { m_card.show(content, *this, at); }
    void hideCard() { m_card.hide(); }
    [[nodiscard]] Pointer& pointer() { return m_pointer; }
    void paintFocus(QPainter& painter) const;
    /// True when there is a sentence instead, which is painted then.
    bool paintEmpty(QPainter& painter) const;
    void hideEvent(QHideEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    Theme& m_theme;
    CardBeside m_card;
    Pointer m_pointer{*this};
    QString m_emptyText;
    bool m_focusShown = false;
};

}  // namespace plumb::ui
