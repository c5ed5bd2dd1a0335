// SPDX-License-Identifier: GPL-3.0-or-later
// What the user changes in the planner, each as one step to undo, and what is copied out of it.
#include "core/base/entry_at.h"
#include "core/io/file.h"
#include "ui/planner/planner_model.h"
#include "ui/theme/text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace plumb::ui {
namespace {

using planner::Input;

QString labelOf(Input input) { return toText(planner::info(input).label); }

QJsonObject rangeJson(const planner::Range& range) {
    return {{QStringLiteral("low"), range.low},
            {QStringLiteral("expected"), range.expected},
            {QStringLiteral("high"), range.high}};
}

}  // namespace

void PlannerModel::setQuestion(int index) {
    if (index == m_inputs.question || index < 0 || index >= static_cast<int>(plannerQuestions().size()))
        return;
    PlannerInputs next = m_inputs;
    next.question = index;
    change(std::move(next), tr("change of the question"));
}

void PlannerModel::setModel(const QString& key) {
    PlannerInputs next = m_inputs;
    const Result<void> chosen = chooseModel(next, key, m_workbench.config());
    if (chosen.has_value()) return change(std::move(next), tr("change of the model"));
    m_modelProblem = forWindow(chosen.error());
    emit changed();
}

void PlannerModel::loadConfig(const QString& path) {
    PlannerInputs next = m_inputs;
    const Result<std::string> text = readFile(path.toStdString(), kMostConfigBytes);
    Result<void> chosen;
    if (text.has_value()) {
        next.configText = toText(*text);
        next.configPath = path;
        chosen = chooseModel(next, QString::fromLatin1(PlannerInputs::kConfig), m_workbench.config());
    } else {
        chosen = text.error();
    }
    if (chosen.has_value()) return change(std::move(next), tr("loading of a config.json"));
    m_modelProblem = forWindow(chosen.error());
    emit changed();
}

void PlannerModel::setDevice(const std::string& id) {
    const Machine* machine = m_library.find(id);
    if (!machine) return;
    PlannerInputs next = m_inputs;
    next.scenario.cluster.device = *machine;
    // Figures that were typed were of the device before.
    for (const Input fact :
         {Input::Memory, Input::Peak, Input::Bandwidth, Input::LinkBandwidth, Input::DevicePower})
        planner::resetInput(next.scenario, fact);
    change(std::move(next), tr("change of the device"));
}

void PlannerModel::setRecipe(const QString& key) {
    PlannerInputs next = m_inputs;
    const Result<void> chosen = chooseRecipe(next, key, m_workbench.config());
    if (chosen.has_value()) return change(std::move(next), tr("change of the recipe"));
    m_modelProblem = forWindow(chosen.error());
    emit changed();
}

void PlannerModel::setRecompute(planner::Recompute recompute) {
    PlannerInputs next = m_inputs;
    next.scenario.recipe.recompute = recompute;
    change(std::move(next), tr("change of the recomputation"));
}

void PlannerModel::setSequenceParallel(bool on) {
    PlannerInputs next = m_inputs;
    next.scenario.parallel.sequence = on;
    change(std::move(next), tr("change of the sequence parallelism"));
}

void PlannerModel::setZero(int stage) {
    PlannerInputs next = m_inputs;
    next.scenario.parallel.sharding = static_cast<planner::Sharding>(stage);
    change(std::move(next), tr("change of the sharding"));
}

void PlannerModel::enter(Input input, const QString& text) {
    PlannerInputs next = m_inputs;
    const Result<void> entered = enterInput(next.scenario, input, text);
    m_typed.erase(input);
    if (entered.has_value()) return change(std::move(next), tr("change of %1").arg(labelOf(input)));
    m_typed[input] = forWindow(entered.error());
    emit changed();
}

void PlannerModel::reset(Input input) {
    PlannerInputs next = m_inputs;
    m_typed.erase(input);
    planner::resetInput(next.scenario, input);
    change(std::move(next), tr("reset of %1").arg(labelOf(input)));
}

void PlannerModel::forgetTyped(Input input) {
    if (m_typed.erase(input) > 0) emit changed();
}

void PlannerModel::resetAll() {
    PlannerInputs next = m_inputs;
    next.scenario.given = {};
    change(std::move(next), tr("reset of all assumptions"));
}

QString PlannerModel::solve(Input unknown, const QString& target) {
    const Result<double> wanted =
        planner::parseValue(target.toStdString(), planner::info(question().output).unit);
    if (!wanted.has_value()) return forWindow(wanted.error());
    const Result<planner::Solution> found =
        planner::solveFor(m_inputs.scenario, question().output, *wanted, unknown);
    if (!found.has_value()) return forWindow(found.error());
    PlannerInputs next = m_inputs;
    const Result<void> put = planner::setInput(next.scenario, unknown, found->value);
    if (!put.has_value()) return forWindow(put.error());
    change(std::move(next), tr("solving for %1").arg(labelOf(unknown)));
    const QString given =
        m_results.answer ? toText(planner::formatOutput(question().output, m_results.answer->value.expected))
                         : QString();
    const QString said =
        tr("%1 %2 gives %3")
            .arg(labelOf(unknown), toText(planner::formatInput(unknown, found->value)), given);
    return found->note.empty() ? said : said + QStringLiteral(" – ") + toText(found->note);
}

