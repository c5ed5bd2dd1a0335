// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/machine.h"
#include "ui/workbench/view.h"

#include <vector>

class QUndoStack;
class QWidget;

namespace plumb::ui {

class LabEngine;
class RunController;
class Settings;

/// What every page of the Lab is made with. All outlive it.
struct LabContext {
    ViewContext view;
    RunController& controller;
    LabEngine& engine;
    QUndoStack& undo;  ///< the window's
    Settings& settings;
};

/// Every machine that the Lab can reckon with: the one of the scene first, then the data sheets and the
/// user's own devices.
[[nodiscard]] std::vector<Machine> labMachines(const Workbench& workbench);

/// Silences the fields of a page, in its destructor: a field that loses the focus on the way out would still
/// say that its editing is finished, to a page that is a QWidget only.
void silenceFocus(const QWidget& page);

}  // namespace plumb::ui
