// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/device_library.h"

#include "core/machine/machine_json.h"
#include "ui/theme/text.h"

#include <QUndoCommand>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace plumb::ui {

/// From one set of devices to another; those that are in both are the same in both.
class DeviceLibrary::Change final : public QUndoCommand {
public:
    Change(DeviceLibrary& library, std::vector<Machine> before, std::vector<Machine> after,
           const QString& text)
        : QUndoCommand(text), m_library(library), m_before(std::move(before)), m_after(std::move(after)) {}
    void redo() override { step(m_before, m_after); }
    void undo() override { step(m_after, m_before); }

private:
    void step(const std::vector<Machine>& from, const std::vector<Machine>& to) {
        std::vector<std::string> removed;
        for (const Machine& machine : from)
            if (std::ranges::find(to, machine.id, &Machine::id) == to.end()) removed.push_back(machine.id);
        // The command goes away with a device that could not be written, which else would look saved.
        if (!m_library.apply(to, removed)) setObsolete(true);
    }
    DeviceLibrary& m_library;
    std::vector<Machine> m_before, m_after;
};

DeviceLibrary::DeviceLibrary(QObject* parent) : QObject(parent), m_known(KnownDevices::load()) {}

bool DeviceLibrary::isOwn(const std::string& id) const {
    return std::ranges::find(m_known.own, id, &Machine::id) != m_known.own.end();
}

const Machine* DeviceLibrary::find(const std::string& id) const {
    if (m_known.local.id == id) return &m_known.local;
    if (const auto gpu = std::ranges::find(m_gpus, id, &Machine::id); gpu != m_gpus.end()) return &*gpu;
    const auto& machines = m_known.database.machines;
    const auto found = std::ranges::find(machines, id, &Machine::id);
    return found == machines.end() ? nullptr : &*found;
}

bool DeviceLibrary::isHere(const std::string& id) const {
    return m_known.local.id == id || std::ranges::find(m_gpus, id, &Machine::id) != m_gpus.end();
}

void DeviceLibrary::setGpus(const std::vector<Machine>& listed) {
    std::vector<Machine> gpus;
    for (const Machine& machine : listed)
        if (machine.index && std::ranges::find(gpus, machine.id, &Machine::id) == gpus.end())
            gpus.push_back(machine);
    const auto isSame = [](const Machine& a, const Machine& b) { return toJson(a) == toJson(b); };
    if (std::ranges::equal(gpus, m_gpus, isSame)) return;
    m_gpus = std::move(gpus);
    emit gpusChanged();
}

void DeviceLibrary::reload() {
    m_known = KnownDevices::load();
    emit changed();
}

bool DeviceLibrary::apply(const std::vector<Machine>& put, const std::vector<std::string>& removed) {
    Result<void> result;
    for (const std::string& id : removed)
        if (result.has_value()) result = removeOwnDevice(id);
    for (const Machine& machine : put)
        if (result.has_value()) result = putOwnDevice(machine);
    m_applied = result.has_value();
    reload();
    if (!m_applied) emit failed(result.error());
    return m_applied;
}

bool DeviceLibrary::put(const Machine& machine) {
    std::vector<Machine> before;
    const bool isNew = !isOwn(machine.id);
    if (!isNew) before.push_back(*std::ranges::find(m_known.own, machine.id, &Machine::id));
    const QString name = deviceText(machine);
    m_stack.push(
        new Change(*this, before, {machine}, isNew ? tr("adding %1").arg(name) : tr("edit of %1").arg(name)));
    return m_applied;
}

bool DeviceLibrary::remove(const std::string& id) {
    const auto found = std::ranges::find(m_known.own, id, &Machine::id);
    if (found == m_known.own.end()) return false;
    m_stack.push(new Change(*this, {*found}, {}, tr("deletion of %1").arg(deviceText(*found))));
    return m_applied;
}

std::vector<std::string> DeviceLibrary::importFrom(const QString& path) {
    auto read = importDevices(path.toStdString());
    if (read.has_value() && read->empty())
        read = Error{ErrorCode::BadInput, "the file has no devices (" + path.toStdString() + ")",
                     "choose one that was exported"};
    if (!read.has_value()) {
        emit failed(read.error());
        return {};
    }
    std::vector<Machine> all = m_known.all();
    std::vector<Machine> added;
    std::vector<std::string> ids;
    for (Machine& machine : *read) {
        added.push_back(renamedApart(std::move(machine), all));
        all.push_back(added.back());
        ids.push_back(added.back().id);
    }
    m_stack.push(
        new Change(*this, {}, added, tr("import of %n device(s)", nullptr, static_cast<int>(added.size()))));
    return m_applied ? ids : std::vector<std::string>();
}

bool DeviceLibrary::exportTo(const QString& path, const std::vector<Machine>& machines) {
    const auto written = exportDevices(machines, path.toStdString());
    if (!written.has_value()) emit failed(written.error());
    return written.has_value();
}

}  // namespace plumb::ui
