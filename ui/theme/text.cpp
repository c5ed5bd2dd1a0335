// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/text.h"

#include "core/base/words.h"
#include "ui/theme/error_text.h"

namespace plumb::ui {

QString coreText(std::string_view text) { return toText(inWords(text)); }

QString errorText(const Error& error) {
    const QString text = coreText(error.text());
    // A path has no capital to begin with.
    return text.startsWith(QLatin1Char('/')) ? tr("The file %1").arg(text) : capitalised(text);
}

QString errorSentence(const Error& error) {
    const QString text = errorText(error);
    const bool hasStop = text.endsWith(QLatin1Char('.')) || text.endsWith(QChar(0x3002));
    return hasStop ? text : tr("%1.").arg(text);
}

}  // namespace plumb::ui
