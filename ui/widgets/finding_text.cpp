// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/finding_text.h"

#include "ui/theme/text.h"

#include <QCoreApplication>

namespace plumb::ui {

QString amountText(const Amount& amount) { return toText(text(amount)); }

QString sentenceText(const Sentence& sentence) {
    const std::string pattern(sentence.pattern);
    const QString translated = QCoreApplication::translate("plumb::Finding", pattern.c_str());
    std::vector<std::string> texts;
    for (const auto& argument : sentence.arguments)
        texts.push_back(std::holds_alternative<Amount>(argument)
                            ? amountText(std::get<Amount>(argument)).toStdString()
                            : std::get<std::string>(argument));
    return toText(filled(translated.toStdString(), texts));
}

}  // namespace plumb::ui
