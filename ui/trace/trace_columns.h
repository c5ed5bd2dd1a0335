// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/column_text.h"

namespace plumb::ui {

// Columns of the tables of an opened trace, in the language of the window.

[[nodiscard]] ColumnTexts traceStepColumns();
[[nodiscard]] ColumnTexts traceSectionColumns();
[[nodiscard]] ColumnTexts traceRangeColumns();
[[nodiscard]] ColumnTexts rankColumns();
[[nodiscard]] ColumnTexts collectiveColumns();

}  // namespace plumb::ui
