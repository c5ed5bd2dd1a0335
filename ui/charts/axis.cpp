// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/axis.h"

#include "core/base/byte_units.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::ui {
namespace {

struct Prefix {
    double factor;
    const char* sign;
};
constexpr std::array kPrefixes{Prefix{1e18, "E"}, Prefix{1e15, "P"}, Prefix{1e12, "T"}, Prefix{1e9, "G"},
                               Prefix{1e6, "M"},  Prefix{1e3, "k"},  Prefix{1, ""},     Prefix{1e-3, "m"},
                               Prefix{1e-6, "µ"}, Prefix{1e-9, "n"}};

/// Ratios, losses and intensities read better as 0.01 than as 10 m.
bool takesSmallPrefixes(const QString& unit) { return unit == QStringLiteral("s"); }

/// Largest first, as far as sizes in bytes go.
constexpr std::array kPrefixesOf1024{Prefix{0x1p60, "Ei"}, Prefix{0x1p50, "Pi"}, Prefix{0x1p40, "Ti"},
                                     Prefix{0x1p30, "Gi"}, Prefix{0x1p20, "Mi"}, Prefix{0x1p10, "Ki"}};

Prefix prefixFor(double value, const QString& unit) {
    const double size = std::abs(value);
    if (takesBinaryPrefixes(unit.toStdString())) {
        for (const Prefix& prefix : kPrefixesOf1024)
            if (size >= prefix.factor * (1 - 1e-9)) return prefix;
        return {1, ""};
    }
    for (const Prefix& prefix : kPrefixes) {
        if (prefix.factor < 1 && !takesSmallPrefixes(unit)) break;
        if (size >= prefix.factor * (1 - 1e-9)) return prefix;
    }
    return {1, ""};
}

/// Below what a prefix makes readable, and beyond the last one: a power says more than "100000 E" there.
bool needsPower(double value, const Prefix& prefix) {
    const double scaled = std::abs(value / prefix.factor);
    return (scaled != 0 && scaled < 1e-4) || (scaled >= 999.9995 && prefix.factor >= 1e18);
}

/// "1e23", "2e−7": neither a plus nor zeros in the exponent, and the minus of the window.
QString powerText(double value) {
    const int power = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
    const QString plain =
        QString::number(value / std::pow(10.0, power), 'g', 3) + u'e' + QString::number(power);
    return localText(plain.toStdString());
}

QString withSuffix(const QString& number, const QString& suffix) {
    return suffix.isEmpty() ? number : number + QChar(0x00a0) + suffix;
}

/// "20e9", "500e6", "20 000", "0.5": from a million on the exponent is that of a prefix.
QString inThousands(double value) {
    constexpr double kLeast = 1e6, kGrouped = 1e4;
    const double size = std::abs(value);
    if (size < kGrouped) return numberText(value, 'g', 6);
    if (size < kLeast) return countText(std::llround(value));
    const int power = 3 * static_cast<int>(std::floor(std::log10(size) / 3 + 1e-9));
    const QString plain =
        QString::number(value / std::pow(10.0, power), 'g', 6) + u'e' + QString::number(power);
    return localText(plain.toStdString());
}

QString asPower(double value, const Prefix& prefix, const QString& unit) {
    if (prefix.factor >= 1e18) return withSuffix(powerText(value), unit);
    return withSuffix(powerText(value / prefix.factor), QString::fromUtf8(prefix.sign) + unit);
}

QString withPrefix(double value, const Prefix& prefix, const QString& unit) {
    if (value == 0 && unit.isEmpty()) return QStringLiteral("0");  // not "0 k"
    if (needsPower(value, prefix)) return asPower(value, prefix, unit);
    return withSuffix(numberText(value / prefix.factor, 'g', 6), QString::fromUtf8(prefix.sign) + unit);
}

QVector<AxisTick> linearTicks(const AxisOptions& options, int most) {
    QVector<AxisTick> ticks;
    const Prefix prefix = prefixFor(std::max(std::abs(options.min), std::abs(options.max)), options.unit);
    // Round in what the labels say: steps of 1024 are round in KiB.
    const auto roundly = [&](double least) {
        return takesBinaryPrefixes(options.unit.toStdString())
                   ? roundStep(least / prefix.factor) * prefix.factor
                   : roundStep(least);
    };
    double step = roundly((options.max - options.min) / (most + 1));
    if (options.whole) step = std::max(step, 1.0);
    const auto count = [&](double width) {
        return std::floor(options.max / width * (1 + 1e-12)) - std::ceil(options.min / width * (1 - 1e-12)) +
               1;
    };
    // One tick says nothing about a scale: rather a few too many than a single one.
    while (count(step) > most && count(roundly(step * 1.5)) >= 2) step = roundly(step * 1.5);
    const auto first = static_cast<std::int64_t>(std::ceil(options.min / step - 1e-9));
    const auto last = static_cast<std::int64_t>(std::floor(options.max / step + 1e-9));
    for (std::int64_t index = first; index <= last; ++index)
        ticks.push_back({static_cast<double>(index) * step, {}});
    // One way to write numbers on an axis: not "5e−5" below "0.0001".
    const bool powers =
        std::ranges::any_of(ticks, [&](const AxisTick& tick) { return needsPower(tick.value, prefix); });
    for (AxisTick& tick : ticks)
        tick.label = options.thousands           ? inThousands(tick.value)
                     : powers && tick.value != 0 ? asPower(tick.value, prefix, options.unit)
                                                 : withPrefix(tick.value, prefix, options.unit);
    return ticks;
}

QVector<AxisTick> logTicks(const AxisOptions& options, int most) {
    QVector<AxisTick> ticks;
    const int first = static_cast<int>(std::ceil(std::log10(options.min) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(options.max) + 1e-9));
    const int decades = last - first + 1;
    // A diverged loss leaves the prefixes that people know behind, and a vanished gradient has none; then the
    // whole axis reads as powers, "1e−18, 1e0, 1e24".
    const auto isPower = [&](int power) {
        const double value = std::pow(10.0, power);
        return needsPower(value, prefixFor(value, options.unit));
    };
    const bool powers =
        (options.unit.isEmpty() && !options.prefixes && options.max > 1e9) || isPower(first) || isPower(last);
    const auto label = [&](double value) {
        return options.thousands ? inThousands(value)
               : powers          ? asPower(value, {1, ""}, options.unit)
                                 : tickLabel(value, options.unit);
    };
    if (decades >= 2) {
        const int stride = std::max(1, (decades + most - 1) / std::max(1, most));
        const bool between = decades * 3 <= most;
        for (int power = first; power <= last; ++power) {
            const double value = std::pow(10.0, power);
            const bool labelled = (power - first) % stride == 0;
            // Lines for each of very many decades would only be grey.
            if (labelled || decades <= 20) ticks.push_back({value, labelled ? label(value) : QString()});
            for (const double factor : {2.0, 5.0}) {
                if (between && factor * value <= options.max)
                    ticks.push_back({factor * value, label(factor * value)});
            }
        }
        return ticks;
    }
    for (int power = first - 1; power <= last; ++power) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double value = factor * std::pow(10.0, power);
            if (value >= options.min * (1 - 1e-9) && value <= options.max * (1 + 1e-9))
                ticks.push_back({value, label(value)});
        }
    }
    // Less than an octave or so: round linear steps say more than no tick at all.
    return ticks.size() >= 2 ? ticks : linearTicks(options, most);
}

}  // namespace

