// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_explorer.h"

#include "core/base/entry_at.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr int kSettleMs = 120;  // a field that is being typed in, or a row of clicks
constexpr std::size_t kMostShardings = 40;

struct MapResult {
    std::optional<planner::Map> map;
    QString problem;
};

struct ChoiceResult {
    std::optional<planner::DeviceChoice> choice;
    QString problem;
};

}  // namespace

PlannerExplorer::PlannerExplorer(const DeviceLibrary& library, QObject* parent)
    : QObject(parent), m_library(library) {
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &PlannerExplorer::explore);
}

PlannerExplorer::~PlannerExplorer() { m_stop.request_stop(); }

void PlannerExplorer::begin(const PlannerInputs& inputs) {
    cancel();
    m_inputs = inputs;
    m_choice.reset();
    m_choiceProblem.clear();
    m_progress = 0;
    if (wantsChoice()) m_choiceProgress = 0;
    m_settle.start();
}

void PlannerExplorer::cancel() {
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_settle.stop();
    m_explorer.cancel();
    m_mapper.cancel();
    m_chooser.cancel();
    if (!m_progress) return;
    m_progress.reset();
    m_choiceProgress.reset();
    emit changed();
}

void PlannerExplorer::explore() {
    m_progress = 0;
    const PlannerQuestion& question = entryAt(plannerQuestions(), m_inputs.question);
    const auto kind = question.table;
    m_explorer.run(
        [scenario = m_inputs.scenario, output = question.output, kind, stop = m_stop.get_token(),
         axis = mapAxis(m_inputs.scenario, sweepInput(m_inputs)),
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
            explored.sweep = planner::sweep(scenario, axis, {output}, stop);
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
            partDone();
        });
    if (question.charts == PlannerQuestion::Charts::Training) startMap();
    startChoice();
    emit changed();
}

void PlannerExplorer::startMap() {
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
                m_mapProblem = forWindow(coreText(m_map->cells.front().problem));
            partDone();
        });
}

void PlannerExplorer::partDone() {
    if (!m_explorer.busy() && !m_mapper.busy() && !m_chooser.busy()) m_progress.reset();
    emit changed();
}

bool PlannerExplorer::wantsChoice() const {
    return entryAt(plannerQuestions(), m_inputs.question).table == PlannerQuestion::Table::Devices &&
           !m_inputs.candidates.empty();
}

void PlannerExplorer::startChoice() {
    if (!wantsChoice()) return;
    std::vector<planner::DeviceCandidate> candidates;
    for (const PlannerCandidate& each : m_inputs.candidates)
        if (const Machine* device = m_library.find(each.device))
            candidates.push_back({*device, each.devices, each.dollarsPerHour});
    m_choiceProgress = 0;
    m_chooser.run(
        [this, scenario = m_inputs.scenario, candidates = std::move(candidates), stop = m_stop.get_token()] {
            ChoiceResult result;
            // The runner is waited for before this object goes.
            auto chosen = planner::chooseDevices(scenario, candidates, stop, [this, stop](double share) {
                QMetaObject::invokeMethod(
                    this,
                    [this, share, stop] {
                        if (stop.stop_requested() || !m_choiceProgress) return;
                        m_choiceProgress = share;
                        emit progressed();
                    },
                    Qt::QueuedConnection);
            });
            if (chosen.has_value())
                result.choice = std::move(chosen).value();
            else
                result.problem = forWindow(chosen.error());
            return result;
        },
        [this](ChoiceResult result) {
            m_choice = std::move(result.choice);
            m_choiceProblem = result.problem;
            m_choiceProgress.reset();
            partDone();
        });
}

}  // namespace plumb::ui
