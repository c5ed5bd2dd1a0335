// SPDX-License-Identifier: GPL-3.0-or-later
// The devices that can be chosen: those of the engine, of data sheets and of opened files.
#include "core/machine/calibration_file.h"
#include "core/machine/own_devices.h"
#include "ui/engine/run_controller.h"

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

DeviceChoice localChoice() {
    DeviceChoice choice;
    choice.target.machine = localCpuCalibrated();
    choice.target.traits = cpuTraits();
    choice.canRun = true;
    choice.ofEngine = true;
    choice.counters.absent = RunController::tr("only NVIDIA GPUs have counters").toStdString();
    return choice;
}

/// Devices of the data sheets and the user's own records: there to predict for, as the backend that would run
/// steps on them lays out memory.
std::vector<DeviceChoice> databaseChoices() {
    std::vector<DeviceChoice> choices;
    for (const Machine& machine : KnownDevices::load().database.machines) {
        DeviceChoice choice;
        choice.target.machine = machine;
        choice.target.traits = traitsFor(machine.backend, machine.computeCapability);
        choice.reason = RunController::tr("from its data sheet: for prediction only");
        choice.counters.absent = choice.reason.toStdString();
        choices.push_back(std::move(choice));
    }
    return choices;
}

}  // namespace

void RunController::chooseDevice(int index) {
    if (index < 0 || index >= static_cast<int>(m_devices.size()) || index == m_currentDevice) return;
    const DeviceChoice& choice = m_devices[static_cast<std::size_t>(index)];
    if (!choice.enabled) return;
    // Scene and choice are of one device at every moment; where the scene stays, so does the choice.
    const int before = std::exchange(m_currentDevice, index);
    if (!m_workbench.setTarget(choice.target)) m_currentDevice = before;
    emit changed();
}

void RunController::rescanDevices() {
    m_rescanning = true;
    if (engineReady())
        m_engine.send(protocol::Devices{});
    else
        restartEngine();
}

bool RunController::calibrated() const {
    return std::ranges::any_of(m_devices, [](const DeviceChoice& device) {
        return device.canRun && !device.target.machine.peakFlopPerSecond.empty() &&
               device.target.machine.bandwidthBytesPerSecond;
    });
}

QString RunController::predictionRecord() const {
    const auto found = std::ranges::find_if(
        m_devices, [](const DeviceChoice& device) { return device.canRun && device.target.machine.checked; });
    return found == m_devices.end() ? QString()
                                    : QString::fromStdString(text(*found->target.machine.checked));
}

void RunController::setCountersWanted(std::optional<CounterDetail> detail) {
    if (detail == m_countersWanted) return;
    m_countersWanted = detail;
    emit changed();
}

QString RunController::whyNoCounters() const {
    const DeviceChoice* device = runDevice();
    if (!engineReady()) return whyNotRun();
    if (!device) return tr("this device is for prediction only");
    // The machine of a file runs on the device of the engine that has its id.
    const auto ofEngine = std::ranges::find_if(m_devices, [device](const DeviceChoice& other) {
        return other.ofEngine && other.canRun && other.target.machine.id == device->target.machine.id;
    });
    return QString::fromStdString((ofEngine == m_devices.end() ? *device : *ofEngine).counters.absent);
}

std::optional<std::int64_t> RunController::countingSteps(CounterDetail detail) const {
    const DeviceChoice* device = runDevice();
    if (!device || !whyNoCounters().isEmpty()) return std::nullopt;
    for (const DeviceChoice& other : m_devices)
        if (other.ofEngine && other.canRun && other.target.machine.id == device->target.machine.id)
            return other.counters.stepsFor(*m_workbench.scene()->whatIf.plan, detail);
    return std::nullopt;
}

void RunController::takeDevices(const protocol::DeviceList& list) {
    std::vector<DeviceChoice> devices;
    for (const protocol::DeviceEntry& entry : list.devices)
        devices.push_back(DeviceChoice{entry.target, entry.available, entry.available,
                                       QString::fromStdString(entry.reason), true, entry.counters});
    if (std::exchange(m_rescanning, false)) {
        const auto available = std::ranges::count_if(list.devices, &protocol::DeviceEntry::available);
        emit noticed(
            tr("Looked for devices again: %1 of %2 can run").arg(available).arg(list.devices.size()));
    }
    setDevices(std::move(devices));
}