void PlannerModel::setMapAxes(Input x, Input y) {
    if (x == m_inputs.mapX && y == m_inputs.mapY) return;
    // The same twice is a line: the other one gives way.
    if (x == y) (x == m_inputs.mapX ? x : y) = x == m_inputs.mapX ? m_inputs.mapY : m_inputs.mapX;
    PlannerInputs next = m_inputs;
    next.mapX = x;
    next.mapY = y;
    change(std::move(next), tr("change of the map"));
}

void PlannerModel::setMapOfMemory(bool memory) {
    if (memory == m_inputs.mapOfMemory) return;
    m_inputs.mapOfMemory = memory;
    emit exploredChanged();
    emit persistChanged(toBytes(m_inputs));
}

void PlannerModel::takeCell(int x, int y) {
    if (!m_map || x < 0 || y < 0 || x >= static_cast<int>(m_map->x.values.size()) ||
        y >= static_cast<int>(m_map->y.values.size()))
        return;
    PlannerInputs next = m_inputs;
    const Result<void> first = planner::setInput(next.scenario, m_map->x.input, entryAt(m_map->x.values, x));
    const Result<void> second = planner::setInput(next.scenario, m_map->y.input, entryAt(m_map->y.values, y));
    if (first.has_value() && second.has_value()) change(std::move(next), tr("values of the map"));
}

void PlannerModel::takeSharding(int index) {
    if (index < 0 || index >= static_cast<int>(m_explored.shardings.size())) return;
    const planner::ShardingOption& option = entryAt(m_explored.shardings, index);
    PlannerInputs next = m_inputs;
    next.scenario.parallel = option.layout;
    next.scenario.recipe.recompute = option.recompute;
    change(std::move(next), tr("change of the sharding"));
}

QString PlannerModel::asText() const {
    QStringList lines{question().title};
    lines << toText(m_inputs.scenario.model.name);
    if (!m_results.answer) return (lines << m_results.problem).join(QLatin1Char('\n')) + QLatin1Char('\n');
    const planner::Answer& answer = *m_results.answer;
    const auto shown = [&](double value) { return toText(planner::formatOutput(answer.output, value)); };
    lines << tr("%1: %2 (%3 to %4)")
                 .arg(capitalised(planner::info(answer.output).label), shown(answer.value.expected),
                      shown(answer.value.low), shown(answer.value.high))
          << toText(answer.explanation.formula) << toText(answer.explanation.withNumbers);
    for (const planner::Term& term : answer.explanation.terms)
        lines << QStringLiteral("  %1  %2: %3 %4 (%5)")
                     .arg(toText(term.symbol), toText(term.label), QString::number(term.value, 'g', 6),
                          toText(term.unit), toText(term.source));
    for (const auto& [output, value] : m_results.figures)
        lines << tr("%1: %2").arg(capitalised(planner::info(output).label), value);
    for (const auto& said : {answer.notes, m_results.judgement})
        for (const std::string& note : said) lines << toText(note);
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QByteArray PlannerModel::asJson() const {
    QJsonObject document{{QStringLiteral("question"), question().key},
                         {QStringLiteral("model"), toText(m_inputs.scenario.model.name)}};
    if (m_inputs.scenario.cluster.device)
        document.insert(QStringLiteral("device"), toText(m_inputs.scenario.cluster.device->id));
    if (m_results.answer) {
        const planner::Answer& answer = *m_results.answer;
        document.insert(toText(planner::info(answer.output).key), rangeJson(answer.value));
        document.insert(QStringLiteral("formula"), toText(answer.explanation.formula));
        document.insert(QStringLiteral("with_numbers"), toText(answer.explanation.withNumbers));
        QJsonArray notes;
        for (const auto& said : {answer.notes, m_results.judgement})
            for (const std::string& note : said) notes.append(toText(note));
        document.insert(QStringLiteral("notes"), notes);
    } else {
        document.insert(QStringLiteral("error"), m_results.problem);
    }
    for (const auto& [output, text] : m_results.figures)
        if (const auto value = planner::evaluate(output, m_inputs.scenario); value.has_value())
            document.insert(toText(planner::info(output).key), *value);
    QJsonObject inputs;
    std::vector<Input> all = question().choices;
    all.insert(all.end(), m_results.numbers.begin(), m_results.numbers.end());
    for (const Input input : all)
        if (const auto value = planner::valueOf(m_inputs.scenario, input); value.has_value()) {
            QJsonObject entry = rangeJson(value->range);
            entry.insert(QStringLiteral("source"), toText(value->source));
            inputs.insert(toText(planner::info(input).key), entry);
        }
    document.insert(QStringLiteral("inputs"), inputs);
    return QJsonDocument(document).toJson();
}

}  // namespace plumb::ui
