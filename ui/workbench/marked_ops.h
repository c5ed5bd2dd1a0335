// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workbench/op_range.h"

#include <QString>

#include <vector>

namespace plumb {
struct Bookmark;
}

namespace plumb::ui {

class Workbench;

/// A bookmark at operations of the step that is shown.
struct MarkedOps {
    OpSpan span;
    QString title;  ///< empty: it has none
};

/// Where a bookmark is in the step that is shown; nothing where its operations are not in it, or it has none.
[[nodiscard]] std::optional<OpSpan> spanOf(const Bookmark& bookmark, const Workbench& workbench);
/// All that are in it, in their order. A recorded step, which stands in front of the document, has none.
[[nodiscard]] std::vector<MarkedOps> markedOps(const Workbench& workbench);

}  // namespace plumb::ui
