// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace plumb::ui {

/// The numbers that go into the planner as a table in Markdown, in the language of the window: made of the
/// table of the core, a place for each, which has the name of its field in the panel.
[[nodiscard]] QString plannerInputsMarkdown();

}  // namespace plumb::ui
