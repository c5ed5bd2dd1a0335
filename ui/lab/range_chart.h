// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/dtype_state.h"

#include <QWidget>

#include <array>

namespace plumb::ui {

class ChartPanel;
class RangeBars;

/// Range and precision of every format over one log axis of magnitudes: bars with their normal and subnormal
/// parts above, significant decimal digits below, and the typed value through both.
class RangeChart final : public QWidget {
    Q_OBJECT
public:
    explicit RangeChart(Theme& theme, QWidget* parent = nullptr);
    ~RangeChart() override;

    void showState(const DtypeState& state);

    /// Shown magnitudes; fp64 reaches far beyond both and is cut off, with arrows.
    static constexpr double kLeast = 1e-50;
    static constexpr double kMost = 1e50;

private:
    RangeBars* m_bars;
    ChartPanel* m_digits;
};

/// Significant decimal digits that `format` keeps at this magnitude: log10(2) for every bit of the mantissa
/// with its leading 1, fewer among subnormal numbers, 0 beyond both ends.
[[nodiscard]] double significantDigits(const NumberFormat& format, double magnitude);

/// The bars alone.
class RangeBars final : public QWidget {
    Q_OBJECT
public:
    /// `axis` gives the places of magnitudes; it stands below with the same left and right edge.
    RangeBars(Theme& theme, ChartPanel& axis, QWidget* parent = nullptr);
    void showState(const DtypeState& state);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

    /// Pixels of this widget.
    struct Bar {
        QRectF subnormal;
        QRectF normal;
        bool beyondLeft = false, beyondRight = false;
    };
    [[nodiscard]] Bar barOf(std::size_t row) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] qreal xOf(double magnitude) const;

    Theme& m_theme;
    ChartPanel& m_axis;
    DtypeState m_state;
};

}  // namespace plumb::ui
