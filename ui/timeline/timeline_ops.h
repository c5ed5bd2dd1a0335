// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_state.h"
#include "ui/timeline/timeline_viewport.h"
#include "ui/workbench/op_range.h"

#include <optional>
#include <vector>

namespace plumb::ui {

/// The ops of the step that is shown which run in a stretch of the timeline; absent where none of them does.
[[nodiscard]] std::optional<OpSpan> opsWithin(const TimelineState& state, const TimeRange& range);
/// When these ops ran, in the first step that has them; absent where none of them did.
[[nodiscard]] std::optional<TimeRange> timeOfOps(const TimelineState& state, const OpSpan& span);
/// Which ops of the reading are among these of the step that is shown, by their index there.
[[nodiscard]] std::vector<bool> readingOpsIn(const TimelineState& state, const OpSet& ops);

}  // namespace plumb::ui
