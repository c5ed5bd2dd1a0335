// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/marked_ops.h"

#include "ui/theme/text.h"
#include "ui/workbench/workbench.h"

#include <algorithm>

namespace plumb::ui {

std::optional<OpSpan> spanOf(const Bookmark& bookmark, const Workbench& workbench) {
    if (bookmark.op.empty() || workbench.recording() != nullptr) return std::nullopt;
    const Step& step = *workbench.scene()->whatIf.step;
    const int first = step.findOp(bookmark.op);
    const int last = bookmark.lastOp.empty() ? first : step.findOp(bookmark.lastOp);
    if (first < 0 || last < 0) return std::nullopt;
    return OpSpan{std::min(first, last), std::max(first, last)};
}

std::vector<MarkedOps> markedOps(const Workbench& workbench) {
    std::vector<MarkedOps> marked;
    for (const Bookmark& bookmark : workbench.marks.all().bookmarks)
        if (const std::optional<OpSpan> span = spanOf(bookmark, workbench))
            marked.push_back({*span, toText(bookmark.title)});
    return marked;
}

}  // namespace plumb::ui
