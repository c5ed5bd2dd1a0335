// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace plumb {

/// A stretch of a step's timeline.
struct MarkedTime {
    Seconds from = 0;  ///< from the beginning of the timeline
    Seconds to = 0;
    bool operator==(const MarkedTime&) const = default;
};

/// A place of a step that its reader wants to find again. Without ops and time it is the view as a whole.
struct Bookmark {
    std::string title;               ///< short, in the reader's own words; may be empty
    std::string view;                ///< id of the view that shows it, as `view` of findings
    std::string op;                  ///< id of the operation, or of the first of several
    std::string lastOp;              ///< id of the last one; empty: `op` alone
    std::optional<MarkedTime> time;  ///< of the timeline, beside the ops or without them
    bool operator==(const Bookmark&) const = default;
};

/// What a file takes; a reader refuses more.
inline constexpr std::size_t kMostBookmarks = 1000;
inline constexpr std::size_t kMostNoteBytes = 65'536;  ///< UTF-8
inline constexpr std::size_t kMostTitleBytes = 1000;
inline constexpr std::size_t kMostViewBytes = 64;
inline constexpr std::size_t kMostOpIdBytes = 4096;

/// Where it is, in words without the view: "layer1.matmul to layer3.matmul, 1.2 ms to 3.4 ms"; empty for a
/// view as a whole.
[[nodiscard]] std::string placeText(const Bookmark& bookmark);

}  // namespace plumb
