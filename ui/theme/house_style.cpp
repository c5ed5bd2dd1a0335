// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/house_style.h"

#include "ui/theme/one_line.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QStyleFactory>
#include <QStyleOption>
#include <QWidget>

namespace plumb::ui {
namespace {

constexpr double kRadius = 5.0;
constexpr int kGroove = 4;   ///< thickness of a slider's line
constexpr int kHandle = 14;  ///< diameter of a slider's knob
constexpr int kScrollBar = 10;
constexpr int kBeyondInk = 4;
constexpr int kChoiceLeft = 9, kChoiceRight = 24;  ///< beside the text of a choice: margin, arrow

bool has(const QStyleOption* option, QStyle::State flag) { return (option->state & flag) != 0; }

void roundRect(QPainter* painter, const QRectF& rect, const QColor& fill, const QColor& border,
               double radius = kRadius) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(border.isValid() ? QPen(border, 1.0) : QPen(Qt::NoPen));
    painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter->drawRoundedRect(border.isValid() ? rect.adjusted(0.5, 0.5, -0.5, -0.5) : rect, radius, radius);
    painter->restore();
}

void chevron(QPainter* painter, const QPointF& centre, const QColor& color) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(
        QPolygonF{centre + QPointF(-3.5, -1.8), centre + QPointF(0, 1.8), centre + QPointF(3.5, -1.8)});
    painter->restore();
}

void drawProgress(const QStyleOptionProgressBar& bar, QPainter* painter, const Theme& theme) {
    QColor color = theme.color(ColorRole::Accent);
    const int parts = bar.maximum - bar.minimum;
    // Without an end nothing is known but that it goes on.
    if (parts <= 0) color.setAlphaF(0.4F);
    QRect done = bar.rect;
    if (parts > 0)
        done.setWidth(
            static_cast<int>(static_cast<double>(bar.progress - bar.minimum) / parts * done.width()));
    if (done.width() > 0) roundRect(painter, done, color, {});
}

/// A cell that holds a text of one line and nothing else.
bool isOneLine(const QStyleOptionViewItem& cell) {
    return cell.features == QStyleOptionViewItem::HasDisplay &&
           !has(&cell, QStyle::State_HasFocus | QStyle::State_Editing) &&
           !cell.text.contains(QLatin1Char('\n')) && !cell.text.contains(QChar::LineSeparator);
}

}  // namespace

HouseStyle::HouseStyle(const Theme& theme)
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))), m_theme(theme) {}

void HouseStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    // A tool tip is a label too, polished before it has a text.
    auto* const label = qobject_cast<QLabel*>(widget);
    if (label != nullptr && label->textFormat() == Qt::AutoText) label->setTextFormat(Qt::PlainText);
}

void HouseStyle::drawField(const QStyleOption* option, QPainter* painter, const QRectF& rect) const {
    const bool focus = has(option, State_HasFocus) && has(option, State_Enabled);
    QColor fill = m_theme.color(ColorRole::Field);
    if (!has(option, State_Enabled)) fill = m_theme.color(ColorRole::Panel);
    roundRect(painter, rect, fill, m_theme.color(focus ? ColorRole::Accent : ColorRole::FieldBorder));
}

void HouseStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    switch (element) {
    case PE_PanelLineEdit:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame && frame->lineWidth > 0)
            drawField(option, painter, option->rect);
        return;
    case PE_FrameLineEdit:
        return;  // part of the panel
    case PE_PanelButtonCommand:
        drawButton(option, painter, widget);
        return;
    case PE_FrameDefaultButton:
    case PE_PanelScrollAreaCorner:
        return;
    case PE_PanelButtonTool:
        if (has(option, State_On) || has(option, State_Sunken))
            roundRect(painter, option->rect, m_theme.color(ColorRole::Button), {});
        else if (has(option, State_MouseOver) && has(option, State_Enabled))
            roundRect(painter, option->rect, m_theme.color(ColorRole::Hover), {});
        return;
    case PE_IndicatorCheckBox:
        drawCheckBox(option, painter);
        return;
    case PE_FrameFocusRect:
        if (has(option, State_KeyboardFocusChange))
            roundRect(painter, QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), {},
                      m_theme.color(ColorRole::Accent));
        return;
    case PE_PanelItemViewItem:
    case PE_PanelItemViewRow: {
        const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
        if (!item) break;
        if (item->backgroundBrush.style() != Qt::NoBrush)
            painter->fillRect(item->rect, item->backgroundBrush);
        if (has(option, State_Selected))
            painter->fillRect(item->rect, m_theme.color(ColorRole::Selection));
        else if (has(option, State_MouseOver) && has(option, State_Enabled))
            painter->fillRect(item->rect, m_theme.color(ColorRole::Hover));
        return;
    }
    case PE_PanelMenu:  // of lists of combo boxes, too: on black a shadow of black is none
    case PE_PanelTipLabel:
        painter->fillRect(option->rect, m_theme.color(ColorRole::Card));
        painter->setPen(m_theme.color(ColorRole::FieldBorder));
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return;
    default:
        break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void HouseStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
    switch (element) {
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
        drawHeader(option, painter);
        return;
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option); button && widget) {
            QStyleOptionButton copy(*button);
            const bool primary = widget->property(kPrimaryButton).toBool();
            const bool segmentOn = widget->property(kSegmentButton).toBool() && has(option, State_On);
            if ((primary || segmentOn) && has(option, State_Enabled))
                copy.palette.setColor(QPalette::ButtonText, m_theme.color(ColorRole::AccentText));
            else if (widget->property(kQuietButton).toBool() && has(option, State_On))
                copy.palette.setColor(QPalette::ButtonText, m_theme.color(ColorRole::TextStrong));
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
        break;
    case CE_ProgressBarGroove:
        roundRect(painter, option->rect, m_theme.color(ColorRole::Track), {});
        return;
    case CE_ProgressBarContents:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
            drawProgress(*bar, painter, m_theme);
            return;
        }
        break;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, m_theme.color(ColorRole::Panel));
        return;
    case CE_MenuBarItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
            painter->fillRect(option->rect, m_theme.color(ColorRole::Panel));
            if (has(option, State_Selected) && has(option, State_Enabled))
                roundRect(painter, option->rect.adjusted(1, 2, -1, -2), m_theme.color(ColorRole::Button), {});
            const int mnemonic = proxy()->styleHint(SH_UnderlineShortcut, option, widget)
                                     ? Qt::TextShowMnemonic
                                     : Qt::TextHideMnemonic;
            proxy()->drawItemText(painter, item->rect, Qt::AlignCenter | Qt::TextSingleLine | mnemonic,
                                  item->palette, has(option, State_Enabled), item->text,
                                  QPalette::WindowText);
            return;
        }
        break;
    case CE_ComboBoxLabel:
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
            combo && !combo->editable) {
            const QRect where = option->rect.adjusted(kChoiceLeft, 0, -kChoiceRight, 0);
            const QString text =
                option->fontMetrics.elidedText(combo->currentText, Qt::ElideRight, where.width());
            proxy()->drawItemText(painter, where, Qt::AlignLeft | Qt::AlignVCenter, option->palette,
                                  has(option, State_Enabled), text, QPalette::Text);
            return;
        }
        break;
    case CE_ItemViewItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option)) {
            // The palette's HighlightedText belongs on its Highlight, while rows are marked with Selection.
            QStyleOptionViewItem copy(*item);
            copy.palette.setColor(QPalette::HighlightedText, m_theme.color(ColorRole::TextStrong));
            if (isOneLine(copy))
                drawCell(copy, painter, widget);
            else
                QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
        break;
    case CE_Splitter:
        if (has(option, State_MouseOver)) painter->fillRect(option->rect, m_theme.color(ColorRole::Hover));
        return;
    case CE_SizeGrip:
        return;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void HouseStyle::drawCell(const QStyleOptionViewItem& cell, QPainter* painter, const QWidget* widget) const {
    proxy()->drawPrimitive(PE_PanelItemViewItem, &cell, painter, widget);
    const int side = proxy()->pixelMetric(PM_FocusFrameHMargin, nullptr, widget) + 1;
    const QPalette::ColorGroup group = !has(&cell, State_Enabled)  ? QPalette::Disabled
                                       : !has(&cell, State_Active) ? QPalette::Inactive
                                                                   : QPalette::Normal;
    painter->save();
    painter->setFont(cell.font);
    painter->setPen(
        cell.palette.color(group, has(&cell, State_Selected) ? QPalette::HighlightedText : QPalette::Text));
    drawOneLine(*painter, cell.rect.adjusted(side, 0, -side, 0),
                visualAlignment(cell.direction, cell.displayAlignment), cell.text, cell.textElideMode);
    painter->restore();
}

void HouseStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                    QPainter* painter, const QWidget* widget) const {
    switch (control) {
    case CC_Slider:
        drawSlider(option, painter, widget);
        return;
    case CC_ComboBox:
        drawComboBox(option, painter);
        return;
    case CC_ScrollBar:
        drawScrollBar(option, painter, widget);
        return;
    default:
        QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
}

void HouseStyle::drawButton(const QStyleOption* option, QPainter* painter, const QWidget* widget) const {
    const auto flag = [&](const char* name) { return widget && widget->property(name).toBool(); };
    const bool enabled = has(option, State_Enabled);
    const bool hover = enabled && has(option, State_MouseOver);
    const bool on = has(option, State_On);
    QColor fill = m_theme.color(hover ? ColorRole::ButtonHover : ColorRole::Button);
    QColor border;
    if (flag(kPrimaryButton) && enabled) {
        fill = m_theme.color(ColorRole::Accent);
        if (hover) fill = m_theme.isDark() ? fill.lighter(110) : fill.darker(110);
    } else if (flag(kSegmentButton)) {
        fill = on ? m_theme.color(ColorRole::Accent) : hover ? m_theme.color(ColorRole::Hover) : QColor();
        if (on && !enabled) fill = m_theme.color(ColorRole::Track);
    } else if (flag(kQuietButton)) {
        fill = on ? m_theme.color(ColorRole::Button) : hover ? m_theme.color(ColorRole::Hover) : QColor();
    } else if (!m_theme.isDark()) {
        border = m_theme.color(ColorRole::FieldBorder);
    }
    if (enabled && has(option, State_Sunken) && fill.isValid()) fill = fill.darker(108);
    roundRect(painter, option->rect, fill, border);
    if (!has(option, State_HasFocus) || !has(option, State_KeyboardFocusChange)) return;
    const bool onAccent = flag(kPrimaryButton) || (flag(kSegmentButton) && on);
    roundRect(painter, QRectF(option->rect).adjusted(1, 1, -1, -1), {},
              m_theme.color(onAccent ? ColorRole::AccentText : ColorRole::Accent), kRadius - 1);
}

void HouseStyle::drawSlider(const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const {
    const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (!slider || slider->orientation != Qt::Horizontal)
        return QProxyStyle::drawComplexControl(CC_Slider, option, painter, widget);
    const QRectF handle = proxy()->subControlRect(CC_Slider, option, SC_SliderHandle, widget);
    const QRectF groove(option->rect.left() + 0.0, handle.center().y() - kGroove / 2.0, option->rect.width(),
                        kGroove);
    const bool enabled = has(option, State_Enabled);
    roundRect(painter, groove, m_theme.color(ColorRole::Track), {}, kGroove / 2.0);
    QRectF filled = groove;
    filled.setRight(handle.center().x());
    roundRect(painter, filled, m_theme.color(enabled ? ColorRole::Accent : ColorRole::Ghost), {},
              kGroove / 2.0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF knob = handle.adjusted(0.5, 0.5, -0.5, -0.5);
    const bool lively =
        enabled && (has(option, State_HasFocus) || (slider->activeSubControls & SC_SliderHandle) != 0);
    painter->setBrush(m_theme.color(enabled ? ColorRole::Knob : ColorRole::Track));
    painter->setPen(QPen(m_theme.color(lively    ? ColorRole::Accent
                                       : enabled ? ColorRole::Shadow
                                                 : ColorRole::Ghost),
                         lively ? 2.0 : 1.0));
    painter->drawEllipse(lively ? knob.adjusted(0.5, 0.5, -0.5, -0.5) : knob);
    painter->restore();
}

void HouseStyle::drawComboBox(const QStyleOptionComplex* option, QPainter* painter) const {
    drawField(option, painter, option->rect);
    chevron(painter, QPointF(option->rect.right() - 13, option->rect.center().y() + 0.5),
            m_theme.color(has(option, State_Enabled) ? ColorRole::TextMuted : ColorRole::Ghost));
}

void HouseStyle::drawScrollBar(const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
    const QRect handle = proxy()->subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget);
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (!bar || bar->minimum == bar->maximum) return;
    const bool lively = has(option, State_MouseOver) || has(option, State_Sunken);
    roundRect(painter, QRectF(handle).adjusted(2, 2, -2, -2),
              m_theme.color(lively ? ColorRole::Ghost : ColorRole::Track), {}, (kScrollBar - 4) / 2.0);
}

void HouseStyle::drawCheckBox(const QStyleOption* option, QPainter* painter) const {
    const bool enabled = has(option, State_Enabled);
    const bool on = has(option, State_On);
    const QRectF box = option->rect;
    if (on)
        roundRect(painter, box, m_theme.color(enabled ? ColorRole::Accent : ColorRole::Track), {}, 3.0);
    else
        roundRect(painter, box, m_theme.color(enabled ? ColorRole::Field : ColorRole::Panel),
                  m_theme.color(has(option, State_HasFocus) ? ColorRole::Accent : ColorRole::FieldBorder),
                  3.0);
    if (!on) return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(m_theme.color(enabled ? ColorRole::AccentText : ColorRole::Ghost), 1.8,
                         Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF c = box.center();
    painter->drawPolyline(QPolygonF{c + QPointF(-3.3, 0.2), c + QPointF(-1.0, 2.6), c + QPointF(3.4, -2.6)});
    painter->restore();
}

void HouseStyle::drawHeader(const QStyleOption* option, QPainter* painter) const {
    painter->fillRect(option->rect, m_theme.color(ColorRole::Card));
    painter->setPen(m_theme.color(ColorRole::CardBorder));
    painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
}

QRect HouseStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                 SubControl subControl, const QWidget* widget) const {
    if (control == CC_ScrollBar) {
        const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (bar) {  // no arrow buttons: the groove is all of it
            const bool horizontal = bar->orientation == Qt::Horizontal;
            const int length = horizontal ? bar->rect.width() : bar->rect.height();
            const auto range = static_cast<qint64>(bar->maximum) - bar->minimum;
            const int extent = range == 0 ? length
                                          : qMax(24, static_cast<int>(static_cast<qint64>(bar->pageStep) *
                                                                      length / (range + bar->pageStep)));
            const int begin = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition,
                                                      length - extent, bar->upsideDown);
            const auto part = [&](int from, int size) {
                return horizontal ? QRect(bar->rect.left() + from, bar->rect.top(), size, bar->rect.height())
                                  : QRect(bar->rect.left(), bar->rect.top() + from, bar->rect.width(), size);
            };
            switch (subControl) {
            case SC_ScrollBarSlider:
                return visualRect(bar->direction, bar->rect, part(begin, extent));
            case SC_ScrollBarGroove:
                return bar->rect;
            case SC_ScrollBarSubPage:
                return visualRect(bar->direction, bar->rect, part(0, begin));
            case SC_ScrollBarAddPage:
                return visualRect(bar->direction, bar->rect, part(begin + extent, length - begin - extent));
            default:
                return {};
            }
        }
    }
    return QProxyStyle::subControlRect(control, option, subControl, widget);
}

QRect HouseStyle::subElementRect(SubElement element, const QStyleOption* option,
                                 const QWidget* widget) const {
    QRect result = QProxyStyle::subElementRect(element, option, widget);
    if (element == SE_LineEditContents) result.adjust(5, 0, -5, 0);  // text keeps clear of the round corners
    return result;
}

int HouseStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_SliderThickness:
    case PM_SliderControlThickness:
    case PM_SliderLength:
        return kHandle;
    case PM_ScrollBarExtent:
        return kScrollBar;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
        return 15;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_MenuBarPanelWidth:
        return 0;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int HouseStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* data) const {
    switch (hint) {
    case SH_Slider_AbsoluteSetButtons:
        return Qt::LeftButton;  // a click on the line goes there
    case SH_ComboBox_Popup:
        return 0;
    case SH_ToolTip_WakeUpDelay:
        return 350;
    case SH_EtchDisabledText:
    case SH_UnderlineShortcut:
        return 0;  // Alt reaches the menus without the lines
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;  // the program's own buttons have none
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QSize HouseStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                   const QWidget* widget) const {
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_LineEdit:
    case CT_ComboBox:
        result.setHeight(qMax(result.height(), 26));
        // Beside its text there are the margins of the label, else a choice that fits would be cut; and it
        // was measured by its ink, which is less than what it advances.
        if (type == CT_ComboBox)
            result.setWidth(qMax(result.width(), size.width() + kChoiceLeft + kChoiceRight + kBeyondInk));
        break;
    case CT_PushButton: {
        const bool segment = widget && widget->property(kSegmentButton).toBool();
        const bool quiet = widget && widget->property(kQuietButton).toBool();
        // Segments are low, but never lower than their letters.
        constexpr int kAroundLetters = 4;
        result.setHeight(segment ? qMax(24, size.height() + kAroundLetters) : qMax(result.height(), 28));
        if (segment || quiet) result.setWidth(size.width() + (segment ? 12 : 24));
        break;
    }
    default:
        break;
    }
    return result;
}

}  // namespace plumb::ui
