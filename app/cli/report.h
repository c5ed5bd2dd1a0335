// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/snapshot/snapshot.h"

#include <string>
#include <vector>

namespace plumb::cli {

/// The snapshot for people: configuration, machine, key figures predicted | measured | difference, the step
/// by phase and its longest ops. A number that is not known is "–", and a line at the end says why. `notes`
/// are put at the end as lines of their own.
[[nodiscard]] std::string report(const Snapshot& snapshot, std::vector<std::string> notes = {});

/// The snapshot as the one JSON document of --json, with its newline; the notes are its field "notes".
[[nodiscard]] std::string document(const Snapshot& snapshot, std::vector<std::string> notes = {});

}  // namespace plumb::cli
