// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/error_text.h"

#include "core/base/sentence.h"
#include "ui/theme/text.h"

namespace plumb::ui {

QString errorSentence(const Error& error) { return sentenceText(coreText(error.text())); }

QString sentenceText(const QString& text) { return toText(asSentence(text.toStdString())); }

}  // namespace plumb::ui
