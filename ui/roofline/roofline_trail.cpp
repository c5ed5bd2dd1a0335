// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/roofline/roofline_trail.h"

#include <algorithm>

namespace plumb::ui {

void RooflineTrail::add(const RooflineState& state) {
    std::map<std::pair<Phase, std::string>, std::vector<QPointF>> paths;
    for (const RooflinePoint& point : groupedPoints(state.points, *state.scene->whatIf.step)) {
        if (!point.predicted) continue;
        const std::pair key(point.phase, point.label);
        // Groups of one name and several shapes are led by the first of them.
        if (paths.contains(key)) continue;
        const auto before = m_paths.find(key);
        std::vector<QPointF> places = before == m_paths.end() ? std::vector<QPointF>() : before->second;
        const QPointF now(point.intensity, *point.predicted);
        if (places.empty() || places.back() != now) places.push_back(now);
        if (places.size() > kMost) places.erase(places.begin());
        paths[key] = std::move(places);
    }
    m_paths = std::move(paths);
}

bool RooflineTrail::isEmpty() const {
    return std::ranges::all_of(m_paths, [](const auto& path) { return path.second.size() < 2; });
}

}  // namespace plumb::ui
