// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"
#include "core/plan/step_plan.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace plumb {

/// A change of a configuration that takes away why it is refused.
struct ConfigFix {
    Error refused;     ///< why the configuration is refused as it is
    RunConfig config;  ///< with the change
    /// Options and their values as setOption() takes them (empty: left out); one, but where an option
    /// drags another along or several are wrong.
    std::vector<std::pair<std::string, std::string>> changes;
};

/// Why `config` cannot be run by a backend of these traits: what validate(),
/// planStep() and, where the memory is known, checkFits() say.
[[nodiscard]] Result<void> checkRunnable(const RunConfig& config, const BackendTraits& traits,
                                         std::optional<Bytes> memoryBytes);

/// The nearest configuration that can be run: it was planned, and fits. Empty
/// where `config` can be run, and where only the user knows what is meant, such
/// as a file.
[[nodiscard]] std::optional<ConfigFix> fixOf(const RunConfig& config, const BackendTraits& traits,
                                             std::optional<Bytes> memoryBytes);

}  // namespace plumb
