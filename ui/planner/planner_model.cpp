// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_model.h"

#include "core/planner/step_ceiling.h"
#include "ui/theme/text.h"

#include <QUndoCommand>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

using planner::Input;
using planner::Output;
using planner::Scenario;

constexpr int kSettleMs = 120;  // a field that is being typed in, or a row of clicks
constexpr std::size_t kMostShardings = 40;

QString sentence(const Error& error) { return toText(error.text()); }

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

struct MapResult {
    std::optional<planner::Map> map;
    QString problem;
};

}  // namespace

class PlannerModel::Change final : public QUndoCommand {
public:
    Change(PlannerModel& model, PlannerInputs before, PlannerInputs after, const QString& text)
        : QUndoCommand(text),
          m_model(model),
          m_alive(model.m_alive),
          m_before(std::move(before)),
          m_after(std::move(after)) {}
    void undo() override { apply(m_before); }
    void redo() override { apply(m_after); }

private:
    void apply(const PlannerInputs& inputs) {
        if (!*m_alive) return;
        m_model.m_inputs = inputs;
        m_model.m_modelProblem.clear();
        m_model.refresh();
    }
    PlannerModel& m_model;
    std::shared_ptr<bool> m_alive;
    PlannerInputs m_before, m_after;
};

PlannerModel::PlannerModel(Workbench& workbench, DeviceLibrary& library, QUndoStack& stack, QObject* parent)
    : QObject(parent),
      m_workbench(workbench),
      m_library(library),
      m_stack(stack),
      m_inputs(PlannerInputs::standard(library.known())) {
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &PlannerModel::explore);
    connect(&workbench, &Workbench::sceneChanged, this, &PlannerModel::follow);
    connect(&library, &DeviceLibrary::changed, this, [this] {
        if (!follow()) emit changed();  // the list of devices may be another
    });
}

PlannerModel::~PlannerModel() {
    *m_alive = false;
    m_stop.request_stop();
}

void PlannerModel::setActive(bool active) {
    m_active = active;
    if (active && m_dirty) refresh();
    if (!active) cancel();
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

void PlannerModel::change(PlannerInputs inputs, const QString& what) {
    m_stack.push(new Change(*this, m_inputs, std::move(inputs), what));
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
        results.problem = sentence(answered.error());
    for (const Output output : question().figures)
        if (const auto value = planner::evaluate(output, scenario); value.has_value())
            results.figures.emplace_back(output, toText(planner::formatOutput(output, *value)));
    results.choices = question().choices;
    for (const Input input : planner::inputsOf(question().output, scenario))
        if (planner::info(input).kind == planner::InputKind::Choice &&
            std::ranges::find(results.choices, input) == results.choices.end())
            results.choices.push_back(input);
    results.numbers = numbersOf(question(), scenario);
    if (auto memory = planner::memoryPerDevice(scenario); memory.has_value())
        results.memory = std::move(memory).value();
    else
        results.memoryProblem = forWindow(memory.error());
    if (auto step = planner::stepTime(scenario); step.has_value())
        results.step = std::move(step).value();
    else
        results.stepProblem = forWindow(step.error());
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
    cancel();
    m_progress = 0;
    m_settle.start();
    emit changed();
    emit persistChanged(toBytes(m_inputs));
}

std::optional<Input> PlannerModel::inputNamedIn(const QString& problem) const {
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

QString PlannerModel::inputProblem(Input input) const {
    if (const auto typed = m_typed.find(input); typed != m_typed.end()) return typed->second;
    return m_blamed == input ? m_results.problem : QString();
}

void PlannerModel::cancel() {
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_settle.stop();
    m_explorer.cancel();
    m_mapper.cancel();
    if (!m_progress) return;
    m_progress.reset();
    emit exploredChanged();
}

void PlannerModel::explore() {
    m_progress = 0;
    const auto kind = question().table;
    m_explorer.run(
        [scenario = m_inputs.scenario, output = question().output, kind, stop = m_stop.get_token(),
         machines =
             kind == PlannerQuestion::Table::Devices ? m_library.known().all() : std::vector<Machine>()] {
            PlannerExplored explored;
            explored.output = output;
            if (const auto value = planner::evaluate(output, scenario); value.has_value())
                explored.expected = *value;
            if (auto bars = planner::sensitivity(scenario, output); bars.has_value())
                explored.bars = std::move(bars).value();
            else
                explored.barsProblem = forWindow(bars.error());
            if (kind == PlannerQuestion::Table::Shardings) {
                if (auto options = planner::searchShardings(scenario, kMostShardings, stop);
                    options.has_value())
                    explored.shardings = std::move(options).value();
                else
                    explored.tableProblem = forWindow(options.error());
                if (auto batches = planner::largestMicroBatches(scenario); batches.has_value())
                    explored.batches = std::move(batches).value();
            } else if (kind == PlannerQuestion::Table::Devices) {
                explored.devices = planner::compareDevices(scenario, machines);
            }
            return explored;
        },
        [this](PlannerExplored explored) {
            m_explored = std::move(explored);
            if (!m_mapper.busy()) m_progress.reset();
            emit exploredChanged();
        });
    startMap();
    emit exploredChanged();
}

void PlannerModel::startMap() {
    planner::Axis x = mapAxis(m_inputs.scenario, m_inputs.mapX);
    planner::Axis y = mapAxis(m_inputs.scenario, m_inputs.mapY);
    m_mapper.run(
        [this, scenario = m_inputs.scenario, x = std::move(x), y = std::move(y), stop = m_stop.get_token()] {
            MapResult result;
            // The runner is waited for before this object goes.
            auto made = planner::makeMap(scenario, x, y, stop, [this, stop](double share) {
                QMetaObject::invokeMethod(
                    this,
                    [this, share, stop] {
                        if (stop.stop_requested() || !m_progress) return;
                        m_progress = share;
                        emit progressed();
                    },
                    Qt::QueuedConnection);
            });
            if (made.has_value())
                result.map = std::move(made).value();
            else
                result.problem = forWindow(made.error());
            return result;
        },
        [this](MapResult result) {
            m_map = std::move(result.map);
            m_mapProblem = result.problem;
            const auto possible = [](const planner::MapCell& cell) { return cell.possible; };
            if (m_map && std::none_of(m_map->cells.begin(), m_map->cells.end(), possible) &&
                !m_map->cells.empty())
                m_mapProblem = forWindow(toText(m_map->cells.front().problem));
            if (!m_explorer.busy()) m_progress.reset();
            emit exploredChanged();
        });
}

}  // namespace plumb::ui
