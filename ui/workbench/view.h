// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace plumb::ui {

class Workbench;
class Theme;

/// What every view and panel is made with. Both outlive it.
struct ViewContext {
    Workbench& workbench;
    Theme& theme;
};

/// Compact: a card in the Overview, title and essentials. Full: the whole tab with controls and tables.
enum class ViewSize { Compact, Full };

/// Dynamic property of a view that is still working out what it shows; pictures wait for it.
inline constexpr const char* kBusyView = "plumbBusy";

}  // namespace plumb::ui
