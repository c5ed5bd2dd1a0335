// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/device_choices.h"

#include "core/base/entry_at.h"
#include "core/machine/calibration_file.h"
#include "core/machine/own_devices.h"
#include "ui/theme/text.h"

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
    choice.counters.absent = std::string(kOnlyNvidiaCounts);
    return choice;
}

/// Whether these are devices of one kind. The processor of every computer has the same id: that of a file is
/// the one here only if it has its name and its cores, too.
bool areAlike(const Machine& one, const Machine& other) {
    return one.id == other.id && (one.backend != "cpu" || one.name == other.name);
}

/// A calibration serves every card of its kind: `calibration` as that of `card`.
Machine asCard(Machine calibration, const Machine& card) {
    calibration.index = card.index;
    calibration.uuid = card.uuid;
    return calibration;
}

/// Devices of the data sheets, the user's own among them: there to predict for, as the backend that would run
/// steps on them lays out memory.
std::vector<DeviceChoice> databaseChoices() {
    std::vector<DeviceChoice> choices;
    for (const Machine& machine : KnownDevices::load().database.machines) {
        DeviceChoice choice;
        choice.target.machine = machine;
        choice.target.traits = traitsFor(machine.backend, machine.computeCapability);
        choice.reason = QStringLiteral("from its data sheet: for prediction only");
        choice.counters.absent = choice.reason.toStdString();
        choices.push_back(std::move(choice));
    }
    return choices;
}

}  // namespace

QString DeviceChoice::name() const {
    const QString machine = deviceText(target.machine);
    return place.isEmpty() ? machine : DeviceChoices::tr("%1 on %2").arg(machine, place);
}

DeviceChoices::DeviceChoices(Workbench& workbench) : m_workbench(workbench) { replaceOfEngine({}); }

const DeviceChoice* DeviceChoices::runnable() const {
    return current().canRun && current().enabled ? &current() : nullptr;
}

const DeviceChoice* DeviceChoices::ofEngine() const {
    const Machine& machine = current().target.machine;
    const auto isOfKind = [&](const DeviceChoice& other) {
        return other.ofEngine && other.canRun && areAlike(other.target.machine, machine);
    };
    auto found = std::ranges::find_if(m_all, [&](const DeviceChoice& other) {
        return isOfKind(other) && other.target.machine.uuid == machine.uuid;
    });
    // What a file holds was measured on a card that need not be here.
    if (found == m_all.end()) found = std::ranges::find_if(m_all, isOfKind);
    return found == m_all.end() ? nullptr : &*found;
}

bool DeviceChoices::show(const Target& target, std::optional<std::vector<Machine>> dataSheets) {
    const Result<void> shown = m_workbench.show(target, std::move(dataSheets));
    if (!shown.has_value()) emit refused(shown.error());
    return shown.has_value();
}

void DeviceChoices::choose(int index) {
    if (index < 0 || index >= static_cast<int>(m_all.size()) || index == m_current) return;
    const DeviceChoice& choice = entryAt(m_all, index);
    if (!choice.enabled) return;
    m_returning.reset();
    const int before = std::exchange(m_current, index);
    if (!show(choice.target)) m_current = before;
    emit changed();
}

void DeviceChoices::chooseFor(const Target& target) {
    m_returning.reset();
    auto found = std::ranges::find_if(m_all, [&](const DeviceChoice& d) {
        return d.target.traits == target.traits && sameCeilings(d.target.machine, target.machine);
    });
    if (found == m_all.end()) {
        DeviceChoice choice{target, canRunOn(target.machine), true, tr("from an opened file"), false, {}};
        m_ofFiles.push_back(choice);
        m_all.push_back(std::move(choice));
        found = std::prev(m_all.end());
    }
    m_current = static_cast<int>(found - m_all.begin());
}

void DeviceChoices::offer(const std::vector<protocol::DeviceEntry>& listed, const QString& place) {
    std::vector<DeviceChoice> devices;
    devices.reserve(listed.size());
    for (const protocol::DeviceEntry& entry : listed)
        devices.push_back(DeviceChoice{entry.target, entry.available, entry.available, toText(entry.reason),
                                       true, entry.counters, place});
    replaceOfEngine(std::move(devices));
}

