// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/training_series.h"
#include "core/snapshot/snapshot.h"

#include <string>
#include <vector>

namespace plumb::cli {

/// What has to be said about the figures of a snapshot, a sentence each: how well founded its times are, how
/// fast the machine was, what cannot be. In the text and in the document of --json.
[[nodiscard]] std::vector<std::string> notesOf(const Snapshot& snapshot);

/// "1.42318"; one that is no number is said to be none.
[[nodiscard]] std::string lossText(double loss);

/// ", loss scale 65536 at first, 32768 at last, 3 steps skipped" of a run in fp16; empty for the others.
[[nodiscard]] std::string lossScaleText(const TrainingSeries& training);

}  // namespace plumb::cli