void RunController::setDevices(std::vector<DeviceChoice> ofEngine) {
    const auto same = [](const Machine& a, const Machine& b) { return a.id == b.id && a.source == b.source; };
    const BackendTraits traits = m_workbench.traits();
    // An engine elsewhere has machines of its own; without any, this computer stays there to predict for.
    if (ofEngine.empty()) ofEngine.push_back(localChoice());
    std::optional<Machine> chosen;
    if (!m_devices.empty()) chosen = m_devices.at(static_cast<std::size_t>(m_currentDevice)).target.machine;
    const auto canRunOn = [&ofEngine](const std::string& id) {
        return std::ranges::any_of(
            ofEngine, [&](const DeviceChoice& d) { return d.canRun && d.target.machine.id == id; });
    };
    for (DeviceChoice& choice : m_ofFiles) choice.canRun = canRunOn(choice.target.machine.id);
    m_devices = std::move(ofEngine);
    std::vector<DeviceChoice> ofDatabase = databaseChoices();
    std::vector<Machine> records;
    records.reserve(ofDatabase.size());
    for (const DeviceChoice& choice : ofDatabase) records.push_back(choice.target.machine);
    m_workbench.setRecords(std::move(records));
    std::ranges::move(ofDatabase, std::back_inserter(m_devices));
    std::ranges::copy(m_ofFiles, std::back_inserter(m_devices));

    m_currentDevice = 0;
    if (chosen) {
        auto found = std::ranges::find_if(m_devices, [&](const DeviceChoice& d) {
            return sameCeilings(d.target.machine, *chosen) && d.target.traits == traits;
        });
        if (found == m_devices.end())
            found = std::ranges::find_if(
                m_devices, [&](const DeviceChoice& d) { return same(d.target.machine, *chosen); });
        if (found == m_devices.end())
            found = std::ranges::find(m_devices, chosen->id,
                                      [](const DeviceChoice& d) { return d.target.machine.id; });
        if (found != m_devices.end() && found->enabled)
            m_currentDevice = static_cast<int>(found - m_devices.begin());
    }
    const DeviceChoice& current = m_devices[static_cast<std::size_t>(m_currentDevice)];
    if (!m_workbench.setTarget(current.target)) {
        // What the sliders ask for cannot be planned there: the scene keeps its device, which is offered on.
        m_devices.push_back({m_workbench.scene()->whatIf.target,
                             false,
                             true,
                             tr("no longer listed by the engine"),
                             false,
                             {}});
        m_devices.back().counters.absent = m_devices.back().reason.toStdString();
        m_currentDevice = static_cast<int>(m_devices.size()) - 1;
    }
    emit changed();
}

void RunController::reloadRecords() {
    std::vector<DeviceChoice> ofEngine;
    for (const DeviceChoice& choice : m_devices)
        if (choice.ofEngine) ofEngine.push_back(choice);
    setDevices(std::move(ofEngine));
}

void RunController::showFile(OpenedScene opened, bool keepsRuns) {
    abandonJob();
    const Machine& machine = opened.target.machine;
    const BackendTraits& traits = opened.target.traits;
    auto found = std::ranges::find_if(m_devices, [&](const DeviceChoice& d) {
        return d.target.traits == traits && sameCeilings(d.target.machine, machine);
    });
    if (found == m_devices.end()) {
        DeviceChoice choice{opened.target, false, true, tr("from an opened file"), false, {}};
        choice.canRun = std::ranges::any_of(
            m_devices, [&](const DeviceChoice& d) { return d.canRun && d.target.machine.id == machine.id; });
        m_ofFiles.push_back(choice);
        m_devices.push_back(std::move(choice));
        found = std::prev(m_devices.end());
    }
    m_currentDevice = static_cast<int>(found - m_devices.begin());
    m_unsaved = false;
    m_workbench.show(std::move(opened), keepsRuns);
    emit changed();
}

void RunController::takeCalibration(const Machine& machine) {
    for (DeviceChoice& device : m_devices)
        if (device.target.machine.id == machine.id) device.target.machine = machine;
    if (m_workbench.scene()->whatIf.machine().id == machine.id)
        m_workbench.setTarget({machine, m_workbench.traits()});
    emit noticed(tr("%1 is calibrated: predicted times now use its own ceilings")
                     .arg(QString::fromStdString(machine.name)));
}

}  // namespace plumb::ui
