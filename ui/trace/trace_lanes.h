// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/opened/opened_trace.h"

#include <QString>

#include <optional>
#include <vector>

namespace plumb::ui {

/// What lies where below the axis of a trace, unscrolled: groups of lanes, each with a heading that folds
/// them. Streams of each device come first, then memory, then threads by process.
class TraceLanes {
public:
    /// Heights of what has a text in it, which grow with the letters.
    [[nodiscard]] static int rowHeight();
    [[nodiscard]] static int labelHeight();  ///< of each of the two that a lane has
    [[nodiscard]] static int headingHeight();
    [[nodiscard]] static int memoryHeight();
    enum class Kind { Heading, Track, Memory };
    struct Lane {
        Kind kind{};
        std::size_t item = 0;  ///< a group, a track or a curve of memory
        std::size_t group = 0;
        int top = 0;
        int height = 0;
        bool operator==(const Lane&) const = default;
    };

    TraceLanes() = default;
    explicit TraceLanes(const OpenedTrace& opened);

    /// Those of groups that are open, from the top.
    [[nodiscard]] const std::vector<Lane>& lanes() const { return m_lanes; }
    [[nodiscard]] int height() const {
        return m_lanes.empty() ? 0 : m_lanes.back().top + m_lanes.back().height;
    }
    /// The lane at a height; null below all.
    [[nodiscard]] const Lane* at(int y) const;
    /// The lane of a track; null while its group is folded.
    [[nodiscard]] const Lane* ofTrack(std::size_t track) const;
    [[nodiscard]] std::size_t groups() const { return m_groups.size(); }
    [[nodiscard]] QString nameOf(std::size_t group) const { return m_groups[group].name; }
    [[nodiscard]] bool isFolded(std::size_t group) const { return m_groups[group].folded; }
    void setFolded(std::size_t group, bool folded);
    /// Again, in letters of another size.
    void lay();
    /// Unfolds the group of a track.
    void reveal(std::size_t track);

private:
    struct Group {
        QString name;
        std::vector<Lane> lanes;
        bool folded = false;
    };
    [[nodiscard]] int heightOf(const Lane& lane) const;

    std::vector<Group> m_groups;
    std::vector<std::size_t> m_groupOfTrack;
    std::vector<int> m_rowsOfTrack;
    std::vector<Lane> m_lanes;
};

}  // namespace plumb::ui
