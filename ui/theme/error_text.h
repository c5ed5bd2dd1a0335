// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>

namespace plumb::ui {

/// What went wrong and what can be done, as a sentence in the language of the window: asSentence() of
/// core/base/sentence.h. Every error that the window shows is shown so.
[[nodiscard]] QString errorSentence(const Error& error);
/// The same of a text that is in the language of the window; one that is a sentence already stays. Its
/// numbers stay too.
[[nodiscard]] QString sentenceText(const QString& text);

}  // namespace plumb::ui
