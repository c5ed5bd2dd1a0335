// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/finding_text.h"

#include "ui/theme/text.h"

#include <string>
#include <string_view>

namespace plumb::ui {

QString amountText(const Amount& amount) { return toText(text(amount)); }

QString sentenceText(const Sentence& sentence) {
    return toText(text(sentence, [](std::string_view english) { return coreText(english).toStdString(); }));
}

}  // namespace plumb::ui
