// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace plumb::ui {

struct ChartContent;
struct HoverCardContent;

/// What a chart shows, in words, for those who do not see it: of each line its range and its end, of stacked
/// areas the highest sum and where it is, of points how many and in which ranges, and what is marked by name.
/// The sentence in place of the picture, where there is one.
[[nodiscard]] QString chartText(const ChartContent& content);
/// What the card beside a place of a chart says, in one line.
[[nodiscard]] QString cardText(const HoverCardContent& card);

}  // namespace plumb::ui
