// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>

namespace plumb::ui {

/// What went wrong and what can be done, as a sentence in the language of the window: asSentence() of
/// core/base/sentence.h, with its counts in groups. Every error that the window shows is shown so.
[[nodiscard]] QString errorSentence(const Error& error);
/// The same of a text that is in the language of the window; one that is a sentence already stays. Its
/// numbers stay too.
[[nodiscard]] QString sentenceText(const QString& text);

/// A sentence of core's, as the window shows it, with groups in its counts: "at most 61 859". `english` is
/// the sentence before it was told in the window's language. A count is a number of five to eighteen digits
/// that stands by itself, not in quotes, nor behind a path or a word for what is no count ("version 12080");
/// digits that are part of anything longer, such as a name, a fraction or a code, are none.
[[nodiscard]] QString withGroupedCounts(const QString& told, const std::string& english);

}  // namespace plumb::ui
