// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/dtype_state.h"

#include "core/base/quantity.h"
#include "core/base/typed_number.h"
#include "core/lab/format_text.h"
#include "ui/theme/text.h"

#include <QCoreApplication>
#include <QStringList>

#include <fmt/format.h>

#include <cmath>

namespace plumb::ui {
namespace {

constexpr int kGivenBits = 64;  ///< of the format that a typed number is read into

/// An error with three digits; a minus sign that cannot be taken for a hyphen.
QString shortNumber(double number) {
    if (number == 0) return QStringLiteral("0");
    if (!std::isfinite(number)) return labNumber(number);
    const QString size = localText(fmt::format("{:.3g}", std::fabs(number)));
    return (number < 0 ? QStringLiteral("−") : QStringLiteral("+")) + size;
}

QString relativeText(const std::optional<double>& relative) {
    if (!relative || !std::isfinite(*relative)) return QStringLiteral("–");
    if (*relative == 0) return QStringLiteral("0");
    const double percent = std::fabs(*relative) * 100;
    return percent >= 0.01 ? localText(fmt::format("{:.3g} %", percent))
                           : localText(fmt::format("{:.2e}", std::fabs(*relative)));
}

QString rangeText(const NumberFormat& format) {
    QString text = tr("%1: %2 bits: 1 sign, %3 exponent (bias %4), %5 mantissa\nlargest %6\nleast normal %7\n"
                      "least subnormal %8\nfrom 1 to the next number %9")
                       .arg(coreText(format.label))
                       .arg(format.bits())
                       .arg(format.exponentBits)
                       .arg(format.bias)
                       .arg(format.mantissaBits)
                       .arg(labNumber(format.largest()), labNumber(format.leastNormal()),
                            labNumber(format.leastSubnormal()), labNumber(format.epsilon()));
    if (format.storedBits != format.bits()) text += tr("\nstored in %1 bits").arg(format.storedBits);
    if (format.special == SpecialCodes::NanOnly) text += tr("\nno infinity; one NaN per sign");
    if (format.special == SpecialCodes::None)
        text += tr("\nneither infinity nor NaN: what is too large becomes the largest number");
    return text;
}

/// As few digits as tell the numbers apart, but no fewer than five.
int digitsApart(const StoredNumber& stored) {
    constexpr int kFewest = 5;
    constexpr int kMost = 17;
    const auto text = [](double number, int digits) { return fmt::format("{:.{}g}", number, digits); };
    for (int digits = kFewest; digits < kMost; ++digits) {
        const std::string middle = text(stored.value, digits);
        const bool apart = (!stored.below || text(*stored.below, digits) != middle) &&
                           (!stored.above || text(*stored.above, digits) != middle);
        if (apart) return digits;
    }
    return kMost;
}

QString neighbourText(const std::optional<double>& number, int digits) {
    if (!number || !std::isfinite(*number)) return labNumber(number);
    return localText(fmt::format("{:.{}g}", *number, digits));
}

DtypeRow makeRow(const NumberFormat& format, const StoredNumber& stored) {
    DtypeRow row{.format = format,
                 .stored = stored,
                 .code = toText(lab::codeText(format, stored.code)),
                 .value = labNumber(stored.value),
                 .error = std::isnan(stored.error) ? QStringLiteral("–") : shortNumber(stored.error),
                 .relative = relativeText(stored.relativeError)};
    const int digits = digitsApart(stored);
    row.below = neighbourText(stored.below, digits);
    row.above = neighbourText(stored.above, digits);
    row.verdict = verdictText(stored);
    row.tone = verdictTone(stored.fate);
    row.range = rangeText(format);
    return row;
}

}  // namespace

QString labNumber(double number) { return localText(lab::numberText(number)); }
QString labNumber(const std::optional<double>& number) {
    return number ? labNumber(*number) : QStringLiteral("–");
}

QString verdictText(const StoredNumber& stored) {
    switch (stored.fate) {
    case Fate::Exact:
        return tr("exact");
    case Fate::Rounded:
        return tr("rounded");
    case Fate::Subnormal:
        return tr("subnormal: fewer bits");
    case Fate::Underflow:
        return tr("underflow: becomes 0");
    case Fate::Overflowed:
        return std::isnan(stored.value) ? tr("overflow: becomes NaN") : tr("overflow: becomes infinity");
    case Fate::Saturated:
        return tr("overflow: saturates");
    case Fate::NotANumber:
        return tr("not a number");
    }
    return {};
}

ColorRole verdictTone(Fate fate) {
    switch (fate) {
    case Fate::Exact:
        return ColorRole::Good;
    case Fate::Rounded:
        return ColorRole::TextMuted;
    case Fate::Subnormal:
    case Fate::NotANumber:
        return ColorRole::Warning;
    case Fate::Underflow:
    case Fate::Overflowed:
    case Fate::Saturated:
        return ColorRole::Bad;
    }
    return ColorRole::Text;
}

Result<DtypeState> makeDtypeState(const DtypeInput& input) {
    DtypeState state;
    const auto formats = numberFormats();
    if (input.pinned) {
        state.value = valueOf(formats[input.pinned->format], input.pinned->code);
    } else {
        PLUMB_TRY(state.value, parseTyped(input.text.toStdString(),
                                          [](const std::string& plain) { return parseNumber(plain); }));
        const QString exact = toText(lab::exactText(state.value));
        if (std::isfinite(state.value) && exact != input.text.trimmed()) state.exact = exact;
    }
    for (std::size_t i = 0; i < formats.size(); ++i) {
        StoredNumber stored = store(formats[i], state.value);
        if (input.pinned && input.pinned->format == i) {
            stored.code = input.pinned->code;
            stored.value = state.value;
        }
        DtypeRow row = makeRow(formats[i], stored);
        // What was typed is no number of fp64 itself, and the errors of all formats are those of that one.
        if (!state.exact.isEmpty() && formats[i].bits() == kGivenBits && stored.fate == Fate::Exact) {
            row.error = row.relative = QStringLiteral("–");
            row.verdict = tr("errors count from it");
            row.tone = ColorRole::TextMuted;
        }
        state.rows.push_back(std::move(row));
    }
    return state;
}

DtypeInput withCode(std::size_t row, std::uint64_t code) {
    const double value = valueOf(numberFormats()[row], code);
    return {toText(fmt::format("{}", value)), PinnedCode{row, code}};
}

DtypeInput withFlippedBit(const DtypeState& state, std::size_t row, int bit) {
    return withCode(row, state.rows[row].stored.code ^ (std::uint64_t{1} << static_cast<unsigned>(bit)));
}

QString bitHelp(const NumberFormat& format, std::uint64_t code, int bit) {
    const bool on = ((code >> static_cast<unsigned>(bit)) & 1U) != 0;
    const int exponentMask = (1 << format.exponentBits) - 1;
    const int biased = static_cast<int>(code >> static_cast<unsigned>(format.mantissaBits)) & exponentMask;
    if (bit == format.bits() - 1) return on ? tr("sign: negative") : tr("sign: positive");
    const bool special = biased == exponentMask && format.special == SpecialCodes::Ieee;
    if (bit >= format.mantissaBits) {
        const QString what =
            special       ? tr("all ones: infinity or NaN")
            : biased == 0 ? tr("all zeros: subnormal, 2^%1").arg(1 - format.bias)
                          : tr("%1 − bias %2: 2^%3").arg(biased).arg(format.bias).arg(biased - format.bias);
        return tr("exponent bit worth %1\n%2").arg(1 << (bit - format.mantissaBits)).arg(what);
    }
    if (special) return tr("mantissa bit: not all zeros mean NaN");
    const int power = std::max(biased, 1) - format.bias - format.mantissaBits + bit;
    return tr("mantissa bit worth 2^%1 = %2").arg(power).arg(labNumber(std::ldexp(1.0, power)));
}

QString dtypeTableText(const DtypeState& state) {
    QStringList lines{QStringList{tr("format"), tr("sign exponent mantissa"), tr("code"), tr("stored"),
                                  tr("error"), tr("relative error"), tr("below"), tr("above"),
                                  tr("what happened")}
                          .join(QLatin1Char('\t'))};
    for (const DtypeRow& row : state.rows)
        lines << QStringList{coreText(row.format.label),
                             toText(lab::bitsText(row.format, row.stored.code)),
                             row.code,
                             row.value,
                             row.error,
                             row.relative,
                             labNumber(row.stored.below),
                             labNumber(row.stored.above),
                             row.verdict}
                     .join(QLatin1Char('\t'));
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

const std::vector<DtypePreset>& dtypePresets() {
    static const std::vector<DtypePreset> presets{
        {"0.1", QT_TRANSLATE_NOOP("plumb::ui", "exact in no binary format")},
        {"1/3", QT_TRANSLATE_NOOP("plumb::ui", "a mantissa that never ends")},
        {"1e-8", QT_TRANSLATE_NOOP("plumb::ui", "a small gradient: zero in fp16, kept in bf16")},
        {"70000", QT_TRANSLATE_NOOP("plumb::ui", "a large activation: infinity in fp16")},
        {"65504", QT_TRANSLATE_NOOP("plumb::ui", "the largest number of fp16")},
        {"448", QT_TRANSLATE_NOOP("plumb::ui", "the largest number of fp8 E4M3")},
        {"257", QT_TRANSLATE_NOOP("plumb::ui", "the first whole number that bf16 does not have")},
        {"16777217", QT_TRANSLATE_NOOP("plumb::ui", "the first whole number that fp32 does not have")},
        {"6e-8", QT_TRANSLATE_NOOP("plumb::ui", "near the least subnormal number of fp16")},
        {"inf", QT_TRANSLATE_NOOP("plumb::ui", "infinity: fp8 E4M3, fp6 and fp4 have none")},
        {"nan", QT_TRANSLATE_NOOP("plumb::ui", "not a number: fp6 and fp4 have none")}};
    return presets;
}

}  // namespace plumb::ui
