// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_model.h"

#include "core/planner/conventions.h"
#include "core/planner/serving.h"
#include "core/planner/step_ceiling.h"
#include "ui/theme/error_text.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

using planner::Input;
using planner::Output;
using planner::Scenario;

/// Facts and assumptions of the answer and of the figures beside it, those of the answer first.
std::vector<Input> numbersOf(const PlannerQuestion& question, const Scenario& scenario) {
    std::vector<Input> all;
    const auto add = [&](Output output) {
        for (const Input input : planner::inputsOf(output, scenario)) {
            const bool isChoice = planner::info(input).kind == planner::InputKind::Choice;
            if (!isChoice && std::ranges::find(all, input) == all.end()) all.push_back(input);
        }
    };
    add(question.output);
    for (const Output output : question.figures) add(output);
    // What was changed can be put back, whether it matters here or not.
    for (const planner::InputInfo& info : planner::allInputs())
        if (info.kind != planner::InputKind::Choice && scenario.given[info.input] &&
            std::ranges::find(all, info.input) == all.end())
            all.push_back(info.input);
    return all;
}

/// The input that a sentence of the core is about; empty: it names none.
std::optional<Input> inputNamedIn(const QString& problem) {
    if (problem.isEmpty()) return std::nullopt;
    // What stands in brackets is what is wrong; others are named in the remedy.
    for (const planner::InputInfo& info : planner::allInputs()) {
        const QString key = toText(info.key);
        if (problem.contains(QStringLiteral("(--%1)").arg(key)) ||
            problem.contains(QStringLiteral("(%1)").arg(key)))
            return info.input;
    }
    std::optional<Input> found;
    qsizetype length = 0;  // of the longest key: "--batch" is in "--batch-size" too
    for (const planner::InputInfo& info : planner::allInputs()) {
        const QString key = toText(info.key);
        if (problem.contains(QStringLiteral("--") + key) && key.size() > length) {
            found = info.input;
            length = key.size();
        }
    }
    return found;
}

}  // namespace

PlannerModel::PlannerModel(Workbench& workbench, DeviceLibrary& library, QObject* parent)
    : QObject(parent),
      m_workbench(workbench),
      m_library(library),
      m_inputs(PlannerInputs::standard(library.known())),
      m_explorer(library) {
    connect(&workbench, &Workbench::sceneChanged, this, &PlannerModel::follow);
    connect(&library, &DeviceLibrary::changed, this, [this] {
        if (!follow()) emit changed();  // the list of devices may be another
    });
}

void PlannerModel::setActive(bool active) {
    m_active = active;
    if (active && m_dirty) refresh();
    if (active) return;
    // What nobody looks at waits until somebody does.
    m_dirty = m_dirty || m_explorer.progress().has_value();
    m_explorer.cancel();
}

/// The deep linear model of the run panel and the data sheets of devices change under the planner.
bool PlannerModel::follow() {
    bool moved = false;
    if (m_inputs.model == QLatin1String(PlannerInputs::kLinear)) {
        moved = !(m_inputs.ofRunPanel == m_workbench.config());
        const QString recipe = m_inputs.recipe;
        const QString ofModel = QString::fromLatin1(PlannerInputs::kOfModel);
        if (moved && (!chooseRecipe(m_inputs, ofModel, m_workbench.config()).has_value() ||
                      !chooseRecipe(m_inputs, recipe, m_workbench.config()).has_value()))
            m_inputs.recipe = ofModel;
    }
    if (auto& device = m_inputs.scenario.cluster.device) {
        const Machine* now = m_library.find(device->id);
        if (now && (now->source != device->source || now->name != device->name ||
                    now->memoryBytes != device->memoryBytes ||
                    now->bandwidthBytesPerSecond != device->bandwidthBytesPerSecond ||
                    now->peakFlopPerSecond != device->peakFlopPerSecond ||
                    now->linkBytesPerSecond != device->linkBytesPerSecond ||
                    now->powerWatts != device->powerWatts || now->dollarsPerHour != device->dollarsPerHour)) {
            device = *now;
            moved = true;
        }
    }
    if (moved) refresh();
    return moved;
}

