// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_query.h"

#include "core/base/quantity.h"
#include "core/base/typed_number.h"
#include "ui/theme/error_text.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/search_words.h"

#include <QDateTime>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

constexpr std::size_t kMostTerms = 64;

bool has(const QString& text, const QString& part) { return text.contains(part, Qt::CaseInsensitive); }

bool hasTag(const HistoryEntry& entry, const QString& tag) {
    return std::ranges::any_of(
        entry.tags, [&](const QString& own) { return own.compare(tag, Qt::CaseInsensitive) == 0; });
}

enum class State : std::uint8_t { Favourite, Tagged, Saved, Running };
struct StateName {
    const char* name;
    State state;
};
constexpr std::array kStateNames{
    StateName{"favourite", State::Favourite}, StateName{"favorite", State::Favourite},
    StateName{"starred", State::Favourite},   StateName{"tagged", State::Tagged},
    StateName{"saved", State::Saved},         StateName{"running", State::Running}};

std::optional<State> stateOf(const QString& text) {
    for (const StateName& name : kStateNames)
        if (text.compare(QLatin1String(name.name), Qt::CaseInsensitive) == 0) return name.state;
    return std::nullopt;
}

bool isInState(const HistoryEntry& entry, State state) {
    switch (state) {
    case State::Favourite:
        return entry.isFavourite;
    case State::Tagged:
        return !entry.tags.isEmpty();
    case State::Saved:
        return !entry.path.isEmpty();
    case State::Running:
        return entry.ended == 0;
    }
    return false;
}

bool isAnywhere(const HistoryEntry& entry, const QString& text) {
    for (const QString* field : {&entry.title, &entry.device, &entry.note, &entry.path, &entry.program,
                                 &entry.engine, &entry.outcome})
        if (has(*field, text)) return true;
    return has(historyKindWord(entry.kind), text) || has(historyKindTitle(entry.kind), text) ||
           std::ranges::any_of(entry.tags, [&](const QString& tag) { return has(tag, text); });
}

const QRegularExpression& comparison() {
    static const QRegularExpression kComparison(QStringLiteral("^([A-Za-z_]+)(<=|>=|<|>|=|≤|≥)(.*)$"));
    return kComparison;
}

/// Whether a word alone is a unit of some figure: "GiB", "ms", "%".
bool isUnit(const QString& word) {
    static const QRegularExpression kLetters(QStringLiteral("^[A-Za-zµμ%][A-Za-z/%]*$"));
    return kLetters.match(word).hasMatch() &&
           std::ranges::any_of(historyFigures(), [&](const HistoryFigureSpec& spec) {
               return parseQuantity(QStringLiteral("1%1").arg(word).toStdString(), spec.unit).has_value();
           });
}

/// Whether two words are parts of one comparison: "loss" and "<0.1", "loss<" and "0.1", "peak<2" and "GiB",
/// "samples>1" and "000".
bool areOneComparison(QString first, const QString& second) {
    static const QRegularExpression kName(QStringLiteral("^[A-Za-z_]+$")), kSign(QStringLiteral("^[<>=≤≥]")),
        kGroups(QStringLiteral("^\\d{1,3}(\\d{3})*$")), kGroup(QStringLiteral("^\\d{3}([A-Za-zµμ%].*)?$"));
    if (first.startsWith(u'-')) first.remove(0, 1);
    if (kName.match(first).hasMatch()) return kSign.match(second).hasMatch();
    const auto match = comparison().match(first);
    if (!match.hasMatch() || second.contains(u':')) return false;
    const QString value = match.captured(3);
    if (value.isEmpty()) return true;
    if (historyFigure(match.captured(1)) == nullptr) return false;
    if (kGroups.match(value).hasMatch() && kGroup.match(second).hasMatch()) return true;
    return value.back().isDigit() && isUnit(second);
}

}  // namespace

std::optional<std::pair<QDate, QDate>> daysOf(const QString& text, const QDate& today) {
    static const QRegularExpression kDays(QStringLiteral("^(\\d{1,5})d$"));
    if (text == QLatin1String("today")) return std::pair(today, today);
    if (text == QLatin1String("yesterday")) return std::pair(today.addDays(-1), today.addDays(-1));
    if (const auto days = kDays.match(text); days.hasMatch())
        return std::pair(today.addDays(1 - std::max(1, days.captured(1).toInt())), today);
    if (const QDate day = QDate::fromString(text, QStringLiteral("yyyy-M-d")); day.isValid())
        return std::pair(day, day);
    if (const QDate month = QDate::fromString(text, QStringLiteral("yyyy-M")); month.isValid())
        return std::pair(month, month.addMonths(1).addDays(-1));
    if (const QDate year = QDate::fromString(text, QStringLiteral("yyyy")); year.isValid())
        return std::pair(year, year.addYears(1).addDays(-1));
    return std::nullopt;
}

