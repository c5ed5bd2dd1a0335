// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/number_format.h"
#include "ui/charts/pointer.h"

#include <QWidget>

namespace plumb::ui {

class Theme;

/// The bits of a code as cells: sign, exponent and mantissa in a colour each. A click turns a bit over.
///
/// Strips above each other line up where exponent and mantissa meet, so that formats can be compared by eye;
/// fp64 has more bits than there are cells and uses cells of half the width. Keyboard: Left, Right, Home, End
/// choose a bit, Space turns it over, 0 and 1 set it, Up and Down leave for the neighbouring strip.
class BitStrip final : public QWidget {
    Q_OBJECT
public:
    BitStrip(Theme& theme, const NumberFormat& format, QWidget* parent = nullptr);

    void setCode(std::uint64_t code);
    [[nodiscard]] std::uint64_t code() const { return m_code; }
    /// The bit that keys act on; 0 is the lowest.
    [[nodiscard]] int currentBit() const { return m_current; }
    void setCurrentBit(int bit);
    /// Rectangle of the cell of this bit, pixels of this widget.
    [[nodiscard]] QRectF cellRect(int bit) const;
    /// -1 where there is none.
    [[nodiscard]] int bitAt(const QPointF& position) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void flipped(int bit);
    void leaveUp();    ///< to the strip above, the same bit from the left
    void leaveDown();  ///< to the strip below

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void describe();
    void setHovered(int bit);

    Theme& m_theme;
    NumberFormat m_format;
    std::uint64_t m_code = 0;
    int m_current = 0;
    int m_hovered = -1;
    Pointer m_pointer{*this};
};

}  // namespace plumb::ui
