// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history/history_entry.h"

#include <QDate>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace plumb::ui {

/// What the search field of the history asks for; all of it must hold.
///
/// Words, and texts in quotes, are found in title, device, tags, note, file, program, engine and outcome. A
/// name with a colon asks one field: tag: device: kind: program: engine: config: note: file: outcome: is:
/// (favourite, tagged, saved, running). on: after: before: take a day (2026-11-26), a month or a year. A
/// figure is compared: loss<0.1, time>=5ms, peak < 2 GiB; measured where it was measured, else predicted. A
/// minus in front of a term asks for those without it.
class HistoryQuery {
public:
    /// `today` is what "today" and "7d" count from.
    explicit HistoryQuery(const QString& text = {}, const QDate& today = QDate::currentDate());

    [[nodiscard]] bool isEmpty() const { return m_terms.empty() && m_problem.isEmpty(); }
    [[nodiscard]] bool matches(const HistoryEntry& entry) const;
    /// What of the text is not understood, as a sentence without a full stop; empty: all is. Such a term is
    /// not asked for.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    /// The whole text with what is near in the place of that; empty: nothing is.
    [[nodiscard]] const QString& correction() const { return m_correction; }

private:
    enum class Field : std::uint8_t {
        Any,
        Tag,
        Device,
        Kind,
        Program,
        Engine,
        Config,
        Note,
        File,
        Outcome,
        Is,
        On,
        After,
        Before,
        Figure
    };
    enum class Relation : std::uint8_t { Less, AtMost, Equal, AtLeast, More };
    struct Term {
        Field field = Field::Any;
        bool isNegated = false;
        QString text;
        const HistoryFigureSpec* figure = nullptr;
        Relation relation = Relation::Equal;
        double number = 0;
        QDate first, last;  ///< days of a period, both included
    };
    struct FieldName {
        const char* name;
        Field field;
    };
    struct Word {
        QString text;
        bool isQuoted = false;  ///< in part at least
    };
    static const std::vector<FieldName>& fieldNames();
    [[nodiscard]] static std::vector<Word> split(const QString& text);
    /// Why a word is no text that anybody seeks; empty: it may be one.
    [[nodiscard]] static QString problemOf(const QString& word);
    [[nodiscard]] static QStringList knownFields();
    [[nodiscard]] static bool holds(const Term& term, const HistoryEntry& entry);
    [[nodiscard]] static bool compares(const Term& term, const HistoryEntry& entry);
    void add(const Word& word, const QDate& today);
    /// False: the word compares no figure.
    [[nodiscard]] bool addFigure(const QString& word, bool isNegated);
    void addField(Field field, const QString& name, const QString& value, bool isNegated, const QDate& today);
    void setProblem(const QString& problem);
    /// That `word`, which stands between these in the text, is none of the known ones.
    void setProblem(const QString& problem, const QString& word, const QStringList& known,
                    const QString& before, const QString& behind);

    QString m_text;
    std::vector<Term> m_terms;
    QString m_problem;
    QString m_correction;
};

/// The days that a text means: "2026-11-26", "2026-11", "2026", "today", "7d" (the last seven days). Empty
/// for another text.
[[nodiscard]] std::optional<std::pair<QDate, QDate>> daysOf(const QString& text, const QDate& today);

}  // namespace plumb::ui
