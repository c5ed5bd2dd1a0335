// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/palette_entry.h"

namespace plumb::ui {

class ActionRegistry;
class FileActions;
class Lessons;
class MarkActions;
class PresetActions;
class RunPanel;
class Settings;
class ViewStack;
struct Session;

/// What the palette finds beside actions is taken from these. All outlive it.
struct PaletteScope {
    ActionRegistry& actions;
    Session& session;
    RunPanel& panel;
    ViewStack& views;
    FileActions& files;
    Lessons& lessons;
    PresetActions& presets;
    Settings& settings;
    MarkActions& marks;
};

/// Actions and views, settings of the run panel, operations and tensors of the step, lessons, presets, files
/// that were open and samples, questions of the planner, and devices, in this order.
[[nodiscard]] std::vector<PaletteSource> paletteSources(const PaletteScope& scope);

}  // namespace plumb::ui
