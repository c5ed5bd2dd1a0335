// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/allocator/stack_list.h"

#include "ui/theme/text.h"

namespace plumb::ui {

namespace {
constexpr std::size_t kMostFrames = 200;
}

StackList::StackList(AllocatorState& state, QWidget* parent) : QListWidget(parent), m_state(state) {
    setObjectName(QStringLiteral("allocatorStack"));
    setAccessibleName(tr("Stack of the selected allocation"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(ScrollPerPixel);
    setTextElideMode(Qt::ElideMiddle);
    connect(&state, &AllocatorState::deviceChanged, this, [this] { showAllocation(std::nullopt); });
    showAllocation(std::nullopt);
}

void StackList::say(const QString& sentence) {
    addItem(sentence);
    item(0)->setFlags(Qt::NoItemFlags);
}

void StackList::showAllocation(std::optional<std::uint32_t> allocation) {
    clear();
    if (!m_state.device() || !allocation) return say(tr("Select a row to see the stack that made it."));
    const MemoryAllocation& each = m_state.device()->replay.allocations[*allocation];
    const auto frames = m_state.memory()->sites().frames(each.stack, kMostFrames);
    if (frames.empty())
        return say(each.made == MemoryAllocation::kBefore ? tr("No stack: it was made before the recording.")
                                                          : tr("No stack was recorded for it."));
    for (const std::string& frame : frames) {
        addItem(toText(frame));
        item(count() - 1)->setToolTip(toText(frame));
    }
}

}  // namespace plumb::ui
