// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_text.h"

#include "ui/planner/planner_model.h"
#include "ui/theme/text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <string>
#include <vector>

namespace plumb::ui {
namespace {

using planner::Input;

QJsonObject rangeJson(const planner::Range& range) {
    return {{QStringLiteral("low"), range.low},
            {QStringLiteral("expected"), range.expected},
            {QStringLiteral("high"), range.high}};
}

}  // namespace

QString modelText(const planner::ModelSpec& model) {
    return model.transformer() == nullptr ? coreText(model.name) : toText(model.name);
}

QString symbolText(const planner::Explanation& explanation, const planner::Term& term) {
    return coreText(explanation.formula).contains(toText(term.symbol)) ? toText(term.symbol)
                                                                       : coreText(term.symbol);
}

QString plannerText(const PlannerModel& model) {
    const PlannerResults& results = model.results();
    QStringList lines{model.question().title};
    lines << modelText(model.inputs().scenario.model);
    if (!results.answer) return (lines << results.problem).join(QLatin1Char('\n')) + QLatin1Char('\n');
    const planner::Answer& answer = *results.answer;
    const auto shown = [&](double value) { return grouped(planner::formatOutput(answer.output, value)); };
    lines << tr("%1: %2 (%3 to %4)")
                 .arg(capitalised(coreText(planner::info(answer.output).label)), shown(answer.value.expected),
                      shown(answer.value.low), shown(answer.value.high))
          << coreText(answer.explanation.formula) << coreText(answer.explanation.withNumbers);
    for (const planner::Term& term : answer.explanation.terms)
        lines << QStringLiteral("  %1  %2: %3 %4 (%5)")
                     .arg(symbolText(answer.explanation, term), coreText(term.label),
                          numberText(term.value, 'g', 6), toText(term.unit), coreText(term.source));
    if (!results.verdictProblem.isEmpty()) lines << tr("Cannot run so: %1").arg(results.verdictProblem);
    if (results.verdict) lines << capitalised(coreText(planner::verdictText(*results.verdict)));
    for (const auto& [output, value] : results.figures)
        lines << tr("%1: %2").arg(capitalised(coreText(planner::info(output).label)), value);
    for (const auto& said : {answer.notes, results.judgement})
        for (const std::string& note : said) lines << coreText(note);
    if (!results.conventions.isEmpty()) lines << results.conventions;
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QByteArray plannerJson(const PlannerModel& model) {
    const planner::Scenario& scenario = model.inputs().scenario;
    const PlannerResults& results = model.results();
    QJsonObject document{{QStringLiteral("question"), model.question().key},
                         {QStringLiteral("model"), toText(scenario.model.name)}};
    if (scenario.cluster.device)
        document.insert(QStringLiteral("device"), toText(scenario.cluster.device->id));
    if (results.answer) {
        const planner::Answer& answer = *results.answer;
        document.insert(toText(planner::info(answer.output).key), rangeJson(answer.value));
        document.insert(QStringLiteral("formula"), coreText(answer.explanation.formula));
        document.insert(QStringLiteral("with_numbers"), coreText(answer.explanation.withNumbers));
        QJsonArray notes;
        for (const auto& said : {answer.notes, results.judgement})
            for (const std::string& note : said) notes.append(coreText(note));
        document.insert(QStringLiteral("notes"), notes);
        document.insert(QStringLiteral("conventions"), results.conventions);
        if (results.verdict) {
            document.insert(QStringLiteral("fits"), results.verdict->fits());
            document.insert(QStringLiteral("needed_bytes"), results.verdict->needed.expected);
            document.insert(QStringLiteral("available_bytes"), results.verdict->available);
        }
    } else {
        document.insert(QStringLiteral("error"), results.problem);
    }
    for (const auto& [output, text] : results.figures)
        if (const auto value = planner::evaluate(output, scenario); value.has_value())
            document.insert(toText(planner::info(output).key), *value);
    QJsonObject inputs;
    std::vector<Input> all = model.question().choices;
    all.insert(all.end(), results.numbers.begin(), results.numbers.end());
    for (const Input input : all)
        if (const auto value = planner::valueOf(scenario, input); value.has_value()) {
            QJsonObject entry = rangeJson(value->range);
            entry.insert(QStringLiteral("source"), coreText(value->source));
            inputs.insert(toText(planner::info(input).key), entry);
        }
    document.insert(QStringLiteral("inputs"), inputs);
    return QJsonDocument(document).toJson();
}

}  // namespace plumb::ui
