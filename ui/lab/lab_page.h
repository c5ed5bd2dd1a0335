// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/view.h"

class QUndoStack;

namespace plumb::ui {

class RunController;
class Settings;

/// What every page of the Lab is made with. All outlive it.
struct LabContext {
    ViewContext view;
    RunController& controller;
    QUndoStack& undo;  ///< the window's
    Settings& settings;
};

}  // namespace plumb::ui
