// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/engine/device_choices.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace plumb::ui {

class ConfigHistory;

/// Whether steps of several ranks run there: on a processor, by the built-in trainer.
[[nodiscard]] bool sharesRanks(const DeviceChoice& choice);

/// Numbers of ranks that the device list offers beside the device: powers of two up to its cores. Of a
/// computer elsewhere nobody knows how many it has: 2 and 4.
[[nodiscard]] std::vector<std::int64_t> offeredRanks(const DeviceChoice& choice);

/// "2 CPU ranks".
[[nodiscard]] QString cpuRanksText(std::int64_t ranks);

/// Has the step run by so many ranks, as an edit that can be undone. Errors: those of
/// ConfigHistory::change().
[[nodiscard]] Result<void> takeRanks(const RunConfig& config, ConfigHistory& history, std::int64_t ranks);

}  // namespace plumb::ui
