// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_edits.h"

#include "core/base/entry_at.h"
#include "core/base/typed_number.h"
#include "core/io/file.h"
#include "core/opening/planned_measurement.h"
#include "core/planner/nearest_input.h"
#include "core/planner/scenario_file.h"
#include "ui/theme/text.h"

#include <QUndoCommand>

namespace plumb::ui {
namespace {

using planner::Input;

QString labelOf(Input input) { return coreText(planner::info(input).label); }

}  // namespace

class PlannerEdits::Change final : public QUndoCommand {
public:
    Change(PlannerEdits& edits, PlannerInputs before, PlannerInputs after, const QString& text)
        : QUndoCommand(text), m_edits(edits.m_self), m_before(std::move(before)), m_after(std::move(after)) {}
    void undo() override { apply(m_before); }
    void redo() override { apply(m_after); }
    [[nodiscard]] const std::shared_ptr<PlannerEdits*>& edits() const { return m_edits; }

private:
    void apply(const PlannerInputs& inputs) {
        if (*m_edits == nullptr) return;
        (*m_edits)->m_modelProblem.clear();
        (*m_edits)->m_model.setInputs(inputs);
    }
    std::shared_ptr<PlannerEdits*> m_edits;
    PlannerInputs m_before, m_after;
};

PlannerEdits::PlannerEdits(PlannerModel& model, const Workbench& workbench, QUndoStack& stack)
    : m_model(model), m_workbench(workbench), m_stack(stack) {
    for (int i = 0; i < stack.count() && !m_self; ++i)
        if (const auto* earlier = dynamic_cast<const Change*>(stack.command(i))) m_self = earlier->edits();
    if (!m_self) m_self = std::make_shared<PlannerEdits*>(nullptr);
    *m_self = this;
}

PlannerEdits::~PlannerEdits() {
    if (*m_self == this) *m_self = nullptr;
}

void PlannerEdits::change(PlannerInputs inputs, const QString& what) {
    m_stack.push(new Change(*this, m_model.inputs(), std::move(inputs), what));
}

QString PlannerEdits::inputProblem(Input input) const {
    if (const auto typed = m_typed.find(input); typed != m_typed.end()) return typed->second.problem;
    return m_model.blamed() == input ? m_model.results().problem : QString();
}

std::optional<double> PlannerEdits::fixOf(Input input) const {
    if (const auto typed = m_typed.find(input); typed != m_typed.end()) return typed->second.nearest;
    if (m_model.blamed() != input) return std::nullopt;
    return planner::nearestAnswered(m_model.inputs().scenario, input, m_model.question().output);
}

void PlannerEdits::fix(Input input, double value) {
    PlannerInputs next = m_model.inputs();
    if (!planner::setInput(next.scenario, input, value).has_value()) return;
    m_typed.erase(input);
    change(std::move(next), tr("change of %1").arg(labelOf(input)));
}

void PlannerEdits::setQuestion(int index) {
    if (index == m_model.inputs().question || index < 0 ||
        index >= static_cast<int>(plannerQuestions().size()))
        return;
    PlannerInputs next = m_model.inputs();
    next.question = index;
    m_modelProblem.clear();
    m_model.setInputs(next);
}

void PlannerEdits::setModel(const QString& key) {
    PlannerInputs next = m_model.inputs();
    const Result<void> chosen = chooseModel(next, key, m_workbench.config());
    if (chosen.has_value()) return change(std::move(next), tr("change of the model"));
    m_modelProblem = forWindow(chosen.error());
    emit refused();
}

void PlannerEdits::loadConfig(const QString& path) {
    PlannerInputs next = m_model.inputs();
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
    emit refused();
}

Result<void> PlannerEdits::openPlan(const QString& path) {
    PLUMB_TRY(planner::Scenario scenario, planner::readScenario(path.toStdString()));
    PlannerInputs next = m_model.inputs();
    takePlan(next, std::move(scenario), m_model.library().known());
    m_typed.clear();
    change(std::move(next), tr("opening of a plan"));
    return {};
}

Result<void> PlannerEdits::useMeasurement(const QString& path) {
    const KnownDevices& known = m_model.library().known();
    PLUMB_TRY(const FiledStep step, readFiledStep(path.toStdString(), known.all()));
    PlannerInputs next = m_model.inputs();
    planner::Scenario in = step.in;
    if (!step.hasModel) {
        in.model = next.scenario.model;
        in.recipe = next.scenario.recipe;
    }
    PLUMB_TRY(in.measured, measure(step, in));
    takePlan(next, std::move(in), known);
    m_typed.clear();
    change(std::move(next), tr("use of a measurement"));
    return {};
}

void PlannerEdits::setDevice(const std::string& id) {
    const Machine* machine = m_model.library().find(id);
    if (!machine) return;
    PlannerInputs next = m_model.inputs();
    chooseDevice(next, *machine);
    change(std::move(next), tr("change of the device"));
}

void PlannerEdits::setRecipe(const QString& key) {
    PlannerInputs next = m_model.inputs();
    const Result<void> chosen = chooseRecipe(next, key, m_workbench.config());
    if (chosen.has_value()) return change(std::move(next), tr("change of the recipe"));
    m_modelProblem = forWindow(chosen.error());
    emit refused();
}

void PlannerEdits::setAdaptation(const Result<planner::Adaptation>& adaptation) {
    PlannerInputs next = m_model.inputs();
    Result<void> possible;
    if (adaptation.has_value())
        possible = planner::checkAdaptation(next.scenario.model, *adaptation);
    else
        possible = adaptation.error();
    if (possible.has_value()) {
        if (*adaptation == next.scenario.adaptation) return;
        next.scenario.adaptation = *adaptation;
        return change(std::move(next), tr("change of what is trained"));
    }
    m_modelProblem = forWindow(possible.error());
    emit refused();
}

void PlannerEdits::setParallel(const planner::ParallelLayout& layout) {
    PlannerInputs next = m_model.inputs();
    next.scenario.parallel = layout;
    change(std::move(next), tr("change of the layout"));
}

void PlannerEdits::enter(Input input, const QString& text) {
    PlannerInputs next = m_model.inputs();
    const Result<void> entered = enterInput(next.scenario, input, text);
    m_typed.erase(input);
    if (entered.has_value()) return change(std::move(next), tr("change of %1").arg(labelOf(input)));
    const Result<std::string> plain = oneNumber(text.toStdString(), [](const std::string&) { return true; });
    m_typed[input] = {forWindow(entered.error()),
                      plain.has_value()
                          ? planner::nearestTaken(m_model.inputs().scenario, input, plain.value())
                          : std::nullopt};
    emit refused();
}

void PlannerEdits::reset(std::optional<Input> input) {
    PlannerInputs next = m_model.inputs();
    if (input) {
        m_typed.erase(*input);
        planner::resetInput(next.scenario, *input);
        return change(std::move(next), tr("reset of %1").arg(labelOf(*input)));
    }
    next.scenario.given = {};
    next.scenario.measured = nullptr;
    change(std::move(next), tr("reset of all assumptions"));
}

void PlannerEdits::forgetTyped(Input input) {
    if (m_typed.erase(input) > 0) emit refused();
}

QString PlannerEdits::solve(Input unknown, const QString& target) {
    const Result<double> wanted = parseTyped(target.toStdString(), [&](const std::string& plain) {
        return planner::parseValue(plain, planner::info(m_model.question().output).unit);
    });
    if (!wanted.has_value()) return forWindow(wanted.error());
    const Result<planner::Solution> found =
        planner::solveFor(m_model.inputs().scenario, m_model.question().output, *wanted, unknown);
    if (!found.has_value()) return forWindow(found.error());
    PlannerInputs next = m_model.inputs();
    const Result<void> put = planner::setInput(next.scenario, unknown, found->value);
    if (!put.has_value()) return forWindow(put.error());
    change(std::move(next), tr("solving for %1").arg(labelOf(unknown)));
    const QString given = m_model.results().answer
                              ? grouped(planner::formatOutput(m_model.question().output,
                                                              m_model.results().answer->value.expected))
                              : QString();
    const QString said =
        tr("%1 %2 gives %3")
            .arg(labelOf(unknown), grouped(planner::formatInput(unknown, found->value)), given);
    return found->note.empty() ? said : said + QStringLiteral(" – ") + coreText(found->note);
}

void PlannerEdits::setMapAxes(Input x, Input y) {
    if (x == m_model.inputs().mapX && y == m_model.inputs().mapY) return;
    // The same twice is a line: the other one gives way.
    if (x == y)
        (x == m_model.inputs().mapX ? x : y) =
            x == m_model.inputs().mapX ? m_model.inputs().mapY : m_model.inputs().mapX;
    PlannerInputs next = m_model.inputs();
    next.mapX = x;
    next.mapY = y;
    change(std::move(next), tr("change of the map"));
}

void PlannerEdits::takeCell(int x, int y) {
    const auto& map = m_model.explorer().map();
    if (!map || x < 0 || y < 0 || x >= static_cast<int>(map->x.values.size()) ||
        y >= static_cast<int>(map->y.values.size()))
        return;
    PlannerInputs next = m_model.inputs();
    const Result<void> first = planner::setInput(next.scenario, map->x.input, entryAt(map->x.values, x));
    const Result<void> second = planner::setInput(next.scenario, map->y.input, entryAt(map->y.values, y));
    if (first.has_value() && second.has_value()) change(std::move(next), tr("values of the map"));
}

void PlannerEdits::takeSharding(int index) {
    const planner::ShardingSearch& search = m_model.explorer().explored().shardings;
    if (index < 0 || index >= static_cast<int>(search.plans.size())) return;
    PlannerInputs next = m_model.inputs();
    next.scenario = planner::withSharding(next.scenario, entryAt(search.plans, index), search.batch);
    change(std::move(next), tr("change of the sharding"));
}

void PlannerEdits::takeTraining(const planner::PublishedTraining& training, planner::Figure figure) {
    PlannerInputs next = m_model.inputs();
    takePlan(next, training.scenario, m_model.library().known());
    next.question =
        plannerQuestion(figure == planner::Figure::Time ? QStringLiteral("step") : QStringLiteral("memory"));
    m_typed.clear();
    change(std::move(next), tr("planning of a published training"));
}

}  // namespace plumb::ui
