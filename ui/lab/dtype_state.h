// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/number_format.h"
#include "ui/theme/theme.h"

#include <QString>

#include <optional>
#include <vector>

namespace plumb::ui {

/// How one format stores the value, ready to be shown.
struct DtypeRow {
    NumberFormat format;
    StoredNumber stored;
    QString code;          ///< "0x2E66"
    QString value;         ///< "0.0999755859375"
    QString error;         ///< "−2.44e-05"; "0" when it is exact
    QString relative;      ///< "0.0244 %"; "–" where it has no meaning
    QString below, above;  ///< the neighbouring numbers, rounded, "–" at the ends
    QString verdict;       ///< what happened, in words: "underflow: becomes 0"
    ColorRole tone{};      ///< tone of the verdict
    QString range;         ///< tool tip of the name: limits of the format
};

/// Code that the user chose bit by bit: kept as it is, though another code may mean the same (NaN, −0).
struct PinnedCode {
    std::size_t format = 0;  ///< index into numberFormats()
    std::uint64_t code = 0;
    bool operator==(const PinnedCode&) const = default;
};

/// What was put in: a number as typed, or a code.
struct DtypeInput {
    QString text = QStringLiteral("0.1");
    std::optional<PinnedCode> pinned;
    bool operator==(const DtypeInput&) const = default;
};

/// Everything that the page of number formats shows of one value.
struct DtypeState {
    double value = 0;
    QString exact;  ///< what fp64 makes of the text, with every digit; empty when that is the text
    std::vector<DtypeRow> rows;
};
/// Errors: BadInput with the text.
[[nodiscard]] Result<DtypeState> makeDtypeState(const DtypeInput& input);

/// The input after bit `bit` (0 is the lowest) of a row was turned over.
[[nodiscard]] DtypeInput withFlippedBit(const DtypeState& state, std::size_t row, int bit);
/// The input whose code in a row is this.
[[nodiscard]] DtypeInput withCode(std::size_t row, std::uint64_t code);

/// What a bit is worth: "exponent bit 3: 8 of the exponent 11 − 15 = −4".
[[nodiscard]] QString bitHelp(const NumberFormat& format, std::uint64_t code, int bit);
/// "exact", "underflow: becomes 0"; with the colour that it is said in.
[[nodiscard]] QString verdictText(const StoredNumber& stored);
[[nodiscard]] ColorRole verdictTone(Fate fate);

/// The table as text with tabs between the columns, for the clipboard.
[[nodiscard]] QString dtypeTableText(const DtypeState& state);

/// A value worth looking at, and why.
struct DtypePreset {
    const char* text;
    const char* why;  ///< to be translated
};
[[nodiscard]] const std::vector<DtypePreset>& dtypePresets();

/// lab::numberText() for widgets.
[[nodiscard]] QString labNumber(double number);
[[nodiscard]] QString labNumber(const std::optional<double>& number);

}  // namespace plumb::ui