double roundStep(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    }
    return 10 * power;
}

AxisScale::AxisScale(const AxisOptions& options) : m_log(options.log) {
    m_low = m_log ? std::log10(options.min) : options.min;
    m_span = (m_log ? std::log10(options.max) : options.max) - m_low;
    if (!(std::isfinite(m_low) && std::isfinite(m_span) && m_span > 0)) {
        m_low = 0;
        m_span = 1;
    }
}

double AxisScale::toUnit(double value) const {
    return ((m_log ? (value > 0 ? std::log10(value) : std::nan("")) : value) - m_low) / m_span;
}

double AxisScale::fromUnit(double position) const {
    const double value = m_low + position * m_span;
    return m_log ? std::pow(10.0, value) : value;
}

QVector<AxisTick> axisTicks(const AxisOptions& options, int most) {
    const bool usable = std::isfinite(options.min) && std::isfinite(options.max) && options.max > options.min;
    if (!usable || most < 1 || (options.log && options.min <= 0)) return {};
    return options.log ? logTicks(options, most) : linearTicks(options, most);
}

QString tickLabel(double value, const QString& unit) {
    return withPrefix(value, value == 0 ? Prefix{1, ""} : prefixFor(value, unit), unit);
}

std::pair<double, double> niceRange(double low, double high, bool log, int ticks) {
    if (log)
        return {std::pow(10.0, std::floor(std::log10(low) + 1e-9)),
                std::pow(10.0, std::max(std::ceil(std::log10(high) - 1e-9),
                                        std::floor(std::log10(low) + 1e-9) + 1))};
    if (!(high > low)) high = low + (low == 0 ? 1 : std::abs(low));
    const double step = roundStep((high - low) / std::max(1, ticks - 1));
    return {std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step};
}

std::pair<double, double> withinDecade(double low, double high) {
    const double from = 10 / roundStep(10 / low);  // 1, 2 and 5 are the inverses of 10, 5 and 2
    return {from, std::max(roundStep(high), roundStep(from * 1.5))};
}

}  // namespace plumb::ui
