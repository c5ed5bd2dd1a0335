// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace plumb::ui {

/// How well `text` answers what was typed: larger is better, empty when a word of `wanted` is not in it.
/// Words may stand in any order and any case. Best is a whole word, then the beginning of one, then a part of
/// one, then its letters in order, if they begin a word ("exc" for "Export CSV"). A number is found as a
/// whole one before it is found in another: "layer 3" is rather layer 3 than layer 23. Of texts that are as
/// good, the shorter one.
[[nodiscard]] std::optional<int> fuzzyScore(const QString& text, const QString& wanted);

}  // namespace plumb::ui
