// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"

#include <QCoreApplication>
#include <QString>

#include <string_view>

namespace plumb::ui {

/// Core's texts are UTF-8.
[[nodiscard]] inline QString toText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Returns the translation of a text that is not in a class of Qt's.
[[nodiscard]] inline QString tr(const char* text) { return QCoreApplication::translate("plumb::ui", text); }

/// Returns the text with a capital first letter, as a sentence or a label begins.
[[nodiscard]] inline QString capitalised(QString text) {
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

[[nodiscard]] inline QString capitalised(std::string_view text) { return capitalised(toText(text)); }

/// As formatQuantity() writes it: "1.2 GB", "35 ms".
[[nodiscard]] inline QString quantityText(double value, std::string_view unit) {
    return toText(formatQuantity(value, unit));
}
/// "+2.4 MB", "−1.2 s", "0 B": a difference.
[[nodiscard]] inline QString signedQuantity(double value, std::string_view unit) {
    const QString size = quantityText(value < 0 ? -value : value, unit);
    return value == 0 ? size : (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + size;
}
[[nodiscard]] inline QString bytesText(Bytes bytes) { return quantityText(static_cast<double>(bytes), "B"); }

}  // namespace plumb::ui
