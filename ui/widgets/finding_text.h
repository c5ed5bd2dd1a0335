// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/findings/finding.h"

#include <QString>

namespace plumb::ui {

/// The number of a finding with its unit.
[[nodiscard]] QString amountText(const Amount& amount);
/// The sentence in the language of the window, its numbers as the window writes them.
[[nodiscard]] QString sentenceText(const Sentence& sentence);

}  // namespace plumb::ui
