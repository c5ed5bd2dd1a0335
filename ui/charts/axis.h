// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"

#include <QString>
#include <QVector>

#include <utility>

namespace plumb::ui {

/// Linear or base-10 mapping of min..max to 0..1. Pure; tests need no window.
class AxisScale {
public:
    AxisScale() = default;
    explicit AxisScale(const AxisOptions& options);
    /// Not a number for a value at or below 0 on a log axis.
    [[nodiscard]] double toUnit(double value) const;
    [[nodiscard]] double fromUnit(double position) const;

private:
    bool m_log = false;
    double m_low = 0;  ///< low end; of the logarithm on a log axis
    double m_span = 1;
};

struct AxisTick {
    double value = 0;
    QString label;  ///< empty: a grid line without a label
};

/// Round values inside min..max, increasing; about `most` of them, never fewer than two for `most` >= 3,
/// since a single one says nothing about a scale. Linear ticks share one SI prefix; log ticks stand at powers
/// of ten, thinned out evenly when there are many, and at 2 and 5 as well when the range is short. Empty for
/// a range that is empty, inverted or not finite.
[[nodiscard]] QVector<AxisTick> axisTicks(const AxisOptions& options, int most);

/// A tick's text: SI prefix, no trailing zeros: "15 GB", "100 T", "0.01". Without a unit, values below 1 are
/// written out ("0.001") down to 1e-4 and as powers below that.
[[nodiscard]] QString tickLabel(double value, const QString& unit);

/// Returns 1, 2 or 5 times a power of ten, at least `least`. Pre: above 0.
[[nodiscard]] double roundStep(double least);

/// The range rounded outwards to round values: for a log axis to whole decades, for a linear one to steps of
/// a tick. Pre: low <= high; both above 0 for log.
[[nodiscard]] std::pair<double, double> niceRange(double low, double high, bool log, int ticks = 6);

/// The range of a log axis rounded outwards to 1, 2 or 5 times powers of ten: less than a decade of values
/// would be a flat line on whole decades. Pre: 0 < low <= high.
[[nodiscard]] std::pair<double, double> withinDecade(double low, double high);

}  // namespace plumb::ui
