// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>
#include <QStyleOptionViewItem>

namespace plumb::ui {

class Theme;

/// Dynamic properties of a QPushButton that choose its look; set them before the first paint.
inline constexpr const char* kPrimaryButton = "plumbPrimary";  ///< filled with the accent: one per panel
inline constexpr const char* kQuietButton = "plumbQuiet";      ///< no surface until hovered: tabs, links
inline constexpr const char* kSegmentButton = "plumbSegment";  ///< part of a SegmentedControl

/// The look of the window: Fusion's behaviour and metrics, with flat rounded controls in the theme's colours.
class HouseStyle final : public QProxyStyle {
    Q_OBJECT
public:
    explicit HouseStyle(const Theme& theme);

    using QProxyStyle::polish;
    /// Labels and tool tips show text as it is, so that what a file says is never taken for markup; only a
    /// label that asks for markup has it.
    void polish(QWidget* widget) override;

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl subControl,
                         const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;

private:
    void drawCell(const QStyleOptionViewItem& cell, QPainter* painter, const QWidget* widget) const;
    void drawButton(const QStyleOption* option, QPainter* painter, const QWidget* widget) const;
    void drawSlider(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const;
    void drawComboBox(const QStyleOptionComplex* option, QPainter* painter) const;
    void drawScrollBar(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const;
    void drawCheckBox(const QStyleOption* option, QPainter* painter) const;
    void drawHeader(const QStyleOption* option, QPainter* painter) const;
    void drawField(const QStyleOption* option, QPainter* painter, const QRectF& rect) const;

    const Theme& m_theme;
};

}  // namespace plumb::ui
