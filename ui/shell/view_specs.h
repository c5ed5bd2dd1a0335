// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workbench/view.h"

#include <span>

class QWidget;

namespace plumb::ui {

class Settings;
class ViewStack;
struct Session;

/// What a view is made with. All outlive it.
struct ViewMaking {
    ViewStack& stack;  ///< its parent; what it asks of others than the session they hear at viewMade()
    Session& session;
    Settings& settings;
    ViewContext context;
};

/// One tab. A view is added by one line in windowViews(): tab, menu entry, shortcut and picture follow from
/// it.
struct ViewSpec {
    const char* id;     ///< "memory": of the tab, of the action "view.memory" and of the picture
    const char* title;  ///< to be translated, with mnemonic
    QWidget* (*make)(const ViewMaking&);
    /// Whether the tab is there at all; null: always. ViewStack::refreshTabs() asks again.
    bool (*isThere)(const Session&) = nullptr;
    void (*close)(Session&) = nullptr;  ///< closes what it shows, so that the tab goes; null: it stays
    /// Whether pictures and reports of what is open have it: what else the user did is nobody's who gets
    /// them.
    bool isPictured = true;
    /// Whether it is of the step: a snapshot that is opened is seen in it.
    bool isOfStep = true;
    /// Whether a report has it: planner and Lab are asked about other steps than the one it is of.
    bool isInReport = true;
    /// Null: Ctrl with a digit, by its place among the views without a key of their own.
    const char* key = nullptr;
};

/// The views in the order of the tabs; the first is the Overview.
[[nodiscard]] std::span<const ViewSpec> windowViews();

}  // namespace plumb::ui
