// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <QString>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::ui {

/// A setting of the run panel, as it is called there.
struct RunSetting {
    std::string_view option;  ///< name on the command line: "micro-batch"
    QString title;            ///< "Micro-batch"
    QString value;            ///< as the command line writes it
};

/// What the panel has beside the options: how many steps the next run takes, which no configuration holds.
inline constexpr std::string_view kStepsOfRun = "steps";

/// Object name of the control of an option in the run panel, of which fields add "Field" or "Option".
[[nodiscard]] QString controlOf(std::string_view option);

/// Those that have a meaning in `config`, with the values in force.
[[nodiscard]] std::vector<RunSetting> runSettings(const RunConfig& config);
/// Steps of the next run, 0: until stopped.
[[nodiscard]] RunSetting stepsOfRun(std::int64_t steps);

/// `config` with what was typed for an option, behind `prefix` of its value. Errors: BadInput where the
/// option does not take it, and where it may be one of two numbers (core/base/typed_number.h).
[[nodiscard]] Result<RunConfig> withTyped(const RunConfig& config, std::string_view option,
                                          const QString& typed, const std::string& prefix = {});

/// Those, the steps of the next run among them, that `typed` names with a value that they can take: "batch
/// 512", "precision bf16", "steps 60". Usually one, or
/// none; each of the two numbers that a text may be. The value is read as the fields of the panel read it:
/// "2,048", "2 048" and "0,005".
[[nodiscard]] std::vector<RunSetting> settingsWith(const RunConfig& config, const QString& typed);

}  // namespace plumb::ui