void DeviceChoices::reloadOwnDevices() {
    std::vector<DeviceChoice> ofEngine;
    for (const DeviceChoice& choice : m_all)
        if (choice.ofEngine) ofEngine.push_back(choice);
    replaceOfEngine(std::move(ofEngine));
}

void DeviceChoices::recalibrate(const Machine& machine) {
    for (DeviceChoice& device : m_all)
        if (areAlike(device.target.machine, machine))
            device.target.machine = asCard(machine, device.target.machine);
    const Machine& shown = m_workbench.session()->whatIf.machine();
    if (areAlike(shown, machine)) show({asCard(machine, shown), m_workbench.traits()});
}

bool DeviceChoices::canRunOn(const Machine& machine) const {
    return std::ranges::any_of(
        m_all, [&](const DeviceChoice& d) { return d.canRun && areAlike(d.target.machine, machine); });
}

int DeviceChoices::indexOf(const Target& target) const {
    const Machine& wanted = target.machine;
    auto found = std::ranges::find_if(m_all, [&](const DeviceChoice& d) {
        return sameCeilings(d.target.machine, wanted) && d.target.traits == target.traits;
    });
    if (found == m_all.end())
        found = std::ranges::find_if(m_all, [&](const DeviceChoice& d) {
            return d.target.machine.id == wanted.id && !wanted.uuid.empty() &&
                   d.target.machine.uuid == wanted.uuid;
        });
    if (found == m_all.end())
        found = std::ranges::find_if(m_all, [&](const DeviceChoice& d) {
            return areAlike(d.target.machine, wanted) && d.target.machine.source == wanted.source;
        });
    if (found == m_all.end())
        found = std::ranges::find_if(
            m_all, [&](const DeviceChoice& d) { return areAlike(d.target.machine, wanted); });
    return found != m_all.end() && found->enabled ? static_cast<int>(found - m_all.begin()) : 0;
}

void DeviceChoices::replaceOfEngine(std::vector<DeviceChoice> ofEngine) {
    std::optional<Target> chosen;
    if (!m_all.empty()) chosen = Target{current().target.machine, m_workbench.traits()};
    if (m_returning) chosen = std::exchange(m_returning, std::nullopt);
    m_all = std::move(ofEngine);
    // An engine elsewhere has machines of its own; without any, this computer stays there to predict for.
    if (m_all.empty()) m_all.push_back(localChoice());
    for (DeviceChoice& choice : m_ofFiles) choice.canRun = canRunOn(choice.target.machine);
    std::vector<DeviceChoice> ofDatabase = databaseChoices();
    std::vector<Machine> dataSheets;
    dataSheets.reserve(ofDatabase.size());
    for (const DeviceChoice& choice : ofDatabase) dataSheets.push_back(choice.target.machine);
    std::ranges::move(ofDatabase, std::back_inserter(m_all));
    std::ranges::copy(m_ofFiles, std::back_inserter(m_all));

    m_current = chosen ? indexOf(*chosen) : 0;
    if (chosen && runsPyTorch(*chosen) && current().target.machine.id != chosen->machine.id)
        m_returning = chosen;
    if (!show(current().target, std::move(dataSheets))) {
        // What the sliders ask for cannot be planned there: the scene keeps its device, which is offered on.
        m_all.push_back({m_workbench.session()->whatIf.target,
                         false,
                         true,
                         tr("no longer listed by the engine"),
                         false,
                         {}});
        m_all.back().counters.absent = m_all.back().reason.toStdString();
        m_current = static_cast<int>(m_all.size()) - 1;
    }
    emit changed();
}

bool DeviceChoices::calibrated() const {
    return std::ranges::any_of(m_all, [](const DeviceChoice& device) {
        // What a file brings was measured elsewhere, or before.
        return device.ofEngine && device.canRun && !device.target.machine.peakFlopPerSecond.empty() &&
               device.target.machine.bandwidthBytesPerSecond;
    });
}

QString DeviceChoices::place() const {
    const auto found = std::ranges::find_if(m_all, &DeviceChoice::ofEngine);
    return found == m_all.end() ? QString() : found->place;
}

QString DeviceChoices::predictionErrorsText() const {
    const auto found = std::ranges::find_if(m_all, [](const DeviceChoice& device) {
        return device.ofEngine && device.canRun && device.target.machine.checked;
    });
    return found == m_all.end() ? QString() : toText(text(*found->target.machine.checked));
}

}  // namespace plumb::ui
