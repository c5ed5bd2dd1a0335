// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"
#include "ui/roofline/roofline_state.h"

#include <map>
#include <utility>
#include <vector>

namespace plumb::ui {

/// Where the predicted dots stood while the sliders moved: a path for each group of ops of the same phase,
/// kind and shape, the oldest places first.
class RooflineTrail {
public:
    static constexpr std::size_t kMost = 24;  ///< places of a path

    /// Called with each state that is shown. One whose dots stand where they stood adds nothing.
    void add(const RooflineState& state);
    /// The dots are where they are from now on: no path leads there.
    void clear() { m_paths.clear(); }
    /// Whether there is a path of more than the place where a dot is now.
    [[nodiscard]] bool isEmpty() const;

    /// The places before the last as marks without a tag, and lines along the path, fainter the older they
    /// are. `isShown` says which phases are.
    template <class IsShown>
    void addTo(QVector<ChartMark>& marks, QVector<ChartJoin>& joins, IsShown isShown) const {
        for (const auto& [key, places] : m_paths) {
            if (!isShown(key.first)) continue;
            for (std::size_t i = 0; i + 1 < places.size(); ++i) {
                const double age = static_cast<double>(i + 1) / static_cast<double>(places.size());
                marks.push_back({places[i], key.first, true, kRadius, -1, false, kFaintest + kFades * age});
                joins.push_back({places[i], places[i + 1], key.first, false, kFaintest + kFades * age});
            }
        }
    }

private:
    static constexpr qreal kRadius = 2.2;
    static constexpr double kFaintest = 0.08;
    static constexpr double kFades = 0.5;

    std::map<std::pair<Phase, std::string>, std::vector<QPointF>> m_paths;
};

}  // namespace plumb::ui
