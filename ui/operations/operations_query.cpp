// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_query.h"

#include "core/base/entry_at.h"
#include "core/base/typed_number.h"
#include "ui/operations/operations_format.h"
#include "ui/theme/error_text.h"
#include "ui/theme/list_text.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace plumb::ui {

namespace {

using operations::Text;

/// A figure that can be compared, as it is called in a filter.
struct FilterKey {
    const char* name;
    std::optional<OperationColumn> column;  ///< absent: measured time, or else predicted
    const char* unit;
    const char* example;
};
/// Those that are told when a name is none of them come first, up to "roof".
constexpr std::array kFilterKeys{
    FilterKey{"time", std::nullopt, "s", "time>1ms"},
    FilterKey{"measured", OperationColumn::Measured, "s", "measured>1ms"},
    FilterKey{"predicted", OperationColumn::Predicted, "s", "predicted>1ms"},
    FilterKey{"flop", OperationColumn::Flops, "FLOP", "flop>1G"},
    FilterKey{"bytes", OperationColumn::Bytes, "B", "bytes>1MB"},
    FilterKey{"intensity", OperationColumn::Intensity, "", "intensity<50"},
    FilterKey{"difference", OperationColumn::Difference, "%", "difference>20%"},
    FilterKey{"rate", OperationColumn::Rate, "FLOP/s", "rate<10GFLOP/s"},
    FilterKey{"bandwidth", OperationColumn::Bandwidth, "B/s", "bandwidth>10GB/s"},
    FilterKey{"roof", OperationColumn::OfRoof, "%", "roof<50%"},
    FilterKey{"flops", OperationColumn::Flops, "FLOP", "flop>1G"},
    FilterKey{"executed", OperationColumn::Executed, "FLOP", "executed>1G"},
    FilterKey{"dram", OperationColumn::DramBytes, "B", "dram>1MB"},
    FilterKey{"l2", OperationColumn::L2Bytes, "B", "l2>1MB"},
    FilterKey{"l1", OperationColumn::L1Bytes, "B", "l1>1MB"},
};
constexpr std::size_t kToldKeys = 10;
constexpr std::array kFilterBounds{Bound::Compute, Bound::Memory, Bound::Overhead};

const FilterKey* filterKey(const QString& name) {
    const auto* const found = std::ranges::find_if(kFilterKeys, [&](const FilterKey& key) {
        return name.compare(QLatin1String(key.name), Qt::CaseInsensitive) == 0;
    });
    return found == kFilterKeys.end() ? nullptr : found;
}

/// The figure that a limit without a name is of: its unit says so.
const FilterKey* keyOfUnit(const QString& number) {
    constexpr std::array<std::pair<const char*, const char*>, 6> kEnds{{{"flop/s", "rate"},
                                                                        {"b/s", "bandwidth"},
                                                                        {"flop", "flop"},
                                                                        {"b", "bytes"},
                                                                        {"s", "time"},
                                                                        {"%", "roof"}}};
    for (const auto& [end, name] : kEnds)
        if (number.endsWith(QLatin1String(end), Qt::CaseInsensitive)) return filterKey(QLatin1String(name));
    return nullptr;
}

QString commaList(const QStringList& words) { return listText(words); }

bool startsAlike(const QString& text, const QString& start) {
    return text.startsWith(start, Qt::CaseInsensitive);
}

QString boundWord(Bound bound) {
    const auto name = boundName(bound);
    return toText(name);
}

}  // namespace

/// Takes a text apart, term by term.
class OperationsQuery::Reader {
public:
    Reader(OperationsQuery& query, const QString& text)
        : m_query(query), m_text(text.simplified()), m_rest(m_text) {}