void PlannerModel::restore(const QByteArray& bytes) {
    m_inputs = plannerInputsFrom(bytes, m_library.known(), m_workbench.config());
    refresh();
}

void PlannerModel::setInputs(const PlannerInputs& inputs) {
    m_inputs = inputs;
    refresh();
    emit inputsSet();
}

void PlannerModel::setMapOfMemory(bool memory) {
    if (memory == m_inputs.mapOfMemory) return;
    m_inputs.mapOfMemory = memory;
    emit m_explorer.changed();
    emit persistChanged(toBytes(m_inputs));
}

void PlannerModel::refresh() {
    if (!m_active) {
        m_dirty = true;
        return;
    }
    m_dirty = false;
    const Scenario& scenario = m_inputs.scenario;
    PlannerResults results;
    if (auto answered = planner::answer(question().output, scenario); answered.has_value())
        results.answer = std::move(answered).value();
    else
        results.problem = errorSentence(answered.error());
    std::vector<Output> shown = question().figures;
    shown.push_back(question().output);
    if (planner::wantsVerdict(shown)) {
        if (const auto verdict = planner::verdictOf(std::array{question().output}, scenario);
            verdict.has_value())
            results.verdict = *verdict;
        else if (const auto layout = planner::resolve(scenario); !layout.has_value() &&
                                                                 scenario.model.count() == nullptr &&
                                                                 !planner::isOfServer(question().output))
            results.verdictProblem = forWindow(layout.error());
    }
    for (const Output output : question().figures)
        if (const auto value = planner::evaluate(output, scenario); value.has_value()) {
            const QString text = grouped(planner::formatOutput(output, *value));
            results.figures.emplace_back(
                output, results.lacksMemoryFor(output) ? tr("%1 (does not fit)").arg(text) : text);
        }
    const std::vector<Output> asked{question().output};
    QStringList conventions;  // each is a text of its own, which has semicolons itself
    for (const std::string& each : planner::conventionsOf(asked, scenario)) conventions << coreText(each);
    if (!conventions.isEmpty()) results.conventions = tr("conventions: %1").arg(clausesText(conventions));
    results.choices = question().choices;
    for (const Input input : planner::inputsOf(question().output, scenario))
        if (planner::info(input).kind == planner::InputKind::Choice &&
            std::ranges::find(results.choices, input) == results.choices.end())
            results.choices.push_back(input);
    results.numbers = numbersOf(question(), scenario);
    addCharts(results);
    const bool asksForMfu = question().output == Output::MeasuredMfu;
    if (asksForMfu && results.answer)
        results.judgement = planner::judgeStepMfu(scenario, results.answer->value.expected);
    if (question().output == Output::StepSeconds && results.step && results.step->mfu > 0)
        results.judgement = planner::judgeStepMfu(scenario, results.step->mfu);
    if (const auto memory = planner::numberOf(scenario, Input::Memory); memory.has_value())
        results.capacity = *memory;
    m_results = std::move(results);
    m_blamed = inputNamedIn(m_results.problem);
    if (!m_results.problem.isEmpty()) m_results.problem = forWindow(m_results.problem);
    m_explorer.begin(m_inputs);
    emit changed();
    emit persistChanged(toBytes(m_inputs));
}

void PlannerModel::addCharts(PlannerResults& results) const {
    const Scenario& scenario = m_inputs.scenario;
    const auto take = [](auto made, auto& to, QString& problem) {
        if (made.has_value())
            to = std::move(made).value();
        else
            problem = forWindow(made.error());
    };
    if (question().charts == PlannerQuestion::Charts::Training) {
        take(planner::memoryPerDevice(scenario), results.memory, results.memoryProblem);
        take(planner::stepTime(scenario), results.step, results.stepProblem);
    }
    if (question().charts != PlannerQuestion::Charts::Server) return;
    const auto server = planner::serverOf(scenario);
    if (!server.has_value()) {
        results.memoryProblem = results.stepProblem = forWindow(server.error());
        return;
    }
    std::optional<planner::StageMemory> held;
    take(planner::serverMemory(*server), held, results.memoryProblem);
    if (held) results.memory.emplace().stages.push_back(*std::move(held));
    take(planner::outputTime(*server), results.token, results.stepProblem);
}

}  // namespace plumb::ui