const std::vector<HistoryQuery::FieldName>& HistoryQuery::fieldNames() {
    static const std::vector<FieldName> kNames{
        {"tag", Field::Tag},         {"device", Field::Device}, {"kind", Field::Kind},
        {"program", Field::Program}, {"engine", Field::Engine}, {"config", Field::Config},
        {"note", Field::Note},       {"file", Field::File},     {"outcome", Field::Outcome},
        {"is", Field::Is},           {"on", Field::On},         {"after", Field::After},
        {"before", Field::Before}};
    return kNames;
}

HistoryQuery::HistoryQuery(const QString& text, const QDate& today) : m_text(text) {
    std::vector<Word> words = split(text);
    if (words.size() > kMostTerms) words.resize(kMostTerms);
    for (const Word& word : words) add(word, today);
}

// Words at blanks, but for those inside quotes, which go, and those inside a comparison; a quote that is
// never closed lasts to the end.
std::vector<HistoryQuery::Word> HistoryQuery::split(const QString& text) {
    std::vector<Word> words;
    Word word;
    const auto end = [&] {
        if (!words.empty() && !word.isQuoted && !words.back().isQuoted && words.size() <= kMostTerms &&
            areOneComparison(words.back().text, word.text))
            words.back().text += word.text;
        else if (!word.text.isEmpty())
            words.push_back(word);
        word = {};
    };
    bool isInQuotes = false;
    for (const QChar sign : text) {
        if (sign == u'"') {
            isInQuotes = !isInQuotes;
            word.isQuoted = true;
        } else if (sign.isSpace() && !isInQuotes) {
            end();
        } else {
            word.text += sign;
        }
    }
    end();
    return words;
}

void HistoryQuery::setProblem(const QString& problem) {
    if (m_problem.isEmpty()) m_problem = problem;
}

void HistoryQuery::setProblem(const QString& problem, const QString& word, const QStringList& known,
                              const QString& before, const QString& behind) {
    const bool isFirst = m_problem.isEmpty();
    setProblem(problem);
    if (isFirst) m_correction = corrected(m_text, word, known, before, behind);
}

QStringList HistoryQuery::knownFields() {
    QStringList known;
    for (const FieldName& one : fieldNames()) known << QLatin1String(one.name);
    return known;
}

void HistoryQuery::add(const Word& word, const QDate& today) {
    const bool isNegated = word.text.size() > 1 && word.text.startsWith(u'-');
    const QString rest = isNegated ? word.text.mid(1) : word.text;
    const bool isText = word.isQuoted && historyFigure(comparison().match(rest).captured(1)) == nullptr;
    if (!isText && addFigure(rest, isNegated)) return;
    if (const qsizetype colon = rest.indexOf(u':'); colon > 0) {
        const QString name = rest.left(colon).toLower();
        for (const FieldName& field : fieldNames())
            if (name == QLatin1String(field.name))
                return addField(field.field, name, rest.mid(colon + 1), isNegated, today);
    }
    if (!word.isQuoted)
        if (const QString problem = problemOf(rest); !problem.isEmpty())
            return setProblem(problem, rest.section(u':', 0, 0), knownFields(), {}, QStringLiteral(":"));
    Term term;
    term.isNegated = isNegated;
    term.text = rest;
    m_terms.push_back(term);
}

// What somebody meant by a sign that makes no term; such a text is found in quotes.
QString HistoryQuery::problemOf(const QString& word) {
    static const QRegularExpression kSigns(QStringLiteral("[<>=≤≥]")),
        kField(QStringLiteral("^([A-Za-z_]+):.*$"));
    if (const auto field = kField.match(word); field.hasMatch()) {
        const QString name = field.captured(1);
        if (historyFigure(name) != nullptr)
            return tr("The figure %1 is compared by a sign, such as %1<5, and not by a colon").arg(name);
        return tr("No field is called %1: there are %2; a text with a colon stands in quotes")
            .arg(name, listText(knownFields()));
    }
    if (word.contains(kSigns))
        return tr("No figure is compared in \"%1\", as it is in loss<0.1; a text with such a sign stands in "
                  "quotes")
            .arg(word);
    return {};
}