    void read() {
        QStringList words;
        while (!(m_rest = m_rest.trimmed()).isEmpty())
            if (!readQuoted() && !readLayers() && !readComparison() && !readChoice()) words << takeWord();
        m_query.m_words = SearchWords(words.join(u' '));
    }

private:
    void mistake(const QString& sentence) {
        if (m_query.m_mistake.isEmpty()) m_query.m_mistake = sentence;
    }
    /// That a word is none of those that may stand there: what stands behind it in the term, too, to be found
    /// again in the text.
    void mistake(const QString& sentence, const QString& word, const QStringList& known,
                 const QString& before = {}, const QString& behind = {}) {
        if (!m_query.m_mistake.isEmpty()) return;
        mistake(sentence);
        m_query.m_correction = corrected(m_text, word, known, before, behind);
    }
    QString takeWord() {
        const qsizetype end = m_rest.indexOf(u' ');
        QString word = m_rest.left(end);
        m_rest = end < 0 ? QString() : m_rest.mid(end + 1);
        return word;
    }
    QRegularExpressionMatch take(const QRegularExpression& form) {
        auto match = form.match(m_rest, 0, QRegularExpression::NormalMatch,
                                QRegularExpression::AnchorAtOffsetMatchOption);
        if (match.hasMatch()) m_rest = m_rest.mid(match.capturedEnd());
        return match;
    }

    bool readQuoted() {
        static const QRegularExpression form(QStringLiteral("\"([^\"]*)\"?"));
        const auto match = take(form);
        if (!match.hasMatch()) return false;
        if (!match.captured(1).isEmpty()) m_query.m_phrases << match.captured(1);
        return true;
    }

    bool readLayers() {
        static const QRegularExpression form(
            QStringLiteral("layers?\\s+(\\d{1,9})(?:\\s*[-–]\\s*(\\d{1,9}))?(?!\\S)"),
            QRegularExpression::CaseInsensitiveOption);
        const auto match = take(form);
        if (match.hasMatch()) addLayers(match);
        return match.hasMatch();
    }
    void addLayers(const QRegularExpressionMatch& match) {
        const std::int32_t first = match.captured(1).toInt();
        const std::int32_t last = match.captured(2).isEmpty() ? first : match.captured(2).toInt();
        m_query.m_layers.emplace_back(std::minmax(first, last));
    }

    bool readComparison() {
        // A name that is known may stand apart from its sign; any other word there is a word.
        static const QRegularExpression apart(QStringLiteral("([A-Za-z][A-Za-z0-9]*)\\s+(?=[<>=≤≥])"));
        if (const auto match = apart.match(m_rest, 0, QRegularExpression::NormalMatch,
                                           QRegularExpression::AnchorAtOffsetMatchOption);
            match.hasMatch() && filterKey(match.captured(1)))
            m_rest = match.captured(1) + m_rest.mid(match.capturedEnd());
        static const QRegularExpression form(
            QStringLiteral("([A-Za-z][A-Za-z0-9_]*)?(>=|<=|>|<|≥|≤|=+)(?:\\s+(?=[+−-]?[0-9.]))?"
                           "([^\\s<>=≤≥]*)"));
        const auto match = take(form);
        if (!match.hasMatch()) return false;
        QString number = match.captured(3);
        // "1 ms" in two words, and digits in groups.
        static const QRegularExpression more(QStringLiteral(
            " (\\d{3}(?!\\d)\\S*|(?:[pnuµmkMGTPEZY]i?)?(?:s|B|FLOP|FLOP/s|B/s|%|[kMGTPE]i?)(?!\\S))"));
        static const QRegularExpression digits(QStringLiteral("^[+−-]?[0-9][0-9.,eE+-]*$"));
        while (digits.match(number).hasMatch()) {
            const auto next = take(more);
            if (!next.hasMatch()) break;
            number += next.captured(1);
        }
        addComparison(match.captured(1), match.captured(2), number);
        return true;
    }

