// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/palette_entry.h"

namespace plumb::ui {

class ActionRegistry;
class DocumentTab;
class FileActions;
class HelpActions;
class Lessons;
class MarkActions;
class PaletteLookup;
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
    HelpActions& help;
    PaletteLookup& lookup;
    DocumentTab& tab;
};

/// Actions and views, settings of the run panel, open documents, bookmarks, lessons, presets, files that were
/// open and samples, and questions of the planner, in this order. Who looks for one finds operations and
/// tensors of the step, what the rules notice of it, examples of the Lab, runs of the history, devices, and
/// what the manual says, too.
[[nodiscard]] PaletteSources paletteSources(const PaletteScope& scope);

}  // namespace plumb::ui
