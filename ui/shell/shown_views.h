// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace plumb::ui {

class LabView;
class PlannerView;
class RecomputeView;
class ViewStack;

// These show the view of that name and return it.
[[nodiscard]] RecomputeView& showRecompute(ViewStack& views);
[[nodiscard]] PlannerView& showPlanner(ViewStack& views);
[[nodiscard]] LabView& showLab(ViewStack& views);

}  // namespace plumb::ui
