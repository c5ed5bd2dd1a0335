// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_page.h"

#include "core/machine/own_devices.h"
#include "ui/workbench/workbench.h"

#include <QWidget>

#include <utility>

namespace plumb::ui {

std::vector<Machine> labMachines(const Workbench& workbench) {
    std::vector<Machine> machines{workbench.scene()->whatIf.machine()};
    for (Machine& machine : KnownDevices::load().all())
        if (machine.id != machines.front().id) machines.push_back(std::move(machine));
    return machines;
}

void silenceFocus(const QWidget& page) {
    if (QWidget* field = page.focusWidget()) field->blockSignals(true);
}

}  // namespace plumb::ui
