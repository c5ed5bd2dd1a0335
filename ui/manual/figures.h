// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <array>
#include <span>

namespace plumb::ui {

/// Where on the page a figure stands.
enum class FigureGroup { Key, Counts, Time, Roofs, Memory, Device };
inline constexpr std::array kFigureGroups{FigureGroup::Key,   FigureGroup::Counts, FigureGroup::Time,
                                          FigureGroup::Roofs, FigureGroup::Memory, FigureGroup::Device};

/// A figure that the window shows: what it means, in the one place that says so. Texts are to be translated.
struct Figure {
    const char* id;  ///< its anchor on the page "figures"; of a key figure the name of its tile
    FigureGroup group;
    const char* name;
    const char* definition;
    const char* formula;  ///< null: it is counted or read as it is
    const char* unit;     ///< as it stands beside numbers; empty: a plain number
    const char* source;   ///< where its numbers come from
};
[[nodiscard]] std::span<const Figure> manualFigures();

[[nodiscard]] QString figureGroupTitle(FigureGroup group);
[[nodiscard]] QString figureGroupAnchor(FigureGroup group);

}  // namespace plumb::ui
