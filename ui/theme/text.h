// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/number_style.h"
#include "core/base/quantity.h"
#include "core/machine/machine.h"
#include "core/machine/tier.h"

#include <QCoreApplication>
#include <QLocale>
#include <QString>

#include <algorithm>
#include <string>
#include <string_view>

namespace plumb::ui {

/// Core's texts are UTF-8.
[[nodiscard]] inline QString toText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// A text of core's for people in the language of the window (core/base/words.h): names, sentences,
/// explanations.
[[nodiscard]] QString coreText(std::string_view text);
/// Name of a device as the window shows it, whose cores are counted in words: "Xeon, 2 cores". Every name of
/// a device that is shown is asked for here; one that is stored or typed stays as it is.
[[nodiscard]] inline QString deviceText(std::string_view name) { return coreText(name); }
[[nodiscard]] inline QString deviceText(const Machine& machine) { return deviceText(machine.name); }
/// "calibrated", in the language of the window.
[[nodiscard]] inline QString tierText(Tier tier) { return coreText(tierName(tier)); }

/// Returns the translation of a text that is not in a class of Qt's.
[[nodiscard]] inline QString tr(const char* text) { return QCoreApplication::translate("plumb::ui", text); }

/// Returns the text with a capital first letter, as a sentence or a label begins, unless its first word is a
/// name: "fp32" has digits.
[[nodiscard]] inline QString capitalised(QString text) {
    const auto end = std::find(text.cbegin(), text.cend(), QLatin1Char(' '));
    const bool isName = std::any_of(text.cbegin(), end, [](QChar c) { return c.isDigit(); });
    if (!text.isEmpty() && !isName) text[0] = text[0].toUpper();
    return text;
}

[[nodiscard]] inline QString capitalised(std::string_view text) { return capitalised(toText(text)); }

/// Returns the text with places to break a line behind the marks between the parts of names, which may be
/// longer than a line: "void cutlass::Kernel2<...>". To look at, not to copy.
[[nodiscard]] inline QString breakable(QString text) {
    for (qsizetype i = text.size() - 2; i > 0; --i)
        if (QStringLiteral("_:<,(/").contains(text.at(i)) && !text.at(i + 1).isSpace())
            text.insert(i + 1, QChar(0x200b));
    return text;
}

/// Returns the text of a menu entry as it stands elsewhere: "Memory" of "&Memory", and of "显存(&M)", since a
/// language without letters names them in brackets.
[[nodiscard]] inline QString withoutMnemonic(QString text) {
    const qsizetype at = text.indexOf(QLatin1Char('&'));
    if (at > 0 && text.at(at - 1) == QLatin1Char('(') && at + 2 < text.size() &&
        text.at(at + 2) == QLatin1Char(')'))
        text.remove(at - 1, 4);
    return text.remove(QLatin1Char('&'));
}

/// As formatQuantity() writes it: "1.2 GB", "35 ms".
[[nodiscard]] inline QString quantityText(double value, std::string_view unit) {
    return toText(formatQuantity(value, unit));
}
/// A figure without unit, as QString::number() writes it but in the style of the window.
[[nodiscard]] inline QString numberText(double value, char format = 'g', int digits = 6) {
    return toText(localNumber(QString::number(value, format, digits).toStdString()));
}
/// A number as the program writes it, in the style of the window: "1.5 MB".
[[nodiscard]] inline QString localText(std::string_view plain) { return toText(localNumber(plain)); }
/// formatExact() with the mark of the style between groups: "61 859 B".
[[nodiscard]] inline QString exactText(std::int64_t value, std::string_view unit) {
    return toText(localGroups(formatExact(value, unit)));
}
/// A count with its digits in groups: "61 859".
[[nodiscard]] inline QString countText(std::int64_t value) { return exactText(value, ""); }
/// Numbers as the people of a locale write them: their decimal mark, thin spaces and a real minus sign.
[[nodiscard]] inline NumberStyle numberStyleOf(const QLocale& locale) {
    NumberStyle style;
    style.decimal = locale.decimalPoint() == QStringLiteral(",") ? "," : ".";
    style.minus = "−";
    style.shortExponents = true;
    return style;
}

/// "+2.4 MB", "−1.2 s", "0 B": a difference.
[[nodiscard]] inline QString signedQuantity(double value, std::string_view unit) {
    const QString size = quantityText(value < 0 ? -value : value, unit);
    return value == 0 ? size : (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + size;
}
/// "+2.4 %", "−12.0 %", from 1000 % on the ratio, "×158", "0 %": a / b − 1.
[[nodiscard]] QString relativeText(double share);
/// Losses, norms and ratios have no SI prefix: 0.0132, 3.1e-7; "not a number" and infinity in words and
/// signs.
[[nodiscard]] QString lossText(double loss, int digits = 3);
[[nodiscard]] inline QString bytesText(Bytes bytes) { return quantityText(static_cast<double>(bytes), "B"); }

}  // namespace plumb::ui
