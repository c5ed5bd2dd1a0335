// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/snapshot/snapshot.h"

#include <string>

namespace plumb::cli {

/// What the reader of a snapshot wrote into it: the note and the bookmarks, one a line with view and place.
/// Empty where there is nothing, else it ends with a line of its own.
[[nodiscard]] std::string marksText(const Snapshot& snapshot);

}  // namespace plumb::cli
