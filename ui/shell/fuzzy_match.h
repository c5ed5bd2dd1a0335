// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace plumb::ui {

/// The words that were typed, split once for all texts that may answer them.
class FuzzyWords {
public:
    explicit FuzzyWords(const QString& wanted);

    /// How well `text` answers them: larger is better, empty when one of them is not in it. Words may stand
    /// in any order and any case. Best is a whole word, then the beginning of one, then a part of one, then
    /// its letters in order, if they begin a word ("exc" for "Export CSV"). A number is found as a whole one
    /// before it is found in another: "layer 3" is rather layer 3 than layer 23. Of texts that are as good,
    /// the shorter one.
    [[nodiscard]] std::optional<int> score(QStringView text) const;

private:
    QStringList m_words;
};

}  // namespace plumb::ui
