// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/finding_text.h"

#include "ui/theme/text.h"

#include <string>
#include <vector>

namespace plumb::ui {

QString amountText(const Amount& amount) { return toText(text(amount)); }

QString sentenceText(const Sentence& sentence) {
    std::vector<std::string> texts;
    for (const auto& argument : sentence.arguments)
        texts.push_back(std::holds_alternative<Amount>(argument)
                            ? text(std::get<Amount>(argument))
                            : coreText(std::get<std::string>(argument)).toStdString());
    return toText(filled(coreText(sentence.pattern).toStdString(), texts));
}

}  // namespace plumb::ui
