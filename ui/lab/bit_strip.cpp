// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/bit_strip.h"

#include "core/lab/format_text.h"
#include "ui/lab/dtype_state.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kExponentCells = 8;  // of fp32, the widest of the aligned formats
constexpr int kCells = 1 + kExponentCells + 23;
constexpr qreal kGap = 5;  // between sign, exponent and mantissa
constexpr qreal kLeastBit = 8.7;
constexpr qreal kUsualCell = 13;
constexpr qreal kMostBit = 17;
constexpr int kHeight = 24;
constexpr qreal kDigitsFrom = 8;  // narrower cells show their bit by being filled only
constexpr qreal kOffShare = 0.16;

}  // namespace

BitStrip::BitStrip(Theme& theme, const NumberFormat& format, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_format(format), m_current(format.bits() - 1) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Bits of %1").arg(coreText(format.label)));
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    connect(&m_pointer, &Pointer::hovered, this, [this](const QPointF& at) { setHovered(bitAt(at)); });
    connect(&m_pointer, &Pointer::left, this, [this] { setHovered(-1); });
    connect(&m_pointer, &Pointer::pressed, this, [this](const QPointF& at) {
        const int bit = bitAt(at);
        if (bit < 0) return;
        setCurrentBit(bit);
        emit flipped(bit);
    });
    m_pointer.setTip([this](const QPointF& at) {
        const int bit = bitAt(at);
        return bit < 0 ? QString() : bitHelp(m_format, m_code, bit);
    });
    describe();
}

QSize BitStrip::sizeHint() const { return {static_cast<int>(kCells * kUsualCell + 2 * kGap) + 4, kHeight}; }
QSize BitStrip::minimumSizeHint() const {
    return {static_cast<int>(kCells * kLeastBit + 2 * kGap) + 4, kHeight};
}

void BitStrip::setCode(std::uint64_t code) {
    if (code == m_code) return;
    m_code = code;
    describe();
    update();
}

void BitStrip::setCurrentBit(int bit) {
    m_current = std::clamp(bit, 0, m_format.bits() - 1);
    describe();
    update();
}

void BitStrip::describe() {
    setAccessibleDescription(tr("%1; bit %2, %3")
                                 .arg(toText(lab::bitsText(m_format, m_code)))
                                 .arg(m_current)
                                 .arg(bitHelp(m_format, m_code, m_current)));
}

QRectF BitStrip::cellRect(int bit) const {
    const bool aligned = m_format.bits() <= kCells;
    qreal cell = std::clamp((width() - 2 * kGap - 4) / kCells, kLeastBit, kMostBit);
    int column = m_format.bits() - 1 - bit;
    if (aligned)
        column += kExponentCells - m_format.exponentBits;
    else
        cell = cell * kCells / m_format.bits();
    qreal x = 2 + cell * column;
    if (bit < m_format.bits() - 1) x += kGap;
    if (bit < m_format.mantissaBits) x += kGap;
    // The sign stands next to its exponent, and all exponents end at the same place.
    return {x, 2, cell, height() - 4.0};
}

int BitStrip::bitAt(const QPointF& position) const {
    for (int bit = 0; bit < m_format.bits(); ++bit)
        if (cellRect(bit).contains(position)) return bit;
    return -1;
}

void BitStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont small = font();
    for (int bit = m_format.bits() - 1; bit >= 0; --bit) {
        const bool on = ((m_code >> static_cast<unsigned>(bit)) & 1U) != 0;
        QColor color = m_theme.color(bit == m_format.bits() - 1     ? ColorRole::BitSign
                                     : bit >= m_format.mantissaBits ? ColorRole::BitExponent
                                                                    : ColorRole::BitMantissa);
        if (!isEnabled()) color.setAlphaF(0.35F);
        const QRectF cell = cellRect(bit);
        const qreal inset = cell.width() < kDigitsFrom ? 0.5 : 1;
        const QRectF box = cell.adjusted(inset, 1, -inset, -1);
        QColor fill = color;
        if (!on)
            fill.setAlphaF(color.alphaF() * static_cast<float>(bit == m_hovered ? 3 * kOffShare : kOffShare));
        painter.setPen(bit == m_hovered ? QPen(m_theme.color(ColorRole::TextStrong), 1) : Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(box, 2, 2);
        if (cell.width() >= kDigitsFrom) {
            small.setPixelSize(static_cast<int>(std::min<qreal>(12, cell.width() - 1)));
            painter.setFont(small);
            painter.setPen(on ? m_theme.color(ColorRole::Card) : color);
            painter.drawText(box, Qt::AlignCenter, on ? QStringLiteral("1") : QStringLiteral("0"));
        }
        if (hasFocus() && bit == m_current) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(m_theme.color(ColorRole::TextStrong), 1.6));
            painter.drawRoundedRect(cell.adjusted(-0.5, -0.5, 0.5, 0.5), 3, 3);
        }
    }
}

void BitStrip::setHovered(int bit) {
    if (bit == m_hovered) return;
    m_hovered = bit;
    update();
}

void BitStrip::keyPressEvent(QKeyEvent* event) {
    const bool on = ((m_code >> static_cast<unsigned>(m_current)) & 1U) != 0;
    switch (event->key()) {
    case Qt::Key_Left:
        return setCurrentBit(m_current + 1);
    case Qt::Key_Right:
        return setCurrentBit(m_current - 1);
    case Qt::Key_Home:
        return setCurrentBit(m_format.bits() - 1);
    case Qt::Key_End:
        return setCurrentBit(0);
    case Qt::Key_Up:
        emit leaveUp();
        return;
    case Qt::Key_Down:
        emit leaveDown();
        return;
    case Qt::Key_Space:
        emit flipped(m_current);
        return;
    case Qt::Key_0:
        if (on) emit flipped(m_current);
        return setCurrentBit(m_current - 1);
    case Qt::Key_1:
        if (!on) emit flipped(m_current);
        return setCurrentBit(m_current - 1);
    default:
        QWidget::keyPressEvent(event);
    }
}

}  // namespace plumb::ui