    void addComparison(const QString& name, const QString& sign, const QString& number) {
        const FilterKey* key = name.isEmpty() ? keyOfUnit(number) : filterKey(name);
        if (!name.isEmpty() && key == nullptr) {
            QStringList names;
            for (const FilterKey& known : std::span(kFilterKeys).first(kToldKeys))
                names << QLatin1String(known.name);
            QStringList all;
            for (const FilterKey& known : kFilterKeys) all << QLatin1String(known.name);
            mistake(
                Text::tr("“%1” is no figure of the table. Write one of %2, or put the text between quotes.")
                    .arg(name, commaList(names)),
                name, all, {}, sign);
            return;
        }
        if (sign.startsWith(u'=')) {
            mistake(Text::tr("A figure is compared by >, <, >= or <=, as in %1.")
                        .arg(QLatin1String(key ? key->example : kFilterKeys.front().example)));
            return;
        }
        if (number.isEmpty()) {
            mistake(Text::tr("After “%1” a number is missing: write it as in %2.")
                        .arg(name + sign, QLatin1String(key ? key->example : ">1ms")));
            return;
        }
        if (key == nullptr) {
            mistake(Text::tr("“%1” does not say what it limits: write >1ms, >1MB, flop>1G or another figure.")
                        .arg(sign + number));
            return;
        }
        // A share may be written as one; "50" for half would be fifty times the whole.
        const bool isShare = QLatin1String(key->unit) == QLatin1String("%") && !number.endsWith(u'%');
        const auto read = [&](const std::string& plain) { return parseQuantity(plain, key->unit); };
        const Result<std::string> plain =
            oneNumber(number.toStdString(), [&](const std::string& one) { return read(one).has_value(); });
        if (!plain.has_value()) return mistake(errorSentence(plain.error()));
        const auto limit = read(*plain);
        if (!limit.has_value() || (isShare && std::abs(limit.value()) > 1)) {
            mistake(Text::tr("“%1” is no number for “%2”: write it as in %3.")
                        .arg(number, QLatin1String(key->name), QLatin1String(key->example)));
            return;
        }
        const bool isAbove = sign.startsWith(u'>') || sign == QStringLiteral("≥");
        m_query.m_comparisons.push_back(
            {key->column, isAbove, sign != QStringLiteral(">") && sign != QStringLiteral("<"), *limit});
    }

    /// "bound:memory". Two colons belong to a name: "aten::mm".
    bool readChoice() {
        static const QRegularExpression form(QStringLiteral("([A-Za-z]+):(?!:)(\\S*)"));
        const auto match = take(form);
        if (!match.hasMatch()) return false;
        const QString key = match.captured(1).toLower();
        const QString value = match.captured(2);
        if (key == QStringLiteral("bound")) {
            choose(key, value, kFilterBounds, m_query.m_bounds,
                   [](Bound bound) { return std::pair(boundWord(bound), boundLabel(bound)); });
        } else if (key == QStringLiteral("phase")) {
            choose(key, value, kEnumerators<Phase>, m_query.m_phases, [](Phase phase) {
                const auto name = phaseName(phase);
                return std::pair(toText(name), coreText(name));
            });
        } else if (key == QStringLiteral("layer") || key == QStringLiteral("layers")) {
            static const QRegularExpression range(QStringLiteral("^(\\d{1,9})(?:[-–](\\d{1,9}))?$"));
            if (const auto layers = range.match(value); layers.hasMatch())
                addLayers(layers);
            else
                mistake(Text::tr("After “%1:” stands a layer or a range of them, as in layer:3-5.").arg(key));
        } else if (key == QStringLiteral("module")) {
            if (value.isEmpty())
                mistake(Text::tr("After “module:” a part of its path is missing, as in module:layer."));
            else
                m_query.m_modules << value;
        } else {
            mistake(Text::tr("“%1:” is not known. Write bound:, phase:, layer: or module:, or put the text "
                             "between quotes.")
                        .arg(match.captured(1)),
                    match.captured(1),
                    {QStringLiteral("bound"), QStringLiteral("phase"), QStringLiteral("layer"),
                     QStringLiteral("module")},
                    {}, QStringLiteral(":"));
        }
        return true;
    }

    template <class Range, class Chosen, class WordsOf>
    void choose(const QString& key, const QString& value, const Range& all, Chosen& chosen, WordsOf wordsOf) {
        QStringList words;
        for (const auto one : all) {
            const auto [word, label] = wordsOf(one);
            words << word;
            if (value.isEmpty() || (!startsAlike(word, value) && !startsAlike(label, value))) continue;
            chosen.push_back(one);
            return;
        }
        mistake(Text::tr("After “%1:” stands one of %2.").arg(key, commaList(words)), value, words,
                key + QLatin1Char(':'));
    }

    OperationsQuery& m_query;
    const QString m_text;
    QString m_rest;
};

OperationsQuery::OperationsQuery(const QString& text) { Reader(*this, text).read(); }

bool OperationsQuery::empty() const {
    return m_words.isEmpty() && m_comparisons.empty() && m_layers.empty() && m_bounds.empty() &&
           m_phases.empty() && m_modules.isEmpty() && m_phrases.isEmpty();
}