bool HistoryQuery::addFigure(const QString& word, bool isNegated) {
    const auto match = comparison().match(word);
    if (!match.hasMatch()) return false;
    Term term;
    term.field = Field::Figure;
    term.isNegated = isNegated;
    term.figure = historyFigure(match.captured(1));
    if (term.figure == nullptr) {
        QStringList known;
        for (const HistoryFigureSpec& spec : historyFigures()) known << QLatin1String(spec.shortName);
        setProblem(tr("No figure is called %1; there are %2").arg(match.captured(1), listText(known)),
                   match.captured(1), known, {}, match.captured(2));
        return true;
    }
    const QString sign = match.captured(2);
    term.relation = sign == u"<"                    ? Relation::Less
                    : sign == u">"                  ? Relation::More
                    : sign == u"<=" || sign == u"≤" ? Relation::AtMost
                    : sign == u">=" || sign == u"≥" ? Relation::AtLeast
                                                    : Relation::Equal;
    const auto read = [&](const std::string& plain) { return parseQuantity(plain, term.figure->unit); };
    const Result<std::string> plain = oneNumber(
        match.captured(3).toStdString(), [&](const std::string& one) { return read(one).has_value(); });
    if (!plain.has_value()) {
        setProblem(errorSentence(plain.error()));
        return true;
    }
    const Result<double> number = read(*plain);
    if (!number.has_value()) {
        setProblem(tr("%1 needs a number behind %2, such as %3")
                       .arg(match.captured(1), sign, historyFigureText(*term.figure, 2)));
        return true;
    }
    term.number = *number;
    m_terms.push_back(term);
    return true;
}

void HistoryQuery::addField(Field field, const QString& name, const QString& value, bool isNegated,
                            const QDate& today) {
    Term term;
    term.field = field;
    term.isNegated = isNegated;
    term.text = value;
    if (value.isEmpty()) return setProblem(tr("%1: needs a value behind the colon").arg(name));
    if (field == Field::On || field == Field::After || field == Field::Before) {
        const auto days = daysOf(value.toLower(), today);
        if (!days)
            return setProblem(
                tr("%1: takes a day such as 2026-11-26, a month, a year, today or 7d").arg(name));
        std::tie(term.first, term.last) = *days;
    }
    if (field == Field::Kind && !historyKindOf(value))
        return setProblem(tr("kind: takes training, profile or curve"), value,
                          {historyKindWord(HistoryKind::Training), historyKindWord(HistoryKind::Profile),
                           historyKindWord(HistoryKind::Curve)},
                          QStringLiteral("kind:"), {});
    if (field == Field::Is && !stateOf(value))
        return setProblem(tr("is: takes favourite, tagged, saved or running"), value,
                          {QStringLiteral("favourite"), QStringLiteral("tagged"), QStringLiteral("saved"),
                           QStringLiteral("running")},
                          QStringLiteral("is:"), {});
    m_terms.push_back(term);
}

bool HistoryQuery::compares(const Term& term, const HistoryEntry& entry) {
    const QString name = QString::fromLatin1(term.figure->name);
    const HistoryFigure* figure = entry.figure(name, true);
    if (figure == nullptr) figure = entry.figure(name, false);
    if (figure == nullptr) return false;
    switch (term.relation) {
    case Relation::Less:
        return figure->value < term.number;
    case Relation::AtMost:
        return figure->value <= term.number;
    case Relation::Equal:
        return qFuzzyCompare(figure->value, term.number);
    case Relation::AtLeast:
        return figure->value >= term.number;
    case Relation::More:
        return figure->value > term.number;
    }
    return false;
}

bool HistoryQuery::holds(const Term& term, const HistoryEntry& entry) {
    const QDate day = QDateTime::fromMSecsSinceEpoch(entry.began).date();
    switch (term.field) {
    case Field::Any:
        return isAnywhere(entry, term.text);
    case Field::Tag:
        return hasTag(entry, term.text);
    case Field::Device:
        return has(entry.device, term.text) || has(entry.deviceId, term.text);
    case Field::Kind:
        return historyKindOf(term.text) == entry.kind;
    case Field::Program:
        return has(entry.program, term.text);
    case Field::Engine:
        return has(entry.engine, term.text);
    case Field::Config:
        return entry.configKey.startsWith(term.text, Qt::CaseInsensitive);
    case Field::Note:
        return has(entry.note, term.text);
    case Field::File:
        return has(entry.path, term.text);
    case Field::Outcome:
        return has(entry.outcome, term.text);
    case Field::Is:
        return isInState(entry, *stateOf(term.text));
    case Field::On:
        return term.first <= day && day <= term.last;
    case Field::After:
        return day >= term.first;
    case Field::Before:
        return day < term.first;
    case Field::Figure:
        return compares(term, entry);
    }
    return false;
}

bool HistoryQuery::matches(const HistoryEntry& entry) const {
    return std::ranges::all_of(m_terms,
                               [&](const Term& term) { return holds(term, entry) != term.isNegated; });
}

}  // namespace plumb::ui
