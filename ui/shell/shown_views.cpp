// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shown_views.h"

#include "ui/lab/lab_view.h"
#include "ui/planner/planner_view.h"
#include "ui/recompute/recompute_view.h"
#include "ui/shell/view_stack.h"

namespace plumb::ui {

RecomputeView& showRecompute(ViewStack& views) {
    return *qobject_cast<RecomputeView*>(views.showView(QStringLiteral("checkpoint")));
}

PlannerView& showPlanner(ViewStack& views) {
    return *qobject_cast<PlannerView*>(views.showView(QStringLiteral("planner")));
}

LabView& showLab(ViewStack& views) { return *qobject_cast<LabView*>(views.showView(QStringLiteral("lab"))); }

}  // namespace plumb::ui