bool OperationsQuery::Comparison::holds(const OperationsTree::Node& node) const {
    std::optional<double> value;
    if (column) {
        value = cellValue(node, *column);
    } else {
        value = cellValue(node, OperationColumn::Measured);
        if (!value) value = cellValue(node, OperationColumn::Predicted);
    }
    if (!value) return false;
    if (orEqual && *value == limit) return true;
    return isAbove ? *value > limit : *value < limit;
}

bool OperationsQuery::matches(const OperationsTree& tree, const OperationsTree::Node& node) const {
    if (!std::ranges::all_of(m_comparisons, [&](const Comparison& one) { return one.holds(node); }) ||
        !std::ranges::all_of(m_phases, [&](Phase phase) { return phase == node.phase; }) ||
        !std::ranges::all_of(m_bounds, [&](Bound bound) { return node.figures.bound == bound; }))
        return false;
    if (!m_layers.empty()) {
        // A recomputation makes several layers in a row; the head and the optimizer are no layer.
        const auto layers = tree.step().opLayers(node.op);
        if (!layers || std::ranges::any_of(m_layers, [&](const auto& range) {
                return layers->second < range.first || layers->first > range.second;
            }))
            return false;
    }
    if (!m_modules.isEmpty()) {
        const QString module = toText(tree.step().opModule(node.op));
        if (!std::ranges::all_of(
                m_modules, [&](const QString& part) { return module.contains(part, Qt::CaseInsensitive); }))
            return false;
    }
    if (m_words.isEmpty() && m_phrases.isEmpty()) return true;
    QString text = operationFullName(tree, node) + u' ' + operationLabel(tree, node) + u' ' +
                   operationLabel(tree, tree.node(node.parent));
    const std::string_view phase = phaseName(node.phase);
    text += u' ' + toText(phase);
    if (node.figures.bound) text += u' ' + boundLabel(*node.figures.bound);
    for (const std::int32_t child : node.children) {
        const OperationsTree::Node& below = tree.node(child);
        if (below.kind == OperationsTree::Kind::Kernel)
            text += u' ' + toText(entryAt(tree.kernels(), below.kernel).name);
    }
    return m_words.areAll(m_words.in(text)) && std::ranges::all_of(m_phrases, [&](const QString& phrase) {
               return text.contains(phrase, Qt::CaseInsensitive);
           });
}

std::vector<FilterTerm> filterTerms() {
    std::vector<FilterTerm> terms;
    const auto add = [&](const char* term, const QString& about) {
        terms.push_back({QLatin1String(term), about});
    };
    add("time>1ms", Text::tr("takes longer than 1 ms, measured or else predicted"));
    add("measured>1ms", Text::tr("measured to take longer than 1 ms"));
    add("predicted>1ms", Text::tr("predicted to take longer than 1 ms"));
    add("flop>1G", Text::tr("more than 10⁹ floating-point operations"));
    add("bytes>1MB", Text::tr("moves more than 1 MB"));
    add("intensity<50", Text::tr("less than 50 FLOP per byte"));
    add("difference>20%", Text::tr("measured more than 20 % above predicted"));
    add("rate<10GFLOP/s", Text::tr("reaches less than 10 GFLOP/s"));
    add("bandwidth>10GB/s", Text::tr("moves more than 10 GB/s"));
    add("roof<50%", Text::tr("below half of its roof"));
    for (const Bound bound : kFilterBounds)
        terms.push_back(
            {QStringLiteral("bound:") + boundWord(bound), Text::tr("limited by: %1").arg(boundLabel(bound))});
    for (const Phase phase : kEnumerators<Phase>) {
        const auto name = phaseName(phase);
        terms.push_back(
            {QStringLiteral("phase:") + toText(name), Text::tr("of the phase: %1").arg(coreText(name))});
    }
    add("layer:3-5", Text::tr("of the layers 3 to 5"));
    add("module:layer", Text::tr("of modules with this in their path"));
    return terms;
}

QString filterHelp() {
    return Text::tr(
        "Terms between blanks, all of which must hold:\n"
        "  time>1ms   bytes>=1MB   flop<1G   roof<50%   figures of the table; >1ms and >1MB go by "
        "the unit\n"
        "  bound:memory   phase:backward   layer:3-5   module:blocks.0\n"
        "  any other word, or a \"text between quotes\", in the name, the phase, the bound or a "
        "kernel\n"
        "time is measured, or predicted where nothing was; what is not known matches nothing.\n"
        "Ctrl+Space proposes terms. Esc clears.");
}

}  // namespace plumb::ui
