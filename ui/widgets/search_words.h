// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>

namespace plumb::ui {

/// What was typed to find something: words that must all be there, in any order and any case. A number is
/// found as a whole number only, so that "layer 3" is not layer 23.
class SearchWords {
public:
    explicit SearchWords(const QString& text);
    [[nodiscard]] bool isEmpty() const { return m_words.isEmpty(); }

    /// A set of words, by their places. More than 64 words are one too many: the rest is not looked for.
    using Found = std::uint64_t;
    [[nodiscard]] Found in(const QString& text) const;  ///< those that `text` has
    [[nodiscard]] bool areAll(Found found) const;
    /// Only those that are no mere number: identifiers have numbers that nobody means.
    [[nodiscard]] Found namesIn(const QString& identifier) const;

private:
    [[nodiscard]] static bool isNumber(const QString& word);

    QStringList m_words;
};

/// `text` with the known word that somebody meant in the place of `word`, which stands between these two
/// there; empty: none is near.
[[nodiscard]] QString corrected(const QString& text, const QString& word, const QStringList& known,
                                const QString& before = {}, const QString& behind = {});

}  // namespace plumb::ui
