// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_lanes.h"

#include "ui/theme/scaled.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <utility>

namespace plumb::ui {

namespace {
constexpr int kLaneSpace = 8;
constexpr int kRow = 17, kLabel = 16, kHeading = 20, kMemory = 54;
constexpr int kBelowLabels = 2;

QString groupName(const OpenedTrace& opened, const trace::Track& track) {
    const QString rank = track.rank < 0 ? QString() : tr("Rank %1 · ").arg(track.rank);
    if (track.kind == trace::TrackKind::Thread) {
        const QString label = toText(opened.trace->names.at(track.processLabel));
        // Kineto files its own work, such as asking for buffers, under process -1.
        const QString id = toText(opened.trace->names.at(track.process));
        const QString process =
            id == QStringLiteral("-1") ? tr("The profiler itself") : tr("Threads of process %1").arg(id);
        return rank + (label.isEmpty() ? process : process + QStringLiteral(" · ") + label);
    }
    if (const trace::Device* device = opened.trace->deviceOf(track))
        return rank + tr("GPU %1 · %2").arg(track.device).arg(deviceText(device->name));
    return rank + tr("GPU %1").arg(track.device);
}
}  // namespace

TraceLanes::TraceLanes(const OpenedTrace& opened) {
    const auto& tracks = opened.trace->tracks;
    const auto addMemory = [&] {
        if (opened.memory.empty()) return;
        Group& group = m_groups.emplace_back();
        group.name = tr("Memory of PyTorch's allocator");
        for (std::size_t i = 0; i < opened.memory.size(); ++i)
            group.lanes.push_back({Kind::Memory, i, m_groups.size() - 1, 0, 0});
    };
    bool memoryAdded = false;
    const trace::Track* before = nullptr;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const trace::Track& track = tracks[i];
        const bool isThread = track.kind == trace::TrackKind::Thread;
        if (isThread && !std::exchange(memoryAdded, true)) addMemory();
        const bool isSame = before != nullptr && before->rank == track.rank &&
                            (before->kind == trace::TrackKind::Thread) == isThread &&
                            (isThread ? before->process == track.process : before->device == track.device);
        if (!isSame) m_groups.emplace_back().name = groupName(opened, track);
        before = &track;
        m_groupOfTrack.push_back(m_groups.size() - 1);
        m_rowsOfTrack.push_back(static_cast<int>(track.rows));
        m_groups.back().lanes.push_back({Kind::Track, i, m_groups.size() - 1, 0, 0});
    }
    if (!memoryAdded) addMemory();
    lay();
}

int TraceLanes::rowHeight() { return scaled(kRow); }
int TraceLanes::labelHeight() { return scaled(kLabel); }
int TraceLanes::headingHeight() { return scaled(kHeading); }
int TraceLanes::memoryHeight() { return scaled(kMemory); }

int TraceLanes::heightOf(const Lane& lane) const {
    if (lane.kind == Kind::Heading) return headingHeight();
    if (lane.kind == Kind::Memory) return memoryHeight() + kLaneSpace;
    return std::max(2 * labelHeight() + kBelowLabels, m_rowsOfTrack[lane.item] * rowHeight()) + kLaneSpace;
}

void TraceLanes::lay() {
    m_lanes.clear();
    int top = 0;
    const auto add = [&](Lane lane) {
        lane.top = top;
        lane.height = heightOf(lane);
        top += lane.height;
        m_lanes.push_back(lane);
    };
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        add({Kind::Heading, i, i, 0, 0});
        if (!m_groups[i].folded) std::ranges::for_each(m_groups[i].lanes, add);
    }
}

const TraceLanes::Lane* TraceLanes::at(int y) const {
    const auto behind = std::ranges::upper_bound(m_lanes, y, {}, &Lane::top);
    if (behind == m_lanes.begin()) return nullptr;
    const Lane& lane = *std::prev(behind);
    return y < lane.top + lane.height ? &lane : nullptr;
}

const TraceLanes::Lane* TraceLanes::ofTrack(std::size_t track) const {
    const auto found = std::ranges::find_if(
        m_lanes, [&](const Lane& lane) { return lane.kind == Kind::Track && lane.item == track; });
    return found == m_lanes.end() ? nullptr : &*found;
}

void TraceLanes::setFolded(std::size_t group, bool folded) {
    m_groups[group].folded = folded;
    lay();
}

void TraceLanes::reveal(std::size_t track) {
    if (m_groups[m_groupOfTrack[track]].folded) setFolded(m_groupOfTrack[track], false);
}

}  // namespace plumb::ui
