// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/allocator/allocator_state.h"

#include "ui/charts/time_window.h"

#include <algorithm>

namespace plumb::ui {

void AllocatorState::setMemory(std::shared_ptr<const OpenedMemory> memory) {
    m_memory = std::move(memory);
    setDevice(0);
}

void AllocatorState::setDevice(int index) {
    m_device = index;
    m_cursor = device() ? device()->replay.peakPosition : -1;
    emit deviceChanged();
}

const OpenedDevice* AllocatorState::device() const {
    if (!m_memory || m_device < 0 || static_cast<std::size_t>(m_device) >= m_memory->devices().size())
        return nullptr;
    return m_memory->devices()[static_cast<std::size_t>(m_device)].get();
}

void AllocatorState::setKey(int index) {
    if (index == m_key) return;
    m_key = index;
    emit keyChanged();
}

void AllocatorState::setCursor(std::int64_t position) {
    if (!device()) return;
    position = std::clamp<std::int64_t>(position, -1, device()->history.lastPosition());
    if (position == m_cursor) return;
    m_cursor = position;
    emit cursorChanged();
}

QString AllocatorState::momentText(std::int64_t position) const {
    const MemoryHistory& history = device()->history;
    if (history.lastPosition() < 0) return tr("when the snapshot was taken");
    if (position < 0) return tr("before the first entry");
    const QString entry = tr("entry %1 of %2").arg(position + 1).arg(history.lastPosition() + 1);
    if (!history.hasTimes()) return entry;
    return QStringLiteral("%1 · %2").arg(exactTime(static_cast<double>(history.timeAt(position)) * 1e-6),
                                         entry);
}

QString AllocatorState::shortMomentText(std::int64_t position) const {
    const MemoryHistory& history = device()->history;
    return history.hasTimes() ? exactTime(static_cast<double>(history.timeAt(position)) * 1e-6)
                              : tr("entry %1").arg(position + 1);
}

const OutOfMemory* AllocatorState::nextOutOfMemory() const {
    if (!device() || device()->replay.outOfMemory.empty()) return nullptr;
    const auto& all = device()->replay.outOfMemory;
    const auto next =
        std::ranges::find_if(all, [&](const OutOfMemory& each) { return each.position > m_cursor; });
    return next == all.end() ? &all.front() : &*next;
}

}  // namespace plumb::ui
